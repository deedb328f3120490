package run

import (
	"cmp"
	"path"
	"regexp"
	"runtime/debug"
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
	{"the bias of node2vec", "walks/node2vec.go", "far: 1 / q}", "far: 1 / (q * q)}", "node2vec", "", ""},
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
	{"the margin on papers", "losses/margin.go", "G.Must(G.Rectify(G.Must(G.Add(excess, bound))))", "G.Must(G.Rectify(G.Must(G.Sub(excess, bound))))", "camel tapem", "", "deepwalk pair-loss=margin"},
	{"the penalty by cosines", "losses/cosine.go", "G.Gt(similarity, bound, true)", "G.Gte(similarity, bound, true)", "asp2vec asp2vec-het", "", "asp2vec regularizer=entropy"},
	{"the penalty of batches", "losses/entropy.go", "return AspectEntropy(s.Prob, s.Weight)", "return AspectEntropy(s.Prob, G.Must(op.Scale(s.Weight, 2)))", none, "asp2vec regularizer=entropy", "asp2vec regularizer=cosine2"},
	{"the readout by sums", "layers/sumreadout.go", "return SumReadout(c.Rows, c.Weight)", "return op.Scale(G.Must(SumReadout(c.Rows, c.Weight)), .5)", none, "asp2vec readout=sum", "asp2vec readout=max"},
	{"softmax", "layers/softmax.go", "return Softmax(c.Logits) }", "return Softmax(G.Must(op.Scale(c.Logits, 2))) }", none, "asp2vec selection=softmax", "asp2vec selection=entmax15"},
	{"what a State holds", "losses/state.go", "type State struct {", "type State struct {\n\tMine *G.Node", all, "", ""},
	{"an op", "layers/op/entmax.go", "/ 2 // without", "/ 4 // without", none, "asp2vec selection=entmax15", "asp2vec selection=softmax"},

	// What is between them.
	{"a kernel", "internal/kernel/optimizer.go", "mi = 0\n", "mi = 1\n", all, "", ""},
	{"initial vectors", "graphs/skipgram.go", "const initStd = 0.01", "const initStd = 0.1", "deepwalk node2vec polydw splitter asp2vec m2v++ camel tapem asp2vec-het metapath2vec", "", ""},
	{"vectors at the beginning of asp2vec", "graphs/asp2vec.go", "m.warmStart(u)", "m.warmStart(nil)", "asp2vec", "", ""},
	{"what the second pass adds up", "graphs/engine/blocks.go", "kernel.Axpy(g, p.center[int(w)*len(g):][:len(g)], 1)", "kernel.Axpy(g, p.center[int(w)*len(g):][:len(g)], 2)", all, "", ""},
	{"where the graph is cut", "graphs/engine/cut.go", "x := from[at*d:][:d]", "x := from[:d]", all, "", ""},
	{"the file of one method among others", "graphs/splitter.go", "stage(o, 1-o.WarmUpShare", "stage(o, 2-o.WarmUpShare", "splitter", "", ""},
	{"the loss of Camel, which warms TaPEm up", "hetnet/camelloss.go", "op.Scale(far, weight)", "op.Scale(far, 2*weight)", "camel tapem", "", "deepwalk"},
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
	{"negatives of a split", "network/negatives.go", "if free < 2*count {", "if free < 3*count {", all, "", ""},

	{"another package of the same name", "layers/scores.go", `"github.com/asp2vec/asp2vec/layers/op"`, `"example.org/mine/op"`, all, "", ""},

	// Nothing.
	{"a comment", "walks/together.go", "at[l] = *arcs[k]", "/* mine */ at[l] = *arcs[k]", none, "", ""},
	{"layout", "losses/skipgram.go", "defer op.Recover(", "\n\n\tdefer op.Recover(", none, "", "asp2vec"},
	{"a comment before a function", "graphs/engine/optimizer.go", "// Move applies", "// Moves, and applies", none, "", ""},
	{"a variable that nothing mentions", "graphs/engine/cut.go", "\nfunc ", "\nvar mine int\n\nfunc ", none, "", ""},
	{"words of an error", "graphs/train.go", "expected", "wanted", none, "", ""},
	{"a verb of an error", "graphs/train.go", "has no embedding: %w", "has no embedding: %v", all, "", ""},
	{"the help of an option", "graphs/options.go", "<D> dimensions of each vector", "<D> numbers of a vector", none, "", ""},
	{"the help of an entry", "eval/dot.go", `Help: "`, `Help: "the `, none, "", ""},
	{"an option that nothing reads", "graphs/options.go", "\tDim int `json", "\tMine int `json:\"mine\" group:\"Model\" help:\"mine\"`\n\tDim int `json", none, "", ""},
	{"the range of an option", "graphs/options.go", `json:"window" part:"corpus,walked" default:"3"`, `json:"window" part:"corpus,walked" default:"4"`, all, "", ""},
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
	return unitHashes(theProgram().with(map[string]string{file: strings.Replace(sourceText(file), from, to, 1)}), entryPlaces())
}

