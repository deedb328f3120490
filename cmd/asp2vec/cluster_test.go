package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/runner"
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
	for _, name := range []string{"sbatch", "squeue", "scancel", "scontrol", "sacct"} {
		script := fmt.Sprintf(`#!/bin/sh
cd '%s'
echo "%s $*" >> calls
answer=$(cat answers/%s 2>/dev/null)
case "$answer" in
!*) echo "${answer#!}" >&2; exit 1;;
count) echo $((100 + $(grep -c '^sbatch' calls)));; # 101, 102, ...
*) echo "$answer";;
esac
`, dir, name, name)
		write(t, "bin/"+name, script)
		if err := os.Chmod("bin/"+name, 0o777); err != nil {
			t.Fatal(err)
		}
	}
	write(t, "calls", "")
	write(t, "answers/sbatch", "count")
	t.Setenv("PATH", filepath.Join(dir, "bin")+":"+os.Getenv("PATH"))
	t.Setenv("SLURM_ARRAY_JOB_ID", "")
	t.Setenv("SLURM_RESTART_COUNT", "")
}

// submitSweep submits the small sweep.
func submitSweep(args ...string) ran {
	return invokeWith(context.Background(), program{executable: "/opt/asp2vec", patience: 1}, append([]string{"sweep", "s.yaml", "--executor", "slurm"}, args...)...)
}

// queued is how squeue tells tasks of the first submission's array.
func queued(t *testing.T, job, state string, tasks ...int) {
	t.Helper()
	var b strings.Builder
	for _, task := range tasks {
		fmt.Fprintf(&b, "%s|101|%d|%s|None|node7\n", job, task, state)
	}
	write(t, "answers/squeue", b.String())
}

// jobName is the name of a submission's jobs.
func jobName(t *testing.T, submission string) string {
	t.Helper()
	return decode[struct{ Job string }](t, read(t, filepath.Join("results/jobs", submission, "submission.json"))).Job
}

type standingDoc struct {
	Submission                                 string
	Runs, Done, Failed, Running, Waiting, Lost int
	Problems                                   []struct{ What, Why, Node string }
}

