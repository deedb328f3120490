package run

import (
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/methods"
)

// Sets of methods that an edit can change.
const (
	all      = "all"    // methods
	ofPapers = "papers" // those of papers and authors
	none     = ""
)

// oneLine are edits of one line, with the methods whose runs by default are defined anew by it, all of them, and other runs that are, or are not.
var oneLine = []struct{ name, file, from, to, changes, also, not string }{
	// The optimizer and the schedule.
	{"decay of AdamW", "graphs/engine/optimizer.go", "a, b := lo*width, hi*width\n", "a, b := lo*width, hi*width\n\tfor i := a; i < b; i++ {\n\t\tt.X[i] *= float32(1 - .01*o.rate)\n\t}\n", all, "", ""},
	{"beta1", "graphs/optimizers.go", "beta1   = 0.9\n", "beta1   = 0.8\n", all, "", ""},
	{"the rate of SGD", "graphs/optimizers.go", "kernel.SGD(x, g, float32(s.Rate))", "kernel.SGD(x, g, 2*float32(s.Rate))", all, "", ""},
	{"a rate that drops after step 300", "graphs/skipgramlearner.go", "l.setRate(done / all)\n", "l.setRate(done / all)\n\t\t\tif l.move.steps > 300 {\n\t\t\t\tl.move.rate /= 10\n\t\t\t}\n", all, "", ""},
	{"the end of the rate", "graphs/skipgramlearner.go", "min(fraction, 1)", "min(2*fraction, 1)", all, "", ""},
	{"when training ends", "graphs/stopping.go", "s.Epoch-s.Best >= s.patience", "s.Epoch-s.Best > s.patience", all, "", ""},

	// Walks, windows and negatives.
	{"walks stay at hubs", "walks/together.go", "&next[streams[l].Intn(len(next))]", "&next[streams[l].Intn(min(9, len(next)))]", all, "", ""},
	{"the bias of node2vec", "walks/node2vec.go", "far: 1 / q}", "far: 1 / (q * q)}", all, "", ""},
	{"contexts at distance 3", "walks/window.go", "range walk[max(0, i-size):i]", "range walk[max(0, i-min(size, 3)):i]", all, "", ""},
	{"negatives may be contexts", "walks/negatives.go", "for reject && slices.Contains(contexts, v) {", "for false && slices.Contains(contexts, v) {", all, "", ""},
	{"the noise of negatives", "walks/noise.go", "math.Pow(float64(c), power)", "math.Pow(float64(c+1), power)", all, "", ""},
	{"a batch's offsets", "walks/batch.go", "dst[c] = float32(c - before + 1)", "dst[c] = float32(c - before)", all, "", ""},

	// Losses and layers: of those that choose them.
	{"skip-gram if K is above 3", "losses/skipgram.go", "defer op.Recover(", "if pos.Shape()[1] > 3 {\n\t\tpos = G.Must(op.Scale(pos, 2))\n\t}\n\tdefer op.Recover(",
		"deepwalk node2vec polydw splitter asp2vec m2v++ camel tapem asp2vec-het metapath2vec", "asp2vec pair-loss=margin warm-up-pair-loss=skipgram", "asp2vec pair-loss=margin"},
	{"a weight at distance 3", "losses/skipgram.go", "return SkipGram(s.Pos, s.Neg) }", "return op.ScaleRows(G.Must(SkipGram(s.Pos, s.Neg)), G.Must(op.Positive(G.Must(op.Shift(G.Must(G.Neg(G.Must(G.Abs(s.Offset)))), 3))))) }",
		"deepwalk node2vec polydw splitter asp2vec m2v++ camel tapem asp2vec-het metapath2vec", "", "deepwalk pair-loss=bpr"},
	{"the temperature of InfoNCE", "losses/infonce.go", `InfoNCE(s.Pos, s.Neg, h.Of("pair-loss-temperature"))`, `InfoNCE(s.Pos, s.Neg, 2*h.Of("pair-loss-temperature"))`, none, "deepwalk pair-loss=infonce", "deepwalk"},
	{"the margin of scores", "losses/scoremargin.go", "G.Must(op.Behind(neg, pos)), margin))", "G.Must(op.Behind(neg, pos)), 2*margin))", none, "deepwalk pair-loss=margin", "deepwalk pair-loss=bpr"},
	{"the margin on papers", "losses/margin.go", "G.Must(G.Rectify(G.Must(G.Add(excess, bound))))", "G.Must(G.Rectify(G.Must(G.Sub(excess, bound))))", ofPapers, "", "deepwalk pair-loss=margin"},
	{"the penalty by cosines", "losses/cosine.go", "G.Gt(similarity, bound, true)", "G.Gte(similarity, bound, true)", "asp2vec asp2vec-het", "", "asp2vec regularizer=entropy"},
	{"the penalty of batches", "losses/entropy.go", "return AspectEntropy(s.Prob, s.Weight)", "return AspectEntropy(s.Prob, G.Must(op.Scale(s.Weight, 2)))", none, "asp2vec regularizer=entropy", "asp2vec regularizer=cosine2"},
	{"the readout by sums", "layers/sumreadout.go", "return SumReadout(c.Rows, c.Weight)", "return op.Scale(G.Must(SumReadout(c.Rows, c.Weight)), .5)", none, "asp2vec readout=sum", "asp2vec readout=max"},
	{"softmax", "layers/softmax.go", "return Softmax(c.Logits) }", "return Softmax(G.Must(op.Scale(c.Logits, 2))) }", none, "asp2vec selection=softmax", "asp2vec selection=entmax15"},
	{"what a State holds", "losses/state.go", "type State struct {", "type State struct {\n\tMine *G.Node", all, "", ""},
	{"an op", "layers/op/entmax.go", "/ 2 // without", "/ 4 // without", none, "asp2vec selection=entmax15", "asp2vec selection=softmax"},

	// What is between them.
	{"a kernel", "internal/kernel/optimizer.go", "mi = 0\n", "mi = 1\n", all, "", ""},
	{"initial vectors", "graphs/skipgram.go", "const initStd = 0.01", "const initStd = 0.1", all, "", ""},
	{"vectors at the beginning of asp2vec", "graphs/asp2vec.go", "m.warmStart(u)", "m.warmStart(nil)", all, "", ""},
	{"what the second pass adds up", "graphs/engine/blocks.go", "kernel.Axpy(g, p.center[int(w)*len(g):][:len(g)], 1)", "kernel.Axpy(g, p.center[int(w)*len(g):][:len(g)], 2)", all, "", ""},
	{"where the graph is cut", "graphs/engine/cut.go", "\nfunc ", "\nvar mine int\n\nfunc ", all, "", ""},
	{"the file of one method among others", "graphs/splitter.go", "stage(o, 1-o.WarmUpShare", "stage(o, 2-o.WarmUpShare", all, "", ""},
	{"the loss of Camel, which warms TaPEm up", "hetnet/camelloss.go", "op.Scale(far, weight)", "op.Scale(far, 2*weight)", ofPapers, "", "deepwalk"},
	{"the links of a pilot", "experiments/run/pilot.go", "pilotLinks = ", "pilotLinks = 1 + ", all, "", ""},
	{"a method that is another but for its values", "hetnet/metapath2vec.go", `"walked", "pair-loss"`, `"walked"`, "metapath2vec", "", ""},

	// Scores and data.
	{"a score, of those that it chooses for", "eval/edge.go", "dst[j] = u[j] * v[j]", "dst[j] = u[j] + v[j]", "deepwalk node2vec", "asp2vec select=validation", "asp2vec"},
	{"another score", "eval/dot.go", "return products(ctx, v.One", "return products(ctx, Embedding{}", none, "asp2vec select=validation scoring=dot", "asp2vec scoring=dot"},
	{"what scores have in common", "eval/auc.go", "float64(halves) / 2", "float64(halves) / 3", "deepwalk node2vec m2v++ camel tapem asp2vec-het metapath2vec", "asp2vec select=validation", "asp2vec"},
	{"links that choose the epoch", "network/holdout.go", "target := int(fraction * float64(len(s.Train)))", "target := int(fraction * float64(len(s.Train)) / 2)", all, "", ""},
	{"the training network", "network/split.go", "s.Directed", "!s.Directed", all, "", ""},
	{"how many links a split removes", "network/makesplit.go", "o.Remove * ", "o.Remove * 0.5 * ", all, "", ""},
	{"links that a run sees", "experiments/run/data.go", "HoldOutAlike(o.HoldOut,", "HoldOutAlike(o.HoldOut/2,", all, "", ""},
	{"negatives of a split", "network/negatives.go", "\nfunc ", "\nvar mine int\n\nfunc ", all, "", ""},

	{"another package of the same name", "layers/scores.go", `"github.com/asp2vec/asp2vec/layers/op"`, `"example.org/mine/op"`, all, "", ""},

	// Nothing.
	{"a comment", "walks/together.go", "at[l] = *arcs[k]", "/* mine */ at[l] = *arcs[k]", none, "", ""},
	{"layout", "losses/skipgram.go", "defer op.Recover(", "\n\n\tdefer op.Recover(", none, "", "asp2vec"},
	{"a comment before a function", "graphs/engine/optimizer.go", "// Move applies", "// Moves, and applies", none, "", ""},
	{"a method's entry in the list", "graphs/registry.go", "splitterMethod, asp2vecMethod,", "asp2vecMethod, splitterMethod,", none, "", ""},
}

