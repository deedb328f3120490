package graphs

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	G "gorgonia.org/gorgonia"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
)

// alpha registers a selection with a hyperparameter, for the time of a test: one entry is all that it takes.
func alpha(t *testing.T) {
	add(t, layers.Selections, "sharp", layers.Selection{
		Prob: func(c layers.Choice, h layers.Values) (*G.Node, error) {
			zero, err := layers.None(c.Logits)
			if err != nil {
				return nil, err
			}
			return layers.Gumbel(c.Logits, zero, 1/h.Of("selection-alpha")) // none is as good as no noise, the same for each
		},
		Parameters: []layers.Parameter{{Key: "selection-alpha", Help: "how sharp", Default: 2, Max: 9, OpenMin: true}},
	})
}

// A hyperparameter is an option like others: it is set and read, and written where an entry that is chosen reads it.
func TestHyperparametersOfOptions(t *testing.T) {
	alpha(t)
	o := Default()
	o.Selection = "sharp"
	for _, want := range []float64{2, 3, 2} { // the default is not held
		call.OK(t, o.Set("selection-alpha", want))
		if got, _ := o.Get("selection-alpha"); got != want || len(o.Hyper) != int(want)-2 {
			t.Errorf("alpha %v, held as %v: expected %v", got, o.Hyper, want)
		}
		back, b := Default(), call.Of(json.Marshal(o))(t)
		if err := json.Unmarshal(b, &back); err != nil || !back.Equal(o) || !strings.Contains(string(b), fmt.Sprintf(`,"selection-alpha":%v`, want)) || strings.Contains(string(b), "margin") {
			t.Errorf("%s: read back %+v, error %v, expected %+v", b, back, err, o)
		}
	}
	if err := json.Unmarshal([]byte(`{"selection-alpha":"much"}`), &o); err == nil {
		t.Error("a word is taken for a number")
	}
}

// Every entry trains.
func TestEveryEntryTrains(t *testing.T) {
	for _, c := range (Options{}).choices()[:4] { // those that say what the loss is
		for _, name := range c.entries.Names() {
			t.Run(c.option+"/"+name, func(t *testing.T) {
				o := small()
				o.WarmUp, o.Lambda = false, 0.1
				o.set(c.option, name)
				r := train(t, karate(), o, Monitor{})
				epochs := r.Stages[len(r.Stages)-1].Epochs
				first, last := epochs[0].Loss, epochs[len(epochs)-1].Loss
				if !(last.Pairs+last.Penalty < first.Pairs+first.Penalty) {
					t.Errorf("the loss went from %v to %v", first, last)
				}
				for _, m := range call.Of(GuardModels(o))(t) {
					if err := guard.Check(m).Err(); err != nil {
						t.Error(err)
					}
				}
			})
		}
	}
}

// Each hyperparameter moves what is trained with an entry that reads it.
func TestHyperparametersMatter(t *testing.T) {
	for _, h := range Hyperparameters() {
		for _, name := range h.Readers {
			o := small()
			o.WarmUp, o.Lambda, o.AspectNoise = false, 0.5, 0.3
			o.set(h.Option, name)
			plain := train(t, karate(), o, Monitor{}).Embedding
			o.set(h.Key, h.Default.(float64)*0.4+0.1)
			if Near(plain.Vectors, train(t, karate(), o, Monitor{}).Embedding.Vectors, 0, 1e-3) {
				t.Errorf("%s of %s moves the vectors by less than 0.001 of the largest number", h.Key, name)
			}
		}
	}
}

// The loss of pairs of a warm-up is that of the run unless it has its own.
func TestWarmUpPairLoss(t *testing.T) {
	golden.StillPaper(t)
	o := small()
	o.WarmUp, o.PairLoss, o.WarmUpPairLoss = true, "margin", "skipgram"
	own := train(t, karate(), o, Monitor{})
	o.PairLoss, o.WarmUpPairLoss = "skipgram", ""
	if got, want := own.Stages[0].Epochs[0].Loss, train(t, karate(), o, Monitor{}).Stages[0].Epochs[0].Loss; got != want {
		t.Errorf("loss of the warm-up %v, expected that of a standard one, %v", got, want)
	}
}
