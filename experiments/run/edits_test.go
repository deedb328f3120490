package run

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// edits are of what is in no graph: each with a trial that it must change, and one that it must not.
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
	{"the beginning of the aspects", "graphs/asp2vec.go", "m.warmStart(warm.means())", "edited.Pick(%d, m.warmStart, func([]float32) {})(warm.means())", "asp2vec paper", "deepwalk paper"},
	{"early stopping", "graphs/stopping.go", "stop = s.Epoch-s.Best >= s.patience", "stop = s.Epoch-s.Best >= edited.Pick(%d, s.patience, s.patience+1)", "deepwalk validated", "deepwalk paper"},
	{"the choice of a pilot", "graphs/pilot.go", "if s >= best-pilotLevel {", "if s >= best-edited.Pick(%d, pilotLevel, 0.02) {", "pilot", "deepwalk standard"},
	{"the links of a pilot", "experiments/run/trial.go", `fmt.Sprint(HoldOutFraction, " ", pilotLinks,`, `fmt.Sprint(HoldOutFraction, " ", edited.Pick(%d, pilotLinks, 40),`, "pilot", "deepwalk standard"},
	{"the classifier", "eval/logistic.go", "opt.C = 1\n", "opt.C = edited.Pick(%d, 1., 2.)\n", "scoring lr", "scoring max"},
	{"cosines", "eval/similarity.go", "func cosine(uv, uu, vv float64) float64 {", "func cosine(uv, uu, vv float64) float64 {\n\tuu = edited.Pick(%d, uu, 1.+uu)", "scoring max", "scoring lr"},
	{"recall", "eval/authors.go", "s.At[a].Recall += float64(hits) / float64(t)", "s.At[a].Recall += float64(hits) / float64(edited.Pick(%d, t, t+1))", "identification", "ranking"},
	{"the beginning of the GRU", "hetnet/encoder.go", "t.InitUniform(o.Seed, 1/math.Sqrt(float64(dim)))", "t.InitUniform(o.Seed, edited.Pick(%d, 1., .5)/math.Sqrt(float64(dim)))",
		"m2v++ validated", "deepwalk validated"},
	{"the learning rate of words", "graphs/tokens.go", "o.Window, o.Epochs = 5, 5", "o.Window, o.Epochs = 5, 5\n\to.LearningRate *= edited.Pick(%d, 1., 2.)", "words", "m2v++ standard"},
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
		differs := map[string]bool{}
		for name, m := range allTrials(t) {
			got, err := try(name, m)
			differs[name] = err != nil || !knownTrials[name].same(got)
		}
		text, _ := json.Marshal(differs)
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
	differing := func(number int) (names []string) {
		cmd := exec.Command(program, "-test.run", "^TestTrialsFollowEdits$")
		cmd.Env = append(os.Environ(), fmt.Sprint("ASP2VEC_EDIT=", number))
		out, err := cmd.CombinedOutput()
		_, text, found := strings.Cut(string(out), mark)
		line, _, _ := strings.Cut(text, "\n")
		var all map[string]bool
		if err != nil || !found || json.Unmarshal([]byte(line), &all) != nil {
			t.Fatalf("edit %d: %v\n%s", number, err, out)
		}
		for name, differs := range all {
			if differs {
				names = append(names, name)
			}
		}
		slices.Sort(names)
		return names
	}
	if names := differing(-1); len(names) > 0 {
		t.Errorf("without an edit, %q differ", names)
	}
	for i, e := range edits {
		names := differing(i + 1)
		if !slices.Contains(names, e.changes) || slices.Contains(names, e.leaves) {
			t.Errorf("%s: %q differ, want %q and not %q", e.name, names, e.changes, e.leaves)
		}
		t.Logf("%s: %q", e.name, names)
	}
}
