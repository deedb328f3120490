package results

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func sample() Record {
	spread := Float(0.25)
	auc := 0.75
	return Record{
		Schema: Schema, Started: time.Date(2024, 5, 1, 12, 0, 0, 0, time.UTC), Finished: time.Date(2024, 5, 1, 12, 0, 9, 0, time.UTC),
		Command: []string{"asp2vec", "train", "--network", "a b.txt"}, Method: "asp2vec", Protocol: "default",
		Options: json.RawMessage(`{"aspects":5,"tau":0.5}`), Seed: math.MaxUint64,
		Dataset:    Dataset{Name: "toy", SHA256: "00ff", Vertices: 5, Links: 6, Directed: true, Train: 3, Test: 3, FeaturesSHA256: "ff00", FeaturesMissing: 2, FeaturesUnknown: 1, NetworkSHA256: "f00f", WordsSHA256: "0ff0", WordsMissing: 3},
		Code:       Code{Version: "v1.0.0", Commit: "abc", Dirty: true, Go: "go1.26", Gorgonia: "v0.9.18", Tensor: "v0.9.24", Level: "v3"},
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

// A record comes back from the folder of its run, and from a packed file, as it was: once, however often it
// is there.
func TestRecordRoundTrip(t *testing.T) {
	store := filepath.Join(t.TempDir(), "new")
	want := sample()
	line := call.Of(want.Line())(t)
	for _, write := range []func() error{
		func() error { return want.Write(filepath.Join(store, "a")) },
		func() error { return os.WriteFile(filepath.Join(store, PackedFile), slices.Concat(line, line), 0o666) },
		func() error { return os.RemoveAll(filepath.Join(store, "a")) },
	} {
		call.OK(t, write())
		got, problems, err := ReadStore(store)
		if err != nil || len(problems) != 0 || len(got) != 1 || !reflect.DeepEqual(got[0], want) {
			t.Fatalf("got  %+v, problems %v, %v\nwant %+v", got, problems, err, want)
		}
	}
}

// A store is what lies in its folder; a folder of stores is read where that is asked for. A folder of a run holds no runs.
func TestParts(t *testing.T) {
	store := t.TempDir()
	for _, dir := range []string{"a", "a/inner", "other/b"} {
		call.OK(t, sample().Write(filepath.Join(store, dir)))
	}
	for _, file := range []string{"runs.jsonl", "runs.d/shard.jsonl", "other/runs.jsonl", "notes.txt", "empty/train.checkpoint"} {
		path := filepath.Join(store, file)
		call.OK(t, os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, nil, 0o666))
	}
	for _, c := range []struct {
		deep bool
		want []string
	}{{false, []string{"a", "runs.d/shard.jsonl", "runs.jsonl"}}, {true, []string{"a", "other/b", "other/runs.jsonl", "runs.d/shard.jsonl", "runs.jsonl"}}} {
		parts, err := Parts(store, c.deep)
		var got []string
		for _, p := range parts {
			name, _ := filepath.Rel(store, p.Path)
			got = append(got, filepath.ToSlash(name))
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("deep %v: %v, %v: expected %v", c.deep, got, err, c.want)
		}
	}
	if _, err := Parts(filepath.Join(store, "none"), true); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a path that is not there: %v", err)
	}
}

// Every field of a record must reach the JSON under a key in snake case: a forgotten commit hash is found years later.
func TestRecordKeys(t *testing.T) {
	b := call.Of(sample().Line())(t)
	var m map[string]any
	call.OK(t, json.Unmarshal(b, &m))
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
	call.Refused(t)(json.Unmarshal([]byte(`{"x":"seven"}`), &m))
}

func TestRecordErrors(t *testing.T) {
	for name, r := range map[string]Record{
		"no method": {}, "schema": {Schema: Schema + 1, Method: "m"}, "selection": {Method: "m", Selection: "best"},
		"options": {Method: "m", Options: json.RawMessage("{")},
	} {
		dir := t.TempDir()
		if r.Write(dir) == nil {
			t.Errorf("%s: no error", name)
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("%s: %v were made", name, files)
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
	call.OK(t, os.Mkdir(filepath.Join(dir, "c"), 0o777), os.WriteFile(filepath.Join(dir, "c", RecordFile), []byte("{"), 0o666))
	if _, ps, err := ReadStore(dir); err != nil || len(ps) != 3 || ps[0].Line != 0 || !strings.Contains(ps[0].Error(), RecordFile+": ") {
		t.Errorf("problems %v, %v", ps, err)
	}
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
		Settings: []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}, {Key: "GOAMD64", Value: "v3"}},
		Deps: []*debug.Module{{Path: "gorgonia.org/gorgonia", Version: "v0.9.18"},
			{Path: "gorgonia.org/tensor", Version: "v0.9.24", Replace: &debug.Module{Path: "../tensor"}}},
	})
	if want := (Code{"v1.2.3", "abc", true, "go1.26", "v0.9.18", "../tensor@", "v3"}); got != want {
		t.Errorf("codeFrom: %+v, expected %+v", got, want)
	}
}

// Words of a record that are longer than any run's would be padded to in tables.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("x", 1<<17)
	for what, r := range map[string]Record{"method": {Method: long}, "protocol": {Method: "m", Protocol: long}, "data set": {Method: "m", Dataset: Dataset{Name: long}}} {
		r.Schema = Schema
		call.Refused(t, what+" of 131072 bytes: expected at most 65536")(r.Validate())
	}
}
