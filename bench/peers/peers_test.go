package main

import (
	"bytes"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/peer"
	"github.com/asp2vec/asp2vec/network"
)

// TestMain turns the test binary into a fake contestant when asked to.
func TestMain(m *testing.M) {
	switch os.Getenv("PEERS_FAKE") {
	case "":
		os.Exit(m.Run())
	case "fail":
		os.Stderr.WriteString("no such module: torch\n")
		os.Exit(1)
	case "sleep":
		time.Sleep(time.Minute)
	}
	os.Stdout.WriteString("warming up\n" + `{"pairs_per_second": 2e6, "pairs": 4e6, "seconds": 2, "torch": "1.13"}` + "\n")
}

// fake is a contestant that runs this test binary.
func fake(t *testing.T, name, behaviour string) *contestant {
	t.Helper()
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return &contestant{Name: name, Method: "asp2vec", Threads: 1, argv: []string{"env", "PEERS_FAKE=" + behaviour, exe}}
}

func TestSpreadOf(t *testing.T) {
	for _, tc := range []struct {
		name string
		in   []float64
		want spread
	}{
		{"nothing", nil, spread{}},
		{"one", []float64{3}, spread{3, 3, 3, 1}},
		{"odd, unsorted", []float64{5, 1, 2}, spread{2, 1, 5, 3}},
		{"even takes the middle", []float64{4, 1, 2, 8}, spread{3, 1, 8, 4}},
	} {
		in := slices.Clone(tc.in)
		if got := spreadOf(tc.in); got != tc.want {
			t.Errorf("%s: %+v, want %+v", tc.name, got, tc.want)
		}
		if !slices.Equal(in, tc.in) {
			t.Errorf("%s: the input was reordered to %v", tc.name, tc.in)
		}
	}
}

// Rates that swing fourfold between rounds while one side stays twice as fast: ratios of medians or of single rounds taken
// across would be anything from 0.5 to 8, ratios within rounds are 2.
func TestRatioIsTakenWithinRounds(t *testing.T) {
	rounds := func(name string, rates ...float64) *contestant {
		c := &contestant{Name: name, Method: "asp2vec", Threads: 1}
		for _, r := range rates {
			c.Runs = append(c.Runs, &result{PairsPerSecond: r, KernelPairsPerSecond: 3 * r})
		}
		return c
	}
	all := []*contestant{rounds("a", 2, 8, 4), rounds("b", 1, 4, 2), {Name: "gone", Method: "asp2vec", Threads: 1, Missing: "not installed"}}
	side1 := func(name string) side { return side{name: name, threads: 1} }
	for _, tc := range []struct {
		name         string
		above, below side
		want         *spread
	}{
		{"both there", side1("a"), side1("b"), &spread{2, 2, 2, 3}},
		{"the kernel's own figure", side{name: "b", threads: 1, kernel: true}, side1("b"), &spread{3, 3, 3, 3}},
		{"missing", side1("a"), side1("gone"), nil},
		{"other number of threads", side1("a"), side{name: "b", threads: 2}, nil},
	} {
		c := claim{Method: "asp2vec", above: tc.above, below: tc.below}
		if c.measureRatio(all); !reflect.DeepEqual(c.Ratio, tc.want) {
			t.Errorf("%s: %v, want %v", tc.name, c.Ratio, tc.want)
		}
	}
}

func TestParseResult(t *testing.T) {
	for _, tc := range []struct {
		name, out string
		want      float64 // 0 for an error
	}{
		{"a line", `{"pairs_per_second": 5}`, 5},
		{"last line after a log", "reading\n{\"pairs_per_second\": 6}\n", 6},
		{"an indented document", "{\n  \"pairs_per_second\": 7\n}\n", 7},
		{"empty", "", 0},
		{"no JSON", "done", 0},
		{"no rate", `{"seconds": 3}`, 0},
		{"negative rate", `{"pairs_per_second": -1}`, 0},
	} {
		r, err := parseResult(tc.out)
		if (err != nil) != (tc.want == 0) || err == nil && r.PairsPerSecond != tc.want {
			t.Errorf("%s: %+v, %v; want %v", tc.name, r, err, tc.want)
		}
	}
}

func TestMeasureGoesOnWithoutTheMissing(t *testing.T) {
	if _, err := exec.LookPath("env"); err != nil {
		t.Skip("no env program on this system")
	}
	absent := &contestant{Name: "absent", Method: "asp2vec", Threads: 1, argv: []string{filepath.Join(t.TempDir(), "no-such-program")}}
	all := []*contestant{fake(t, "works", "ok"), fake(t, "fails", "fail"), fake(t, "hangs", "sleep"), absent}
	var log bytes.Buffer
	measure(context.Background(), options{rounds: 2, timeout: 2 * time.Second}, all, &log)
	if c := all[0]; len(c.Runs) != 2 || c.Missing != "" || c.Runs[0].PairsPerSecond != 2e6 {
		t.Errorf("the working contestant: %d runs, missing %q; want 2 runs", len(c.Runs), c.Missing)
	}
	for i, want := range []string{"", "no such module: torch", "not done after 2s", "no-such-program"} {
		if !strings.Contains(all[i].Missing, want) {
			t.Errorf("%s: missing %q, want %q in it", all[i].Name, all[i].Missing, want)
		}
	}
	if n := strings.Count(log.String(), "fails"); n != 1 {
		t.Errorf("a failed contestant was started %d times, want once", n)
	}
}

