package results

import (
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

func sample() Record {
	spread := Float(0.25)
	auc := 0.75
	return Record{
		Schema: Schema, Started: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC), Finished: time.Date(2024, 5, 1, 12, 0, 9, 0, time.UTC),
		Command: []string{"asp2vec", "train", "--network", "a b.txt"}, Method: "asp2vec", Protocol: "default",
		Options: json.RawMessage(`{"aspects":5,"tau":0.5}`), Seed: math.MaxUint64,
		Dataset:    Dataset{Name: "toy", SHA256: "00ff", Vertices: 5, Links: 6, Directed: true, Train: 3, Test: 3, FeaturesSHA256: "ff00", FeaturesMissing: 2, FeaturesUnknown: 1, NetworkSHA256: "f00f", WordsSHA256: "0ff0", WordsMissing: 3},
		Code:       Code{Version: "v1.0.0", Commit: "abc", Dirty: true, Go: "go1.26", Gorgonia: "v0.9.18", Tensor: "v0.9.24"},
		Host:       Host{OS: "linux", Arch: "amd64", CPU: "some", CPUs: 2, Threads: 1, MemoryBytes: 1 << 33, Kernel: "avx2"},
		Definition: "0123456789abcdef",
		Epochs: []Epoch{
			{Stage: StageWarmUp, Epoch: 1, LossNats: 2.07, ValidationAUC: &auc, Seconds: 0.5, Pairs: 1000, PairsPerSecond: 2000},
			{Stage: StageAsp2vec, Epoch: 1, LossNats: 2.5, Penalty: Float(math.Inf(1)), Seconds: 0.5, Pairs: 1000, PairsPerSecond: 2000},
		},
		BestStage: StageAsp2vec, BestEpoch: 1, PartialEpoch: 2, Selection: ValidationBest,
		Metrics: Metrics{"auc": 0.7426, "diverged": math.Inf(-1)}, Scoring: "sum", ScoreDefinition: "fedcba98",
		Scores:       []Scored{{Score: "lr score-c=10", Metrics: Metrics{"auc": 0.5}}},
		Tried:        []Tried{{Name: "p=1 q=2"}},
		Pilot:        &Pilot{RateSum: 0.5, Links: 20, Pairs: 1000, Seconds: 0.5, Scores: []PilotScore{{RateSum: 0.5, ValidationAUC: 0.75}}},
		Parameters:   Parameters{Count: 60, Formula: "N D (K+1)", Paper: 55},
		StepPairs:    48,
		Baselines:    map[string]Metrics{"tf-idf": {"auc": 0.6}},
		AspectSpread: &spread,
		RefitSeconds: 0.5, TrainSeconds: 1, EvalSeconds: 0.1, PeakMemoryBytes: 1 << 20, Interrupted: true, Error: "why",
		Resumed: true, Parent: &Parent{SHA256: "123", Method: "asp2vec"},
	}
}

func TestRecordRoundTrip(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "store.jsonl")
	want := sample()
	for range 2 {
		if err := want.Append(path); err != nil {
			t.Fatal(err)
		}
	}
	got, problems, err := ReadStore(path)
	if err != nil || len(problems) != 0 || len(got) != 2 {
		t.Fatalf("%d records, problems %v, %v", len(got), problems, err)
	}
	for _, r := range got {
		if !reflect.DeepEqual(r, want) {
			t.Errorf("got  %+v\nwant %+v", r, want)
		}
	}
}