// Names that a package keeps to itself, the order of what it declares, and the files in which it does move no
// number; what these names stand for does.
func TestNamesAndPlaces(t *testing.T) {
	golden.StillPaper(t)
	whole := regexp.MustCompile(`\w+`)
	rename := func(dir string, pairs ...string) map[string]string {
		to := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			to[pairs[i]] = pairs[i+1]
		}
		texts := map[string]string{}
		for _, name := range sourceFiles() {
			if path.Dir(name) == dir && path.Ext(name) == ".go" {
				texts[name] = whole.ReplaceAllStringFunc(sourceText(name), func(word string) string { return cmp.Or(to[word], word) })
			}
		}
		return texts
	}
	skipGram, cosine := sourceText("losses/skipgram.go"), sourceText("losses/cosine.go")
	at := strings.Index(skipGram, "// SkipGram returns")
	importing, _, _ := strings.Cut(skipGram, "func init")
	joined := strings.Replace(skipGram, "func init() {", "func init() {\n\tRegularizers.Add(\"cosine\", Regularizer{})", 1)
	for _, e := range []struct {
		name  string
		texts map[string]string
		same  bool
	}{
		{"a function", rename("graphs/engine", "gather", "collect"), true},
		{"a function that another has the name of", rename("graphs/engine", "gather", "repeat", "repeat", "gather"), true},
		{"a field", rename("graphs/engine", "negatives", "drawn"), true},
		{"a type", rename("graphs/engine", "blockWorker", "blockRunner"), true},
		{"a method", rename("graphs/engine", "lookedUp", "found"), true},
		{"a local name and a parameter", rename("losses", "pos", "positive", "posTerm", "first"), true},
		{"an exported function", rename("losses", "checkScores", "CheckScores"), true},
		{"a constant", rename("graphs", "initStd", "spread"), true},
		{"a file", map[string]string{"losses/cosine.go": "", "losses/angle.go": cosine}, true},
		{"a file in two", map[string]string{"losses/skipgram.go": skipGram[:at], "losses/negativesampling.go": importing + skipGram[at:]}, true},
		{"the order of functions", map[string]string{"losses/skipgram.go": importing + skipGram[at:] + "\n" + skipGram[len(importing):at]}, true},
		{"one function in the place of another", rename("graphs/engine", "repeat", "gather"), false},
		{"one field in the place of another", map[string]string{"losses/skipgram.go": strings.Replace(skipGram, "s.Pos, s.Neg", "s.Neg, s.Pos", 1)}, false},
		{"one variable in the place of another", map[string]string{"losses/skipgram.go": strings.Replace(skipGram, "Add(posTerm, negTerm)", "Add(posTerm, posTerm)", 1)}, false},
		{"one operation in the place of another", map[string]string{"losses/skipgram.go": strings.Replace(skipGram, "op.Softplus(neg)", "op.Sigmoid(neg)", 1)}, false},
		{"what an init function adds", map[string]string{"losses/skipgram.go": joined}, false},
		{"a variable that is set when the program starts", map[string]string{"losses/mine.go": "package losses\n\nvar hook = set(5)\n\nfunc set(x float64) float64 {\n\tscale = x\n\treturn x\n}\n\nvar scale = 1.\n"}, false},
		{"the same by a method", map[string]string{"losses/mine.go": "package losses\n\ntype mine struct{}\n\nfunc (mine) set() int {\n\tscale = 2\n\treturn 1\n}\n\nvar scale, hook = 1, mine{}.set()\n"}, false},
		{"a variable that nothing sets", map[string]string{"losses/mine.go": "package losses\n\nvar hook = half(5)\n\nfunc half(x float64) float64 { return x / 2 }\n"}, true},
		{"an init function of a command", map[string]string{"cmd/asp2vec/mine.go": "package main\n\nimport \"github.com/asp2vec/asp2vec/losses\"\n\nfunc init() { losses.Scale = 5 }\n"}, false},
		{"a command", map[string]string{"cmd/asp2vec/mine.go": "package main\n\nfunc init() { more = append(more, command{name: \"mine\"}) }\n"}, true},
		{"a package that is imported for what it does", map[string]string{"cmd/asp2vec/mine.go": "package main\n\nimport _ \"example.org/mine\"\n"}, false},
		{"what assembly includes", map[string]string{"internal/kernel/mine.h": "#define SCALE 5\n"}, false},
		{"a text in a folder that counts", map[string]string{"losses/mine.txt": "5"}, false},
		{"a text that a variable which nothing mentions embeds", map[string]string{"losses/mine.txt": "5", "losses/mine.go": "package losses\n\nimport _ \"embed\"\n\n//go:embed mine.txt\nvar mine string\n"}, true},
		{"the same beside assembly, which may include it", map[string]string{"losses/mine.txt": "5", "losses/mine.s": "// none", "losses/mine.go": "package losses\n\nimport _ \"embed\"\n\n//go:embed mine.txt\nvar mine string\n"}, false},
		{"what an init function sets", map[string]string{"layers/mine.go": "package layers\n\nfunc init() { tau.Default = 0.4 }\n"}, false},
		{"what it sets through an address", map[string]string{"layers/mine.go": "package layers\n\nfunc init() {\n\tp := &tau\n\tp.Default = 0.4\n}\n"}, false},
		{"what a function sets that it hands it to", map[string]string{"layers/mine.go": "package layers\n\nfunc init() { lower(&tau) }\n\nfunc lower(p *Parameter) { p.Default = 0.4 }\n"}, false},
		{"what a function sets of a list", map[string]string{"graphs/engine/mine.go": "package engine\n\nfunc init() { first(stateNodes) }\n\nfunc first(all []stateNode) { all[0] = all[1] }\n"}, false},
		{"a local variable of an init function", map[string]string{"layers/mine.go": "package layers\n\nfunc init() {\n\ttau := 1.\n\ttau++\n}\n"}, true},
		{"a constant of a file that else moves no number", map[string]string{"results/record.go": strings.Replace(sourceText("results/record.go"), "StageWarmUp  = ", "StageWarmUp = \"a\" + ", 1)}, false},
		{"a function of such a file", map[string]string{"results/store.go": strings.Replace(sourceText("results/store.go"), "RecordFile", "recordFile", 9)}, true},
		{"what a name with a space embeds", embedding(`"mine q.txt"`, "mine q.txt", "5"), false},
		{"what a hidden file holds", embedding("_mine.txt", "_mine.txt", "5"), false},
		{"what testdata hold", embedding("testdata/mine.txt", "testdata/mine.txt", "5"), false},
		{"the processor that a file is for", map[string]string{"losses/skipgram.go": "", "losses/skipgram_arm64.go": skipGram}, false},
	} {
		o, program := named(t, "asp2vec"), theProgram()
		before := Definition(o)
		if e.texts[""] != "" { // one that is embedded has another content
			before = definitionBy(unitHashes(program.with(map[string]string{"losses/skipgram.go": e.texts["losses/skipgram.go"], e.texts[""]: "4"}), entryPlaces()), o)
			delete(e.texts, "")
		}
		hashes := unitHashes(program.with(e.texts), places(e.texts))
		if same := definitionBy(hashes, o) == before; same != e.same {
			for unit, hash := range hashes {
				if hash != sourceUnits()[unit] {
					t.Log("other: ", unit)
				}
			}
			t.Errorf("%s: the same definition %v, expected %v", e.name, same, e.same)
		}
	}
}

