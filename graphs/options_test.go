package graphs

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"testing"

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

func TestValidateNamesTheOption(t *testing.T) {
	nan, inf := math.NaN(), math.Inf(1)
	cases := map[string][]func(*Options){
		"method = ":              {func(o *Options) { o.Method = nil }},
		"dim = ":                 {func(o *Options) { o.Dim = 0 }, func(o *Options) { o.Dim = math.MaxInt }},
		"aspects = ":             {func(o *Options) { o.Aspects = 0 }, func(o *Options) { o.Aspects = math.MaxInt }},
		"selection = ":           {func(o *Options) { o.Selection = "" }},
		"noise = ":               {func(o *Options) { o.Noise = "batch" }},
		"tau = ":                 {func(o *Options) { o.Tau = 0 }, func(o *Options) { o.Tau = -1 }, func(o *Options) { o.Tau = nan }, func(o *Options) { o.Tau = inf }},
		"readout = ":             {func(o *Options) { o.Readout = "no-such-readout" }},
		"pair-loss = ":           {func(o *Options) { o.PairLoss = "no-such-loss" }},
		"regularizer = ":         {func(o *Options) { o.Regularizer = "no-such-penalty" }},
		"warm-up-pair-loss = ":   {func(o *Options) { o.WarmUpPairLoss = "no-such-loss" }},
		"lambda = ":              {func(o *Options) { o.Lambda = -0.1 }, func(o *Options) { o.Lambda = nan }, func(o *Options) { o.Lambda = inf }},
		"epsilon = ":             {func(o *Options) { o.Epsilon = -0.1 }, func(o *Options) { o.Epsilon = 1.1 }, func(o *Options) { o.Epsilon = nan }},
		"walks = ":               {func(o *Options) { o.Walks = 0 }, func(o *Options) { o.Walks = math.MaxInt }},
		"walk-length = ":         {func(o *Options) { o.Length = 1 }, func(o *Options) { o.Length = math.MaxInt }},
		"window = ":              {func(o *Options) { o.Window = 0 }, func(o *Options) { o.Window = walks.MaxWindow + 1 }},
		"negatives = ":           {func(o *Options) { o.Negatives = 0 }, func(o *Options) { o.Negatives = math.MaxInt }},
		"batch = ":               {func(o *Options) { o.Batch = 0 }},
		"order = ":               {func(o *Options) { o.Order = "sorted" }},
		"learning-rate = ":       {func(o *Options) { o.LearningRate = 0 }, func(o *Options) { o.LearningRate = nan }, func(o *Options) { o.LearningRate = inf }},
		"optimizer = ":           {func(o *Options) { o.Optimizer = "adagrad" }},
		"epochs = ":              {func(o *Options) { o.Epochs = -1 }},
		"warm-up-epochs = ":      {func(o *Options) { o.WarmUpEpochs = -1 }},
		"patience = ":            {func(o *Options) { o.Patience = -1 }},
		"select = ":              {func(o *Options) { o.Select = "best" }},
		"walks-in-memory = ":     {func(o *Options) { o.WalksInMemory = "maybe" }},
		"pilot-negatives = ":     {func(o *Options) { o.PilotNegatives = "hard" }},
		"aspect-noise = ":        {func(o *Options) { o.AspectNoise = -1 }, func(o *Options) { o.AspectNoise = nan }, func(o *Options) { o.AspectNoise = inf }},
		"noise-power = ":         {func(o *Options) { o.NoisePower = -1 }, func(o *Options) { o.NoisePower = nan }, func(o *Options) { o.NoisePower = inf }},
		"final-learning-rate = ": {func(o *Options) { o.FinalRate = 1 }, func(o *Options) { o.FinalRate = -1 }, func(o *Options) { o.FinalRate = nan }},
		"scoring = ":             {func(o *Options) { o.Scoring = "weighted" }, func(o *Options) { o.Scoring = "pair" }},
		"pairs-per-vertex = ":    {func(o *Options) { o.PairsPerVertex = -1 }, func(o *Options) { o.PairsPerVertex = nan }, func(o *Options) { o.PairsPerVertex = inf }, func(o *Options) { o.PairsPerVertex = 2e9 }},
		"steps = ":               {func(o *Options) { o.Steps = -1 }},
		"rate-sum = ":            {func(o *Options) { o.RateSum = -1 }, func(o *Options) { o.RateSum = nan }, func(o *Options) { o.RateSum = inf }},
		"spread-power = ":        {func(o *Options) { o.SpreadPower = nan }, func(o *Options) { o.SpreadPower = -11 }, func(o *Options) { o.SpreadPower = 11 }},
		"degree-power = ":        {func(o *Options) { o.DegreePower = nan }, func(o *Options) { o.DegreePower = -11 }, func(o *Options) { o.DegreePower = 11 }},
		"rate-end = ":            {func(o *Options) { o.RateEnd = -1 }, func(o *Options) { o.RateEnd = 1.1 }, func(o *Options) { o.RateEnd = nan }},
		"max-norm = ":            {func(o *Options) { o.MaxNorm = -1 }, func(o *Options) { o.MaxNorm = nan }, func(o *Options) { o.MaxNorm = inf }},
		"pilot = ":               {func(o *Options) { o.Pilot = -0.1 }, func(o *Options) { o.Pilot = 1.1 }, func(o *Options) { o.Pilot = nan }},
		"warm-up-share = ":       {func(o *Options) { o.WarmUpShare = 0 }, func(o *Options) { o.WarmUpShare = 1 }, func(o *Options) { o.WarmUpShare = nan }},
		"embedding = ":           {func(o *Options) { o.Vectors = "" }, func(o *Options) { o.Vectors = "centre" }},
		"embedding-scale = ":     {func(o *Options) { o.Scale = -1 }, func(o *Options) { o.Scale = nan }, func(o *Options) { o.Scale = inf }},
		"hold-out = ": {func(o *Options) { o.Select, o.HoldOut = SelectLast, 1 }, func(o *Options) { o.Select, o.HoldOut = SelectLast, -0.1 },
			func(o *Options) { o.Select, o.HoldOut = SelectLast, nan }, func(o *Options) { o.HoldOut = 0.1 }},
		"refit = ": {func(o *Options) { o.Select, o.Refit = SelectLast, true }, func(o *Options) { o.Select, o.Refit = SelectTest, true }},
	}
	all := Default()
	for name, edits := range cases {
		for _, edit := range edits {
			o := Default()
			edit(&o)
			err := o.Validate()
			if err == nil || !strings.HasPrefix(err.Error(), name) || !strings.Contains(err.Error(), ": expected ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("error %v, expected one line that begins with %q and says what is wanted", err, name)
			}
			if edit(&all); name == "method = " {
				all.SetMethod(Default().Method) // without a method nothing is known of scorings
			}
		}
	}
	all.Select = "best" // whichever case came last
	// All problems are reported at once.
	problems := strings.Split(all.Validate().Error(), "\n")
	if len(problems) != len(cases)-1 {
		t.Errorf("%d problems reported, expected %d:\n%s", len(problems), len(cases)-1, strings.Join(problems, "\n"))
	}
	// Every option can be wrong but these.
	free := map[string]bool{"warm-up": true, "resample-negatives": true, "seed": true, "shrink-window": true, "features": true, "lambda-mean": true,
		"meta-paths": true, "word-vectors": true} // what they name is known elsewhere
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Options]()) {
		if key := f.Tag.Get("json"); key != "-" && cases[key+" = "] == nil && !free[key] {
			t.Errorf("option %s (%q) has no case here", f.Name, key)
		}
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
	cases := []struct {
		name string
		edit func(*Options)
		want func(*Options) // beside epochs 1000, as many for the warm-up, and patience 10
	}{
		{"validation", func(*Options) {}, func(*Options) {}},
		{"test", func(o *Options) { o.Select = SelectTest }, func(o *Options) { o.Patience = 5 }},
		{"last", func(o *Options) { o.Select = SelectLast }, func(o *Options) { o.Epochs, o.WarmUpEpochs = 20, 20 }},
		{"given", func(o *Options) { o.Epochs, o.WarmUpEpochs, o.Patience = 3, 4, 6 }, func(o *Options) { o.Epochs, o.WarmUpEpochs, o.Patience = 3, 4, 6 }},
		{"epochs given", func(o *Options) { o.Epochs = 7 }, func(o *Options) { o.Epochs, o.WarmUpEpochs = 7, 7 }},
		{"deepwalk", func(o *Options) { o.SetMethod(MethodOf(MethodDeepWalk)) }, func(o *Options) { o.Aspects, o.WarmUp = 1, false }},
		{"splitter", func(o *Options) { o.SetMethod(MethodOf(MethodSplitter)) }, func(o *Options) {
			o.Aspects, o.WarmUp, o.Epochs, o.WarmUpEpochs = 1, false, 10, 10
		}},
		{"dgi", func(o *Options) { o.SetMethod(MethodOf(MethodDGI)) }, func(o *Options) {
			o.Aspects, o.WarmUp, o.Epochs, o.WarmUpEpochs, o.Patience = 1, false, 10000, 10000, 20
		}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			o := Default()
			c.edit(&o)
			want := o
			want.Epochs, want.WarmUpEpochs, want.Patience = 1000, 1000, 10
			c.want(&want)
			got := o.Complete()
			if !got.Equal(want) {
				t.Errorf("got  %+v\nwant %+v", got, want)
			}
			if again := got.Complete(); !again.Equal(got) {
				t.Errorf("completing twice changes it to %+v", again)
			}
		})
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
					if err := o.Set(d.Key, value); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
		given.Hyper = Hyper{"pair-loss-margin": 0.25, "selection-of-another-program": 3}
		if want.Hyper = given.Hyper; !m.Reads("pair-loss") {
			want.Hyper = Hyper{"selection-of-another-program": 3}
		}
		b, err := json.Marshal(given)
		if err != nil {
			t.Fatal(err)
		}
		back := OptionsOf(m, Validated)
		if err := json.Unmarshal(b, &back); err != nil {
			t.Fatal(err)
		}
		if !back.Equal(want) {
			t.Errorf("read back %+v, expected %+v", back, want)
		}
		var keys map[string]any
		if err := json.Unmarshal(b, &keys); err != nil {
			t.Fatal(err)
		}
		for key := range keys {
			if strings.ToLower(key) != key || strings.Contains(key, "_") {
				t.Errorf("key %q: expected lower case, words joined by hyphens", key)
			}
		}
		other := OptionsOf(MethodOf(MethodSplitter), Validated)
		if err := json.Unmarshal([]byte(`{"method":"no-such"}`), &other); err == nil || !strings.Contains(err.Error(), "expected those of splitter") {
			t.Errorf("options of another method: error %v", err)
		}
	})
}
