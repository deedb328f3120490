//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

const beProgram = "ASP2VEC_TEST_BE_PROGRAM"

// TestMain is the program itself where a test has started it as another process, to send it signals.
func TestMain(m *testing.M) {
	if os.Getenv(beProgram) != "" {
		main()
	}
	os.Exit(m.Run())
}

// faults returns how many kills of a kind to try: few, or as many as just faults asks for.
func faults(t *testing.T, few int) int {
	t.Helper()
	text := os.Getenv("ASP2VEC_FAULTS")
	if text == "" {
		return few
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("ASP2VEC_FAULTS=%s: expected a number", text)
	}
	return n
}

// process starts the program.
func process(t *testing.T, errs io.Writer, args ...string) *exec.Cmd {
	t.Helper()
	exe := call.Of(os.Executable())(t)
	c := exec.Command(exe, args...)
	c.Env = append(os.Environ(), beProgram+"=1")
	c.Stderr = errs
	call.OK(t, c.Start())
	return c
}

// untilChanged waits until a file is there, and is not as it was; ten seconds at most.
func untilChanged(path string, was time.Time) {
	for range 2000 {
		if fi, err := os.Stat(path); err == nil && !fi.ModTime().Equal(was) {
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
}

// long is a run that goes on for as long as a test wants.
func long(epochs int, out string) []string {
	return with(append([]string{"train"}, quick...), "--split", "split", "--protocol", "validated", "--patience", "1000000",
		"--epochs", fmt.Sprint(epochs), "--warm-up-epochs", "3", "--checkpoint-every", "1ms", "--results", "none", "--out", out)
}

// Each signal that asks to stop ends a run after its step, and the same command goes on: to the same bytes.
func TestSignals(t *testing.T) {
	karate(t)
	var was time.Time
	for _, s := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP} {
		if signal.Ignored(s) {
			continue // as nohup wants it of all that it starts
		}
		var errs bytes.Buffer
		c := process(t, &errs, long(200, "run")...)
		untilChanged("run.checkpoint/train.checkpoint", was)
		call.OK(t, c.Process.Signal(s))
		err := c.Wait()
		var exit *exec.ExitError
		if !errors.As(err, &exit) || exit.ExitCode() != 1 || !strings.Contains(errs.String(), "the same command continues") || exists("run") {
			t.Fatalf("%v: %v\n%s", s, err, errs.String())
		}
		if fi, err := os.Stat("run.checkpoint/train.checkpoint"); err == nil {
			was = fi.ModTime() // of what it wrote when it stopped
		}
	}
	says(t, must(t, long(200, "run")...).err, "continues from a checkpoint")
	must(t, long(200, "alone")...)
	sameRun(t, "run", "alone")
	if r, err := results.ReadRecord("run"); err != nil || !r.Resumed {
		t.Errorf("resumed %v, %v", r.Resumed, err)
	}
	onlyThere(t, "alone", "karate.memberships.tsv", "karate.tsv", "run", "split")
}

// A log that nobody reads ends nothing: what is trained is written.
func TestLogOfNobody(t *testing.T) {
	karate(t)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	exe := call.Of(os.Executable())(t)
	c := exec.Command(exe, long(3, "run")...)
	c.Env, c.Stdout, c.Stderr = append(os.Environ(), beProgram+"=1"), w, w
	r.Close()
	if err := c.Run(); err != nil || !exists("run/embedding.vec") {
		t.Errorf("%v: expected a model though nobody reads the log", err)
	}
}

// sameRun compares the files of two runs byte for byte, and their records but for what clocks say.
func sameRun(t *testing.T, got, want string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(want, "*"))
	if err != nil || len(files) < 3 {
		t.Fatalf("%s: %v, %v", want, files, err)
	}
	for _, f := range files {
		name := filepath.Base(f)
		if fi, err := os.Stat(f); err == nil && fi.IsDir() {
			sameRun(t, filepath.Join(got, name), f)
			continue
		}
		if name == results.RecordFile {
			continue
		}
		x := call.Of(os.ReadFile(filepath.Join(got, name)))(t)
		if y, err := os.ReadFile(f); err != nil || !bytes.Equal(x, y) {
			t.Errorf("%s: another %s than in %s (%v)", got, name, want, err)
		}
	}
	x, err := results.ReadRecord(got)
	if err != nil {
		return // of a folder within
	}
	y := call.Of(results.ReadRecord(want))(t)
	if a, b := courseOf(x), courseOf(y); a != b {
		t.Errorf("%s has another course than %s:\n%s\n%s", got, want, a, b)
	}
}

// courseOf returns what a run came to, epoch by epoch, without clocks.
func courseOf(r results.Record) string {
	var b strings.Builder
	fmt.Fprintln(&b, r.Dataset.SHA256, r.Seed, r.BestStage, r.BestEpoch, r.Metrics, r.StepPairs, r.Interrupted)
	for _, e := range r.Epochs {
		validation := 0.0
		if e.ValidationAUC != nil {
			validation = *e.ValidationAUC
		}
		fmt.Fprintln(&b, e.Stage, e.Epoch, e.LossNats, e.Penalty, e.Pairs, validation, e.Metrics)
	}
	return b.String()
}

