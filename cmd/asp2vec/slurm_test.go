//go:build unix

package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
)

// slurmEnv asks for the test with a Slurm of its own, which takes minutes: just test-slurm.
const slurmEnv = "ASP2VEC_TEST_SLURM"

// cluster is a Slurm of one node on loopback.
type cluster struct {
	dir, node string
	program   string
	slurmd    *exec.Cmd
}

const slurmConf = `ClusterName=test
SlurmctldHost=%[1]s(127.0.0.1)
SlurmctldPort=%[3]d
SlurmdPort=%[4]d
AuthType=auth/munge
AuthInfo=socket=%[2]s/munge/socket
CryptoType=crypto/munge
SlurmUser=root
SlurmdUser=root
StateSaveLocation=%[2]s/state
SlurmdSpoolDir=%[2]s/spool
SlurmctldPidFile=%[2]s/slurmctld.pid
SlurmdPidFile=%[2]s/slurmd.pid
SlurmctldLogFile=%[2]s/slurmctld.log
SlurmdLogFile=%[2]s/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1
SlurmdParameters=config_overrides
SlurmdTimeout=10
ReturnToService=2
KillWait=3
MpiDefault=none
NodeName=%[1]s NodeAddr=127.0.0.1 CPUs=4 SocketsPerBoard=1 CoresPerSocket=4 ThreadsPerCore=1 RealMemory=4000 State=UNKNOWN
PartitionName=main Nodes=%[1]s Default=YES MaxTime=INFINITE State=UP
`