// Every field of a record must reach the JSON under a key in snake case: a forgotten commit hash is found years later.
func TestRecordKeys(t *testing.T) {
	b, err := sample().Line()
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]any
	if err := json.Unmarshal(b, &m); err != nil {
		t.Fatal(err)
	}
	var walk func(typ reflect.Type, m map[string]any, at string)
	walk = func(typ reflect.Type, m map[string]any, at string) {
		for f := range typ.Fields() {
			key, _, _ := strings.Cut(f.Tag.Get("json"), ",")
			v, ok := m[key]
			if key == "" || key != strings.ToLower(key) || !ok {
				t.Errorf("%s%s: key %q is bad or missing", at, f.Name, key)
			}
			if sub, ok := v.(map[string]any); ok && f.Type.Kind() == reflect.Struct {
				walk(f.Type, sub, at+f.Name+".")
			}
		}
	}
	walk(reflect.TypeFor[Record](), m, "")
	if code := m["code"].(map[string]any); code["commit"] != "abc" {
		t.Errorf("code.commit = %v", code["commit"])
	}
}

func TestFloatJSON(t *testing.T) {
	b, err := json.Marshal(Metrics{"nan": math.NaN(), "x": 0.1})
	if err != nil || string(b) != `{"nan":"NaN","x":0.1}` {
		t.Fatalf("%s, %v", b, err)
	}
	var m Metrics
	if err := json.Unmarshal(b, &m); err != nil || !math.IsNaN(m["nan"]) || m["x"] != 0.1 {
		t.Errorf("%v, %v", m, err)
	}
	if err := json.Unmarshal([]byte(`{"x":"seven"}`), &m); err == nil {
		t.Error("a word for a number: no error")
	}
}

func TestRecordErrors(t *testing.T) {
	for name, r := range map[string]Record{
		"no method": {}, "schema": {Schema: Schema + 1, Method: "m"}, "selection": {Method: "m", Selection: "best"},
		"options": {Method: "m", Options: json.RawMessage("{")},
	} {
		path := filepath.Join(t.TempDir(), "s.jsonl")
		if err := r.Append(path); err == nil {
			t.Errorf("%s: no error", name)
		}
		if _, err := os.Stat(path); err == nil {
			t.Errorf("%s: a file was made", name)
		}
	}
}

func TestTornLine(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "s.jsonl")
	line, err := sample().Line()
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		before            string
		records, problems int
	}{
		"cut in the middle":     {string(line) + string(line[:len(line)/2]), 2, 1},
		"only the line end cut": {string(line[:len(line)-1]), 2, 0},
		"cut at the start":      {"{", 1, 1},
		"empty":                 {"", 1, 0},
	} {
		if err := os.WriteFile(path, []byte(c.before), 0o666); err != nil {
			t.Fatal(err)
		}
		if err := sample().Append(path); err != nil {
			t.Fatal(err)
		}
		rs, ps, err := ReadStore(dir)
		if err != nil || len(rs) != c.records || len(ps) != c.problems {
			t.Errorf("%s: %d records, problems %v, %v: expected %d and %d", name, len(rs), ps, err, c.records, c.problems)
		}
	}
}

func TestReadStoreProblems(t *testing.T) {
	dir := t.TempDir()
	os.WriteFile(filepath.Join(dir, "a.jsonl"), []byte("\nhello\n{\"schema\":99,\"method\":\"m\"}\n{\"schema\":1,\"method\":\"m\",\"new_key\":1}\n"), 0o666)
	os.WriteFile(filepath.Join(dir, "b.txt"), []byte("no store\n"), 0o666)
	rs, ps, err := ReadStore(dir)
	if err != nil || len(rs) != 1 || len(ps) != 2 || ps[0].Line != 2 || ps[1].Line != 3 || !strings.Contains(ps[0].Error(), "a.jsonl:2: ") {
		t.Errorf("%d records, problems %v, %v", len(rs), ps, err)
	}
	if _, _, err := ReadStore(filepath.Join(dir, "none")); err == nil {
		t.Error("a path that is not there: no error")
	}
}

const appendEnv = "RESULTS_TEST_APPEND"