// What figures show of a model has a definition of its own, which training has no part in.
func TestFigureDefinition(t *testing.T) {
	for edit, changes := range map[[3]string]bool{
		{"experiments/aspects/cosines.go", "row[t] /= ", "row[t] /= 2 * "}:              true,
		{"eval/spearman.go", "return ", "return 2 * "}:                                  true,
		{"experiments/figures/data.go", "figurePoints = 5000", "figurePoints = 4000"}:   true,
		{"experiments/figures/drawing.go", "title names a panel", "title is a panel's"}: false,
	} {
		hashes := editedHashes(edit[0], edit[1], edit[2])
		if !strings.Contains(sourceText(edit[0]), edit[1]) || (hashes[unitFigures] != sourceUnits()[unitFigures]) != changes {
			t.Errorf("%s: another definition of figures: %v, expected %v", edit[0], !changes, changes)
		}
		if hashes[unitCommon] != sourceUnits()[unitCommon] {
			t.Errorf("%s: another definition of trainings", edit[0])
		}
	}
}

// embedding returns texts in which the loss skipgram embeds a file of a name and a content.
func embedding(pattern, name, content string) map[string]string {
	text := strings.Replace(sourceText("losses/skipgram.go"), "func init() {", "//go:embed "+pattern+"\nvar mine string\n\nfunc init() {\n\tmine += \"\"", 1)
	return map[string]string{"losses/skipgram.go": text, "losses/" + name: content, "": "losses/" + name}
}

// A method of which a function stands where the list of methods is counts with it.
func TestMethodInTheList(t *testing.T) {
	const file = "graphs/registry.go"
	text := strings.Replace(sourceText(file), "func listed()", "func mine() int { return 1 }\n\nfunc listed()", 1)
	line := 1 + strings.Count(text[:strings.Index(text, "func mine()")], "\n")
	entries := map[string][]place{"method mine": {{file, line}}}
	one := unitHashes(theProgram().with(map[string]string{file: text}), entries)
	two := unitHashes(theProgram().with(map[string]string{file: strings.Replace(text, "return 1", "return 2", 1)}), entries)
	if one["method mine"] == two["method mine"] || one["method mine"] == programHash() {
		t.Errorf("it is %s, and %s with another number", one["method mine"], two["method mine"])
	}
}

