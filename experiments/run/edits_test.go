package run

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// edits are of what is in no graph, each with a trial that it must change, and one that it must not; and of losses, with the definitions of methods.
var edits = []struct {
	name, file, from, to string // %d is the edit's number, by which a built test is told to make it
	changes, leaves      string
}{
	{"a step of the walks", "walks/uniform.go", "v = next[stream.Intn(len(next))]", "v = next[stream.Intn(edited.Pick(%d, len(next), min(2, len(next))))]",
		"deepwalk standard", "node2vec standard"},
	{"second-order walks", "walks/node2vec.go", "turn: 1 / p,", "turn: edited.Pick(%d, 1/p, 9/p),", "node2vec validated", "deepwalk validated"},
	{"negatives", "walks/negatives.go", "for reject && slices.Contains(contexts, v) {", "for edited.Pick(%d, reject, false) && slices.Contains(contexts, v) {",
		"asp2vec standard", "dgi validated"},
	{"Adam's epsilon", "graphs/optimizer.go", "kernel.NewAdamStep(o.rate, beta1, beta2, adamEps,", "kernel.NewAdamStep(o.rate, beta1, beta2, edited.Pick(%d, adamEps, 1e-6),",
		"optimizer adam", "optimizer sgd"},
	{"initial vectors", "graphs/skipgram.go", "m.P.InitNormal(o.Seed, initStd)", "m.P.InitNormal(o.Seed, edited.Pick(%d, initStd, 2*initStd))", "deepwalk validated", "optimizer adam"},
	{"what an embedding is made of", "graphs/skipgram.go", "scaleRows(dst, m.P.Rows, m.o.Scale)", "scaleRows(dst, m.P.Rows, edited.Pick(%d, m.o.Scale, 2*m.o.Scale))",
		"asp2vec standard", "asp2vec validated"},
	{"the sum of learning rates", "graphs/recipe.go", "b.rates *= math.Sqrt(rateSumDim / float64(o.Dim))", "b.rates *= math.Sqrt(edited.Pick(%d, 1., 2.) * rateSumDim / float64(o.Dim))",
		"asp2vec standard", "asp2vec validated"},
	{"the beginning of the aspects", "graphs/asp2vec.go", "m.warmStart(u)", "edited.Pick(%d, m.warmStart, func([]float32) {})(u)", "asp2vec paper", "deepwalk paper"},
	{"aspects that begin at neighbors", "graphs/asp2vec.go", "if o.AspectStart == StartNeighbors {\n", "if o.AspectStart == edited.Pick(%d, StartNeighbors, \"\") {\n",
		"asp2vec standard aspect-start=neighbors", "asp2vec standard"},
	{"early stopping", "graphs/stopping.go", "stop = s.Epoch-s.Best >= s.patience", "stop = s.Epoch-s.Best >= edited.Pick(%d, s.patience, s.patience+1)", "deepwalk validated", "deepwalk paper"},
	{"the choice of a pilot", "graphs/pilot.go", "if s >= best-pilotLevel {", "if s >= best-edited.Pick(%d, pilotLevel, 0.02) {", "pilot", "deepwalk standard"},
	{"the links of a pilot", "experiments/run/trialparts.go", `fmt.Sprint(HoldOutFraction, " ", pilotLinks,`, `fmt.Sprint(HoldOutFraction, " ", edited.Pick(%d, pilotLinks, 40),`, "pilot", "deepwalk standard"},
	{"the classifier", "eval/logistic.go", "opt.C = 1\n", "opt.C = edited.Pick(%d, 1., 2.)\n", "scoring lr", "scoring max"},
	{"cosines", "eval/similarity.go", "func cosine(uv, uu, vv float64) float64 {", "func cosine(uv, uu, vv float64) float64 {\n\tuu = edited.Pick(%d, uu, 1.+uu)", "scoring max", "scoring lr"},
	{"recall", "eval/authors.go", "s.At[a].Recall += float64(hits) / float64(t)", "s.At[a].Recall += float64(hits) / float64(edited.Pick(%d, t, t+1))", "identification", "ranking"},
	{"the beginning of the GRU", "hetnet/encoder.go", "t.InitUniform(o.Seed, 1/math.Sqrt(float64(dim)))", "t.InitUniform(o.Seed, edited.Pick(%d, 1., .5)/math.Sqrt(float64(dim)))",
		"m2v++ validated", "deepwalk validated"},
	{"the learning rate of words", "graphs/tokens.go", "o.Window, o.Epochs = 5, 5", "o.Window, o.Epochs = 5, 5\n\to.LearningRate *= edited.Pick(%d, 1., 2.)", "words", "m2v++ standard"},
	{"the mean of a vertex's vectors", "graphs/skipgram.go", "func (m *SkipGram) means() []float32 {", "func (m *SkipGram) means() []float32 {\n\tif edited.Pick(%d, false, true) {\n\t\treturn m.P.X\n\t}",
		"asp2vec standard", "deepwalk standard"},
	{"a step along a meta-path", "hetnet/typed/walk.go", "return row[stream.Intn(len(row))]", "return row[stream.Intn(edited.Pick(%d, len(row), 1))]", "metapath2vec validated", "deepwalk validated"},
	{"the loss of prototypes", "hetnet/prototypeloss.go", "losses.Weighted(G.Must(graphs.PairLoss(o, pos, neg)), in.weight)",
		"losses.Weighted(G.Must(graphs.PairLoss(o, edited.Pick(%d, pos, G.Must(op.Scale(pos, 1.1))), neg)), in.weight)", "definition prototype", "definition camel"},
	{"the loss of Camel", "hetnet/camelloss.go", "G.Add(near, G.Must(op.Scale(far, weight)))", "G.Add(near, G.Must(op.Scale(far, edited.Pick(%d, 1., 1.1)*weight)))",
		"definition camel", "definition prototype"},
	{"the loss of DGI", "graphs/dgiloss.go", "G.Must(losses.BinaryCrossEntropy(pos, neg))", "G.Must(losses.BinaryCrossEntropy(pos, edited.Pick(%d, neg, pos)))", "definition dgi", "definition deepwalk"},
	{"the constraint of Splitter", "graphs/splitter.go", "neg := G.Must(layers.Scores(persona, in.AnchorNegative))", "neg := G.Must(layers.Scores(persona, in.AnchorNegative))\n\tneg = edited.Pick(%d, neg, G.Must(G.Neg(neg)))",
		"definition splitter", "definition deepwalk"},
}