// An edit of one line, anywhere, defines the runs anew that pass through it, and no others.
func TestOneLineEdits(t *testing.T) {
	golden.StillPaper(t)
	sets := map[string][]string{all: nil, ofPapers: nil, none: nil}
	before := map[string]string{}
	options := map[string]graphs.Options{}
	for _, m := range methods.All() {
		sets[all] = append(sets[all], m.Name)
		if m.Typed {
			sets[ofPapers] = append(sets[ofPapers], m.Name)
		}
		options[m.Name] = graphs.OptionsOf(m, graphs.Standard)
		before[m.Name] = Definition(options[m.Name])
	}
	for _, e := range oneLine {
		text := sourceText(e.file)
		if n := strings.Count(text, e.from); n < 1 {
			t.Errorf("%s: no %q in %s", e.name, e.from, e.file)
			continue
		}
		hashes := editedHashes(e.file, e.from, e.to)
		want, isSet := sets[e.changes]
		if !isSet {
			want = strings.Fields(e.changes)
		}
		var changed []string
		for _, m := range methods.Names() {
			if definitionBy(hashes, options[m]) != before[m] {
				changed = append(changed, m)
			}
		}
		if want = slices.Sorted(slices.Values(want)); !slices.Equal(slices.Sorted(slices.Values(changed)), want) {
			t.Errorf("%s changes %v: expected %v", e.name, changed, want)
		}
		if o := named(t, e.also); e.also != "" && definitionBy(hashes, o) == Definition(o) {
			t.Errorf("%s: %s has the definition of before", e.name, e.also)
		}
		if o := named(t, e.not); e.not != "" && definitionBy(hashes, o) != Definition(o) {
			t.Errorf("%s: %s has another definition", e.name, e.not)
		}
	}
}