func statusOf(t *testing.T) standingDoc {
	t.Helper()
	list := decode[[]standingDoc](t, must(t, "sweep", "status", "--json").out)
	if len(list) == 0 {
		t.Fatal("no submission")
	}
	return list[len(list)-1]
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

// A sweep is submitted once, its tasks do what a local sweep does, and each command then sees their records.
func TestSweepOnSlurm(t *testing.T) {
	smallSweep(t)
	fakeSlurm(t)
	doc := decode[struct {
		Submission          string
		Runs, Tasks, Queued int
	}](t, must2(t, submitSweep("--task-time", "1ns", "--max-array", "6", "--throttle", "2", "--slurm-option", "partition=long", "--slurm-option", "timeout_min=7",
		"--slurm-option", "mem_gb=1.5", "--slurm-option", "cpus_per_task=2", "--slurm-option", "setup=module load go", "--slurm-option", "exclusive", "--json")).out)
	if doc.Submission != "s-1" || doc.Runs != 8 || doc.Tasks != 8 {
		t.Errorf("%+v", doc)
	}
	calls := read(t, "calls")
	for _, want := range []string{"--array=0-5%2", "--array=0-1%2", "--partition=long", "--exclusive", "--time=7", "--mem=1536M", "--cpus-per-task=2", "--job-name=" + jobName(t, "s-1"), "task.sh 0\n", "task.sh 6\n"} {
		if !strings.Contains(calls, want) {
			t.Errorf("no %q in\n%s", want, calls)
		}
	}
	if script := read(t, "results/jobs/s-1/task.sh"); !strings.Contains(script, "module load go\n") || !strings.Contains(script, "'/opt/asp2vec' sweep task ") {
		t.Errorf("script:\n%s", script)
	}
	queued(t, jobName(t, "s-1"), "PENDING", 0, 1, 2, 3, 4, 5)
	if r := must2(t, submitSweep("--task-time", "1ns")); !strings.Contains(r.out, "2 runs in 2 tasks; 6 runs are already in the queue") {
		t.Errorf("a second time: %s", r.out)
	}
	queued(t, jobName(t, "s-1"), "RUNNING", 0)
	for task := range 8 {
		must(t, "sweep", "task", "results/jobs/s-1", fmt.Sprint(task))
	}
	must(t, "sweep", "task", "results/jobs/s-1", "3") // another life, which finds all done
	if s := decode[[]standingDoc](t, must(t, "sweep", "status", "s-1", "--json").out)[0]; s.Runs != 8 || s.Done != 8 || s.Lost+s.Waiting+s.Failed != 0 || len(s.Problems) != 0 {
		t.Errorf("%+v", s)
	}
	if exists("results/runs.jsonl") {
		t.Error("a task wrote the file of the store")
	}
	before := must(t, "sweep", "s.yaml").out
	if r := must2(t, submitSweep()); !strings.Contains(r.out, "nothing to submit") {
		t.Errorf("all there: %s", r.out)
	}
	must(t, "results", "merge")
	if after := must(t, "sweep", "s.yaml").out; after != before || exists("results/runs.d") {
		t.Errorf("merged:\n%s\nwant\n%s", after, before)
	}
	must(t, "sweep", "s.yaml", "--results", "local")
	if got, want := withoutTimes(t, "results/runs.jsonl"), withoutTimes(t, "local/runs.jsonl"); len(want) != 8 || !slices.Equal(got, want) {
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
	for name, c := range map[string]struct {
		command, answer, want string
		cancelled             bool
	}{
		"refused":           {"sbatch", "!sbatch: error: invalid partition specified: long", "nothing was submitted: sbatch failed (exit status 1): sbatch: error: invalid partition specified: long", false},
		"nonsense":          {"sbatch", "Submitted batch job 12", `nothing was submitted: sbatch answered "Submitted batch job 12": want the number of a job`, true},
		"nothing":           {"sbatch", "", `sbatch answered "": want the number of a job`, true},
		"a negative number": {"sbatch", "-3", `sbatch answered "-3"`, true},
	} {
		write(t, "calls", "")
		write(t, "answers/"+c.command, c.answer)
		r := submitSweep()
		if r.code != 2 || !strings.Contains(r.err, c.want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: %+v, want %q", name, r, c.want)
		}
		if left, _ := os.ReadDir("results/jobs"); len(left) > 0 {
			t.Errorf("%s: left %v", name, left)
		}
		if got := strings.Contains(read(t, "calls"), "scancel --name=asp2vec-s-1-"); got != c.cancelled {
			t.Errorf("%s: cancelled %v, want %v", name, got, c.cancelled)
		}
	}
	write(t, "answers/sbatch", "101;cluster")
	must2(t, submitSweep())
	write(t, "answers/squeue", "what do you want?")
	if r := submitSweep(); r.code != 2 || !strings.Contains(r.err, `squeue answered "what do you want?"`) {
		t.Errorf("squeue: %+v", r)
	}
	write(t, "answers/squeue", "!slurm_load_jobs error: Unable to contact slurm controller")
	if r := must(t, "sweep", "status"); !strings.Contains(r.err, "the queue could not be read") || !strings.Contains(r.out, "s-1") {
		t.Errorf("status: %+v", r)
	}
	write(t, "answers/scancel", "!scancel: error: no access")
	if r := invoke("sweep", "cancel", "s-1"); r.code != 2 || !strings.Contains(r.err, "s-1 was not cancelled: scancel failed (exit status 1): scancel: error: no access") {
		t.Errorf("cancel: %+v", r)
	}
	write(t, "results/jobs/.submit", "othernode 1, since 2026-01-01 00:00:00\n")
	if r := submitSweep(); r.code != 2 || !strings.Contains(r.err, "another submission is in progress: othernode 1, since 2026-01-01 00:00:00 is at it: want that ended or, if it was killed, the file ") {
		t.Errorf("claimed: %+v", r)
	}
	t.Setenv("PATH", t.TempDir())
	os.RemoveAll("results")
	if r := submitSweep(); r.code != 2 || !strings.Contains(r.err, "nothing was submitted: sbatch is not here: want a machine of a Slurm cluster") {
		t.Errorf("missing: %+v", r)
	}
	if left, _ := os.ReadDir("results/jobs"); len(left) > 0 {
		t.Errorf("left %v", left)
	}
}

// If an array is refused those before it are cancelled.
func TestSlurmRefusesLater(t *testing.T) {
	smallSweep(t)
	fakeSlurm(t)
	write(t, "bin/sbatch", "#!/bin/sh\necho \"sbatch $*\" >> calls\n[ -e first ] && { echo 'too many jobs' >&2; exit 1; }\ntouch first\necho 101\n")
	r := submitSweep("--task-time", "1ns", "--max-array", "2")
	if r.code != 2 || !strings.Contains(r.err, "too many jobs") || !strings.Contains(read(t, "calls"), "scancel --name=asp2vec-s-1-") || exists("results/jobs/s-1") {
		t.Errorf("%+v\n%s", r, read(t, "calls"))
	}
}

// What does not end well is told with its reason, and is submitted again by the same command.
func TestSweepStatusTellsWhy(t *testing.T) {
	smallSweep(t)
	fakeSlurm(t)
	must2(t, submitSweep("--task-time", "1ns"))
	life := func(task int, more string) {
		write(t, fmt.Sprintf("results/jobs/s-1/lives/%d.0.json", task), fmt.Sprintf(`{"task":%d,"restart":0,"job":"101","host":"node7","process":1,"began":"2026-01-01T00:00:00Z"%s}`, task, more))
	}
	life(0, "")
	life(1, `,"how":"time-out","reason":"the time is nearly up","left":1`)
	life(2, `,"how":"done","failed":[{"run":"x","error":"data set Cora is not here"}]`)
	life(3, "")
	write(t, "answers/sacct", "101_0|OUT_OF_MEMORY\n101_4|CANCELLED by 0\n")
	queued(t, jobName(t, "s-1"), "PENDING", 5)
	s := statusOf(t)
	var told []string
	for _, p := range s.Problems {
		told = append(told, p.What+": "+p.Why)
	}
	want := []string{"ended unheard: out_of_memory", "time-out: the time is nearly up", "ended: failed: data set Cora is not here", "ended unheard: killed, or lost with its machine",
		"never began: cancelled by 0", "never began: cancelled, or never submitted", "never began: cancelled, or never submitted"}
	if s.Lost != 7 || s.Waiting != 1 || !slices.Equal(told, want) {
		t.Errorf("%+v\ntold %q\nwant %q", s, told, want)
	}
	if r := must2(t, submitSweep("--task-time", "1ns")); !strings.Contains(r.out, "s-2: 7 runs in 7 tasks; 1 runs are already in the queue") {
		t.Errorf("again: %s", r.out)
	}
}

// A task that is told that its time is nearly up stops, puts itself into the queue again, and the next life does the rest.
func TestTaskTimeUp(t *testing.T) {
	smallSweep(t)
	fakeSlurm(t)
	must2(t, submitSweep("--task-time", "1h"))
	t.Setenv("SLURM_ARRAY_JOB_ID", "101")
	t.Setenv("SLURM_ARRAY_TASK_ID", "0")
	t.Setenv("SLURM_RESTART_COUNT", "0")
	ctx, cancel := context.WithCancelCause(context.Background())
	cancel(errTimeUp)
	r := invokeWith(ctx, program{}, "sweep", "task", "results/jobs/s-1", "0")
	if r.code != 0 || !strings.Contains(read(t, "calls"), "scontrol requeue 101_0\n") {
		t.Errorf("%+v\n%s", r, read(t, "calls"))
	}
	if s := statusOf(t); s.Done != 0 || len(s.Problems) != 1 || s.Problems[0].What != "time-out" {
		t.Errorf("%+v", s)
	}
	t.Setenv("SLURM_RESTART_COUNT", "1")
	must(t, "sweep", "task", "results/jobs/s-1", "0")
	if s := statusOf(t); s.Done != 8 || len(s.Problems) != 0 {
		t.Errorf("%+v", s)
	}
	write(t, "calls", "")
	t.Setenv("SLURM_RESTART_COUNT", "3")
	if r := invokeWith(ctx, program{}, "sweep", "task", "results/jobs/s-1", "0"); strings.Contains(read(t, "calls"), "requeue") {
		t.Errorf("more often than --max-requeue: %+v", r)
	}
}

// The script of a task puts it into the queue again where it was killed, but not where it was to stop.
func TestTaskScript(t *testing.T) {
	enter(t)
	fakeSlurm(t)
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	write(t, "task.sh", taskScript(filepath.Join(dir, "program"), runner.Submission{Dir: dir, Name: "s-1", Requeue: 2}, nil))
	t.Setenv("SLURM_ARRAY_JOB_ID", "101")
	t.Setenv("SLURM_ARRAY_TASK_ID", "4")
	for name, c := range map[string]struct {
		does, restarts string
		code           int
		again          bool
	}{
		"killed":                   {"kill -9 $$", "0", 137, true},
		"killed too often":         {"kill -9 $$", "2", 137, false},
		"failed":                   {"exit 1", "0", 1, false},
		"done":                     {`[ "$*" = "sweep task ` + dir + ` 10 --threads 1 --no-progress" ]`, "0", 0, false},
		"stopped":                  {"kill -TERM $$", "0", 143, false},
		"stopped, and then killed": {"trap 'kill -9 $$' TERM; kill -TERM $PPID; while :; do sleep .01; done", "0", 137, false},
		"told that the time is up": {"trap 'exit 7' USR1; kill -USR1 $PPID; while :; do sleep .01; done", "0", 7, false},
	} {
		write(t, "calls", "")
		write(t, "program", "#!/bin/sh\n"+c.does+"\n")
		if err := os.Chmod("program", 0o777); err != nil {
			t.Fatal(err)
		}
		t.Setenv("SLURM_RESTART_COUNT", c.restarts)
		cmd := exec.Command("sh", "task.sh", "6")
		_ = cmd.Run()
		if again := strings.Contains(read(t, "calls"), "scontrol requeue 101_4"); cmd.ProcessState.ExitCode() != c.code || again != c.again {
			t.Errorf("%s: code %d, again %v: want %d, %v", name, cmd.ProcessState.ExitCode(), again, c.code, c.again)
		}
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
		if r := invoke("sweep", "s.yaml", "--shard", shard); r.code != 2 || !strings.Contains(r.err, "want I/N") {
			t.Errorf("--shard %q: %+v", shard, r)
		}
	}
}

// Options that make no sense are refused before anything is written.
func TestSlurmOptions(t *testing.T) {
	smallSweep(t)
	fakeSlurm(t)
	for _, c := range [][]string{
		{"--slurm-option", "array=1-5", "submissions set this themselves"}, {"--slurm-option", "job_name=x", "submissions set this themselves"},
		{"--slurm-option", "=3", "want OPTION=VALUE"}, {"--slurm-option", "partition=", "want OPTION=VALUE"}, {"--slurm-option", "--wrap=x", "want OPTION=VALUE"},
		{"--slurm-option", "timeout_min=0", "want a whole number, at least 1"}, {"--slurm-option", "mem_gb=lots", "want a number of GiB"},
		{"--task-time", "0s", "want a time such as 15m"}, {"--time-factor", "0", "want 0.1 to 1000"}, {"--memory-factor", "NaN", "want 0.1 to 1000"},
		{"--max-array", "0", "want at least 1"}, {"--throttle", "-1", "want at least 1"}, {"--max-requeue", "-1", "want at least 0"}, {"--shard", "1/2", "want one of them"},
	} {
		if r := submitSweep(c[:2]...); r.code != 2 || !strings.Contains(r.err, c[2]) {
			t.Errorf("%v: %+v, want %q", c[:2], r, c[2])
		}
	}
	if r := invoke("sweep", "s.yaml", "--executor", "kubernetes"); r.code != 2 || !strings.Contains(r.err, "want local or slurm") {
		t.Errorf("%+v", r)
	}
	if exists("results") {
		t.Error("something was written")
	}
}