// editedPackage is what edits are made by in a built test: a file of its own package, which is laid over the tree.
const editedPackage = `package edited

import (
	"os"
	"strconv"
)

var number, _ = strconv.Atoi(os.Getenv("ASP2VEC_EDIT"))

func Pick[T any](n int, before, after T) T {
	if n == number {
		return after
	}
	return before
}
`

// A trial follows an edit of walks, negatives, optimizers, initial vectors, scores and the rest: a record from before it is not taken for one
// from after it.
func TestTrialsFollowEdits(t *testing.T) {
	const mark = "trials: "
	if os.Getenv("ASP2VEC_EDIT") != "" {
		text, _ := json.Marshal(comeTo(t, strings.Split(os.Getenv("ASP2VEC_TRIALS"), ",")))
		fmt.Printf("%s%s\n", mark, text)
		return
	}
	if testing.Short() {
		t.Skip("builds the package anew")
	}
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	texts := map[string]string{"internal/edited/edited.go": editedPackage}
	for i, e := range edits {
		text, there := texts[e.file]
		if !there {
			b, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(e.file)))
			if err != nil {
				t.Fatal(err)
			}
			head, rest, _ := strings.Cut(string(b), "\n\n")
			text = head + "\n\nimport \"github.com/asp2vec/asp2vec/internal/edited\"\n\n" + rest
		}
		if n := strings.Count(text, e.from); n != 1 {
			t.Fatalf("%s has %q %d times: want once", e.file, e.from, n)
		}
		texts[e.file] = strings.Replace(text, e.from, fmt.Sprintf(e.to, i+1), 1)
	}
	replace := map[string]string{}
	for file, text := range texts {
		at := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		replace[filepath.Join(root, filepath.FromSlash(file))] = at
		if err := os.WriteFile(at, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	overlay, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	list, program := filepath.Join(dir, "overlay.json"), filepath.Join(dir, "run.test.exe")
	if err := os.WriteFile(list, overlay, 0o600); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command("go", "test", "-vet=off", "-overlay", list, "-c", "-o", program, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, e := range edits {
		names := []string{e.changes, e.leaves}
		cmd := exec.Command(program, "-test.run", "^TestTrialsFollowEdits$")
		cmd.Env = append(os.Environ(), fmt.Sprint("ASP2VEC_EDIT=", i+1), "ASP2VEC_TRIALS="+strings.Join(names, ","))
		out, err := cmd.CombinedOutput()
		_, text, found := strings.Cut(string(out), mark)
		line, _, _ := strings.Cut(text, "\n")
		var edited []outcome
		if err != nil || !found || json.Unmarshal([]byte(line), &edited) != nil {
			t.Fatalf("%s: %v\n%s", e.name, err, out)
		}
		for j, was := range comeTo(t, names) {
			if same := was.same(edited[j]); same != (j == 1) {
				t.Errorf("%s: %s comes to the same: %v", e.name, names[j], same)
			}
		}
	}
}

// comeTo returns what trials, by their names, come to, or as words the definitions of methods under the protocol standard.
func comeTo(t *testing.T, names []string) (all []outcome) {
	t.Helper()
	trials := allTrials(t)
	for _, name := range names {
		var out outcome
		var err error
		if method, is := strings.CutPrefix(name, "definition "); is {
			var o graphs.Options
			if o, err = methods.Options(method, graphs.Standard); err == nil {
				out.Words, err = graphs.Fingerprint(o)
			}
		} else {
			out = try(name, trials[name])
		}
		if err != nil {
			out.Words = err.Error()
		}
		all = append(all, out)
	}
	return all
}
