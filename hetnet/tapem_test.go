package hetnet

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/test/golden"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	"github.com/asp2vec/asp2vec/walks"
)

// tapemNames are the names of the tables in testdata, in the order of the constants.
var tapemNames = []string{
	"pairWeight1", "pairBias1", "pairGain1", "pairShift1", "pairWeight2", "pairBias2", "pairGain2", "pairShift2",
	"validWeight1", "validBias1", "validWeight2", "validBias2",
	"forwardIH", "forwardHH", "forwardBiasIH", "forwardBiasHH", "backwardIH", "backwardHH", "backwardBiasIH", "backwardBiasHH",
	"projectWeight", "projectBias", "attendKey", "attendOffset", "attendMatrix",
}

type tapemGolden struct {
	Tables                        map[string][]float64
	Papers, Authors, Mask1, Mask2 []float64
	Loss                          float64
	GradPapers, GradAuthors       []float64
}

// tapemCase is the batch of testdata/tapem.py, with a triple and a path of padding besides if padded.
func tapemCase(t *testing.T, padded bool) (tapemGolden, gradcheck.Build, []gradcheck.Input) {
	t.Helper()
	data := call.Of(os.ReadFile("testdata/tapem.json"))(t)
	var g tapemGolden
	call.OK(t, json.Unmarshal(data, &g))
	const d, h = 2, 3
	floats := func(name string, diff bool, x []float64, shape ...int) gradcheck.Input {
		return gradcheck.Input{Name: name, Shape: shape, Floats: x, Diff: diff}
	}
	ints := func(name string, x ...int) gradcheck.Input {
		return gradcheck.Input{Name: name, Shape: []int{len(x)}, Ints: x}
	}
	b, c := 2, 1
	inputs := []gradcheck.Input{floats("papers", true, g.Papers, 3, d), floats("authors", true, g.Authors, 4, d)}
	if padded {
		b, c = 3, 2
		// Rows of the masks: the triples with their own authors, then with the others, then the path; padding after each.
		pad := func(x []float64, width int) (y []float64) {
			blank := make([]float64, width)
			return slices.Concat(x[:2*width], blank, x[2*width:4*width], blank, x[4*width:], blank)
		}
		g.Mask1, g.Mask2 = pad(g.Mask1, 4*d), pad(g.Mask2, h)
		inputs = append(inputs,
			ints("paper", 0, 1, 0), ints("own", 1, 0, 0), ints("other", 2, 3, 0), floats("weight", false, []float64{1, 1, 0}, b),
			ints("pair authors", 1, 0, 0, 2, 3, 0, 0, 0), ints("pair papers", 0, 1, 0, 0, 1, 0, 2, 0),
			ints("step 0", 0, 0, 3, 0), ints("step 1", 0, 0, 1, 0), ints("step 2", 1, 0, 2, 0), ints("step 3", 2, 0, 0, 0),
			floats("path weight", false, []float64{1, 0}, c))
	} else {
		inputs = append(inputs,
			ints("paper", 0, 1), ints("own", 1, 0), ints("other", 2, 3), floats("weight", false, []float64{1, 1}, b),
			ints("pair authors", 1, 0, 2, 3, 0), ints("pair papers", 0, 1, 0, 1, 2),
			ints("step 0", 0, 3), ints("step 1", 0, 1), ints("step 2", 1, 2), ints("step 3", 2, 0),
			floats("path weight", false, []float64{1}, c))
	}
	inputs = append(inputs, floats("mask 1", false, g.Mask1, 2*b+c, 4*d), floats("mask 2", false, g.Mask2, 2*b+c, h))
	for i, table := range newTapemTables(d, h, 1) {
		inputs = append(inputs, floats(tapemNames[i], true, g.Tables[tapemNames[i]], table.Shape()...))
	}
	return g, func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		return tapemLoss(in[0], in[1], in[15:], tapemInputs{
			direct: tripleNodes{in[2], in[3], in[4], in[5]}, pairAuthor: in[6], pairPaper: in[7],
			steps: in[8:12], weight: in[12], mask1: in[13], mask2: in[14],
		}, 0.1)
	}, inputs
}

func TestTapemLoss(t *testing.T) {
	golden.StillPaper(t)
	for _, padded := range []bool{false, true} {
		g, build, inputs := tapemCase(t, padded)
		r := call.Of(gradcheck.Run(build, tensor.Float64, inputs))(t)
		for name, pair := range map[string][2][]float64{
			"loss": {r.Value, {g.Loss}}, "gradient by papers": {r.Grads[0], g.GradPapers}, "by authors": {r.Grads[1], g.GradAuthors},
		} {
			if err := gradcheck.Compare(name, pair[0], pair[1], 1e-6); err != nil {
				t.Errorf("padded %v: %v", padded, err)
			}
		}
	}
}

func TestTapemLossGradient(t *testing.T) {
	_, build, inputs := tapemCase(t, false)
	if err := gradcheck.Check(build, inputs); err != nil {
		t.Error(err)
	}
}

func newTestTapem(t *testing.T, in Input, o graphs.Options, threads int) *tapem {
	t.Helper()
	m := call.Of(newTaPEm(in, o, threads))(t)
	call.OK(t, m.prepare(t.Context()))
	return m
}

func tapemOptions() graphs.Options {
	o := smallOptions("tapem")
	o.LearningRate = 0.005
	graphs.Edit(&o, func(p *PaperOptions) { p.ContextRatio = 0.02 })
	return o
}

