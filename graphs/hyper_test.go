package graphs

import (
	"encoding/json"
	"maps"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

// alpha registers a selection with a hyperparameter, for the time of a test: one entry is all that it takes.
func alpha(t *testing.T) {
	t.Cleanup(func() { layers.Selections.Remove("sharp") })
	layers.Selections.Add("sharp", layers.Selection{
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

func valueOf(o Options, key string) any {
	value, _ := o.Get(key)
	return value
}

func TestHyperparametersOfOptions(t *testing.T) {
	alpha(t)
	o := Default()
	if o.Selection = "sharp"; valueOf(o, "selection-alpha") != 2. || len(o.Hyper) > 0 {
		t.Errorf("alpha %v, held as %v: expected the default, not held", valueOf(o, "selection-alpha"), o.Hyper)
	}
	call.OK(t, o.Set("selection-alpha", 3.))
	call.OK(t, o.Set("pair-loss-margin", 0.1))
	call.OK(t, o.Set("tau", 0.7))
	if !maps.Equal(o.Hyper, option.Values{"pair-loss-margin": 0.1, "selection-alpha": 3}) || o.Tau != 0.7 || valueOf(o, "selection-alpha") != 3. {
		t.Errorf("%+v", o)
	}
	if n := o.normal(); !maps.Equal(n.Hyper, option.Values{"selection-alpha": 3}) || n.Tau != 0.5 {
		t.Errorf("without what nothing reads: %v, tau %v", n.Hyper, n.Tau)
	}
	o = o.normal()
	b, err := json.Marshal(o)
	if err != nil || !strings.Contains(string(b), `"selection-alpha":3`) || strings.Contains(string(b), "margin") {
		t.Errorf("%s, error %v", b, err)
	}
	back := Default()
	if err := json.Unmarshal(b, &back); err != nil || !back.Equal(o) {
		t.Errorf("read back %+v, error %v, expected %+v", back, err, o)
	}
	if err := json.Unmarshal([]byte(`{"selection-alpha":"much"}`), &back); err == nil {
		t.Error("a word is taken for a number")
	}
	call.OK(t, o.Set("selection-alpha", 2.))
	if b, _ = json.Marshal(o); len(o.Hyper) > 0 || !strings.Contains(string(b), `"selection-alpha":2`) {
		t.Errorf("back at the default: %v, %s", o.Hyper, b)
	}
	o.Selection = "gumbel"
	if plain, _ := json.Marshal(Default()); strings.Contains(string(plain), "alpha") || strings.Contains(string(plain), "margin") {
		t.Errorf("%s: has what it does not read", plain)
	}
}

// Every entry trains.
func TestEveryEntryTrains(t *testing.T) {
	try := func(name string, edit func(o *Options)) {
		t.Run(name, func(t *testing.T) {
			o := small()
			o.WarmUp = false
			edit(&o)
			r := train(t, karate(), o, Monitor{})
			epochs := r.Stages[len(r.Stages)-1].Epochs
			first, last := epochs[0].Loss, epochs[len(epochs)-1].Loss
			if !(last.Pairs+last.Penalty < first.Pairs+first.Penalty) {
				t.Errorf("the loss went from %v to %v", first, last)
			}
			models := call.Of(GuardModels(o))(t)
			for _, m := range models {
				if err := guard.Check(m).Err(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	for _, name := range layers.Selections.Names() {
		try("selection/"+name, func(o *Options) { o.Selection = name })
	}
	for _, name := range layers.Readouts.Names() {
		try("readout/"+name, func(o *Options) { o.Readout = name })
	}
	for _, name := range losses.Pairs.Names() {
		try("pair-loss/"+name, func(o *Options) { o.PairLoss = name })
	}
	for _, name := range losses.Regularizers.Names() {
		try("regularizer/"+name, func(o *Options) { o.Regularizer, o.Lambda = name, 0.1 })
	}
}

// Each hyperparameter moves what is trained with an entry that reads it.
func TestHyperparametersMatter(t *testing.T) {
	choose := map[string]func(o *Options, name string){
		"selection": func(o *Options, name string) { o.Selection = name }, "readout": func(o *Options, name string) { o.Readout = name },
		"pair-loss": func(o *Options, name string) { o.PairLoss = name }, "regularizer": func(o *Options, name string) { o.Regularizer = name },
	}
	for _, h := range Hyperparameters() {
		for _, name := range h.Readers {
			o := small()
			o.WarmUp, o.Lambda, o.AspectNoise = false, 0.5, 0.3
			choose[h.Option](&o, name)
			plain := train(t, karate(), o, Monitor{}).Embedding
			call.OK(t, o.Set(h.Key, h.Default.(float64)*0.4+0.1))
			if got := difference(plain.Vectors, train(t, karate(), o, Monitor{}).Embedding.Vectors); !(got > 1e-3) {
				t.Errorf("%s of %s moves the vectors by %v of the largest number: expected more than 0.001", h.Key, name, got)
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
