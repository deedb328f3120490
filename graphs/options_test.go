package graphs

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/walks"
)

// The published protocol; the numbers are those of the paper's section 4.1 and of the authors' code.
func TestPaper(t *testing.T) {
	o := OptionsOf(MethodOf(MethodAsp2vec), Paper).Complete()
	want := Options{
		Method: MethodOf("asp2vec"), Dim: 20, Aspects: 5, Selection: "gumbel", Noise: "pair", Tau: 0.5, Readout: "mean",
		PairLoss: "skipgram", Regularizer: "cosine", Lambda: 0.01, Epsilon: 0.5, WarmUp: true,
		Walks: 10, Length: 80, Window: 3, Negatives: 2, Batch: 50000, Resample: false,
		Order: "grouped", LearningRate: 0.003, Optimizer: "adam", Epochs: 1000, WarmUpEpochs: 1000, Patience: 5,
		Select: "test", Scoring: "native", WalksInMemory: "auto", Seed: 1,
		WarmUpShare: 0.5, PilotNegatives: "published", MaxNorm: 1, Vectors: "mean", // what a recipe would read, and Eq. 16
	}
	if !o.Equal(want) {
		t.Errorf("got  %+v\nwant %+v", o, want)
	}
}

// What options do not go together with is named; package methods tries the ranges of all of them.
func TestValidateNamesTheOption(t *testing.T) {
	all := Default()
	for _, c := range []struct {
		name string
		values
	}{
		{"selection", values{"selection": "none-such"}},
		{"readout", values{"readout": "none-such"}},
		{"tau", values{"tau": 0}},
		{"final-learning-rate", values{"final-learning-rate": 1}},
		{"scoring", values{"scoring": "weighted"}},
		{"scoring", values{"scoring": "pair"}},
		{"hold-out", values{"hold-out": 0.1}},
		{"refit", values{"refit": true, "select": SelectTest}},
	} {
		o := Default()
		o.setAll(c.values)
		all.setAll(c.values)
		err := o.Validate()
		if err == nil || !strings.HasPrefix(err.Error(), c.name+" = ") || !strings.Contains(err.Error(), ": expected ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("error %v, expected one line that begins with %q and says what is wanted", err, c.name)
		}
	}
	if err := (Options{}).Validate(); err == nil || !strings.HasPrefix(err.Error(), "method = ") {
		t.Errorf("without a method: %v", err)
	}
	all.Select = "best"
	// All problems are reported at once.
	if problems := strings.Split(all.Validate().Error(), "\n"); len(problems) != 8 {
		t.Errorf("%d problems reported, expected 8:\n%s", len(problems), strings.Join(problems, "\n"))
	}
}

// PolyDW has fewer facets than other methods may have aspects.
func TestValidateFacets(t *testing.T) {
	o := defaults(MethodPolyDW, Validated)
	if o.Aspects = walks.MaxFacets; o.Validate() != nil {
		t.Errorf("%d facets: %v", o.Aspects, o.Validate())
	}
	o.Aspects++
	if err := o.Validate(); err == nil || err.Error() != "aspects = 65: expected 1 to 64" {
		t.Errorf("error %v, expected that of 65 aspects where 64 are the most", err)
	}
	if o.SetMethod(MethodOf(MethodAsp2vec)); o.Validate() != nil {
		t.Errorf("%d aspects: %v", o.Aspects, o.Validate())
	}
}

func TestComplete(t *testing.T) {
	one := values{"aspects": 1, "warm-up": false}
	for _, c := range []struct {
		method     string
		edit, want values // beside epochs 1000, as many for the warm-up, and patience 10
	}{
		{MethodAsp2vec, nil, nil},
		{MethodAsp2vec, values{"select": SelectTest}, values{"patience": 5}},
		{MethodAsp2vec, values{"select": SelectLast}, values{"epochs": 20, "warm-up-epochs": 20}},
		{MethodAsp2vec, values{"epochs": 3, "warm-up-epochs": 4, "patience": 6}, values{"epochs": 3, "warm-up-epochs": 4, "patience": 6}},
		{MethodAsp2vec, values{"epochs": 7}, values{"epochs": 7, "warm-up-epochs": 7}},
		{MethodDeepWalk, nil, one},
		{MethodSplitter, one, values{"epochs": 10, "warm-up-epochs": 10}},
		{MethodDGI, one, values{"epochs": 10000, "warm-up-epochs": 10000, "patience": 20}},
	} {
		o := Default()
		o.SetMethod(MethodOf(c.method))
		o.setAll(c.edit)
		want := o
		want.Epochs, want.WarmUpEpochs, want.Patience = 1000, 1000, 10
		want.setAll(c.want)
		got := o.Complete()
		if !got.Equal(want) {
			t.Errorf("%s, %v: got  %+v\nwant %+v", c.method, c.edit, got, want)
		}
		if again := got.Complete(); !again.Equal(got) {
			t.Errorf("completing twice changes it to %+v", again)
		}
	}
}

// The options that a method reads go through a record's JSON unharmed, whatever they are, under keys that look like the command
// line's flags; the others stay out of it.
func TestOptionsInJSON(t *testing.T) {
	forEachMethod(t, func(t *testing.T, m *Method) {
		given, want := OptionsOf(m, Validated), OptionsOf(m, Validated)
		for i, d := range given.Options() { // every option differs from its default and from its neighbours
			value := map[reflect.Kind]any{
				reflect.String: d.Key, reflect.Int: 100 + i, reflect.Uint64: uint64(math.MaxUint64), reflect.Float64: 0.1 + float64(i), reflect.Bool: d.Default != true,
			}[d.Kind()]
			for _, o := range []*Options{&given, &want} {
				if o == &given || m.Reads(d.Key) {
					call.OK(t, o.Set(d.Key, value))
				}
			}
		}
		given.Hyper = map[string]float64{"pair-loss-margin": 0.25, "selection-of-another-program": 3}
		want.Hyper = given.Hyper
		b := call.Of(json.Marshal(given))(t)
		back := OptionsOf(m, Validated)
		call.OK(t, json.Unmarshal(b, &back))
		if !back.Equal(want) {
			t.Errorf("read back %+v, expected %+v", back, want)
		}
		var keys map[string]any
		call.OK(t, json.Unmarshal(b, &keys))
		for key := range keys {
			if strings.ToLower(key) != key || strings.Contains(key, "_") {
				t.Errorf("key %q: expected lower case, words joined by hyphens", key)
			}
		}
		other := OptionsOf(MethodOf(MethodSplitter), Validated)
		call.Refused(t, "expected those of splitter")(json.Unmarshal([]byte(`{"method":"no-such"}`), &other))
	})
}