// onlyThere says what is in the current folder that should not be: what a killed process has left.
func onlyThere(t *testing.T, want ...string) {
	t.Helper()
	entries := call.Of(os.ReadDir("."))(t)
	var got []string
	for _, e := range entries {
		if !strings.Contains(e.Name(), ".tmp-") { // of a process that was killed, for a day
			got = append(got, e.Name())
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("left: %q, expected %q", got, want)
	}
}

// killed starts the program again and again, and kills it after a random time, until so many kills; then it lets it end.
func killed(t *testing.T, r *rand.Rand, kills int, out string, args []string) {
	t.Helper()
	whole := time.Now()
	must(t, append(args[:len(args):len(args)], "--out", "alone")...)
	length := time.Since(whole) + 50*time.Millisecond // the start of a process too
	for n := 0; n < kills; {
		if exists(out) { // it came to its end before the kill, or was killed just after
			sameModel(t, out, "alone")
			call.OK(t, os.RemoveAll(out))
		}
		var errs bytes.Buffer
		c := process(t, &errs, append(args[:len(args):len(args)], "--out", out)...)
		time.Sleep(time.Duration(r.Int64N(int64(length))))
		_ = c.Process.Kill()
		err := c.Wait()
		if state := c.ProcessState.Sys().(syscall.WaitStatus); state.Signaled() {
			n++
		} else if err != nil {
			t.Fatalf("%v\n%s", err, errs.String())
		}
	}
	if exists(out) {
		sameModel(t, out, "alone")
		call.OK(t, os.RemoveAll(out))
	}
	must(t, append(args[:len(args):len(args)], "--out", out)...)
	sameRun(t, out, "alone")
}

// sameModel is sameRun of a run that may have been killed while its aspects were found, which come after the model.
func sameModel(t *testing.T, out, alone string) {
	t.Helper()
	const aspects = "/aspects.tsv"
	if exists(alone+aspects) && !exists(out+aspects) {
		write(t, out+aspects, read(t, alone+aspects))
	}
	sameRun(t, out, alone)
}

// A run that is killed at any moment, as by a power cut, leaves no half file, and goes on to the same bytes: of each method, if many
// kills are asked for.
func TestKilled(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, m := range methods.All() {
		if os.Getenv("ASP2VEC_FAULTS") == "" && m.Name != graphs.MethodAsp2vec {
			continue
		}
		t.Run(m.Name, func(t *testing.T) {
			karate(t)
			args := []string{"train", "--method", m.Name, "--dim", "4", "--protocol", "validated", "--checkpoint-every", "50ms", "--results", "none", "--threads", "1"}
			there := []string{"alone", "karate.memberships.tsv", "karate.tsv", "run", "split"}
			switch {
			case m.Name == hetnet.MethodMetapath2vec:
				writeMusic(t, 3)
				args = append(args, "--schema", "music", "--epochs", "3", "--batch", "100", "--select", "last")
				there = append(there, "music")
			case m.Typed:
				plantPapers(t, 40, 120, 10, 1000)
				args = append(args, "--bibliography", "papers", "--epochs", "3", "--word-dim", "8", "--word-epochs", "1", "--batch", "100")
				there = append(there, "papers")
			case m.Stages == nil:
				args = append(args, "--split", "split")
			case m.Name == graphs.MethodDGI:
				args = append(args, "--split", "split", "--epochs", "200", "--patience", "200")
			case m.Name == graphs.MethodPolyDW || m.Name == graphs.MethodSplitter:
				args = append(args, "--split", "split", "--epochs", "30", "--batch", "200", "--walks", "5")
			default:
				args = append(args, "--split", "split", "--epochs", "30", "--patience", "100", "--walks", "5", "--batch", "500")
			}
			killed(t, r, faults(t, 2), "run", args)
			onlyThere(t, there...)
		})
	}
}

// Two sweeps on one store, of which one is killed again and again, lose and double no record, and come to what one alone comes to.
func TestSweepsKilled(t *testing.T) {
	asCora(t)
	sweep := "datasets: [cora]\nmethod: asp2vec\nprotocol: validated\nseeds: 2\noptions:\n  dim: 4\n  epochs: 10\n  patience: 10\n  walks: 2\n  lambda: [0.1]\n"
	call.OK(t, os.WriteFile("sweep.yaml", []byte(sweep), 0o666))
	args := func(store string) []string {
		return []string{"sweep", "sweep.yaml", "--data", "data", "--results", store, "--checkpoint-every", "50ms", "--threads", "1"}
	}
	start := time.Now()
	must(t, args("alone")...)
	length := time.Since(start)
	r := rand.New(rand.NewPCG(3, 4))
	for n, round := 0, 0; n < faults(t, 3); round++ {
		store := fmt.Sprint("store", round)
		other := process(t, io.Discard, args(store)...)
		for ended := false; !ended && n < faults(t, 3); {
			c := process(t, io.Discard, args(store)...)
			time.Sleep(time.Duration(r.Int64N(int64(length))))
			_ = c.Process.Kill()
			_ = c.Wait()
			if c.ProcessState.Sys().(syscall.WaitStatus).Signaled() {
				n++
			} else {
				ended = true // all runs are done
			}
		}
		if err := other.Wait(); err != nil {
			t.Errorf("the other process: %v", err)
		}
		must(t, args(store)...)
		sameStore(t, store, "alone")
	}
}

// sameStore compares the records of two stores, in any order.
func sameStore(t *testing.T, got, want string) {
	t.Helper()
	courses := func(dir string) (all []string) {
		records, problems, err := results.ReadStore(dir)
		if err != nil || len(problems) > 0 {
			t.Fatal(err, problems)
		}
		for _, r := range records {
			all = append(all, string(r.Options)+courseOf(r))
		}
		slices.Sort(all)
		return all
	}
	if x, y := courses(got), courses(want); !slices.Equal(x, y) {
		t.Errorf("%s: %d records, %s: %d, or others", got, len(x), want, len(y))
	}
	files, err := filepath.Glob(filepath.Join(got, "*", "*"))
	for _, f := range files {
		if name := filepath.Base(f); name != results.RecordFile && name != vectors.PackedFile && !strings.Contains(name, ".tmp-") {
			t.Errorf("%s holds %s: expected nothing but records and vectors", got, f)
		}
	}
	if err != nil {
		t.Error(err)
	}
}
