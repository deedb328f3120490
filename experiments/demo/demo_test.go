package demo

import (
	"context"
	"errors"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
)

func quiet(graphs.Options) run.Watch { return nil }

// The demonstration keeps what the project promises of it, on seeds that its options were not chosen on.
func TestDemo(t *testing.T) {
	golden.StillPaper(t)
	if testing.Short() {
		t.Skip("seconds of training")
	}
	r := call.Of(Run(context.Background(), Default(1), 2, quiet))(t)
	flat, asp := r.Methods[0], r.Methods[1]
	if flat.Name != graphs.MethodDeepWalk || asp.Name != graphs.MethodAsp2vec || flat.Vectors != 1 || flat.Dim != asp.Dim*asp.Vectors {
		t.Errorf("%+v, %+v: expected DeepWalk with as many numbers as asp2vec", flat, asp)
	}
	degrees := r.Methods[3]
	for _, m := range r.Methods[:3] { // of this seed .894 to .910, and .805 to .826
		if m.AUC < degrees.AUC+0.08 || m.Matched < degrees.Matched+0.2 {
			t.Errorf("%s: %.4f and %.4f, degrees %.4f and %.4f: expected vectors ahead", m.Name, m.AUC, m.Matched, degrees.AUC, degrees.Matched)
		}
	}
	if names := seq.Map(r.Methods, func(m Ranked) string { return m.Name }); !slices.Equal(names[2:], []string{"ppr", "degrees-fitted", "neighbourhood"}) {
		t.Errorf("methods %q", names)
	}
	// Over seeds 1 to 3 aspects of either method were .893 to .917 and .851 to .876 beyond chance, those that asp2vec has learned .010 to .012 and
	// .238 to .248.
	for i, want := range []Matched{{Name: flat.Name}, {Name: asp.Name}, {Name: asp.Name, Learned: true}} {
		m := r.Aspects[i]
		if m.Name != want.Name || m.Learned != want.Learned || m.Hidden.Count < r.Test/2 || m.Hidden.Count > 2*r.Test || m.Vertices.Count == 0 {
			t.Errorf("%+v of %d test links: expected aspects of %+v", m, r.Test, want)
		}
		for j, number := range shown(t, m) {
			if got := []float64{m.Hidden.NMI, m.Hidden.Chance, m.Vertices.NMI, m.Vertices.Chance}[j]; math.Abs(got-number) > 0.03 { // processors round differently
				t.Errorf("the README shows %v where %+v", number, m)
			}
		}
		least := 0.8
		if m.Learned {
			least = 0.15
		}
		if m.Vertices.Adjusted() < least || m.Hidden.Adjusted() < least && !m.Learned {
			t.Errorf("%+v: expected aspects that match the communities", m)
		}
	}
}

// shown returns the four numbers that the README shows of aspects.
func shown(t *testing.T, m Matched) (numbers []float64) {
	t.Helper()
	text := call.Of(os.ReadFile("../../README.md"))(t)
	row := map[string]string{"deepwalk": "found by DeepWalk's vectors", "asp2vec": "found by asp2vec's vectors", "asp2vec learned": "learned by asp2vec"}
	name := m.Name
	if m.Learned {
		name += " learned"
	}
	_, after, _ := strings.Cut(string(text), "\n "+row[name])
	line, _, _ := strings.Cut(after, "\n")
	for _, field := range strings.Fields(line) {
		x := call.Of(strconv.ParseFloat(field, 64))(t)
		numbers = append(numbers, x)
	}
	if len(numbers) != 4 {
		t.Fatalf("%v: expected four numbers in the README's row %q", numbers, row[name])
	}
	return numbers
}

func smallDemo() Setup {
	o := Default(3)
	o.Network.Vertices, o.Network.Communities, o.Network.MeanDegree, o.Network.Skew = 80, 6, 10, 0
	o.Options.PairsPerVertex, o.Options.Dim, o.Options.Aspects = 200, 4, 2
	return o
}

// A demonstration that is stopped is an error.
func TestDemoStops(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	watch := func(graphs.Options) run.Watch { return graphs.On(func(graphs.Progress) { cancel() }) }
	if _, err := Run(ctx, smallDemo(), 1, watch); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v after cancelling: expected that of the context", err)
	}
}
