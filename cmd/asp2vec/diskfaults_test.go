//go:build unix

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/asp2vec/asp2vec/internal/disk"
	"github.com/asp2vec/asp2vec/results"
)

var errCrashed = errors.New("crashed")

// diskFaults are what goes wrong with one call; after a crash no later call does anything.
var diskFaults = []struct {
	name string
	disk.Fault
	crash bool
}{
	{"EIO", disk.Fault{Before: syscall.EIO}, false},
	{"short, ENOSPC", disk.Fault{Before: syscall.ENOSPC, Half: true}, false},
	{"EROFS", disk.Fault{Before: syscall.EROFS}, false},
	{"done, and says EIO", disk.Fault{After: syscall.EIO}, false},
	{"crash before", disk.Fault{Before: errCrashed}, true},
	{"crash amid", disk.Fault{Before: errCrashed, Half: true}, true},
	{"crash after", disk.Fault{After: errCrashed}, true},
}

// faulty runs the command line with a fault at one call of those that change files, from 1 on, and returns what these calls were.
func faulty(at int, fault disk.Fault, crash bool, args []string) (r ran, calls []string) {
	var mu sync.Mutex
	crashed := false
	defer disk.Intercept(func(op, _ string) disk.Fault {
		mu.Lock()
		defer mu.Unlock()
		switch calls = append(calls, op); {
		case crashed:
			return disk.Fault{Before: errCrashed}
		case len(calls) != at:
			return disk.Fault{}
		}
		crashed = crash
		return fault
	})()
	r = invoke(args...)
	return r, calls
}

// faultyCalls returns at which of a command's calls a fault is tried: at all that it can hit, or at one of them, of another operation for
// each fault. Half of its work only a write can do.
func faultyCalls(calls []string, number int, fault disk.Fault, all bool) (at []int) {
	of := map[string][]int{}
	for i, op := range calls {
		if !fault.Half || op == "write" {
			at = append(at, i+1)
			of[op] = append(of[op], i+1)
		}
	}
	if all || len(at) == 0 {
		return at
	}
	operations := slices.Sorted(maps.Keys(of))
	same := of[operations[number%len(operations)]]
	return []int{same[number*number%len(same)]}
}