// startSlurm starts munged, slurmctld and slurmd with a configuration of their own, and stops them when the test ends. It skips the
// test where they are not installed.
func startSlurm(t *testing.T) *cluster {
	t.Helper()
	if os.Getenv(slurmEnv) == "" {
		t.Skip("takes minutes: just test-slurm")
	}
	t.Setenv("PATH", os.Getenv("PATH")+":/usr/sbin:/sbin")
	for _, name := range []string{"munged", "slurmctld", "slurmd", "sbatch"} {
		if _, err := exec.LookPath(name); err != nil {
			t.Skipf("no Slurm here: %v; of Debian: apt-get install slurm-wlm munge", err)
		}
	}
	if os.Geteuid() != 0 {
		t.Skip("slurmd starts jobs as root alone")
	}
	host, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	c := &cluster{dir: t.TempDir()}
	c.node, _, _ = strings.Cut(host, ".")
	for _, name := range []string{"munge", "state", "spool"} {
		if err := os.Mkdir(filepath.Join(c.dir, name), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	key := make([]byte, 1024)
	_, _ = rand.Read(key)
	in := func(name string) string { return filepath.Join(c.dir, name) }
	if err := os.WriteFile(in("munge/key"), key, 0o400); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in("slurm.conf"), fmt.Appendf(nil, slurmConf, c.node, c.dir, freePort(t), freePort(t)), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Setenv("SLURM_CONF", in("slurm.conf"))
	c.program = in("asp2vec")
	if out, err := exec.Command("go", "build", "-o", c.program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	c.start(t, "munged", "-F", "--force", "--socket="+in("munge/socket"), "--key-file="+in("munge/key"), "--pid-file="+in("munge/pid"), "--log-file="+in("munge/log"), "--seed-file="+in("munge/seed"))
	until(t, "munged listens", 10*time.Second, func() bool { _, err := os.Stat(in("munge/socket")); return err == nil })
	c.start(t, "slurmctld", "-D")
	c.slurmd = c.start(t, "slurmd", "-D", "-N", c.node)
	c.untilIdle(t)
	return c
}

// start starts a daemon, and ends it with the test.
func (c *cluster) start(t *testing.T, name string, args ...string) *exec.Cmd {
	t.Helper()
	log, err := os.Create(filepath.Join(c.dir, name+".out"))
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		ended := make(chan struct{})
		go func() { _ = cmd.Wait(); close(ended) }()
		select {
		case <-ended:
		case <-time.After(10 * time.Second):
			_ = cmd.Process.Kill()
			<-ended
		}
		log.Close()
	})
	return cmd
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// until waits until something is so.
func until(t *testing.T, what string, most time.Duration, so func() bool) {
	t.Helper()
	for begun := time.Now(); !so(); time.Sleep(200 * time.Millisecond) {
		if time.Since(begun) > most {
			t.Fatalf("not within %v: %s", most, what)
		}
	}
}

func output(name string, args ...string) string {
	out, _ := exec.Command(name, args...).CombinedOutput()
	return string(out)
}

func (c *cluster) untilIdle(t *testing.T) {
	t.Helper()
	until(t, "the node is idle", time.Minute, func() bool { return strings.TrimSpace(output("sinfo", "-h", "-o", "%T")) == "idle" })
}

// asp2vec runs the program as a process of its own.
func (c *cluster) asp2vec(t *testing.T, args ...string) string {
	t.Helper()
	out, err := exec.Command(c.program, args...).Output()
	if err != nil {
		t.Fatalf("asp2vec %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// standing returns how the last submission of a store stands.
func (c *cluster) standing(t *testing.T, store string) standingDoc {
	t.Helper()
	list := decode[[]standingDoc](t, c.asp2vec(t, "sweep", "status", "--results", store, "--json"))
	return list[len(list)-1]
}

// untilDone waits until all runs of the last submission are done. Tasks that were put into the queue again need not wait for
// the two minutes that Slurm gives them, but for the second in which they were stopped: Slurm kills what starts again within that.
func (c *cluster) untilDone(t *testing.T, store string, most time.Duration) {
	t.Helper()
	var s standingDoc
	hurried := map[string]time.Time{}
	until(t, "all is done", most, func() bool {
		for line := range strings.Lines(output("squeue", "-h", "-r", "-t", "PENDING", "-o", "%i|%r")) {
			if id, why, _ := strings.Cut(strings.TrimSpace(line), "|"); why == "BeginTime" && time.Since(hurried[id]) > 10*time.Second {
				hurried[id] = time.Now()
				output("scontrol", "update", "JobId="+id, "StartTime=now+2")
			}
		}
		s = c.standing(t, store)
		return s.Done == s.Runs
	})
	if s.Failed+s.Lost != 0 {
		t.Errorf("%+v", s)
	}
}

// sweepFile writes a sweep of Cora, which smallSweep makes, whose runs train for about so many seconds of one processor.
func sweepFile(t *testing.T, name string, seeds int, pairs float64) {
	t.Helper()
	write(t, name, fmt.Sprintf("datasets: cora\nseeds: %d\noptions:\n  dim: 8\n  aspects: 2\n  pairs-per-vertex: %v\n", seeds, pairs))
}

// once fails unless each of so many runs is there, and is in tables once, with the same numbers whoever did it how often.
func once(t *testing.T, path string, want int) {
	t.Helper()
	records, problems, err := results.ReadStore(path)
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	runs := store.NewRuns(records)
	keys := map[string]bool{}
	for _, r := range records {
		j, err := store.JobOf(r)
		if err != nil {
			t.Fatal(err)
		}
		keys[j.Key()] = true
		if len(runs.Seeds(j)) != want {
			t.Fatalf("%d seeds, want %d", len(runs.Seeds(j)), want)
		}
	}
	if len(keys) != want || len(runs.Conflicts) > 0 {
		t.Errorf("%d runs, want %d; conflicts %v", len(keys), want, runs.Conflicts)
	}
	t.Logf("%d records of %d runs", len(records), want)
}

// lives returns the last life of each task of a submission.
func lives(t *testing.T, dir string) map[int]runner.Life {
	t.Helper()
	s, err := runner.OpenSubmission(dir)
	if err != nil {
		t.Fatal(err)
	}
	all, err := s.Lives()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// parent returns the process that started one.
func parent(t *testing.T, pid int) int {
	t.Helper()
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		t.Fatal(err)
	}
	after := strings.Fields(string(text[strings.LastIndexByte(string(text), ')')+1:])) // state, parent, ...
	up, err := strconv.Atoi(after[1])
	if err != nil || up < 2 {
		t.Fatalf("process %d: parent %q", pid, after[1])
	}
	return up
}

// A real Slurm on loopback, with all that can go wrong on a cluster.
func TestSlurm(t *testing.T) {
	c := startSlurm(t)
	smallSweep(t)
	slow := 3e5 // pairs a vertex: some seconds

	t.Run("two submitters of an array of 20, while the store is read", func(t *testing.T) {
		sweepFile(t, "twenty.yaml", 20, 5000)
		ctx, stop := context.WithCancel(context.Background())
		var reading, submitting sync.WaitGroup
		reading.Go(func() {
			for before := 0; ctx.Err() == nil; {
				records, problems, err := results.ReadStore("results/runs.jsonl")
				if os.IsNotExist(err) || err != nil && before == 0 {
					continue
				}
				if err != nil || len(problems) > 0 || len(records) < before {
					t.Errorf("%d records after %d, %v, %v", len(records), before, problems, err)
				}
				before = len(records)
			}
		})
		submitted := make([]string, 2) // what they say
		for i := range submitted {
			submitting.Go(func() {
				cmd := exec.Command(c.program, "sweep", "twenty.yaml", "--executor", "slurm", "--task-time", "1ns")
				out, err := cmd.CombinedOutput()
				if submitted[i] = string(out); err != nil {
					t.Errorf("submitter: %v\n%s", err, out)
				}
			})
		}
		submitting.Wait()
		if all := strings.Join(submitted, "\n"); !strings.Contains(all, "20 runs in 20 tasks") || !strings.Contains(all, "nothing to submit") {
			t.Errorf("submitters say\n%s", all)
		}
		c.untilDone(t, "results", 3*time.Minute)
		stop()
		reading.Wait()
		once(t, "results", 20)
		if got := withoutTimes(t, "results"); len(got) != 20 {
			t.Errorf("%d records: one of the submitters was to see what the other one had submitted", len(got))
		}
		c.asp2vec(t, "results", "merge")
		c.asp2vec(t, "sweep", "twenty.yaml", "--results", "local")
		if got, want := withoutTimes(t, "results/runs.jsonl"), withoutTimes(t, "local/runs.jsonl"); !slices.Equal(got, want) {
			t.Error("the records are others than of a local sweep")
		}
	})

	t.Run("asynchronous halving", func(t *testing.T) {
		write(t, "halving.yaml", "datasets: cora\nmethod: deepwalk\noptions: {dim: {from: 4, to: 12, steps: 9}}\n"+
			"search: {halving: {budget: pairs-per-vertex, from: 100, to: 900, asynchronous: true}}\n")
		c.asp2vec(t, "sweep", "halving.yaml", "--results", "halving", "--executor", "slurm")
		c.untilDone(t, "halving", 3*time.Minute)
		c.asp2vec(t, "results", "merge", "--results", "halving")
		c.asp2vec(t, "sweep", "halving.yaml", "--results", "halving-local", "--jobs", "3")
		got, want := withoutTimes(t, "halving/runs.jsonl"), withoutTimes(t, "halving-local/runs.jsonl")
		if slices.Sort(got); len(want) < 9+3+1+1 || !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%d records, and %d of a local search: want the same", len(got), len(want))
		}
	})

	t.Run("a task is killed", func(t *testing.T) {
		sweepFile(t, "killed.yaml", 3, slow)
		c.asp2vec(t, "sweep", "killed.yaml", "--results", "killed", "--executor", "slurm", "--task-time", "1ns")
		var victim runner.Life
		until(t, "a task runs", 30*time.Second, func() bool {
			victim = lives(t, "killed/jobs/killed-1")[1]
			return victim.Process > 0
		})
		if err := syscall.Kill(victim.Process, syscall.SIGKILL); err != nil {
			t.Fatal(err)
		}
		c.untilDone(t, "killed", 3*time.Minute)
		once(t, "killed", 3)
		if last := lives(t, "killed/jobs/killed-1")[1]; last.Restart != 1 || last.How != runner.LifeDone {
			t.Errorf("last life %+v", last)
		}
	})

	t.Run("scancel in the middle", func(t *testing.T) {
		sweepFile(t, "cancelled.yaml", 8, slow)
		submit := []string{"sweep", "cancelled.yaml", "--results", "cancelled", "--executor", "slurm", "--task-time", "1ns"}
		c.asp2vec(t, submit...)
		until(t, "a run is done", time.Minute, func() bool { return c.standing(t, "cancelled").Done > 0 })
		c.asp2vec(t, "sweep", "cancel", "cancelled-1", "--results", "cancelled")
		until(t, "the queue is empty", time.Minute, func() bool { return output("squeue", "-h") == "" })
		s := c.standing(t, "cancelled")
		if s.Lost == 0 || s.Lost+s.Done != 8 || len(s.Problems) != s.Lost {
			t.Errorf("%+v", s)
		}
		c.asp2vec(t, submit...)
		if again := c.standing(t, "cancelled"); again.Runs != s.Lost {
			t.Errorf("submitted again: %+v, want the %d that were lost", again, s.Lost)
		}
		c.untilDone(t, "cancelled", 3*time.Minute)
		once(t, "cancelled", 8)
	})

	t.Run("time-out with requeue", func(t *testing.T) {
		sweepFile(t, "late.yaml", 6, 2*slow)
		c.asp2vec(t, "sweep", "late.yaml", "--results", "late", "--executor", "slurm", "--task-time", "10h", "--max-requeue", "20",
			"--slurm-option", "timeout_min=1", "--slurm-option", "signal_delay_s=45")
		c.untilDone(t, "late", 5*time.Minute)
		once(t, "late", 6)
		if got := withoutTimes(t, "late"); len(got) != 6 {
			t.Errorf("%d records: a later life was to leave alone what an earlier one had done", len(got))
		}
		if last := lives(t, "late/jobs/late-1")[0]; last.Restart == 0 || last.How != runner.LifeDone {
			t.Errorf("last life %+v: want a second one", last)
		}
	})

	t.Run("a node is lost and comes back", func(t *testing.T) {
		sweepFile(t, "lost.yaml", 3, 4*slow)
		c.asp2vec(t, "sweep", "lost.yaml", "--results", "lost", "--executor", "slurm", "--task-time", "1ns")
		until(t, "all tasks run", 30*time.Second, func() bool { return len(lives(t, "lost/jobs/lost-1")) == 3 })
		// All of Slurm ends there at once. The runs go on, unknown to anybody, while their second lives begin.
		if err := c.slurmd.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		for _, life := range lives(t, "lost/jobs/lost-1") {
			if err := syscall.Kill(parent(t, parent(t, life.Process)), syscall.SIGKILL); err != nil { // of the script: slurmstepd
				t.Fatal(err)
			}
		}
		until(t, "the node is down", time.Minute, func() bool { return strings.Contains(output("sinfo", "-h", "-o", "%T"), "down") })
		until(t, "the tasks are in the queue again", time.Minute, func() bool { return c.standing(t, "lost").Running == 0 })
		c.slurmd = c.start(t, "slurmd", "-D", "-N", c.node)
		c.untilDone(t, "lost", 4*time.Minute)
		until(t, "the queue is empty", 2*time.Minute, func() bool { return output("squeue", "-h", "-t", "RUNNING") == "" })
		once(t, "lost", 3)
		for task, life := range lives(t, "lost/jobs/lost-1") {
			if life.Restart == 0 {
				t.Errorf("task %d had no second life: %+v", task, life)
			}
		}
	})
	if t.Failed() {
		for _, name := range []string{"slurmctld.log", "slurmd.log"} {
			text, _ := os.ReadFile(filepath.Join(c.dir, name))
			t.Logf("%s ends with\n%s", name, text[max(0, len(text)-4000):])
		}
	}
	output("scancel", "--user=root") // what is left must not outlive the daemons
}
