package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/peer"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// TestMain turns the test binary into a fake contestant when asked to; its last argument is what it is to write.
func TestMain(m *testing.M) {
	if os.Getenv("TIMES_FAKE") == "" {
		os.Exit(m.Run())
	}
	if err := pretend(os.Getenv("TIMES_FAKE"), os.Args[len(os.Args)-1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func pretend(behaviour, out string) error {
	switch behaviour {
	case "fail":
		return fmt.Errorf("no such module: torch")
	case "silent":
		fmt.Println(`{"points": []}`)
		return nil
	case "spin": // until it is stopped
		for start := time.Now(); time.Since(start) < time.Hour; {
		}
	case "lies": // names a file that is not there
		fmt.Printf(`{"points": [{"cpu_seconds": 1, "file": %q}]}`, out)
		return nil
	case "own":
		rec := results.NewRecord("asp2vec")
		auc, validation := .5, .25
		rec.Selection, rec.TrainSeconds, rec.EvalSeconds = results.TestBest, 1e-9, 0
		rec.Epochs = []results.Epoch{{Stage: results.StageWarmUp, Epoch: 1, Pairs: 10, TestAUC: &auc}, {Stage: "asp2vec", Epoch: 1, Pairs: 5, ValidationAUC: &validation}}
		rec.Finish(nil)
		v := karateVectors(1)
		return vectors.WriteRun(out, false, vectors.Run{Names: v.Names, D: v.D, Center: v.Data, Final: v.Data, Record: rec})
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	type doc struct {
		CPU      float64 `json:"cpu_seconds"`
		TrainCPU float64 `json:"train_cpu_seconds"`
		File     string  `json:"file"`
	}
	var points []doc
	for i := 1; i <= 2; i++ {
		v, path := karateVectors(float32(i)), filepath.Join(out, fmt.Sprint(i))
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		fmt.Fprintf(f, "%d %d\n", v.N-1, v.D)
		for row := range v.N - 1 { // not the last vertex
			fmt.Fprintf(f, "%d %v %v\n", row, v.Data[2*row], v.Data[2*row+1])
		}
		f.Close()
		points = append(points, doc{float64(i), float64(i) / 2, path})
	}
	text, err := json.Marshal(map[string]any{"points": points, "cut": true, "torch": "1.13"})
	fmt.Printf("training\n%s\n", text)
	return err
}

// karateVectors are two numbers for each member of the karate club.
func karateVectors(scale float32) *vectors.Vectors {
	net, _ := network.Karate()
	v := &vectors.Vectors{Names: net.Names(), N: net.Vertices(), D: 2}
	for i := range v.N {
		v.Data = append(v.Data, scale*float32(math.Sin(float64(i))), float32(i%3))
	}
	return v
}

// karateNet is a split of the karate club, ready to be measured on.
func karateNet(t *testing.T, args ...string) (options, *net) {
	t.Helper()
	club, _ := network.Karate()
	split, err := network.MakeSplit(context.Background(), club, network.SplitOptions{Remove: .3, Rule: "ce1", Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "karate", "split")
	if err := split.Write(dir, false); err != nil {
		t.Fatal(err)
	}
	o, err := parseOptions(append([]string{"--splits", dir, "--peers", "..", "--python", filepath.Join(dir, "no-python"), "--dim", "4", "--aspects", "2", "--deepwalk-dim", "8"}, args...), io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	n, err := newNet(o, dir, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return o, n
}

// fake is a contestant that runs this test binary.
func (n *net) fake(t *testing.T, name, behaviour string) *contestant {
	t.Helper()
	if _, err := exec.LookPath("env"); err != nil {
		t.Skip("no env program on this system")
	}
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(n.tmp, name)
	return &contestant{Name: name, Method: "deepwalk", out: out, own: behaviour == "own", limit: time.Hour, argv: []string{"env", "TIMES_FAKE=" + behaviour, exe, out}}
}

func TestMeasure(t *testing.T) {
	o, n := karateNet(t, "--rounds", "2")
	absent := &contestant{Name: "absent", limit: time.Hour, argv: []string{filepath.Join(n.tmp, "no-such-program")}}
	spins := n.fake(t, "spins", "spin")
	spins.limit = 300 * time.Millisecond
	n.Contestants = []*contestant{n.fake(t, "torch", "ok"), n.fake(t, "asp2vec paper", "own"), n.fake(t, "fails", "fail"), n.fake(t, "silent", "silent"),
		n.fake(t, "lies", "lies"), spins, absent, {Name: "empty"}}
	var log bytes.Buffer
	kept := 0
	n.measure(t.Context(), o, &log, func() error { kept++; return nil })
	for i, want := range []string{"", "", "no such module: torch", "no points", "no such file", "not done after 300ms", "no-such-program", "empty command"} {
		if c := n.Contestants[i]; !strings.Contains(c.Missing, want) || (want == "") != (c.Missing == "") {
			t.Errorf("%s: missing %q, want %q in it", c.Name, c.Missing, want)
		}
	}
	if n := strings.Count(log.String(), "fails"); n != 1 {
		t.Errorf("a failed contestant was started %d times, want once", n)
	}
	peer, own := n.Contestants[0], n.Contestants[1]
	if len(peer.Runs) != 2 || len(own.Runs) != 2 || kept != 4 {
		t.Fatalf("%d and %d runs, kept %d times; want 2, 2 and 4", len(peer.Runs), len(own.Runs), kept)
	}
	r := peer.Runs[0]
	if !r.Cut || len(r.Points) != 2 || r.Points[1].CPU != 2 || r.Points[1].TrainCPU != 1 || r.Of != "torch 1.13" || r.Points[0].File != "" {
		t.Errorf("the peer's run: %+v", r)
	}
	for _, p := range r.Points {
		if !(p.AUC > 0 && p.AUC < 1) {
			t.Errorf("AUC %v, want that of an embedding", p.AUC)
		}
	}
	// A point for the epoch with a test AUC, and what is reported; validation AUC is no test AUC.
	r = own.Runs[0]
	if len(r.Points) != 2 || r.Points[0].AUC != .5 || r.Points[0].Pairs != 10 || r.Points[1].Pairs != 15 || r.Points[1].AUC == .5 || r.Stop != results.TestBest {
		t.Errorf("asp2vec's run: %+v", r)
	}
	if last := r.Points[1].CPU; last > r.CPU+1e-9 || r.Points[0].CPU > last+1e-9 {
		t.Errorf("points at %v and %v s of a process of %v s", r.Points[0].CPU, last, r.CPU)
	}
	if files, err := filepath.Glob(filepath.Join(n.tmp, "*")); err != nil || len(files) != 1 {
		t.Errorf("left over: %q, want the walks alone", files)
	}
}

// A contestant that leaves its run when it is interrupted shows what it had.
func TestOursIsInterruptedAtTheLimit(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles asp2vec")
	}
	o, n := karateNet(t, "--asp2vec", build(t), "--only", "asp2vec validated", "--methods", "asp2vec", "--rounds", "1", "--limit", "500ms",
		"--asp2vec-command", oursTemplate+" --select last --epochs 10000000")
	n.Contestants = n.contestants(o, o.asp2vec, nil)
	n.measure(t.Context(), o, io.Discard, func() error { return nil })
	c := n.Contestants[0]
	if strings.HasPrefix(c.Missing, "not done after") {
		t.Skipf("it was interrupted before it had anything to show: %s", c.Missing)
	}
	if c.Missing != "" || len(c.Runs) != 1 || !c.Runs[0].Cut || len(c.Runs[0].Points) != 1 {
		t.Errorf("%+v, missing %q: want one point of a run that was cut off", c.Runs, c.Missing)
	}
}

func build(t *testing.T) string {
	t.Helper()
	bin := filepath.Join(t.TempDir(), "asp2vec.exe") // a name that all systems run
	if _, err := peer.Output(t.Context(), "go", "build", "-o", bin, "../../cmd/asp2vec"); err != nil {
		t.Fatal(err)
	}
	return bin
}

// Each command line of asp2vec runs: an option that it no longer takes would make it a missing contestant.
func TestOurCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles asp2vec")
	}
	o, n := karateNet(t, "--asp2vec", build(t), "--only", "asp2vec", "--rounds", "1")
	n.Contestants = n.contestants(o, o.asp2vec, nil)
	if want := len(o.methods) * len(o.protocols); len(n.Contestants) != want {
		t.Fatalf("%d contestants, want %d", len(n.Contestants), want)
	}
	n.measure(t.Context(), o, io.Discard, func() error { return nil })
	for _, c := range n.Contestants {
		if c.Missing != "" || len(c.Runs) != 1 {
			t.Errorf("%s: %d runs, missing %q; want one run", c.Command, len(c.Runs), c.Missing)
			continue
		}
		if points := len(c.Runs[0].Points); (points > 1) != (c.Name == "asp2vec paper") {
			t.Errorf("%s: %d points; want the way of the protocol that looks at test links alone", c.Command, points)
		}
	}
}

// Each command line of the peers runs, where they are installed.
func TestPeerCommands(t *testing.T) {
	if testing.Short() {
		t.Skip("loads PyTorch and gensim")
	}
	o, n := karateNet(t, "--asp2vec", "", "--rounds", "1", "--torch-limit", "6s", "--gensim-epochs", "1", "--gensim-rates", ".01")
	o.python = "python3"
	for _, p := range []string{"python3", "/usr/bin/python3"} {
		if exec.Command(p, "-c", "import gensim").Run() == nil {
			o.python = p
			break
		}
	}
	for _, c := range n.contestants(o, "", nil) {
		if exec.Command(o.python, "-c", "import "+c.Name).Run() != nil {
			t.Logf("no %s: apt-get install python3-%[1]s", c.Name)
			continue
		}
		if c.Name == nameTorch { // as far as its first embedding and a bit of the next stage
			c.argv = append(c.argv[:len(c.argv)-1:len(c.argv)-1], "--batches", "3", "--save-first", "1", "--limit", "3600", n.walks)
		}
		r, err := n.runOnce(t.Context(), c)
		if err != nil {
			t.Errorf("%s: %v", c.Command, err)
			continue
		}
		want := map[string]int{nameTorch: 3, nameGensim: 1}[c.Name]
		if p := r.Points; len(p) != want || !(p[0].CPU > p[0].TrainCPU && p[0].TrainCPU > 0) || p[0].Pairs <= 0 || r.Of == "" {
			t.Errorf("%s: %+v, want %d points", c.Command, r, want)
		}
	}
}

func TestContestants(t *testing.T) {
	o, n := karateNet(t, "--protocols", "standard,paper", "--standard-also", "--epochs 1,--epochs 4", "--gensim-epochs", "1,2", "--gensim-rates", ".01", "--torch-limit", "90s", "--torch-methods", "asp2vec")
	all := n.contestants(o, "asp2vec", nil)
	var names []string
	for _, c := range all {
		names = append(names, strings.TrimSpace(c.Method+": "+c.Name+" "+c.Setting))
		if strings.Contains(c.Command, n.tmp) || strings.Contains(c.Command, o.splits[0]) {
			t.Errorf("the command tells folders: %s", c.Command)
		}
		if c.Name == nameTorch && (!strings.Contains(c.Command, "--limit 90") || c.limit < 90*time.Second) {
			t.Errorf("limit of %s is %v", c.Command, c.limit)
		}
		if text := strings.Join(c.argv, " "); c.Method == "deepwalk" && c.own && strings.Contains(text, "--aspects") {
			t.Errorf("DeepWalk has no aspects: %s", text)
		}
	}
	want := []string{"asp2vec: asp2vec standard", "asp2vec: asp2vec standard --epochs 1", "asp2vec: asp2vec standard --epochs 4", "asp2vec: asp2vec paper", "asp2vec: torch",
		"deepwalk: asp2vec standard", "deepwalk: asp2vec standard --epochs 1", "deepwalk: asp2vec standard --epochs 4", "deepwalk: asp2vec paper",
		"deepwalk: gensim 1 × rate 0.01", "deepwalk: gensim 2 × rate 0.01"}
	if !reflect.DeepEqual(names, want) {
		t.Errorf("%q, want %q", names, want)
	}
}

func TestOptions(t *testing.T) {
	o, err := parseOptions([]string{"--splits", "a,b", "--limit", "2m", "--asp2vec-command", "{bin} x", "--only", ""}, io.Discard)
	if err != nil || len(o.splits) != 2 || o.torchLimit != 2*time.Minute || o.called != "go run ./bench/times --splits SPLIT --asp2vec-command '{bin} x' --limit 2m0s --only ''" {
		t.Errorf("%+v, %v", o, err)
	}
	for _, args := range [][]string{{}, {"--splits", "s", "--methods", "node2vec"}, {"--splits", "s", "--torch-methods", "dgi"}, {"--splits", "s", "--gensim-epochs", "0"}, {"--splits", "s", "--gensim-rates", "fast"},
		{"--splits", "s", "--rounds", "0"}, {"--splits", "s", "--limit", "-1s"}, {"--splits", "s", "more"}, {"--splits", "s", "--no-such-flag"}} {
		if _, err := parseOptions(args, io.Discard); err == nil {
			t.Errorf("%q was accepted", args)
		}
	}
}

// Points of rounds are put together by their place, but for what is reported: a round that was slower may have fewer on the way.
func TestMedians(t *testing.T) {
	of := func(cpu ...float64) *once {
		r := &once{}
		for _, x := range cpu {
			r.Points = append(r.Points, point{CPU: x, TrainCPU: x / 2, AUC: x / 100})
		}
		return r
	}
	c := &contestant{Runs: []*once{of(1, 3, 5, 10), of(2, 4, 12)}}
	got := c.medians()
	want := []point{{CPU: 1.5, TrainCPU: .75, AUC: .015}, {CPU: 3.5, TrainCPU: 1.75, AUC: .035}, {CPU: 11, TrainCPU: 5.5, AUC: .11}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, want %+v", got, want)
	}
	c.Missing = "not installed"
	if c.medians() != nil {
		t.Error("points of a contestant that is missing")
	}
}

// Of the star's links the one between the ends of highest degree ranks first; of arcs the reversed ones are as likely.
func TestDegrees(t *testing.T) {
	s := &network.Split{Names: []string{"a", "b", "c", "d"}, Train: []network.Link{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}, {From: 1, To: 2}},
		Test: []network.Link{{From: 0, To: 1}, {From: 2, To: 3}}, TestNeg: []network.Link{{From: 1, To: 3}, {From: 2, To: 2}}}
	if x, err := degrees(s); err != nil || x != (1+1+.5+0)/4 {
		t.Errorf("AUC %v, %v; want .625: 6 and 2 above 2 and 4", x, err)
	}
	s.Directed, s.TestNegDirected = true, []network.Link{{From: 1, To: 0}, {From: 3, To: 2}}
	if x, err := degrees(s); err != nil || x != .5 {
		t.Errorf("AUC %v, %v among arcs turned round; want .5", x, err)
	}
}

func TestNamed(t *testing.T) {
	v, err := named(&vectors.Vectors{Names: []string{"2", "0"}, N: 2, D: 1, Data: []float32{5, 6}}, []string{"a", "b", "c"})
	if err != nil || !reflect.DeepEqual(v.Data, []float32{6, 0, 5}) {
		t.Errorf("%+v, %v", v, err)
	}
	for _, name := range []string{"3", "-1", "x"} {
		if _, err := named(&vectors.Vectors{Names: []string{name}, N: 1, D: 1, Data: []float32{5}}, []string{"a", "b", "c"}); err == nil {
			t.Errorf("vertex %s of 3 was accepted", name)
		}
	}
}

// A whole run without anything installed but a fake asp2vec, which does not follow its command line; then with what it left.
func TestRun(t *testing.T) {
	o, n := karateNet(t, "--rounds", "1", "--out", t.TempDir(), "--protocols", "paper", "--gensim-epochs", "1", "--gensim-rates", ".01")
	o.ours, o.asp2vec = strings.Join(n.fake(t, "x", "own").argv[:3], " ")+" {out}", "unused"
	var stdout bytes.Buffer
	if err := measureAll(t.Context(), o, &stdout, io.Discard); err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(o.out, "time.md"))
	if err != nil || !bytes.Equal(page, stdout.Bytes()) {
		t.Errorf("the page differs from what was printed: %v", err)
	}
	for _, want := range []string{"![AUC against processor time](time.svg)", "## karate", "| deepwalk | gensim | 1 × rate 0.01 | missing: ", "| asp2vec | this program, paper |  | .", "epoch chosen by test links"} {
		if !strings.Contains(string(page), want) {
			t.Errorf("the page lacks %q:\n%s", want, page)
		}
	}
	// With nothing to measure of a second network, the first one stays.
	o.keep, o.only = true, "none"
	other := filepath.Join(t.TempDir(), "club")
	if err := os.CopyFS(other, os.DirFS(o.splits[0])); err != nil {
		t.Fatal(err)
	}
	o.splits = []string{other}
	if err := measureAll(t.Context(), o, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	var rec record
	if err := rec.read(filepath.Join(o.out, "time.json")); err != nil || len(rec.Networks) != 2 || rec.Networks[0].Name != "karate" || rec.Networks[1].Name != "club" {
		t.Errorf("%+v, %v; want both networks", rec, err)
	}
	var before [2][]byte
	for i, name := range []string{"time.svg", "time.json"} {
		if before[i], err = os.ReadFile(filepath.Join(o.out, name)); err != nil {
			t.Fatal(err)
		}
	}
	o.redraw = true
	if err := measureAll(t.Context(), o, io.Discard, io.Discard); err != nil {
		t.Fatal(err)
	}
	for i, name := range []string{"time.svg", "time.json"} {
		if after, err := os.ReadFile(filepath.Join(o.out, name)); err != nil || !bytes.Equal(before[i], after) {
			t.Errorf("%s is not drawn again as it was: %v", name, err)
		}
	}
	o.keep, o.redraw = false, false
	if err := measureAll(t.Context(), o, io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), "no contestant") {
		t.Errorf("a run that measured nothing ended with %v", err)
	}
}

// Runs of the same command are not measured again, and those of other commands stay.
func TestResume(t *testing.T) {
	run := func(n int) (r []*once) { return make([]*once, n) }
	was := func(name, command string, runs int) *contestant {
		return &contestant{Name: name, Command: command, Runs: run(runs)}
	}
	old := &networkRecord{Checksum: "x", Command: "first", Contestants: []*contestant{was("a", "a --out 3 --b", 2), was("gone", "gone", 1), was("b", "b --rate 1", 1), was("never", "never", 0)}}
	now := &networkRecord{Checksum: "x", Contestants: []*contestant{was("b", "b --rate 2", 0), was("a", "a --out 4 --b", 0)}}
	now.resume(old)
	var got []string
	for _, c := range now.Contestants {
		got = append(got, fmt.Sprintf("%s %d %v", c.Command, len(c.Runs), c.kept))
	}
	if want := []string{"gone 1 true", "b --rate 1 1 true", "b --rate 2 0 false", "a --out 4 --b 2 false"}; !reflect.DeepEqual(got, want) || len(now.Sittings) != 1 || now.Sittings[0].Command != "first" {
		t.Errorf("%q, %+v; want %q", got, now.Sittings, want)
	}
	other := &networkRecord{Checksum: "y"}
	other.resume(old)
	other.resume(nil)
	if len(other.Contestants)+len(other.Sittings) > 0 {
		t.Errorf("%+v was taken from another split", other)
	}
}

// Rates of gensim are lines of one series, and what it reached in more epochs is on the line of its rate. So are other budgets
// of this program, which have no mark.
func TestPanels(t *testing.T) {
	gensim := func(rate, cpu, auc float64) *contestant {
		return &contestant{Name: nameGensim, Method: "deepwalk", Rate: rate, Runs: []*once{{Points: []point{{CPU: cpu, AUC: auc}}}}}
	}
	ours := func(setting string, cpu, auc float64) *contestant {
		return &contestant{Name: "asp2vec standard", Method: "asp2vec", Setting: setting, Runs: []*once{{Points: []point{{CPU: cpu, AUC: auc}}}}}
	}
	way := &contestant{Name: nameTorch, Method: "asp2vec", Runs: []*once{{Points: []point{{CPU: 1, AUC: .6}, {CPU: 2, AUC: .7}}}}}
	r := record{Networks: []*networkRecord{{Name: "x", Vertices: 3, Degrees: .6, Contestants: []*contestant{gensim(.1, 8, .7), gensim(.2, 5, .6), way, gensim(.1, 5, .8), {Name: "asp2vec paper", Missing: "gone"},
		ours("", 4, .8), ours("--steps 5", 2, .7)}}}}
	got := r.panels()
	want := []plot.TimePanel{{Title: "x, 3 vertices", Level: .6, Means: "product of degrees, not trained", Series: []plot.TimeSeries{
		{Name: "deepwalk, gensim", Program: 2, Method: 1, Lines: [][]plot.TimePoint{{{Seconds: 5, AUC: .8}, {Seconds: 8, AUC: .7}}, {{Seconds: 5, AUC: .6}}},
			Ends: []plot.TimePoint{{Seconds: 8, AUC: .7}, {Seconds: 5, AUC: .6}, {Seconds: 5, AUC: .8}}},
		{Name: "asp2vec, PyTorch", Program: 4, Lines: [][]plot.TimePoint{{{Seconds: 1, AUC: .6}, {Seconds: 2, AUC: .7}}}, Ends: []plot.TimePoint{{Seconds: 2, AUC: .7}}},
		{Name: "asp2vec, this program, standard", Program: 1, Lines: [][]plot.TimePoint{{{Seconds: 2, AUC: .7}, {Seconds: 4, AUC: .8}}}, Ends: []plot.TimePoint{{Seconds: 4, AUC: .8}}},
	}}}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("%+v\nwant %+v", got, want)
	}
}