// A build is not plain where its settings or its modules may change what the source says.
func TestStrangeBuilds(t *testing.T) {
	for setting, plain := range map[debug.BuildSetting]bool{
		{Key: "-tags", Value: "mine"}: false, {Key: "-tags", Value: "paper,purego"}: true, {Key: "-ldflags", Value: "-X losses.Scale=5"}: false,
		{Key: "-ldflags", Value: `"-s -w"`}:                                                   true,
		{Key: "-ldflags", Value: "-s -w -X github.com/asp2vec/asp2vec/results.version=1.0.0"}: true, {Key: "CGO_CFLAGS", Value: "-O3"}: false, {Key: "CGO_CFLAGS"}: true, {Key: "-gcflags", Value: "-N"}: false,
		{Key: "vcs.revision", Value: "1234"}: true, {Key: "GOEXPERIMENT", Value: "mine"}: false, {Key: "-compiler", Value: "gccgo"}: false,
	} {
		if why := settings([]debug.BuildSetting{setting}); (len(why) == 0) != plain {
			t.Errorf("%v: plain %v, expected %v", setting, !plain, plain)
		}
	}
	const mod, sums = "require example.org/a v1.0.0\n", "example.org/a v1.0.0 h1:abc\n"
	for module, plain := range map[debug.Module]bool{
		{Path: "example.org/a", Version: "v1.0.0", Sum: "h1:abc"}: true, {Path: "example.org/a", Version: "v1.0.0"}: false,
		{Path: "example.org/a", Version: "v1.0.1", Sum: "h1:abc"}: false, {Path: "example.org/a", Version: "v1.0.0", Sum: "h1:abd"}: false,
		{Path: "example.org/b", Version: "(devel)"}: false, {Path: "example.org/a", Version: "v1.0.0", Sum: "h1:abc", Replace: &debug.Module{Path: "../a"}}: false,
	} {
		if why := otherModules([]*debug.Module{&module}, mod, sums); (len(why) == 0) != plain {
			t.Errorf("%v: plain %v, expected %v", module, !plain, plain)
		}
	}
	mine := theProgram().with(map[string]string{"losses/bpr.go": strings.Replace(sourceText("losses/bpr.go"), "func init() {", "var mine = \"5\"\n\nfunc init() {\n\t_ = mine", 1)})
	unitHashes(mine, entryPlaces())
	if !slices.Equal(mine.settable, []string{"losses.mine"}) {
		t.Errorf("the linker can set %q: expected losses.mine", mine.settable)
	}
	if why := NotPlain(); len(why) > 0 {
		t.Errorf("this program is not plain: %v", why)
	}
	if len(compiled()) < 100 || !slices.Contains(compiled(), "losses/skipgram.go") {
		t.Errorf("it is compiled of %v", compiled())
	}
}

// places returns where entries and methods stand once files have other names.
func places(texts map[string]string) map[string][]place {
	all := entryPlaces()
	for unit, list := range all {
		for i, at := range list {
			if text, changed := texts[at.file]; changed && text == "" {
				for name := range texts {
					if name != at.file && path.Dir(name) == path.Dir(at.file) {
						all[unit][i].file = name
					}
				}
			}
		}
	}
	return all
}

var theProgram = sync.OnceValue(readProgram)

// Modules of other versions are another program; one that draws tables is not.
func TestModules(t *testing.T) {
	golden.StillPaper(t)
	mod, sums := sourceText("go.mod"), sourceText("go.sum")
	now := versions(mod, sums)
	for _, edit := range []string{
		strings.Replace(mod, "gorgonia.org/tensor v0.9.24", "gorgonia.org/tensor v0.9.25", 1),
		mod + "\nreplace gorgonia.org/gorgonia => ../mine\n",
		mod + "\nreplace gonum.org/v1/gonum => example.org/gonum v1.0.0\n",
		strings.Replace(mod, "gorgonia.org/vecf32 v", "gorgonia.org/vecf32 v1", 1),
	} {
		if edit == mod || versions(edit, sums) == now {
			t.Errorf("%s: it is the program of before", edit[len(mod)-40:])
		}
	}
	if other := strings.Replace(sums, "gorgonia.org/tensor v0.9.24 h1:", "gorgonia.org/tensor v0.9.24 h1:a", 1); other == sums || versions(mod, other) == now {
		t.Error("a module of another checksum is the one of before")
	}
	if other := strings.Replace(mod, "tablewriter v", "tablewriter v1", 1); other == mod || versions(other, sums) != now {
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
