package main

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

const fullDevice = "/dev/full" // takes no byte: a full disk

func needFullDevice(t *testing.T) {
	t.Helper()
	if !exists(fullDevice) {
		t.Skipf("no %s here to stand for a full disk", fullDevice)
	}
}

func TestFullDisk(t *testing.T) {
	needFullDevice(t)
	karate(t)
	write(t, "alone.vec", "2 1\na 1\nb 2\n")
	full := func(r ran) {
		t.Helper()
		if r.code != 2 || !strings.Contains(r.err, "no space left") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("exit code %d, message %q: expected 2 and one line on the space", r.code, r.err)
		}
	}
	full(invoke("export", "alone.vec", "--format", "npz", "--out", fullDevice, "--log-level", "error"))
	f := call.Of(os.OpenFile(fullDevice, os.O_WRONLY, 0))(t)
	defer f.Close()
	full(invokeWith(t.Context(), shell.Program{Out: f}, "data", "list"))
	// A store that cannot take the record: the run's folder is there all the same.
	args := append([]string{"train", "--split", "split", "--out", "run", "--force", "--results", "store", "--log-level", "error"}, quick...)
	must(t, args...)
	records, err := filepath.Glob("store/*/record.json")
	if err != nil || len(records) != 1 {
		t.Fatal(records, err)
	}
	if err := cmp.Or(os.Remove(records[0]), os.Symlink(fullDevice, records[0])); err != nil {
		t.Skip(err)
	}
	r := invoke(args...)
	full(r)
	if !strings.Contains(r.out, "test AUC") || strings.Contains(r.out, "record.json") {
		t.Errorf("expected the numbers told, and no store:\n%s", r.out)
	}
	if _, err := results.ReadRecord("run"); err != nil {
		t.Errorf("the run was lost with its record: %v", err)
	}
}

// A run that fails is a record too.
func TestDivergedRun(t *testing.T) {
	karate(t)
	r := invoke(append([]string{"train", "--split", "split", "--warm-up=false", "--batch", "100", "--learning-rate", "1e30", "--out", "run", "--results", "results"}, quick...)...)
	if r.code != 1 || !strings.Contains(lastLine(r.err), "learning-rate") || exists("run") {
		t.Errorf("%+v", r)
	}
	records, _, err := results.ReadStore("results")
	if err != nil || len(records) != 1 || records[0].Error == "" {
		t.Errorf("records %+v, %v: expected one with an error", records, err)
	}
}

// One that fails after some epochs leaves the best of them, and says so.
func TestDivergedRunKeepsTheBestEpoch(t *testing.T) {
	karate(t)
	// At this rate sgd diverges after some epochs: the loss, the classifier or both give up.
	r := invoke(append([]string{"train", "--split", "split", "--protocol", "validated", "--warm-up=false", "--batch", "100", "--optimizer", "sgd", "--learning-rate", "0.15", "--out", "run"},
		with(quick, "--epochs", "1000", "--patience", "1000")...)...)
	if r.code != 1 || !strings.Contains(lastLine(r.err), "run holds the best epoch before that, asp2vec ") {
		t.Errorf("%+v", r)
	}
	rec, err := results.ReadRecord("run")
	if err != nil || rec.Error == "" || rec.BestEpoch < 1 || len(rec.Epochs) < rec.BestEpoch || rec.Metrics["auc"] == 0 {
		t.Errorf("record %+v, %v", rec, err)
	}
	must(t, "evaluate", "--split", "split", "--embedding", "run")
}

// A run that needs more memory than there is says so before it begins; so does one whose largest part is another.
func TestTooMuchMemory(t *testing.T) {
	karate(t)
	small := []string{"--memory-limit", "512MiB"}
	largest := []string{"--dim", "65536", "--aspects", "4096"} // 34 vectors of 268 million numbers, four times: 146 GB
	for _, args := range [][]string{
		append([]string{"train", "--out", "none", "--results", "results", "--network", "karate.tsv"}, largest...),
		{"train", "--out", "none", "--results", "results", "--split", "split", "--walks", "65536", "--order", "grouped"},
	} {
		before := tree(t)
		r := invoke(slices.Concat(args, small, []string{"--log-level", "error"})...)
		if r.code != 2 || strings.Count(r.err, "\n") != 1 || tree(t) != before || !strings.Contains(r.err, "there are 512 MiB (--memory-limit): expected a lower --dim") {
			t.Errorf("%v: %+v, expected one line and code 2", args, r)
		}
	}
	for _, odd := range []string{"-1", "0", "1e99", "GiB", "4 GiB 2", "NaN", "4XB"} {
		if r := invoke("version", "--memory-limit", odd); r.code != 2 || !strings.Contains(r.err, "--memory-limit") || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v, expected one line", odd, r)
		}
	}
	for text, want := range map[string]uint64{"4GiB": 4 << 30, "1.5 gb": 1.5e9, "512M": 512 << 20, "1073741824": 1 << 30, "7B": 7, "2 t": 2 << 40, "9KB": 9000} {
		if got, ok := shell.ParseBytes(text); got != want || !ok {
			t.Errorf("%s: %d, %v; expected %d", text, got, ok, want)
		}
	}
	// A network is held to the limit as well.
	var many strings.Builder
	for i := range 200_000 {
		fmt.Fprintf(&many, "%d\t%d\n", i%1000, i/1000)
	}
	write(t, "many.tsv", many.String())
	invoke("data", "import", "many.tsv", "--out", "s2", "--memory-limit", "2MiB").exits(t, 2, "many.tsv:", "expected a smaller network, or more memory")
	// What fits is not refused, nor what nobody knows the limit of.
	for _, limit := range []uint64{512 << 20, 0} {
		p := shell.Program{Memory: func() results.Memory { return results.Memory{Bytes: limit} }}
		if r := invokeWith(t.Context(), p, append([]string{"train", "--out", "none", "--results", "results", "--split", "split"}, quick...)...); r.code != 0 {
			t.Errorf("limit %d: %+v", limit, r)
		}
	}
}

type panics struct{}

func (panics) Read([]byte) (int, error) { panic("boom") }

func TestPanicIsOneLine(t *testing.T) {
	enter(t)
	r := invokeWith(t.Context(), shell.Program{In: panics{}}, "train", "--network", "-")
	if r.code != 1 || strings.Count(r.err, "\n") != 1 || !strings.Contains(r.err, "boom: please report") {
		t.Errorf("%+v", r)
	}
}
