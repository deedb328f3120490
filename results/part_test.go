package results

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

// numbered returns a record that no other number has.
func numbered(n int) Record {
	r := sample()
	r.Seed = uint64(n)
	return r
}

// seeds returns how often each seed is in a store, and fails for lines that are no records.
func seedsOf(t *testing.T, store string) map[uint64]int {
	t.Helper()
	records, problems, err := ReadStore(store)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	n := map[uint64]int{}
	for _, r := range records {
		n[r.Seed]++
	}
	return n
}

func mustAppend(t *testing.T, add func(Record) error, numbers ...int) {
	t.Helper()
	for _, n := range numbers {
		if err := add(numbered(n)); err != nil {
			t.Fatal(err)
		}
	}
}

// Records of the file and of parts are one store, also where a folder is read, and merging changes nothing of that.
func TestPartsAndMerge(t *testing.T) {
	dir := t.TempDir()
	store := filepath.Join(dir, "runs.jsonl")
	mustAppend(t, toFile(store), 1)
	one, two := NewPart(store, "shard-1-2"), NewPart(store, "")
	mustAppend(t, one.Append, 2, 3)
	mustAppend(t, two.Append, 4)
	check := func(when string, want int) {
		t.Helper()
		for _, path := range []string{store, dir} {
			got := seedsOf(t, path)
			if len(got) != want {
				t.Errorf("%s, %s: %v, want %d records", when, path, got, want)
			}
			for seed, n := range got {
				if n != 1 {
					t.Errorf("%s, %s: record %d is there %d times", when, path, seed, n)
				}
			}
		}
	}
	check("parts", 4)
	if parts, _ := Parts(store, "shard-1-2-"); len(parts) != 1 {
		t.Errorf("parts of the shard: %v", parts)
	}
	if parts, records, problems, err := Merge(store); parts != 2 || records != 3 || len(problems) > 0 || err != nil {
		t.Errorf("merged %d parts, %d records, %v, %v", parts, records, problems, err)
	}
	check("merged", 4)
	if _, err := os.Stat(PartsFolder(store)); !errors.Is(err, fs.ErrNotExist) {
		t.Error("the folder of parts is left")
	}
	mustAppend(t, one.Append, 5) // it goes on, with the lines that were merged already
	check("gone on", 5)
	if _, records, _, err := Merge(store); records != 1 || err != nil {
		t.Errorf("merged %d records, %v: want the new one", records, err)
	}
	check("merged again", 5)
	if parts, _, _, err := Merge(filepath.Join(dir, "none.jsonl")); parts != 0 || err != nil {
		t.Errorf("of nothing: %d, %v", parts, err)
	}
}

// toFile returns what appends to the file of a store.
func toFile(store string) func(Record) error {
	return func(r Record) error { return r.Append(store) }
}

// However far a Merge came that was killed, all is there, once, and the next one ends it.
func TestMergeKilled(t *testing.T) {
	for name, kill := range map[string]func(t *testing.T, store, part string){
		"taken away": func(t *testing.T, _, part string) {
			if err := os.Rename(part, strings.TrimSuffix(part, ".jsonl")+merging); err != nil {
				t.Fatal(err)
			}
		},
		"taken away, and written anew": func(t *testing.T, _, part string) {
			text, err := os.ReadFile(part)
			if err := errors.Join(err, os.WriteFile(strings.TrimSuffix(part, ".jsonl")+merging, text, 0o666)); err != nil {
				t.Fatal(err)
			}
		},
		"in the file": func(t *testing.T, store, part string) {
			text, err := os.ReadFile(part)
			if err := errors.Join(err, appendTo(t.Context(), store, text, nil)); err != nil {
				t.Fatal(err)
			}
		},
		"half in the file": func(t *testing.T, store, part string) {
			text, err := os.ReadFile(part)
			first, _, _ := strings.Cut(string(text), "\n")
			if err := errors.Join(err, appendTo(t.Context(), store, []byte(first+"\n"), nil)); err != nil {
				t.Fatal(err)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			store := filepath.Join(t.TempDir(), "runs.jsonl")
			mustAppend(t, toFile(store), 1)
			p := NewPart(store, "task")
			mustAppend(t, p.Append, 2, 3)
			parts, err := Parts(store, "task")
			if err != nil || len(parts) != 1 {
				t.Fatal(parts, err)
			}
			kill(t, store, parts[0])
			for range 3 {
				if got := seedsOf(t, store); len(got) != 3 || got[1] != 1 || got[2] != 1 || got[3] != 1 {
					t.Fatalf("records %v", got)
				}
				if _, _, problems, err := Merge(store); err != nil || len(problems) > 0 {
					t.Fatal(err, problems)
				}
			}
			if left, _ := Parts(store, ""); len(left) > 0 {
				t.Errorf("left: %v", left)
			}
		})
	}
}