// Lines longer than a pipe's or a page's atomic size, from several goroutines of several processes, all arrive whole.
func TestConcurrentAppends(t *testing.T) {
	if path := os.Getenv(appendEnv); path != "" { // in the child process
		appendMany(t, path)
		return
	}
	path := filepath.Join(t.TempDir(), "s.jsonl")
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	var children []*exec.Cmd
	for range 2 {
		c := exec.Command(exe, "-test.run=^TestConcurrentAppends$")
		c.Env = append(os.Environ(), appendEnv+"="+path)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		children = append(children, c)
	}
	appendMany(t, path)
	for _, c := range children {
		if err := c.Wait(); err != nil {
			t.Error(err)
		}
	}
	rs, ps, err := ReadStore(path)
	if want := 3 * writers * appends; err != nil || len(ps) != 0 || len(rs) != want {
		t.Errorf("%d records, problems %v, %v: expected %d and none", len(rs), ps, err, want)
	}
}

const writers, appends = 4, 5

func appendMany(t *testing.T, path string) {
	var wg sync.WaitGroup
	for range writers {
		wg.Go(func() {
			for range appends {
				r := sample()
				r.Error = strings.Repeat("x", 50000)
				if err := r.Append(path); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
}

func TestEnvironment(t *testing.T) {
	r := NewRecord("m")
	if r.Code.Go == "" || r.Host.OS == "" || r.Host.CPUs < 1 || r.Host.Threads < 1 || r.Started.IsZero() {
		t.Errorf("%+v", r)
	}
	r.Finish(io.ErrUnexpectedEOF)
	if r.Error == "" || r.Finished.Before(r.Started) {
		t.Errorf("%+v", r)
	}
	if before := PeakMemory(); before > 0 {
		b := make([]byte, 64<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		if after := PeakMemory(); after < uint64(len(b)) || after < before {
			t.Errorf("peak of %d bytes after touching %d (before: %d)", after, len(b), before)
		}
		_ = fmt.Sprint(b[4096])
	}
	got := codeFrom(&debug.BuildInfo{
		GoVersion: "go1.26", Main: debug.Module{Version: "v1.2.3"},
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}},
		Deps: []*debug.Module{{Path: "gorgonia.org/gorgonia", Version: "v0.9.18"},
			{Path: "gorgonia.org/tensor", Version: "v0.9.24", Replace: &debug.Module{Path: "../tensor"}}},
	})
	if want := (Code{"v1.2.3", "abc", true, "go1.26", "v0.9.18", "../tensor@"}); got != want {
		t.Errorf("codeFrom: %+v, expected %+v", got, want)
	}
}

// A line that is being written is waited for, rather than taken for damage; one that nobody ends is damage.
func TestReadHalfALine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	line, err := numbered(1).Line()
	if err != nil {
		t.Fatal(err)
	}
	whole := slices.Concat(line, line[:len(line)/2])
	if err := os.WriteFile(path, whole, 0o666); err != nil {
		t.Fatal(err)
	}
	if records, problems, err := ReadStore(path); err != nil || len(records) != 1 || len(problems) != 1 {
		t.Errorf("half a line: %d records, %v, %v", len(records), problems, err)
	}
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	var writing sync.WaitGroup
	writing.Go(func() {
		time.Sleep(10 * time.Millisecond)
		_, _ = f.Write(line[len(line)/2:])
	})
	records, problems, err := ReadStore(path)
	if err != nil || len(records) != 2 || len(problems) > 0 {
		t.Errorf("a line that is ended meanwhile: %d records, %v, %v", len(records), problems, err)
	}
	writing.Wait()
}

// Words of a record that are longer than any run's would be padded to in tables.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	for what, r := range map[string]Record{"method": {Method: long}, "protocol": {Method: "m", Protocol: long}, "data set": {Method: "m", Dataset: Dataset{Name: long}}} {
		r.Schema = Schema
		if err := r.Validate(); err == nil || !strings.Contains(err.Error(), what+" of 131072 bytes: expected at most 65536") {
			t.Errorf("%s: %.100v", what, err)
		}
	}
}
