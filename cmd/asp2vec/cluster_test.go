package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// fakeSlurm puts commands in place of Slurm's: they note how they were called in the file calls, and answer what the files with their names
// in the folder answers hold; a file that begins with ! holds what a command says that fails.
func fakeSlurm(t *testing.T) {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"sbatch", "squeue", "scancel", "sacct"} {
		script := fmt.Sprintf(`#!/bin/sh
cd '%s'
echo "%s $*" >> calls
answer=$(cat answers/%s 2>/dev/null)
case "$answer" in
!*) echo "${answer#!}" >&2; exit 1;;
*) echo "$answer";;
esac
`, dir, name, name)
		write(t, "bin/"+name, script)
		if err := os.Chmod("bin/"+name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, "calls", "")
	write(t, "answers/sbatch", "101;cluster")
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
}

// submitSweep submits the small sweep.
func submitSweep(args ...string) ran {
	return invokeWith(context.Background(), program{executable: "/opt/asp2vec"}, append([]string{"sweep", "s.yaml", "--executor", "slurm"}, args...)...)
}

type standingDoc struct {
	Submission         string
	Runs, Done, Failed int
	Running            int `json:"tasks_running"`
	Waiting            int `json:"tasks_waiting"`
	Problems           []struct {
		Task, Runs int
		Why        string
	}
}

func statusOf(t *testing.T) standingDoc {
	t.Helper()
	list := decode[[]standingDoc](t, must(t, "sweep", "status", "--json").out)
	if len(list) != 1 {
		t.Fatalf("%d submissions", len(list))
	}
	return list[0]
}

// withoutTimes returns the records of a store, sorted, without what is not to be the same on another machine or at another time.
func withoutTimes(t *testing.T, store string) (lines []string) {
	t.Helper()
	records, problems, err := results.ReadStore(store)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	for _, r := range records {
		line, err := r.Line()
		if err != nil {
			t.Fatal(err)
		}
		m := decode[map[string]any](t, string(line))
		for _, key := range []string{"started", "finished", "command", "host", "train_seconds", "eval_seconds", "refit_seconds", "peak_memory_bytes", "shared_stage"} {
			delete(m, key)
		}
		epochs, _ := m["epochs"].([]any)
		for _, e := range epochs {
			delete(e.(map[string]any), "seconds")
			delete(e.(map[string]any), "pairs_per_second")
		}
		text, err := json.Marshal(m)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(text))
	}
	slices.Sort(lines)
	return lines
}