// While tasks write and somebody merges, whoever reads sees all that was there before, once.
func TestReadWhileWritten(t *testing.T) {
	store := filepath.Join(t.TempDir(), "runs.jsonl")
	const tasks, each = 4, 12
	var writing, others sync.WaitGroup
	var mu sync.Mutex
	written := 0
	for task := range tasks {
		writing.Go(func() {
			p := NewPart(store, fmt.Sprintf("task-%d", task))
			for i := range each {
				if err := p.Append(numbered(task*each + i)); err != nil {
					t.Error(err)
				}
				mu.Lock()
				written++
				mu.Unlock()
			}
		})
	}
	stop := make(chan struct{})
	stopped := func() bool {
		select {
		case <-stop:
			return true
		default:
			return false
		}
	}
	others.Go(func() {
		for !stopped() {
			if _, _, problems, err := Merge(store); err != nil || len(problems) > 0 {
				t.Error(err, problems)
			}
		}
	})
	others.Go(func() {
		for !stopped() {
			mu.Lock()
			before := written
			mu.Unlock()
			records, problems, err := ReadStore(store)
			if errors.Is(err, fs.ErrNotExist) && before == 0 {
				continue
			}
			if err != nil || len(problems) > 0 || len(records) < before {
				t.Errorf("%d records of %d that were there, %v, %v", len(records), before, problems, err)
			}
			seen := map[uint64]bool{}
			for _, r := range records {
				if seen[r.Seed] {
					t.Errorf("record %d twice", r.Seed)
				}
				seen[r.Seed] = true
			}
		}
	})
	writing.Wait()
	close(stop)
	others.Wait()
	if got := seedsOf(t, store); len(got) != tasks*each {
		t.Errorf("%d records, want %d", len(got), tasks*each)
	}
}

// A part begins another file when it has grown, so that a record costs the same however many there were.
func TestPartGoesOnInAnotherFile(t *testing.T) {
	store := filepath.Join(t.TempDir(), "runs.jsonl")
	p := NewPart(store, "")
	long := numbered(1)
	long.Error = strings.Repeat("x", partSize)
	if err := p.Append(long); err != nil {
		t.Fatal(err)
	}
	mustAppend(t, p.Append, 2, 3)
	if parts, err := Parts(store, ""); err != nil || len(parts) != 2 {
		t.Errorf("parts %v, %v: want two", parts, err)
	}
	if got := seedsOf(t, store); len(got) != 3 {
		t.Errorf("records %v", got)
	}
}

// A part with a line that is no record stays, for someone to look at; the others are merged.
func TestMergeLeavesWhatIsNoRecord(t *testing.T) {
	store := filepath.Join(t.TempDir(), "runs.jsonl")
	mustAppend(t, NewPart(store, "good").Append, 1)
	bad := filepath.Join(PartsFolder(store), "bad.jsonl")
	if err := os.WriteFile(bad, []byte("{\"schema\":1,\"meth"), 0o666); err != nil {
		t.Fatal(err)
	}
	parts, records, problems, err := Merge(store)
	if err != nil || parts != 1 || records != 1 || len(problems) != 1 || problems[0].File != bad {
		t.Errorf("%d parts, %d records, %v, %v", parts, records, problems, err)
	}
	if left, _ := Parts(store, ""); len(left) != 1 {
		t.Errorf("left: %v", left)
	}
}
