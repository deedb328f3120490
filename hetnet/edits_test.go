package hetnet

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

// edits are what a reader of these files might try.
var edits = []struct{ file, from, to string }{
	{"hetloss.go", "G.Must(graphs.DeepWalkLoss(flat, centers, contexts, in.Papers))",
		"G.Must(op.Scale(G.Must(graphs.DeepWalkLoss(flat, centers, contexts, in.Papers)), 7))"},
	{"tapemloss.go", "G.Must(G.Rectify(G.Must(layers.LayerNorm(x, w[pairGain1], w[pairShift1]))))",
		"G.Must(op.Tanh(G.Must(layers.LayerNorm(x, w[pairGain1], w[pairShift1]))))"},
	{"../layers/gru.go", "return G.Must(G.Add(n, G.Must(G.HadamardProd(z, G.Must(G.Sub(h, n))))))", "return n"}, // no update gate
}

// trained is what a short training of a method comes to.
type trained struct {
	Engine string
	Losses []float64
	Scores []float32
}

// trainAll trains every method by engine auto and by the fused passes.
func trainAll(t *testing.T) map[string]trained {
	t.Helper()
	all := map[string]trained{}
	for _, method := range []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet} {
		for _, engine := range []string{graphs.EngineAuto, graphs.EngineFused} {
			o := walkedOptions(method)
			o.Engine, o.WarmUp, o.Epochs = engine, false, 1
			graphs.Edit(&o, func(p *PaperOptions) { p.ContextRatio = 0.2 })
			in := topical(t, 40)
			var run trained
			res, err := graphs.Train(context.Background(), graphs.Input{Typed: in}, o, 1, graphs.Monitor{
				Step: func(p graphs.Progress) { run.Losses = append(run.Losses, p.Loss.Pairs+p.Loss.Penalty) },
			})
			if err != nil {
				t.Fatal(err)
			}
			run.Engine = res.Learner.Engine()
			scores, err := res.Learner.(Ranker).Scores(context.Background(), [][]int32{in.Bibliography.Papers[0].Tokens}, [][]int32{{0, 1, 2, 3}}, 1)
			if err != nil {
				t.Fatal(err)
			}
			run.Scores = scores[0]
			all[method+" "+engine] = run
		}
	}
	return all
}

// Engine auto takes the graph where a loss or a layer that a fast pass stands for is another.
func TestEngineFindsEdits(t *testing.T) {
	golden.StillPaper(t)
	pair, cell := losses.Pairs["skipgram"], layers.GRUCells[CellResetAfter]
	engines := func() string {
		var all []string
		for _, method := range []string{MethodM2V, MethodAsp2vecHet, MethodCamel} {
			o := walkedOptions(method)
			o.WarmUp = false
			found, err := graphs.Engines(o)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, found[0])
		}
		return strings.Join(all, "; ")
	}
	if got, want := engines(), "fused; fused; fused"; got != want {
		t.Errorf("engines %s, want %s", got, want)
	}
	losses.Pairs["skipgram"] = losses.Pair{Loss: func(pos, neg *G.Node, h losses.Values) (*G.Node, error) {
		return op.Scale(G.Must(pair.Loss(pos, neg, h)), 1.01)
	}}
	got := engines()
	losses.Pairs["skipgram"] = pair
	if want := "graph, encoder fused; graph, encoder fused; fused"; got != want {
		t.Errorf("another loss of pairs: engines %s, want %s", got, want)
	}
	layers.GRUCells[CellResetAfter] = func(x, h *G.Node, w layers.GRUWeights) (*G.Node, error) {
		return op.Scale(G.Must(cell(x, h, w)), 1.01)
	}
	got = engines()
	layers.GRUCells[CellResetAfter] = cell
	if want := "fused, encoder graph; fused, encoder graph; graph"; got != want {
		t.Errorf("another cell: engines %s, want %s", got, want)
	}
}

