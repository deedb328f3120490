package graphs

import (
	"math"
	"runtime"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

func fingerprintOf(t *testing.T, o Options) string {
	t.Helper()
	sample, _ := definition(o)
	f, err := fingerprint(sample) // each time anew
	if err != nil {
		t.Fatal(err)
	}
	if len(f) != 16 || strings.Trim(f, "0123456789abcdef") != "" {
		t.Fatalf("fingerprint %q: want 16 hexadecimal digits", f)
	}
	return f
}

// Each choice of a piece is a definition of its own.
func TestFingerprintOfPieces(t *testing.T) {
	seen := map[string]string{}
	add := func(what string, o Options) {
		t.Helper()
		f := fingerprintOf(t, o)
		if other, there := seen[f]; there {
			t.Errorf("%s and %s have one fingerprint", other, what)
		}
		seen[f] = what
	}
	for _, m := range Methods() {
		if m.Name == MethodNode2vec || m.Name == MethodPolyDW { // which are DeepWalk on other walks
			continue
		}
		o := defaults(m.Name, Default)
		add(m.Name, o)
	}
	for name, change := range map[string]func(o *Options){
		"lambda=0":          func(o *Options) { o.Lambda = 0 },
		"no warm-up":        func(o *Options) { o.WarmUp = false },
		"one aspect":        func(o *Options) { o.Aspects = 1 },
		"noise for windows": func(o *Options) { o.Noise = NoiseWindow },
	} {
		o := Default()
		change(&o)
		add(name, o)
	}
	for name := range layers.Selections {
		if o := Default(); name != o.Selection {
			o.Selection = name
			add(name, o)
		}
	}
	for name := range layers.Readouts {
		if o := Default(); name != o.Readout {
			o.Readout = name
			add(name, o)
		}
	}
	for name := range losses.Pairs {
		if o := Default(); name != o.PairLoss {
			o.PairLoss = name
			add(name, o)
		}
	}
	for name := range losses.Regularizers {
		if o := Default(); name != o.Regularizer {
			o.Regularizer = name
			add(name, o)
		}
	}
}

// What a run's key says by itself, or enters no graph, makes no other definition.
func TestFingerprintOfNumbers(t *testing.T) {
	for _, m := range Methods() {
		for _, protocol := range []func() Options{Default, Paper, Standard} {
			o := defaults(m.Name, protocol)
			other := o
			other.Dim, other.Aspects, other.Tau, other.Lambda, other.Epsilon, other.Seed = 7, 4, 3, 0.7, 0.9, 12345
			other.Window, other.Negatives, other.Walks, other.Length, other.LearningRate = 5, 7, 2, 9, 1e-5
			other.AspectNoise, other.NoisePower, other.FinalRate, other.MaxNorm, other.Scale = 0.3, 0.4, 1e-6, 0, 2
			other.Optimizer, other.Engine, other.Epochs = OptimizerLazyAdam, EngineGraph, 3
			if a, b := fingerprintOf(t, o), fingerprintOf(t, other); a != b || Pieces(o) != Pieces(other) {
				t.Errorf("%s: fingerprints %s of %q and %s of %q: want one", m.Name, a, Pieces(o), b, Pieces(other))
			}
		}
	}
}

func TestPieces(t *testing.T) {
	o := Default()
	o.Selection, o.Lambda, o.WarmUp, o.Aspects, o.Dim = "softmax", 0, false, 1, 9
	if got := Pieces(o); got != "asp2vec aspects=1 selection=softmax lambda=0 warm-up=false" {
		t.Errorf("%q", got)
	}
	if o = defaults(MethodSplitter, Standard); Pieces(o) != MethodSplitter {
		t.Errorf("%q", Pieces(o))
	}
}

// An edit in place shows in all methods that train with what was edited, whether it changes an op, a constant or arithmetic
// alone.
func TestFingerprintOfEdits(t *testing.T) {
	deepWalk := defaults(MethodDeepWalk, Default)
	before, flat := fingerprintOf(t, Default()), fingerprintOf(t, deepWalk)
	kept, selection := losses.Pairs["skipgram"], layers.Selections["gumbel"]
	defer func() { losses.Pairs["skipgram"], layers.Selections["gumbel"] = kept, selection }()
	losses.Pairs["skipgram"] = losses.Pair{Loss: func(pos, neg *G.Node, _ losses.Values) (*G.Node, error) {
		return losses.SkipGram(G.Must(G.Mul(pos, G.NewConstant(1.001))), neg)
	}}
	if fingerprintOf(t, Default()) == before || fingerprintOf(t, deepWalk) == flat {
		t.Error("another pair loss has the fingerprint of the one before")
	}
	losses.Pairs["skipgram"] = kept
	edited := selection
	edited.Prob = func(logits, noise *G.Node, h layers.Values) (*G.Node, error) {
		return layers.Gumbel(logits, noise, h.Of("tau")*1.001) // of an op whose text does not tell its factor
	}
	layers.Selections["gumbel"] = edited
	if fingerprintOf(t, Default()) == before {
		t.Error("another selection has the fingerprint of the one before")
	}
	if fingerprintOf(t, deepWalk) != flat {
		t.Error("DeepWalk, which selects no aspect, has another fingerprint")
	}
}

func TestFingerprintErrors(t *testing.T) {
	o := Default()
	o.Selection = "no such"
	if f, err := Fingerprint(o); err == nil || f != "" {
		t.Errorf("%q, %v", f, err)
	}
	kept := losses.Pairs["skipgram"]
	defer func() { losses.Pairs["skipgram"] = kept }()
	losses.Pairs["skipgram"] = losses.Pair{Loss: func(pos, neg *G.Node, _ losses.Values) (*G.Node, error) { panic("a broken edit") }}
	sample, _ := definition(Default())
	if _, err := fingerprint(sample); err == nil || !strings.Contains(err.Error(), "a broken edit") {
		t.Errorf("%v", err)
	}
}

func TestFingerprintOnAnyThreads(t *testing.T) {
	threads := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(threads)
	one := fingerprintOf(t, Default())
	for _, n := range []int{2, 7} {
		runtime.GOMAXPROCS(n)
		for range 3 {
			if many := fingerprintOf(t, Default()); many != one {
				t.Errorf("fingerprint %s with one processor, %s with %d", one, many, n)
			}
		}
	}
}

func BenchmarkFingerprint(b *testing.B) {
	for _, m := range Methods() {
		o := defaults(m.Name, Default)
		b.Run(m.Name, func(b *testing.B) {
			for b.Loop() {
				sample, _ := definition(o)
				if _, err := fingerprint(sample); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("again", func(b *testing.B) {
		for b.Loop() {
			if _, err := Fingerprint(Default()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// An edit of what is made of a hyperparameter shows in the runs whose numbers it changes, also where it does not show at the default.
func TestFingerprintOfEditedHyperparameter(t *testing.T) {
	defer delete(layers.Selections, "edited")
	selection := func(power float64) layers.Selection {
		return layers.Selection{
			Prob: func(logits, _ *G.Node, h layers.Values) (*G.Node, error) {
				return op.Softmax(G.Must(op.Scale(logits, math.Pow(h.Of("selection-scale"), power)+h.Of("selection-more"))))
			},
			Parameters: []layers.Parameter{{Key: "selection-scale", Help: "scale", Default: 1, Max: 9}, {Key: "selection-more", Help: "more", Max: 9}},
		}
	}
	var found [2][3]string
	for i, power := range []float64{1, 2} {
		layers.Selections["edited"] = selection(power)
		o := Default()
		o.Selection = "edited"
		for j, scale := range []float64{1, 3} {
			o.SetHyperparameter("selection-scale", scale)
			found[i][j] = fingerprintOf(t, o)
		}
		o.SetHyperparameter("selection-more", 2)
		found[i][2] = fingerprintOf(t, o)
	}
	if found[0][0] != found[1][0] || found[0][1] == found[1][1] || found[0][2] == found[1][2] || found[0][1] == found[0][2] {
		t.Errorf("fingerprints %q before an edit and %q after it", found[0], found[1])
	}
}
