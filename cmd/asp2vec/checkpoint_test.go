package main

import (
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/filelock"
)

// stoppedRun trains until its second epoch, with a checkpoint after each, and is stopped there.
func stoppedRun(t *testing.T, more ...string) ran {
	t.Helper()
	args := with(append([]string{"train", "--out", "none", "--results", "results"}, quick...), "--split", "split", "--protocol", "validated", "--epochs", "6", "--warm-up-epochs", "1",
		"--checkpoint-every", "1ms", "--out", "run")
	return stoppedAt(t, "asp2vec epoch 2 ", with(args, more...)...)
}

// A run that is stopped leaves no result and no record but a checkpoint. It is refused to other options, which --restart takes it
// away for.
func TestCheckpointCommands(t *testing.T) {
	karate(t)
	stop := func() {
		t.Helper()
		if r := stoppedRun(t, "--restart"); r.code != 1 || !strings.Contains(lastLine(r.err), "the same command continues") {
			t.Fatalf("%+v", r)
		}
		if exists("run") || exists("results") || !exists("run.checkpoint/train.checkpoint") {
			t.Fatal("expected nothing but a checkpoint")
		}
	}
	stop()
	r := invoke("train", "--split", "split", "--out", "run", "--dim", "5")
	r.exits(t, 2, "of another run", "--restart")
	must(t, "train", "--split", "split", "--out", "run", "--dim", "5", "--restart", "--epochs", "1", "--protocol", "validated")
	if exists("run.checkpoint") || exists(".run.running") {
		t.Error("something is left")
	}
}

// While one process trains for a folder, another one is told so at once, before it trains for nothing.
func TestOutIsHeld(t *testing.T) {
	karate(t)
	h, err := filelock.Take(".run.running")
	if err != nil || h == nil {
		t.Fatal(err)
	}
	defer h.Release()
	invoke("train", "--split", "split", "--out", "run").exits(t, 2, "another process is training it")
}

// A store that cannot be written is found before training, not after.
func TestStoreIsCheckedFirst(t *testing.T) {
	karate(t)
	write(t, "results", "a file\n")
	if r := invoke("train", "--split", "split", "--results", "results"); r.code != 2 || !strings.Contains(r.err, "results") || strings.Contains(r.err, "begins") {
		t.Errorf("%+v", r)
	}
}