// editedHashes returns the hashes of units of a program where to stands for from in a file.
func editedHashes(file, from, to string) map[string]string {
	return hashesWith(file, strings.Replace(sourceText(file), from, to, 1), entryFiles())
}

// hashesWith returns the hashes of units of a program where a file has another text.
func hashesWith(file, text string, entries map[string][]string) map[string]string {
	before := theProgram()
	p := &program{map[string]*sourceFile{}, map[symbol][]*sourceFile{}, before.packages}
	for _, f := range before.files {
		if f.name != file {
			p.add(f)
		}
	}
	if !isSilent(file) {
		p.add(sourceFileOf(file, text, parse(file, text), before.packages))
	}
	return unitHashes(p, entries)
}

var theProgram = sync.OnceValue(readProgram)

// A module that is replaced or upgraded is another program; one that draws tables is not.
func TestModules(t *testing.T) {
	golden.StillPaper(t)
	text := sourceText("go.mod")
	now := modules(text)
	for _, edit := range []string{
		strings.Replace(text, "gorgonia.org/tensor v0.9.24", "gorgonia.org/tensor v0.9.25", 1), text + "\nreplace gorgonia.org/gorgonia => ../mine\n",
		text + "\nreplace gonum.org/v1/gonum => example.org/gonum v1.0.0\n", strings.Replace(text, "gorgonia.org/vecf32 v", "gorgonia.org/vecf32 v1", 1),
	} {
		if edit == text || modules(edit) == now {
			t.Errorf("%s: it is the program of before", edit[len(text)-40:])
		}
	}
	if !strings.Contains(modules(text+"\nreplace gorgonia.org/gorgonia => ../mine\n"), programHash()) {
		t.Error("a folder in the place of a module is known by what it is called")
	}
	if other := strings.Replace(text, "tablewriter v", "tablewriter v1", 1); other == text || modules(other) != now {
		t.Error("another version of what draws tables is another program")
	}
}

// Of a method that is not registered only the program is known.
func TestMethodOfAnotherModule(t *testing.T) {
	o := named(t, "deepwalk")
	m := *o.Method
	m.Name = "foreign"
	o.Method = &m
	if !slices.Contains(unitsOf(o), "method foreign") || hashOf("method foreign", sourceUnits()) != programHash() || !Edited(o) {
		t.Errorf("its units are %v", unitsOf(o))
	}
}

// The source of an entry that another module registers is not here: a run of it is known by the whole program, and is checked before it is trained.
func TestEntryOfAnotherModule(t *testing.T) {
	losses.Pairs.Add("foreign", losses.Pairs.Get("skipgram"))
	t.Cleanup(func() { losses.Pairs.Remove("foreign") })
	o := named(t, "deepwalk pair-loss=foreign")
	if !Edited(o) {
		t.Error("it is not checked")
	}
	if !Present(Definition(o), o) {
		t.Error("a run of the same program is not taken for one")
	}
	own := hashOf("losses.Pairs foreign", sourceUnits())
	if own == "" || own != programHash() {
		t.Errorf("its hash is %q: expected the program's", own)
	}
}