// A sweep is submitted as one array, whose tasks run the same command on a shard each; status tells how they stand and why.
func TestSweepOnSlurm(t *testing.T) {
	smallSweep(t)
	fakeSlurm(t)
	doc := decode[struct {
		Submission  string
		Runs, Tasks int
	}](t, must2(t, submitSweep("--tasks", "3", "--slurm-option", "partition=long", "--slurm-option", "time=7", "--slurm-option", "cpus_per_task=2", "--slurm-option", "exclusive",
		"--slurm-option", "setup=module load go", "--json")).out)
	if doc.Runs != 8 || doc.Tasks != 3 {
		t.Errorf("%+v", doc)
	}
	calls := read(t, "calls")
	for _, want := range []string{"--array=1-3 ", "--partition=long", "--exclusive", "--time=7", "--cpus-per-task=2", "--job-name=" + doc.Submission, "--wrap=module load go\n",
		`ASP2VEC_SHARD="$SLURM_ARRAY_TASK_ID/3" GOMAXPROCS="${SLURM_CPUS_PER_TASK:-1}" exec '/opt/asp2vec' 'sweep' 's.yaml' '--executor'`} {
		if !strings.Contains(calls, want) {
			t.Errorf("no %q in\n%s", want, calls)
		}
	}
	write(t, "answers/squeue", "1|RUNNING|None|node7\n2|PENDING|Resources|\n3|PENDING|Dependency|\n")
	if r := submitSweep(); r.code != 2 || !strings.Contains(r.err, "is in the queue, with 3 tasks") {
		t.Errorf("a second time: %+v", r)
	}
	if s := statusOf(t); s.Runs != 8 || s.Done != 0 || s.Running != 1 || s.Waiting != 2 || len(s.Problems) != 2 || s.Problems[0].Why != "pending: Resources" {
		t.Errorf("%+v", s)
	}
	for task := range 2 {
		t.Setenv("ASP2VEC_SHARD", fmt.Sprintf("%d/3", task+1))
		must2(t, submitSweep("--tasks", "3"))
	}
	os.Unsetenv("ASP2VEC_SHARD")
	write(t, "answers/squeue", "")
	write(t, "answers/sacct", "101_3|OUT_OF_MEMORY\n")
	if s := statusOf(t); s.Done+s.Problems[0].Runs != 8 || s.Done == 0 || len(s.Problems) != 1 || s.Problems[0].Task != 3 || s.Problems[0].Why != "out_of_memory" {
		t.Errorf("%+v", s)
	}
	must(t, "sweep", "s.yaml")
	if s := statusOf(t); s.Done != 8 || len(s.Problems) != 0 {
		t.Errorf("%+v", s)
	}
	if r := must2(t, submitSweep()); !strings.Contains(r.out, "nothing to submit") {
		t.Errorf("all there: %s", r.out)
	}
	must(t, "sweep", "s.yaml", "--results", "local")
	if got, want := withoutTimes(t, "results"), withoutTimes(t, "local"); len(want) != 8 || !slices.Equal(got, want) {
		t.Errorf("records of tasks\n%s\nand of a local sweep\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

// must2 fails the test if a run of the command line did not exit with 0.
func must2(t *testing.T, r ran) ran {
	t.Helper()
	if r.code != 0 {
		t.Fatalf("exit code %d\n%s", r.code, r.err)
	}
	return r
}

// Whatever Slurm's commands say or do not say: one line, and nothing is left of a submission that came to nothing.
func TestSlurmAnswers(t *testing.T) {
	smallSweep(t)
	fakeSlurm(t)
	for answer, want := range map[string]string{
		"!sbatch: error: invalid partition specified: long": "nothing was submitted: sbatch failed (exit status 1): sbatch: error: invalid partition specified: long",
		"Submitted batch job 12":                            `nothing was submitted: sbatch answered "Submitted batch job 12": expected the number of a job`,
		"":                                                  `sbatch answered "": expected the number of a job`,
	} {
		write(t, "answers/sbatch", answer)
		r := submitSweep()
		if r.code != 2 || !strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 || exists("results/slurm") {
			t.Errorf("%q: %+v, expected %q", answer, r, want)
		}
	}
	for _, c := range [][]string{
		{"--slurm-option", "array=1-5", "submissions set this themselves"}, {"--slurm-option", "job_name=x", "submissions set this themselves"},
		{"--slurm-option", "=3", "expected OPTION=VALUE"}, {"--slurm-option", "partition=", "expected OPTION=VALUE"}, {"--slurm-option", "--wrap=x", "expected OPTION=VALUE"},
		{"--tasks", "0", "expected at least 1"},
	} {
		if r := submitSweep(c[:2]...); r.code != 2 || !strings.Contains(r.err, c[2]) {
			t.Errorf("%v: %+v, expected %q", c[:2], r, c[2])
		}
	}
	if r := invoke("sweep", "s.yaml", "--executor", "kubernetes"); r.code != 2 || !strings.Contains(r.err, "expected local or slurm") {
		t.Errorf("%+v", r)
	}
	write(t, "answers/squeue", "what do you want?")
	if r := submitSweep(); r.code != 2 || !strings.Contains(r.err, `squeue answered "what do you want?"`) {
		t.Errorf("squeue: %+v", r)
	}
	write(t, "answers/squeue", "")
	write(t, "answers/sbatch", "101")
	name := decode[struct{ Submission string }](t, must2(t, submitSweep("--json")).out).Submission
	write(t, "answers/squeue", "!slurm_load_jobs error: Unable to contact slurm controller")
	if r := must(t, "sweep", "status"); !strings.Contains(r.err, "the queue could not be read") || !strings.Contains(r.out, name) {
		t.Errorf("status: %+v", r)
	}
	write(t, "answers/scancel", "!scancel: error: no access")
	if r := invoke("sweep", "cancel", name); r.code != 2 || !strings.Contains(r.err, name+" was not cancelled: scancel failed (exit status 1): scancel: error: no access") {
		t.Errorf("cancel: %+v", r)
	}
	t.Setenv("PATH", t.TempDir())
	if r := submitSweep(); r.code != 2 || !strings.Contains(r.err, "nothing was submitted: squeue is not here: expected a machine of a Slurm cluster") {
		t.Errorf("missing: %+v", r)
	}
}

// Shards of processes that know nothing of each other do all runs, once.
func TestShards(t *testing.T) {
	smallSweep(t)
	for _, shard := range []string{"1/3", "3/3", "2/3", "2/3"} {
		must(t, "sweep", "s.yaml", "--shard", shard)
	}
	must(t, "sweep", "s.yaml", "--results", "local")
	if got, want := withoutTimes(t, "results"), withoutTimes(t, "local"); len(want) != 8 || !slices.Equal(got, want) {
		t.Errorf("%d records of shards, %d of a local sweep", len(got), len(want))
	}
	for _, shard := range []string{"0/3", "4/3", "1", "a/b", "1/3/5", "-1/2", ""} {
		if r := invoke("sweep", "s.yaml", "--shard", shard); r.code != 2 || !strings.Contains(r.err, "expected I/N") {
			t.Errorf("--shard %q: %+v", shard, r)
		}
	}
}
