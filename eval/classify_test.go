package eval

import (
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// numpyFile was written by testdata/classify.py, with numpy alone.
type numpyFile struct {
	X          []float32
	N, D       int
	Count      int
	Labels     [][]int32
	Train      int
	F1         map[string]F1
	Components []float64
	Variance   []float64
}

func readNumpy(t *testing.T) (f numpyFile) {
	t.Helper()
	b, err := os.ReadFile("testdata/classify.json")
	if err == nil {
		err = json.Unmarshal(b, &f)
	}
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestF1AgreesWithNumpy(t *testing.T) {
	f := readNumpy(t)
	s := split{e: Embedding{N: f.N, D: f.D, Data: f.X}, labels: f.Labels, count: f.Count}
	for v := range f.N {
		if v < f.Train {
			s.train = append(s.train, v)
		} else {
			s.test = append(s.test, v)
		}
	}
	for c, want := range map[float64]F1{1: f.F1["1"], 0.05: f.F1["0.05"]} {
		for threads := 1; threads < 4; threads += 2 {
			got := call.Of(s.score(t.Context(), ClassifyOptions{C: c, Threads: threads}))(t)
			near(t, "micro F1", got.Micro, want.Micro, 1e-12)
			near(t, "macro F1", got.Macro, want.Macro, 1e-12)
		}
	}
}

func TestF1ByHand(t *testing.T) {
	// Label 0: one right, one missed; label 1: one right, one too many; label 2: never there.
	c := newLabelCounts(3)
	c.add([]int32{0, 1}, []int32{0, 1})
	c.add([]int32{0}, []int32{1})
	got := c.f1()
	near(t, "micro", got.Micro, 4./6, 1e-15)
	near(t, "macro", got.Macro, (2./3+2./3+0)/3, 1e-15)
	if got := newLabelCounts(2).f1(); got.Micro != 0 || got.Macro != 0 {
		t.Errorf("of nothing %+v, expected 0", got)
	}
	if got := highest([]float64{1, math.Inf(1), 1, math.Inf(-1), 2}, 3); !slices.Equal(got, []int32{0, 1, 4}) {
		t.Errorf("highest %v, expected 0, 1 and 4: ties go to the smaller label", got)
	}
}

// blobs are vectors around a point for each of k labels, which stand one after the other.
func blobs(n, d, k int, noise float64) (Embedding, []int32) {
	r := rng.New(3, "blobs")
	point := make([]float64, k*d)
	for i := range point {
		point[i] = r.Normal()
	}
	e := Embedding{N: n, D: d}
	var label []int32
	for v := range n {
		label = append(label, int32(v%k))
		for j := range d {
			e.Data = append(e.Data, float32(point[v%k*d+j]+noise*r.Normal()))
		}
	}
	return e, label
}

func TestClassify(t *testing.T) {
	e, label := blobs(120, 6, 4, .2)
	labels := make([][]int32, len(label))
	for v, l := range label {
		labels[v] = []int32{l}
	}
	o := ClassifyOptions{Shares: []float64{.1, .5, .7}, Splits: 4, Seed: 2, C: 10}
	got := call.Of(Classify(t.Context(), e, labels, 4, o))(t)
	for i, train := range []int{12, 60, 84} {
		c := got[i]
		if c.Train != train || c.Test != 120-train || c.Splits != 4 || c.Share != o.Shares[i] {
			t.Errorf("%+v: expected %d training vertices", c, train)
		}
		if c.F1.Micro < .9 || c.F1.Macro < .85 || c.SD.Micro > .1 || c.Frequent.Micro > .4 {
			t.Errorf("share %v: %+v: expected plain labels found, and the frequent ones no help", c.Share, c)
		}
	}
	o.Threads = 3
	again, err := Classify(t.Context(), e, labels, 4, o)
	if err != nil || !slices.Equal(got, again) {
		t.Errorf("another number of threads gives %v, %v", again, err)
	}
	// The scale of the vectors has no say.
	small := Embedding{N: e.N, D: e.D}
	for _, x := range e.Data {
		small.Data = append(small.Data, x/1024)
	}
	if again, err := Classify(t.Context(), small, labels, 4, o); err != nil || again[0].F1 != got[0].F1 {
		t.Errorf("vectors of another scale give %+v, %v; expected %+v", again, err, got[0])
	}
	// With labels dealt out at random nothing is found.
	r := rng.New(1, "deal")
	for v := range labels {
		labels[v] = []int32{int32(r.Intn(4))}
	}
	if got, _ := Classify(t.Context(), e, labels, 4, o); got[1].F1.Micro > .4 {
		t.Errorf("labels without sense: %+v", got[1])
	}
	// As many labels are predicted as there are: with all of them, all are right.
	for v := range labels {
		labels[v] = []int32{0, 1, 2, 3}
	}
	if got, err := Classify(t.Context(), e, labels, 4, ClassifyOptions{}); err != nil || len(got) != 9 || got[0].Splits != 10 || got[4].F1 != (F1{1, 1}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestKMeans(t *testing.T) {
	e, label := blobs(200, 5, 4, .1)
	got, inertia, err := KMeans(t.Context(), e, 4, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	if nmi, _ := NMI(got, label); nmi != 1 {
		t.Errorf("plain clusters are found with NMI %v, expected 1", nmi)
	}
	if want := 200 * 5 * .01; inertia < want/2 || inertia > want*2 {
		t.Errorf("inertia %v, expected near %v", inertia, want)
	}
	for threads := 2; threads < 4; threads++ {
		if again, same, _ := KMeans(t.Context(), e, 4, 1, threads); !slices.Equal(again, got) || same != inertia {
			t.Errorf("%d threads find other clusters", threads)
		}
	}
	// On a line, by hand: {0,1} and {10,11,12} around .5 and 11, 2·.25 + 2·1 from them.
	line := Embedding{N: 5, D: 1, Data: []float32{0, 10, 1, 12, 11}}
	for seed := range uint64(5) {
		got, inertia, err := KMeans(t.Context(), line, 2, seed, 1)
		if err != nil || got[0] != got[2] || got[1] != got[3] || got[1] != got[4] || got[0] == got[1] {
			t.Errorf("seed %d: %v, %v", seed, got, err)
		}
		near(t, "inertia", inertia, 2.5, 1e-12)
	}
	// As many clusters as vectors, of which some are the same.
	same := Embedding{N: 4, D: 1, Data: []float32{1, 1, 1, 2}}
	if got, inertia, err := KMeans(t.Context(), same, 4, 1, 1); err != nil || inertia != 0 || got[3] == got[0] {
		t.Errorf("%v, %v, %v", got, inertia, err)
	}
	for _, k := range []int{0, 5} {
		call.Refused(t)(KMeans(t.Context(), same, k, 1, 1))
	}
}

func TestPrincipalAgreesWithNumpy(t *testing.T) {
	f := readNumpy(t)
	at, share, err := Principal(t.Context(), Embedding{N: f.N, D: f.D, Data: f.X}, 2)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range f.Components {
		near(t, "component", at[i], want, 1e-9)
	}
	for i, want := range f.Variance {
		near(t, "variance", share[i], want, 1e-12)
	}
	if at, share, err := Principal(t.Context(), Embedding{N: 2, D: 1, Data: []float32{3, 3}}, 1); err != nil || at[0] != 0 || share[0] != 0 {
		t.Errorf("of vectors that do not vary: %v, %v, %v", at, share, err)
	}
	call.Refused(t)(Principal(t.Context(), Embedding{N: 1, D: 1, Data: []float32{3}}, 2))
}
