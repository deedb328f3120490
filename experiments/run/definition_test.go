package run

import (
	"cmp"
	"errors"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// Every method, and every entry that an option can choose, is a unit, and every run passes through known ones.
func TestUnits(t *testing.T) {
	units := sourceUnits()
	for _, m := range methods.All() {
		for name, protocol := range Protocols {
			o := graphs.OptionsOf(m, protocol).Complete()
			for _, unit := range unitsOf(o) {
				if units[unit] == "" {
					t.Errorf("%s, %s: no unit %q in %v", m.Name, name, unit, units)
				}
			}
		}
	}
	o := graphs.Standard()
	hard := o
	hard.Selection = "hard"
	if Definition(o) == Definition(hard) {
		t.Error("two selections are one definition")
	}
}

// edits are of all that numbers of runs depend on, with a run that each must change, and one that it must not ("" for none).
var edits = []struct{ name, file, from, to, changes, leaves string }{
	{"a loss", "losses/skipgram.go", "posTerm := G.Must(op.Softplus(G.Must(G.Neg(pos))))", "posTerm := G.Must(op.Scale(G.Must(op.Softplus(G.Must(G.Neg(pos)))), 2))", "asp2vec", "asp2vec pair-loss=margin warm-up-pair-loss=margin"},
	{"a loss nobody chose", "losses/rank.go", "func InfoNCE(pos, neg *G.Node, temperature float64) (loss *G.Node, err error) {", "func InfoNCE(pos, neg *G.Node, temperature float64) (loss *G.Node, err error) {\n\ttemperature *= 2", "asp2vec pair-loss=infonce", "asp2vec"},
	{"a layer", "layers/scores.go", "func Scores(center, rows *G.Node) (*G.Node, error) {", "func Scores(center, rows *G.Node) (*G.Node, error) {\n\tif center == nil {\n\t\treturn nil, nil\n\t}", "asp2vec", ""},
	{"a step of the walks", "walks/together.go", "&next[streams[l].Intn(len(next))]", "&next[streams[l].Intn(min(2, len(next)))]", "deepwalk", ""},
	{"Adam's epsilon", "graphs/optimizer.go", "kernel.NewAdamStep(o.rate, beta1, beta2, adamEps,", "kernel.NewAdamStep(o.rate, beta1, beta2, 2*adamEps,", "asp2vec", ""},
	{"the beginning of the aspects", "graphs/asp2vec.go", "m.warmStart(u)", "m.warmStart(nil)", "asp2vec", ""},
	{"Camel, which warms TaPEm up", "hetnet/camelloss.go", "op.Scale(far, weight)", "op.Scale(far, 2*weight)", "tapem", "deepwalk"},
	{"the loss of DeepWalk, beside asp2vec's", "graphs/asp2vec.go", "func DeepWalkLoss(", "func edited() {}\n\nfunc DeepWalkLoss(", "deepwalk", ""},
	{"the list of methods", "graphs/registry.go", "deepWalkMethod(), ", "", "", "deepwalk"},
	{"the classifier", "eval/logistic.go", "opt.C = 1\n", "opt.C = 2\n", "asp2vec", ""},
	{"the links of a pilot", "experiments/run/pilot.go", "pilotLinks = ", "pilotLinks = 1 + ", "deepwalk", ""},
	{"a kernel", "internal/kernel/math_generic.go", "package kernel\n", "package kernel\n\nvar edited = 1\n", "asp2vec", ""},
	{"a comment", "losses/skipgram.go", "posTerm := ", "/* the same */ posTerm := ", "", "asp2vec"},
}

// An edit is known by the source, wherever it is and whatever it does, and runs that do not pass through it keep their definition.
func TestDefinitionsFollowEdits(t *testing.T) {
	golden.StillPaper(t)
	for _, e := range edits {
		if !strings.Contains(sourceText(e.file), e.from) {
			t.Errorf("%s: no %q in %s", e.name, e.from, e.file)
			continue
		}
		edited := unitHashes(func(name string) string {
			if text := sourceText(name); name != e.file {
				return text
			}
			return strings.Replace(sourceText(e.file), e.from, e.to, 1)
		})
		if o := named(t, e.changes); e.changes != "" && definitionBy(edited, o) == Definition(o) {
			t.Errorf("%s: %s has the definition of before", e.name, e.changes)
		}
		if o := named(t, e.leaves); e.leaves != "" && definitionBy(edited, o) != Definition(o) {
			t.Errorf("%s: %s has another definition", e.name, e.leaves)
		}
	}
}

// named returns the options that a text such as "asp2vec readout=max" names, over those of protocol standard; of no text, asp2vec's.
func named(t *testing.T, text string) graphs.Options {
	t.Helper()
	fields := strings.Fields(cmp.Or(text, graphs.MethodAsp2vec))
	o, err := methods.Options(fields[0], graphs.Standard)
	for _, f := range fields[1:] {
		key, value, _ := strings.Cut(f, "=")
		err = errors.Join(err, o.Set(key, value))
	}
	if err != nil {
		t.Fatal(err)
	}
	return o
}
