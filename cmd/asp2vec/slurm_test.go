//go:build unix

package main

import (
	"crypto/rand"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"
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

// standing returns how the one submission of a store stands.
func (c *cluster) standing(t *testing.T, store string) standingDoc {
	t.Helper()
	list := decode[[]standingDoc](t, c.asp2vec(t, "sweep", "status", "--results", store, "--json"))
	if len(list) != 1 {
		t.Fatalf("%d submissions", len(list))
	}
	return list[0]
}

// generous is how long anything may take, on a machine that is busy with other things too.
const generous = 10 * time.Minute

// untilEmpty waits until the queue is empty.
func untilEmpty(t *testing.T) {
	t.Helper()
	until(t, "the queue is empty", generous, func() bool { return output("squeue", "-h") == "" })
}

// sweepFile writes a sweep of Cora, which smallSweep makes, whose runs train so many pairs a vertex.
func sweepFile(t *testing.T, name string, seeds int, pairs float64) {
	t.Helper()
	write(t, name, fmt.Sprintf("datasets: cora\nseeds: %d\noptions:\n  dim: 8\n  aspects: 2\n  pairs-per-vertex: %v\n", seeds, pairs))
}

// A real Slurm on loopback: the runs of an array are those of a local sweep; what is cancelled or killed is told, and done by the same command.
func TestSlurm(t *testing.T) {
	c := startSlurm(t)
	smallSweep(t)

	sweepFile(t, "twenty.yaml", 20, 5000)
	c.asp2vec(t, "sweep", "twenty.yaml", "--executor", "slurm", "--tasks", "6")
	untilEmpty(t)
	c.asp2vec(t, "sweep", "twenty.yaml", "--results", "local")
	if got, want := withoutTimes(t, "results"), withoutTimes(t, "local"); len(want) != 20 || !slices.Equal(got, want) {
		t.Fatalf("%d records of tasks, others than the %d of a local sweep", len(got), len(want))
	}
	if s := c.standing(t, "results"); s.Done != 20 || len(s.Problems) != 0 {
		t.Errorf("%+v", s)
	}

	const slow = 1e6 // pairs a vertex, of runs that are not done before they are stopped
	sweepFile(t, "stopped.yaml", 4, slow)
	submit := []string{"sweep", "stopped.yaml", "--results", "stopped", "--executor", "slurm", "--tasks", "4"}
	c.asp2vec(t, submit...)
	until(t, "a task runs", generous, func() bool { return c.standing(t, "stopped").Running > 0 })
	if err := exec.Command(c.program, submit...).Run(); err == nil {
		t.Error("it was submitted while it was in the queue")
	}
	c.asp2vec(t, "sweep", "cancel", c.standing(t, "stopped").Submission, "--results", "stopped")
	untilEmpty(t)
	if s := c.standing(t, "stopped"); s.Done == s.Runs || len(s.Problems) == 0 || s.Running+s.Waiting != 0 {
		t.Errorf("cancelled: %+v", s)
	}
	c.asp2vec(t, submit...)
	until(t, "a task runs", generous, func() bool { return c.standing(t, "stopped").Running > 0 })
	output("scancel", "--signal=KILL", "--full", "--state=RUNNING", "--user=root")
	untilEmpty(t)
	c.asp2vec(t, submit...)
	untilEmpty(t)
	if s := c.standing(t, "stopped"); s.Done != 4 || len(withoutTimes(t, "stopped")) != 4 {
		t.Errorf("in the end: %+v", s)
	}
	if t.Failed() {
		for _, name := range []string{"slurmctld.log", "slurmd.log"} {
			text, _ := os.ReadFile(filepath.Join(c.dir, name))
			t.Logf("%s ends with\n%s", name, text[max(0, len(text)-4000):])
		}
	}
	output("scancel", "--user=root") // what is left must not outlive the daemons
}
