package graphs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
)

// An entry that returns a wrong shape is named, not what notices it.
func TestEntriesOfWrongShape(t *testing.T) {
	flat := func(n *G.Node) (*G.Node, error) { return op.Reshape(n, n.Shape().TotalSize()) }
	add(t, losses.Pairs, "flat", losses.Pair{Loss: func(s losses.State, _ losses.Values) (*G.Node, error) { return flat(s.Pos) }})
	add(t, losses.Regularizers, "flat", losses.Regularizer{Table: func(a losses.Aspects, _ losses.Values) (*G.Node, error) { return flat(a.Rows) }})
	add(t, losses.Regularizers, "flat-batch", losses.Regularizer{Batch: func(s losses.State, _ losses.Values) (*G.Node, error) { return flat(s.Prob) }})
	add(t, layers.Selections, "flat", layers.Selection{Prob: func(c layers.Choice, _ layers.Values) (*G.Node, error) { return flat(c.Logits) }})
	add(t, layers.Readouts, "flat", layers.Readout{Read: func(c layers.Contexts, _ layers.Values) (*G.Node, error) { return flat(c.Rows) }})
	for option, want := range map[string]string{
		"pair-loss flat":         `losses: pair loss "flat" returned (120): expected (24,5), as pos`,
		"selection flat":         `layers: selection "flat" returned (20): expected (4,5), as logits`,
		"readout flat":           `layers: readout "flat" returned (480): expected (4,5,4), (W,K,D)`,
		"regularizer flat":       `losses: regularizer "flat" returned (320): expected a scalar`,
		"regularizer flat-batch": `losses: regularizer "flat-batch" returned (120): expected a scalar`,
	} {
		o := OptionsOf(MethodOf(MethodAsp2vec), Standard)
		key, name, _ := strings.Cut(option, " ")
		call.OK(t, o.Set(key, name))
		models := call.Of(GuardModels(o))(t)
		if got := fmt.Sprint(guard.Check(models[0]).Err()); !strings.Contains(got, want) {
			t.Errorf("%s: %s\nwant %s", option, got, want)
		}
	}
}

// Two entries that declare a key with other defaults leave it to chance which of them an unedited loss gets: no options are valid then.
func TestDeclarationsThatDiffer(t *testing.T) {
	add(t, losses.Pairs, "triplet", losses.Pair{Loss: losses.Pairs.Get("margin").Loss, Parameters: []losses.Parameter{{Key: "pair-loss-margin", Default: 0.2, Max: 20}}})
	o := optionsOf(MethodAsp2vec, nil)
	call.Refused(t, "pair-loss margin (losses/scoremargin.go) declares pair-loss-margin with default 1", "triplet")(o.Resolve())
}

// A method whose own option has the key of one that all methods have, or of a hyperparameter, would not be read by it.
func TestOptionsThatAllHave(t *testing.T) {
	for _, own := range []any{struct {
		Window int `json:"window" default:"3" range:"[1,9]" help:"mine"`
	}{}, struct {
		Tau float64 `json:"tau" default:"3" range:"[1,9]" help:"mine"`
	}{}} {
		call.Refused(t, "method mine")(ConflictOf(&Method{Name: "mine", Own: own}))
	}
	if err := Conflict(); err != nil {
		t.Error(err)
	}
}

// Methods that say that they have vectors of both sides of a link leave them, and no others can be ranked by
// them.
func TestSides(t *testing.T) {
	for _, m := range Methods() {
		o := quick(t, m.Name)
		r := trainOn(t, Input{Network: karate()}, o, 1, Monitor{})
		if has := r.Embedding.Center != nil && r.Embedding.Vectors != nil; m.Sides && !has || m.Sides != slices.Contains(m.Scores(), "two-sided") {
			t.Errorf("%s: vectors of both sides: %v, scores %v", m.Name, has, m.Scores())
		}
	}
}