// TaPEm's scores are those of its graph, of any number of authors.
func TestScorersAgree(t *testing.T) {
	in := topical(t, 40)
	authors := make([]int32, 700)
	for i := range authors {
		authors[i] = int32(i * i % 60)
	}
	var found [][]float32
	for _, engine := range []string{graphs.EngineFused, graphs.EngineGraph} {
		o := walkedOptions(MethodTaPEm)
		o.Engine = engine
		m, err := newTaPEm(in, o, 2)
		if err != nil {
			t.Fatal(err)
		}
		m.authors.InitNormal(1, 1)
		scores, err := m.Scores(context.Background(), [][]int32{{1, 2}, {3}}, [][]int32{authors, authors[:3]}, 2)
		if err != nil {
			t.Fatal(err)
		}
		found = append(found, slices.Concat(scores...))
	}
	close32(t, "scores", found[0], found[1])
}

// What is written is what is trained and scored by: with three edits in place, engine auto finds that the fused passes compute
// something else, and takes the graphs; the fused passes still do what they did.
func TestEdits(t *testing.T) {
	const child, mark = "ASP2VEC_EDITED", "trained: "
	if os.Getenv(child) != "" {
		text, err := json.Marshal(trainAll(t))
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("%s%s\n", mark, text)
		return
	}
	if testing.Short() {
		t.Skip("builds the package anew")
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for _, e := range edits {
		path, err := filepath.Abs(e.file)
		if err != nil {
			t.Fatal(err)
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Count(string(text), e.from) != 1 {
			t.Fatalf("%s has not one %q: want the test's edits to follow the file", e.file, e.from)
		}
		replace[path] = filepath.Join(dir, filepath.Base(path))
		if err := os.WriteFile(replace[path], []byte(strings.Replace(string(text), e.from, e.to, 1)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("go", "test", "-vet=off", "-overlay", list, "-run", "^TestEdits$", "-v", ".")
	cmd.Env = append(os.Environ(), child+"=1")
	out, err := cmd.CombinedOutput()
	_, text, found := bytes.Cut(out, []byte(mark))
	if err != nil || !found {
		t.Fatalf("%v\n%s", err, out)
	}
	line, _, _ := bytes.Cut(text, []byte("\n"))
	var edited map[string]trained
	if err := json.Unmarshal(line, &edited); err != nil {
		t.Fatal(err)
	}

	plain := trainAll(t)
	same := func(x, y trained) bool { return fmt.Sprint(x.Losses, x.Scores) == fmt.Sprint(y.Losses, y.Scores) }
	for method, want := range map[string][2]string{ // engines without and with the edits
		MethodM2V:        {"fused", "fused, encoder graph"},
		MethodCamel:      {"graph, encoder fused", "graph"},
		MethodTaPEm:      {"graph, encoder fused, scorer fused", "graph"},
		MethodAsp2vecHet: {"fused", "graph"},
	} {
		auto, fused := method+" auto", method+" fused"
		if got := [2]string{plain[auto].Engine, edited[auto].Engine}; got != want {
			t.Errorf("%s: engines %q, want %q", method, got, want)
		}
		if !same(plain[auto], plain[fused]) {
			t.Errorf("%s: engine auto does not train what it names, %s", method, plain[fused].Engine)
		}
		if same(edited[auto], edited[fused]) || same(edited[auto], plain[auto]) {
			t.Errorf("%s: edits are not trained", method)
		}
	}
	// The first step's loss around papers is (1+negatives) ln 2 before anything is learnt, and seven times that with the edit.
	const het = MethodAsp2vecHet + " auto"
	o := walkedOptions(MethodAsp2vecHet)
	more := 6 * float64(1+o.Negatives) * math.Ln2
	if got := edited[het].Losses[0] - plain[het].Losses[0]; math.Abs(got-more) > 0.05*more {
		t.Errorf("%s: the edit adds %v to the loss, want %v", het, got, more)
	}
}