// tally returns the contents of all files below the current folder, without records and what clocks write into them.
func tally(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	err := fs.WalkDir(os.DirFS("."), ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		text := read(t, name)
		if strings.HasSuffix(name, ".json") || strings.HasSuffix(name, ".jsonl") {
			var courses []string
			for line := range strings.Lines(text) {
				if r, err := results.ParseRecord([]byte(line)); err == nil {
					courses = append(courses, courseOf(r))
				}
			}
			if r, err := results.ParseRecord([]byte(text)); err == nil {
				courses = []string{courseOf(r)}
			}
			if len(courses) > 0 {
				slices.Sort(courses)
				text = strings.Join(courses, "\n")
			}
		}
		all[name] = text
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// differing returns the names of files that two tallies have otherwise.
func differing(a, b map[string]string) (names []string) {
	for name := range a {
		if x, there := b[name]; !there || x != a[name] {
			names = append(names, name)
		}
	}
	for name := range b {
		if _, there := a[name]; !there {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// Whatever call that changes a file fails, and wherever a command ends amid them, each of its results is whole, or as it was, one line
// says what happened, and the same command leaves what it would have left, and nothing else: at some of all calls, or at each if asked.
func TestDiskFaults(t *testing.T) {
	mirror, _ := publishedFiles(t)
	asCora(t)
	must(t, "split", "--network", "karate.tsv", "--remove", "0.3", "--rule", "ce1", "--out", "split")
	train(t, "--split", "split", "--out", "model", "--results", "none")
	write(t, "sweep.yaml", "datasets: [cora]\nmethod: deepwalk\nprotocol: validated\nseeds: 1\noptions: {dim: 2, epochs: 2, walks: 1, walk-length: 5, window: [1, 2]}\n")
	base := "."
	if dir, err := os.MkdirTemp("/dev/shm", "asp2vec-test-"); err == nil { // where flushing takes no time
		t.Cleanup(func() { _ = os.RemoveAll(dir) })
		base = dir
	}
	start, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	all := os.Getenv("ASP2VEC_FAULTS") != ""
	tried := map[string]int{} // by the operation that failed
	for name, c := range map[string]struct {
		args   []string
		again  []string // after it was done, --force; nil where it takes none
		result string   // a file that is whole or as it was
	}{
		"train": {append(append([]string{"train"}, quick...), "--split", "split", "--protocol", "validated", "--checkpoint-every", "1epoch",
			"--warm-up-epochs", "1", "--epochs", "2", "--threads", "1", "--out", "run"), []string{"--force"}, "run"},
		"split":     {[]string{"split", "--network", "karate.tsv", "--remove", "0.3", "--rule", "ce1", "--seed", "2", "--out", "parted"}, []string{"--force"}, "parted"},
		"export":    {[]string{"export", "--model", "model", "--format", "npz", "--out", "e.npz"}, []string{"--force"}, "e.npz"},
		"folder":    {[]string{"export", "--model", "model", "--format", "projector", "--out", "p"}, []string{"--force"}, "p"},
		"sweep":     {[]string{"sweep", "sweep.yaml", "--data", "data", "--checkpoint-every", "1epoch", "--threads", "1"}, nil, "results"},
		"import":    {[]string{"data", "import", "karate.tsv", "--out", "imported"}, []string{"--force"}, "imported"},
		"reproduce": {[]string{"reproduce", "sweep.yaml", "--data", "data", "--checkpoint-every", "1epoch", "--threads", "1"}, nil, "results"},
		"fetch":     {[]string{"data", "fetch", "filmtrust", "--mirror", mirror, "--data", "data"}, nil, "data/filmtrust"},
	} {
		if name == "fetch" && mirror == "" {
			continue
		}
		fresh := func(dir string) {
			t.Helper()
			if err := os.CopyFS(dir, os.DirFS(start)); err != nil {
				t.Fatal(err)
			}
			t.Chdir(dir)
		}
		fresh(filepath.Join(base, name))
		before := tally(t)
		_, calls := faulty(0, disk.Fault{}, false, c.args)
		want := tally(t)
		if len(differing(before, want)) == 0 || len(calls) < 3 {
			t.Fatalf("%s: %d calls, and nothing changed", name, len(calls))
		}
		for f, fault := range diskFaults {
			at := faultyCalls(calls, f, fault.Fault, all)
			if len(at) == 0 {
				t.Errorf("%s: no call that %s could hit, of %q", name, fault.name, calls)
			}
			for _, at := range at {
				dir := filepath.Join(base, fmt.Sprint(name, f, "-", at))
				fresh(dir)
				where := fmt.Sprintf("%s, %s at %s, call %d of %d", name, fault.name, calls[at-1], at, len(calls))
				write(t, "tmp/keep", "")
				t.Setenv("TMPDIR", filepath.Join(dir, "tmp")) // where a run is kept that cannot be written to its folder
				r, made := faulty(at, fault.Fault, fault.crash, c.args)
				if len(made) < at {
					t.Errorf("%s: there were %d calls", where, len(made))
					continue
				}
				tried[made[at-1]]++
				_ = os.RemoveAll("tmp")
				now := tally(t)
				for _, file := range differing(now, want) {
					if was, there := before[file]; there && was != now[file] {
						t.Errorf("%s: %s is neither as it was nor as it is to be", where, file)
					}
					if strings.HasPrefix(file, c.result) && !strings.HasSuffix(file, ".jsonl") && now[file] != "" && !strings.Contains(file, ".checkpoint") && !strings.Contains(file, "/.") {
						t.Errorf("%s: half of %s is there", where, file)
					}
				}
				if lines := strings.Count(r.err, "asp2vec: "); r.code != 0 && lines != 1 {
					t.Errorf("%s: code %d with %d messages:\n%s", where, r.code, lines, r.err)
				}
				if r.code == 0 && !fault.crash && len(differing(now, want)) > 0 {
					t.Errorf("%s: done, and %q differ", where, differing(now, want))
				}
				args := c.args
				if c.again != nil && exists(c.result) {
					args = append(slices.Clone(args), c.again...)
				}
				if again := invoke(args...); again.code != 0 {
					t.Errorf("%s: again: %s", where, again.err)
				} else if odd := differing(tally(t), want); len(odd) > 0 && name != "train" && name != "sweep" && name != "reproduce" {
					t.Errorf("%s: after the same command %q are other files", where, odd)
				} else if left := slices.DeleteFunc(odd, func(f string) bool { return f == "results/runs.jsonl" }); len(left) > 0 {
					t.Errorf("%s: after the same command %q are other files", where, left)
				}
				t.Chdir(start)
				_ = os.RemoveAll(dir)
			}
		}
		t.Chdir(start)
	}
	total := 0
	for _, n := range tried {
		total += n
	}
	t.Logf("%d faults: %v", total, tried)
	if total < 40 || tried["write"] < 10 || len(tried) < 5 {
		t.Errorf("%d faults, %v: want forty or more, ten of writes, and five operations", total, tried)
	}
}

// On a full disk a command leaves nothing behind, no empty file or folder either, and says what to do. A store alone is not removed, since another
// process may have opened it.
func TestNothingLeftOnAFullDisk(t *testing.T) {
	asCora(t)
	train(t, "--split", "data/cora/split", "--out", "model", "--results", "none")
	write(t, "sweep.yaml", "datasets: [cora]\nmethod: deepwalk\nprotocol: validated\nseeds: 1\noptions: {dim: 2, epochs: 1, walks: 1, walk-length: 5}\n")
	t.Setenv("TMPDIR", filepath.Join(t.TempDir(), "also-full"))
	files := func() (all []string) {
		err := fs.WalkDir(os.DirFS("."), ".", func(name string, _ fs.DirEntry, err error) error {
			all = append(all, name)
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return all
	}
	before := files()
	for _, args := range [][]string{
		append(append([]string{"train"}, quick...), "--split", "data/cora/split", "--checkpoint-every", "1epoch", "--results", "none", "--out", "full/run"),
		append(append([]string{"train"}, quick...), "--split", "data/cora/split", "--checkpoint-every", "1epoch", "--results", "full/runs"),
		{"split", "--network", "karate.tsv", "--out", "full/split"},
		{"export", "--model", "model", "--format", "npz", "--out", "full/e.npz"},
		{"export", "--model", "model", "--format", "projector", "--out", "full/p"},
		{"figure", "embedding", "model", "--out", "full/map.svg"},
		{"walk", "karate.tsv", "--out", "full/walks.txt"},
		{"data", "generate", "planted", "--vertices", "100", "--communities", "4", "--out", "full/planted"},
		{"data", "generate", "planted", "--vertices", "100", "--communities", "4", "--out", "full/planted.tsv"},
		{"data", "generate", "typed", "--users", "30", "--items", "40", "--out", "full/typed"},
		{"data", "import", "karate.tsv", "--out", "full/imported"},
		{"sweep", "sweep.yaml", "--data", "data", "--checkpoint-every", "1epoch", "--results", "full/runs"},
		{"reproduce", "sweep.yaml", "--data", "data", "--checkpoint-every", "1epoch", "--results", "full/runs"},
	} {
		restore := disk.Intercept(func(op, _ string) (f disk.Fault) {
			if op == "write" {
				f = disk.Fault{Before: syscall.ENOSPC, Half: true}
			}
			return f
		})
		r := invoke(args...)
		restore()
		name := strings.Join(args, " ")
		if r.code != 2 || !strings.Contains(r.err, "no space left on device") || !strings.Contains(r.err, "free some space there, or choose a place on another disk") || strings.Contains(r.err, ".tmp-") {
			t.Errorf("%s: code %d:\n%s", name, r.code, r.err)
		}
		left := slices.DeleteFunc(files(), func(f string) bool { return slices.Contains(before, f) })
		if len(left) > 0 && !slices.Equal(left, []string{"full", "full/runs", "full/runs/runs.jsonl"}) {
			t.Errorf("%s: left %q", name, left)
		}
		_ = os.RemoveAll("full")
	}
}
