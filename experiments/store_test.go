package experiments

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// storeOf makes a store of the first records that the project measured, and returns them.
func storeOf(t *testing.T, n int) (store string, all []results.Record) {
	t.Helper()
	all, _, err := results.ReadStore(filepath.Join("..", "results", "measured", "runs.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	store = filepath.Join(t.TempDir(), "runs.jsonl")
	if err := os.WriteFile(store, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	rewrite(t, store, all[:n])
	return store, all
}

func openStore(t *testing.T, store string) *Store {
	t.Helper()
	s, err := ReadStore(store)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// same fails unless a store has what its records say that are read one by one, each worked out by itself.
func same(t *testing.T, when string, s *Store, store string) {
	t.Helper()
	records, problems, err := results.ReadStore(store)
	if err != nil {
		t.Fatal(err)
	}
	if got := s.Problems(); len(got) != len(problems) {
		t.Errorf("%s: problems %v, want %v", when, got, problems)
	}
	sums := s.Summaries()
	if len(sums) != len(records) {
		t.Fatalf("%s: %d records, want %d", when, len(sums), len(records))
	}
	runs, wanted := s.Runs(), NewRuns(records)
	for i, r := range records {
		j, err := JobOf(r)
		if err != nil {
			t.Fatal(err)
		}
		if sums[i].Key != j.Key() || sums[i].Group != j.Group() || sums[i].Present != present(r.Definition, j.Options) {
			t.Fatalf("%s: record %d: summary %+v, want key %s, group %s", when, i, sums[i], j.Key(), j.Group())
		}
		want, there := wanted.Find(j)
		got, found := runs.Find(j)
		if found != there || !reflect.DeepEqual(got, want) {
			t.Fatalf("%s: record %d: %v %+v\nwant %v %+v", when, i, found, got, there, want)
		}
		if i > 20 {
			break // the rest is read alike
		}
	}
	if err := s.Broken(); err != nil {
		t.Error(err)
	}
}

// A store that is read again as it grows, is merged, is torn and is replaced has what it has when it is read at once; so has one whose
// summaries were kept.
func TestStoreIsReadOn(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, large := range []int64{1 << 40, 1} {
		defer func(before int64) { largeStore = before }(largeStore)
		largeStore = large
		store, all := storeOf(t, 12)
		s := openStore(t, store)
		step := func(when string) {
			t.Helper()
			if err := s.Refresh(); err != nil {
				t.Fatal(err)
			}
			same(t, when, s, store)
			same(t, when+", from the start", openStore(t, store), store)
		}
		step("at first")
		appendAll(t, all[12:15], func(r results.Record) error { return r.Append(store) })
		step("grown")
		part := results.NewPart(store, "task")
		appendAll(t, all[15:18], part.Append)
		step("with a part")
		line, err := all[18].Line()
		if err != nil {
			t.Fatal(err)
		}
		add(t, store, string(line[:len(line)/2]))
		step("cut off")
		add(t, store, string(line[len(line)/2:len(line)-1]))
		step("but for the line's end")
		add(t, store, "\n")
		step("whole")
		add(t, store, "no record\n")
		step("with a line that is none")
		if _, _, _, err := results.Merge(store); err != nil {
			t.Fatal(err)
		}
		step("merged")
		rewrite(t, store, all[30:40])
		step("replaced")
	}
}

func appendAll(t *testing.T, all []results.Record, add func(results.Record) error) {
	t.Helper()
	for _, r := range all {
		if err := add(r); err != nil {
			t.Fatal(err)
		}
	}
}

// add appends text to a file.
func add(t *testing.T, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := f.Close(); err != nil {
		t.Fatal(err)
	}
}

// Records that are read when they are needed are found where they have been merged to, and are missed with an error where they are gone.
func TestStoreFindsWhatMoved(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	defer func(before int64) { largeStore = before }(largeStore)
	largeStore = 1
	store, all := storeOf(t, 2)
	appendAll(t, all[2:4], results.NewPart(store, "").Append)
	s := openStore(t, store)
	runs := s.Runs()
	if _, _, _, err := results.Merge(store); err != nil {
		t.Fatal(err)
	}
	j, err := JobOf(all[3])
	if err != nil {
		t.Fatal(err)
	}
	if _, there := runs.Find(j); !there || s.Broken() != nil {
		t.Errorf("moved: %v, %v", there, s.Broken())
	}
	s = openStore(t, store)
	runs = s.Runs()
	if err := os.Remove(store); err != nil {
		t.Fatal(err)
	}
	if _, there := runs.Find(j); there || s.Broken() == nil {
		t.Errorf("gone: %v, %v", there, s.Broken())
	}
}

// Of two records of one run the same one counts, in whichever order they were written.
func TestLatestRecordCounts(t *testing.T) {
	_, all := storeOf(t, 1)
	early, late := all[0], all[0]
	late.Finished = early.Finished.Add(1e9)
	late.Metrics = maps.Clone(late.Metrics)
	late.Metrics["auc"] = 0.25
	j, err := JobOf(early)
	if err != nil {
		t.Fatal(err)
	}
	for _, order := range [][]results.Record{{early, late}, {late, early}} {
		runs := NewRuns(order)
		if got, _ := runs.Find(j); got.Metrics["auc"] != 0.25 || len(runs.Conflicts) != 1 || runs.Conflicts[0].Kept.Metrics["auc"] != 0.25 {
			t.Errorf("AUC %v, conflicts %+v: want the later one", got.Metrics["auc"], runs.Conflicts)
		}
	}
}

// Runs of processes that wrote parts are there for everyone; what a process did before is not done again when it comes back.
func TestRunnerWithPart(t *testing.T) {
	r := dataFolder(t)
	jobs := tinyJobs(4)
	r.Part, r.Alone = results.NewPart(r.Store, "task-7"), "task-7-"
	runAll(t, r, jobs[:2])
	if _, err := os.Stat(r.Store); err == nil {
		t.Error("it wrote the file of the store")
	}
	r.Part = results.NewPart(r.Store, "task-7") // its next life
	if got := runAll(t, r, jobs[:3]); got.There != 2 || got.Done != 1 {
		t.Errorf("next life: %+v", got)
	}
	r.Part, r.Alone = nil, ""
	if got := runAll(t, r, jobs); got.There != 3 || got.Done != 1 {
		t.Errorf("another process: %+v", got)
	}
	if got := aucs(t, records(t, r.Store)); len(got) != 4 {
		t.Errorf("%d runs", len(got))
	}
	if names, _ := filepath.Glob(filepath.Join(filepath.Dir(r.Store), ".*")); len(names) > 0 {
		t.Errorf("left behind: %v", names)
	}
}

// Shards are a partition that does not depend on what other data sets there are, and keep together what decides about each other.
func TestShard(t *testing.T) {
	all := paperTable(1).Jobs(Selection{Datasets: []string{"Cora", "PPI", "Filmtrust"}, Methods: []string{"asp2vec", "node2vec"}, Protocols: []string{"standard"}, Seeds: 2})
	fewer := slices.DeleteFunc(slices.Clone(all), func(j Job) bool { return j.Dataset == "Cora" })
	for _, n := range []int{1, 3} {
		in := map[string]int{}
		sizes := make([]int, n)
		for i := 1; i <= n; i++ {
			part := Shard(all, i, n)
			for _, j := range part {
				if before, twice := in[j.Key()]; twice && before != i {
					t.Fatalf("%v is in shards %d and %d of %d", j, before, i, n)
				}
				in[j.Key()] = i
			}
			sizes[i-1] = len(part)
			rest := slices.DeleteFunc(part, func(j Job) bool { return j.Dataset == "Cora" })
			if got := Shard(fewer, i, n); !slices.Equal(got, rest) {
				t.Errorf("shard %d of %d is another one without Cora", i, n)
			}
		}
		for _, j := range all {
			if in[j.Key()] == 0 {
				t.Fatalf("%v is in no shard of %d", j, n)
			}
			for _, d := range Deciders(j) {
				if in[d.Key()] != 0 && in[d.Key()] != in[j.Key()] {
					t.Fatalf("%v is in another shard than what decides about it", j)
				}
			}
		}
		if slices.Min(sizes) == 0 {
			t.Errorf("shards of %v runs", sizes)
		}
	}
}

// Tasks hold each run to do once, as long as they should be, and those that others decide about come later.
func TestTasks(t *testing.T) {
	r := dataFolder(t)
	jobs := paperTable(1).Jobs(Selection{Datasets: []string{"Cora"}, Methods: []string{"asp2vec", "node2vec"}, Protocols: []string{"standard"}, Seeds: 2})
	tasks, planned, err := r.Tasks(jobs, 1e9)
	if err != nil {
		t.Fatal(err)
	}
	level := map[string]int{}
	for i, task := range tasks {
		if len(task.Runs) > 1 && task.Seconds > 1 || task.Seconds <= 0 || task.Memory <= 0 {
			t.Errorf("task %d: %d runs, %v s, %d bytes", i, len(task.Runs), task.Seconds, task.Memory)
		}
		for _, p := range task.Runs {
			if _, twice := level[p.Key]; twice {
				t.Errorf("%v twice", p.Job)
			}
			level[p.Key] = task.Level
		}
	}
	later := 0
	for _, p := range planned {
		if _, in := level[p.Key]; !in {
			t.Errorf("%v is in no task", p.Job)
		}
		for _, d := range Deciders(p.Job) {
			if at, asked := level[d.Key()]; asked {
				later++
				if at >= level[p.Key] {
					t.Errorf("%v does not come after what decides about it", p.Job)
				}
			}
		}
	}
	if later == 0 {
		t.Error("want runs that others decide about")
	}
}

// A submission's folder gives back the runs that were put into it, by task, and says no to what is not its own.
func TestSubmission(t *testing.T) {
	r := dataFolder(t)
	tasks, _, err := r.Tasks(tinyJobs(250), 1)
	if err != nil || len(tasks) != 250 {
		t.Fatal(len(tasks), err)
	}
	made := func() *Submission {
		s, err := NewSubmission(Submission{Store: r.Store, Data: r.DataDir}, "a sweep/α", [][]Task{tasks[:200], tasks[200:]}, nil,
			func(s Submission) string { return "#!/bin/sh\n# " + s.Name })
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	first, second := made(), made()
	if first.Name != "a-sweep-1" || second.Name != "a-sweep-2" || first.Job == second.Job {
		t.Errorf("names %s, %s, jobs %s, %s", first.Name, second.Name, first.Job, second.Job)
	}
	all, err := Submissions(r.Store)
	if err != nil || len(all) != 2 || all[0].Tasks != 250 || all[0].Runs != 250 {
		t.Fatal(all, err)
	}
	every, err := all[0].AllTasks()
	if err != nil {
		t.Fatal(err)
	}
	for n := range tasks {
		runs, err := all[0].Task(n)
		if err != nil || len(runs) != 1 || !reflect.DeepEqual(runs, every[n]) {
			t.Fatalf("task %d: %v, %v", n, runs, err)
		}
		if j, err := runs[0].Job(); err != nil || j != tasks[n].Runs[0].Job {
			t.Fatalf("task %d: %+v, %v", n, j, err)
		}
	}
	if _, err := all[0].Task(250); err == nil || !strings.Contains(err.Error(), "want 0 to 249") {
		t.Errorf("task 250: %v", err)
	}
	every[0][0].Key = "another"
	if _, err := every[0][0].Job(); err == nil || !strings.Contains(err.Error(), "want the program that submitted it") {
		t.Errorf("another program: %v", err)
	}
	if problems, _, _ := results.ReadStore(filepath.Dir(r.Store)); len(problems) > 0 {
		t.Error("files of a submission are taken for records")
	}
}