// Chance is 1/6; knowing the topic alone gives 5/6.
func TestTapemLearns(t *testing.T) {
	in := topical(t, 250)
	m := newTestTapem(t, in, tapemOptions(), 2)
	first := trainEpochs(t, m, 1)
	if last := trainEpochs(t, m, 15); last >= first {
		t.Errorf("the loss went from %v to %v: expected it to fall", first, last)
	}
	if r := recallAt10(t, of(in), m); r < 0.5 {
		t.Errorf("recall@10 is %v: expected at least 0.5", r)
	}
}

func TestTapemFollowsCamel(t *testing.T) {
	in := topical(t, 100)
	c := newTestCamel(t, in, smallOptions("camel"), 2)
	trainEpochs(t, c, 1)
	m := newTestTapem(t, in, tapemOptions(), 2)
	m.follow(c)
	sameBytes(t, "after following", append([]*engine.Table{c.authors}, c.text.Parameters()...), m.Parameters()[:1+len(c.text.Parameters())])
	before := slices.Clone(c.authors.X)
	trainEpochs(t, m, 1)
	if slices.Equal(m.authors.X, before) || slices.Equal(m.text.Parameters()[0].X, c.text.Parameters()[0].X) {
		t.Error("authors or encoder did not move: expected both trained on")
	}
	if !slices.Equal(c.authors.X, before) {
		t.Error("training moved the Camel that it began with")
	}
}

// oneWalk is a corpus of one walk.
type oneWalk []int32

func (w oneWalk) Walks() int                { return 1 }
func (w oneWalk) MaxLength() int            { return len(w) }
func (w oneWalk) Walk(int, []int32) []int32 { return w }

func stored(t *testing.T, walk []int32) *walks.Stored {
	t.Helper()
	return call.Of(walks.Store(context.Background(), oneWalk(walk), 1))(t)
}

// What the graph reads, looked up in the batch's papers and authors, is the batch.
func TestTapemFill(t *testing.T) {
	o := tapemOptions()
	graphs.Edit(&o, func(p *PaperOptions) { p.ContextRatio = 0.1 })
	m := newTestTapem(t, topical(t, 60), o, 1)
	first := int32(len(m.b.PapersOf))
	for turn, g := range m.graphs {
		for epoch := 1 + turn; epoch < 7; epoch += 2 { // again with fewer paths, so that what is left over from before would show
			direct, paths := m.pairs.epoch(epoch)[:len(g.direct.paper)-1], m.contexts.epoch(epoch, Own(m.o).ContextRatio)
			paths = paths[:len(g.weight)-epoch]
			g.fill(direct, paths, first)
			author := func(place int) int32 { return g.author.met[place] }
			paper := func(place int) int32 { return g.paper.met[place] }
			n := len(direct) + 1
			for i, x := range direct {
				own, other := triple{paper(g.pairPaper[i]), author(g.pairAuthor[i]), x.other}, triple{paper(g.pairPaper[n+i]), x.own, author(g.pairAuthor[n+i])}
				if own != x || other != x {
					t.Fatalf("triple %v is embedded as %v and %v", x, own, other)
				}
			}
			for i, p := range paths {
				if author(g.pairAuthor[2*n+i]) != p.path[0] || paper(g.pairPaper[2*n+i])+first != p.path[len(p.path)-1] || g.weight[i] != 1 {
					t.Fatalf("path %v has another pair", p.path)
				}
				for s, places := range g.steps {
					vertex := author
					if s%2 == 1 {
						vertex = func(place int) int32 { return paper(place) + first }
					}
					if vertex(places[i]) != p.path[s] || vertex(places[len(g.weight)+i]) != p.other[s] {
						t.Fatalf("step %d of path %v and of %v: other vertices", s, p.path, p.other)
					}
				}
			}
			if g.weight[len(paths)] != 0 || g.direct.weight[len(direct)] != 0 {
				t.Fatal("padding has a weight")
			}
		}
	}
}

// Worked out by hand after PyTorch's rule: a rate falls at the sixth score in a row that is not above the best by a thousandth.
func TestPlateau(t *testing.T) {
	p := plateau{Best: -math.MaxFloat64}
	scores := []float64{0.5, 0.6, 0.6, 0.6005, 0.5, 0.6, 0.6, 0.6, 0.6, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7, 0.7}
	var falls []int
	for i, s := range scores {
		if p.observe(s) {
			falls = append(falls, i)
		}
	}
	if want := []int{7, 15}; !slices.Equal(falls, want) {
		t.Errorf("falls at %v: expected %v", falls, want)
	}
}

func TestObserveHalvesTheRate(t *testing.T) {
	m := newTestTapem(t, topical(t, 20), tapemOptions(), 1)
	for range 7 {
		m.Observe(0.5)
	}
	if got := m.adam.Rate(); got != 0.0025 {
		t.Errorf("rate %v after a plateau: expected 0.0025", got)
	}
}

// Masks drop a share of numbers, keep the mean, and differ by step and layer.
func TestMasks(t *testing.T) {
	m := newTestTapem(t, topical(t, 20), tapemOptions(), 2)
	draw := func(layer uint64) []float32 {
		mask := make([]float32, 50000)
		m.drawMasks(mask, layer)
		return mask
	}
	first := draw(0)
	var zeros int
	for _, x := range first {
		if x == 0 {
			zeros++
		} else if x != float32(1/0.85) {
			t.Fatalf("a mask holds %v", x)
		}
	}
	if share := float64(zeros) / 50000; math.Abs(share-0.15) > 0.01 {
		t.Errorf("a share of %v is dropped: expected 0.15", share)
	}
	if !slices.Equal(first, draw(0)) || slices.Equal(first, draw(1)) {
		t.Error("expected the same mask for a step and layer, and another for another layer")
	}
	trainEpochs(t, m, 1)
	if slices.Equal(first, draw(0)) {
		t.Error("expected another mask for another step")
	}
}
