package runner

import (
	"bufio"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

const (
	helperData = "ASP2VEC_TEST_RUNNER_DATA" // folder that dataFolder made; set in a process that is to run in it
	helperRuns = 8
)

// TestRunnerProcess is no test but what the processes of the next ones do: it prints events, and after each waits for a byte of
// standard input, as long as there is one.
func TestRunnerProcess(t *testing.T) {
	dir := os.Getenv(helperData)
	if dir == "" {
		t.Skip("for other tests to start")
	}
	r := &Runner{Store: filepath.Join(dir, "results"), DataDir: dir, Threads: 2, Jobs: 2}
	r.Monitor = func(e Event) {
		_ = json.NewEncoder(os.Stdout).Encode(e)
		_, _ = os.Stdin.Read(make([]byte, 1))
	}
	runAll(t, r, tinyJobs(helperRuns))
}

func helper(t *testing.T, dir string, in io.Reader) (*exec.Cmd, *bufio.Scanner) {
	t.Helper()
	exe := call.Of(os.Executable())(t)
	c := exec.Command(exe, "-test.run=^TestRunnerProcess$")
	c.Env = append(os.Environ(), helperData+"="+dir)
	c.Stderr = os.Stderr
	c.Stdin = in
	out := call.Of(c.StdoutPipe())(t)
	call.OK(t, c.Start())
	return c, bufio.NewScanner(out)
}

// Killed over and over at random moments, it ends with each run once, and with the numbers that it gives undisturbed.
func TestRunnerSurvivesKills(t *testing.T) {
	quiet := dataFolder(t)
	runAll(t, quiet, tinyJobs(helperRuns))
	want := aucs(t, records(t, quiet.Store))

	r := dataFolder(t)
	random := rng.New(1, "kills")
	kills := 0
	for whole := false; !whole; {
		if kills == 200 {
			t.Fatal("it gets nowhere")
		}
		in, step, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		c, lines := helper(t, r.DataDir, in)
		in.Close()
		until := int(random.Uint64() % 16) // events; a run has 7
		for i := 0; i < until && lines.Scan(); i++ {
			_, _ = step.Write([]byte{0}) // it may have ended
		}
		for range random.Uint64() % (1 << 16) { // and a moment more, some of it in the middle of a write
			random.Uint64()
		}
		_ = c.Process.Kill()
		step.Close()
		for lines.Scan() {
		}
		whole = c.Wait() == nil
		if !whole {
			kills++
		}
	}
	runAll(t, r, tinyJobs(helperRuns))
	all, problems, err := results.ReadStore(r.Store)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d kills", kills)
	got := aucs(t, all)
	for key, auc := range want {
		if got[key] != auc {
			t.Errorf("run %s: AUC %v, expected %v", key, got[key], auc)
		}
	}
	if len(got) != helperRuns || kills < 3 || len(problems) > 0 {
		t.Errorf("%d runs after %d kills, problems %v", len(got), kills, problems)
	}
	leftBehind(t, r.Store)
}

// Two processes on one store share the runs: none is done twice.
func TestTwoProcessesOnOneStore(t *testing.T) {
	r := dataFolder(t)
	var processes []*exec.Cmd
	var outputs []*bufio.Scanner
	for range 2 {
		c, lines := helper(t, r.DataDir, nil)
		processes, outputs = append(processes, c), append(outputs, lines)
	}
	done := 0
	for i, c := range processes {
		var end Event
		for outputs[i].Scan() {
			if line := outputs[i].Bytes(); len(line) > 0 && line[0] == '{' {
				call.OK(t, json.Unmarshal(line, &end))
			}
		}
		call.OK(t, c.Wait())
		if end.Report == nil || end.Report.Done+end.Report.There != helperRuns {
			t.Fatalf("process %d: last event %+v", i, end)
		}
		done += end.Report.Done
	}
	if got := aucs(t, records(t, r.Store)); len(got) != helperRuns || done != helperRuns {
		t.Errorf("%d runs, done %d times: expected %d", len(got), done, helperRuns)
	}
}