func TestOptions(t *testing.T) {
	o, err := parseOptions([]string{"--split", "s", "--threads", "2,1,2"}, io.Discard)
	if err != nil || !slices.Equal(o.threads, []int{1, 2}) {
		t.Errorf("threads %v, %v; want [1 2]", o.threads, err)
	}
	for _, args := range [][]string{{}, {"--split", "s", "--threads", "0"}, {"--split", "s", "--methods", "node2vec"},
		{"--split", "s", "--rounds", "0"}, {"--split", "s", "--noise", "vertex"}, {"--split", "s", "more"}, {"--split", "s", "--no-such-flag"}} {
		if _, err := parseOptions(args, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}

// karateSplit writes a split of the karate club.
func karateSplit(t *testing.T) string {
	t.Helper()
	net, _ := network.Karate()
	split, err := network.MakeSplit(context.Background(), net, network.SplitOptions{Remove: .3, Rule: "ce1", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "karate", "split")
	if err := split.Write(dir, false); err != nil {
		t.Fatal(err)
	}
	return dir
}

// A whole run with only the C kernel: walks, compilation, measurement, both files; and asp2vec, which is no program here.
func TestRun(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles C")
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Skip("no gcc")
	}
	out := t.TempDir()
	o, err := parseOptions([]string{"--split", karateSplit(t), "--out", out, "--peers", "..", "--asp2vec", filepath.Join(out, "absent"),
		"--cflags", "-O1 -ffast-math -Wno-psabi", "--methods", "deepwalk", "--deepwalk-dim", "8", "--c-batches", "2", "--rounds", "1",
		"--python", filepath.Join(out, "no-python")}, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	var stdout bytes.Buffer
	if err := run(context.Background(), o, &stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(out, "peers.md"))
	if err != nil || !bytes.Equal(page, stdout.Bytes()) {
		t.Errorf("the page differs from what was printed: %v", err)
	}
	for _, want := range []string{"# Pairs per second on karate", "34 vertices", "| torch | 1 | missing:", "| ckernel | 1 |", "| asp2vec fused, 1 thread / gensim, 1 thread | missing | ≥ 1 |  |"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	text, err := os.ReadFile(filepath.Join(out, "peers.json"))
	if err != nil {
		t.Fatal(err)
	}
	var r record
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	if kernel := r.Contestants[len(r.Contestants)-1]; kernel.Name != "ckernel" || kernel.Missing != "" || len(kernel.Runs) != 1 {
		t.Errorf("the kernel's record: %+v, want one run", kernel)
	}
}

// Each command line of asp2vec runs: an option that its command line no longer takes would make it a missing contestant.
func TestOurCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles asp2vec")
	}
	bin := filepath.Join(t.TempDir(), "asp2vec.exe") // a name that all systems run
	if _, err := peer.Output(t.Context(), "go", "build", "-o", bin, "../../cmd/asp2vec"); err != nil {
		t.Fatal(err)
	}
	split := karateSplit(t)
	for _, noise := range []string{"pair", "window"} {
		o, err := parseOptions([]string{"--split", split, "--asp2vec", bin, "--only", "asp2vec", "--noise", noise, "--dim", "4", "--aspects", "2", "--deepwalk-dim", "8",
			"--asp2vec-seconds", ".01", "--rounds", "1", "--threads", "1,2"}, io.Discard)
		if err != nil {
			t.Fatal(err)
		}
		all := prepare(t.Context(), o, t.TempDir(), "none")
		if want := len(modelTemplates) * 2 * 2; len(all) != want {
			t.Fatalf("%d contestants, want %d: two engines and two numbers of threads for each method", len(all), want)
		}
		measure(t.Context(), o, all, io.Discard)
		for _, c := range all {
			if c.Missing != "" || len(c.Runs) != 1 {
				t.Errorf("%s: %d runs, missing %q; want one run", c.Command, len(c.Runs), c.Missing)
			}
		}
	}
}

// The peers train the model of the specification: losses, gradients and two Adam steps of the golden file.
func TestPeersAgreeWithTheGoldenFile(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles C and loads PyTorch")
	}
	golden := filepath.Join("..", "..", "internal", "golden", "asp2vec.json")
	t.Run("torch", func(t *testing.T) {
		python := "python3"
		for _, p := range []string{"python3", "/usr/bin/python3"} {
			if exec.Command(p, "-c", "import torch").Run() == nil {
				python = p
				break
			}
		}
		if exec.Command(python, "-c", "import torch").Run() != nil {
			t.Skip("no torch: apt-get install python3-torch")
		}
		if out, err := peer.Output(t.Context(), python, "../torch_asp2vec.py", "--check", golden); err != nil || !strings.Contains(out, `"failures": []`) {
			t.Errorf("%v: %s", err, out)
		}
	})
	for _, aspects := range []string{"1", "2"} {
		for _, real := range []string{"float", "double"} {
			t.Run("ckernel/aspects="+aspects+"/"+real, func(t *testing.T) {
				if _, err := exec.LookPath("gcc"); err != nil {
					t.Skip("no gcc")
				}
				bin := filepath.Join(t.TempDir(), "ckernel")
				if _, err := peer.Output(t.Context(), "gcc", "-O2", "-march=native", "-ffast-math", "-Wno-psabi", "-DD=2", "-DK="+aspects, "-DREAL="+real, "-o", bin, "../ckernel.c", "-lm"); err != nil {
					t.Fatal(err)
				}
				if out, err := peer.Output(t.Context(), bin, "--check", golden); err != nil || !strings.Contains(out, `"failures": 0`) {
					t.Errorf("%v: %s", err, out)
				}
			})
		}
	}
}
