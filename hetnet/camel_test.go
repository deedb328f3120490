package hetnet

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// topical returns a bibliography of five topics, each with 12 authors and 10 words of its own, and random vectors for the words.
// A fifth of the papers are test papers. Tests of other files build on the numbers of authors and candidates.
func topical(t *testing.T, count int) Input {
	t.Helper()
	const topics, authors, words, dim = 5, 12, 10, 8
	s := rng.New(1, "topical")
	n := papers.NewNetwork("topical", nil, []string{"v0", "v1"}, nil)
	for i := range topics * authors {
		n.Names[papers.Author] = append(n.Names[papers.Author], fmt.Sprint("a", i))
	}
	for i := range topics * words {
		n.Words = append(n.Words, fmt.Sprint("w", i))
	}
	var list []paper
	for i := range count {
		topic := i % topics
		p := paper{Paper: papers.Paper{Question: typed.Question{Name: fmt.Sprint("p", i)}, Venue: int32(topic % 2)}, test: i >= count-count/5}
		for len(p.Own) < 2+i%2 {
			if a := int32(topic*authors + s.Intn(authors)); !slices.Contains(p.Own, a) {
				p.Own = append(p.Own, a)
			}
		}
		for range 3 + s.Intn(5) {
			p.Text = append(p.Text, int32(topic*words+s.Intn(words)))
		}
		for a := range authors { // those of the next topic
			p.Among = append(p.Among, int32((topic+1)%topics*authors+a))
		}
		list = append(list, p)
	}
	w := &encode.Words{Dim: dim, Vectors: make([]float32, topics*words*dim)}
	for i := range w.Vectors {
		w.Vectors[i] = float32(s.Normal())
	}
	return OfPapers(bibliography(t, n, list...).Network, w)
}

func smallOptions(method string) graphs.Options {
	o := graphs.Default()
	o.SetMethod(MethodOf(method))
	o.Dim, o.Batch, o.Walks, o.Length, o.LearningRate = 6, 40, 2, 10, 0.01
	return o
}

// newTestCamel returns a model that is ready to be trained.
func newTestCamel(t *testing.T, in Input, o graphs.Options, threads int) *camel {
	t.Helper()
	c := call.Of(newCamel(in, o, threads))(t)
	call.OK(t, c.prepare(t.Context()))
	return c
}

func trainEpochs(t *testing.T, l graphs.Learner, n int) (last float64) {
	t.Helper()
	for epoch := 1; epoch <= n; epoch++ {
		last = 0
		var pairs int64
		if err := l.Epoch(context.Background(), epoch, func(p int64, loss engine.Loss) {
			pairs += p
			last += float64(p) * (loss.Pairs + loss.Penalty)
		}); err != nil {
			t.Fatal(err)
		}
		last /= float64(pairs)
	}
	return last
}

// recallAt10 ranks all authors of a bibliography for its test papers.
func recallAt10(t *testing.T, b *papers.Bibliography, l graphs.Learner) float64 {
	t.Helper()
	asked := questions(b)
	for i := range asked {
		q := &asked[i]
		q.Among = slices.DeleteFunc(seq.Upto(int32(b.Vertices(papers.Author))), func(a int32) bool { return slices.Contains(q.Own, a) })
	}
	m := call.Of(typed.Evaluate(t.Context(), l.(typed.Ranker), asked, 2))(t)
	return m["recall@10"]
}

// Chance is 1/6; knowing the topic alone gives 5/6.
func TestCamelLearns(t *testing.T) {
	for _, scoring := range []string{graphs.ScoringDot, graphs.ScoringDistance} {
		in, o := topical(t, 250), smallOptions("camel")
		o.Scoring = scoring
		c := newTestCamel(t, in, o, 2)
		first := trainEpochs(t, c, 1)
		last := trainEpochs(t, c, 60)
		if last >= first {
			t.Errorf("%s: the loss went from %v to %v: expected it to fall", scoring, first, last)
		}
		if r := recallAt10(t, of(in), c); r < 0.6 {
			t.Errorf("%s: recall@10 is %v: expected at least 0.6", scoring, r)
		}
	}
}

func sameBytes(t *testing.T, what string, a, b []*engine.Table) {
	t.Helper()
	for i := range a {
		if !slices.Equal(a[i].X, b[i].X) {
			t.Errorf("%s: table %s differs", what, a[i].Name)
		}
	}
}

func TestTriplesNeverHaveTrueAuthorsAsOthers(t *testing.T) {
	in, o := topical(t, 100), smallOptions("camel")
	graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = "APA,APVPA" })
	b := of(in)
	d := call.Of(newDirectPairs(b.Authorship, 1, 1))(t)
	p := call.Of(newIndirectPairs(context.Background(), d, o, 2))(t)
	own := func(x triple, a int32) bool { return slices.Contains(b.AuthorsOf[x.paper], a) }
	var indirect int
	for epoch := range 5 {
		seen := map[triple]int{}
		for _, x := range d.epoch(epoch) {
			if !own(x, x.own) || own(x, x.other) {
				t.Fatalf("direct triple %v", x)
			}
			seen[triple{x.paper, x.own, 0}]++
		}
		for i, authors := range b.AuthorsOf {
			for _, a := range authors {
				if seen[triple{int32(i), a, 0}] != 1 {
					t.Fatalf("paper %d and its author %d: %d times in an epoch, expected 1", i, a, seen[triple{int32(i), a, 0}])
				}
			}
		}
		list := p.epoch(epoch)
		indirect += len(list)
		for _, x := range list {
			near := p.authors[x.paper]
			if own(x, x.own) || own(x, x.other) || !slices.Contains(near, x.own) || slices.Contains(near, x.other) {
				t.Fatalf("indirect triple %v", x)
			}
		}
	}
	want := float64(len(d.pairs)) + 0.003*float64(p.count)
	if got := float64(indirect) / 5; math.Abs(got-want) > 5*math.Sqrt(want/5) {
		t.Errorf("%v indirect triples an epoch: expected about %v", got, want)
	}
}

// One walk by hand: authors 0 to 3, papers 4 (of 0 and 1), 5 (of 1 and 2), 6 (of 2 and 3).
func TestNear(t *testing.T) {
	b := written(t, make([]string, 4), nil, papers.Paper{Question: typed.Question{Own: []int32{0, 1}}}, papers.Paper{Question: typed.Question{Own: []int32{1, 2}}}, papers.Paper{Question: typed.Question{Own: []int32{2, 3}}})
	for window, want := range map[int]string{
		1: "[[] [] []]",
		3: "[[2] [0 3] [1]]",
		5: "[[2 3] [0 3] [0 1]]",
	} {
		p := &indirectPairs{direct: &directPairs{b: b.Authorship}, authors: make([][]int32, 3)}
		p.near([]int32{0, 4, 1, 5, 2, 6, 3}, 4, 0, window)
		if got := fmt.Sprint(p.authors); got != want || p.count != len(seq.Flat(p.authors, slices.Clone[[]int32])) {
			t.Errorf("window %d: %s, %d in all, expected %s", window, got, p.count, want)
		}
	}
}

func TestCamelStopsAfterAStep(t *testing.T) {
	c := newTestCamel(t, topical(t, 100), smallOptions("camel"), 2)
	ctx, cancel := context.WithCancel(context.Background())
	steps := 0
	if err := c.Epoch(ctx, 1, func(int64, engine.Loss) { steps++; cancel() }); err != nil || steps != 1 {
		t.Errorf("%d steps after a cancelled one, error %v: expected 1 step and none", steps, err)
	}
	if err := c.Epoch(ctx, 2, func(int64, engine.Loss) { steps++ }); err != nil || steps != 1 {
		t.Errorf("%d steps when cancelled before, error %v: expected none of either", steps-1, err)
	}
}

// camelCase is a small batch for camelLoss: papers (3,2), authors (4,2), b, and two triples of each kind beside padding.
func camelCase() (gradcheck.Build, []gradcheck.Input) {
	floats := func(name string, shape []int, x ...float64) gradcheck.Input {
		return gradcheck.Input{Name: name, Shape: shape, Floats: x, Diff: !strings.Contains(name, "weight")}
	}
	ints := func(name string, x ...int) gradcheck.Input {
		return gradcheck.Input{Name: name, Shape: []int{len(x)}, Ints: x}
	}
	inputs := []gradcheck.Input{
		floats("papers", []int{3, 2}, 0.5, -0.25, 1, 0.75, -0.5, 0.3),
		floats("authors", []int{4, 2}, 0.2, 0.1, -0.4, 0.6, 0.9, -0.8, 0.05, 0.7),
		floats("b", []int{1}, 0.1),
		ints("paper", 0, 1, 0), ints("own", 1, 0, 0), ints("other", 2, 3, 0), floats("weight", []int{3}, 1, 1, 0),
		ints("paper2", 2, 1, 0), ints("own2", 3, 2, 0), ints("other2", 1, 0, 0), floats("weight2", []int{3}, 1, 1, 0),
	}
	return func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) {
		return camelLoss(in[0], in[1], in[2], tripleNodes{in[3], in[4], in[5], in[6]}, tripleNodes{in[7], in[8], in[9], in[10]}, 0.1, 0.5)
	}, inputs
}

// The value is of numpy 1.24: the sums of the definition, written as loops over the triples. Direct ones come to 1.17 and
// 0.2575, both on the steep side.
func TestCamelLoss(t *testing.T) {
	golden.StillPaper(t)
	build, inputs := camelCase()
	r := call.Of(gradcheck.Run(build, tensor.Float64, inputs))(t)
	if err := gradcheck.Compare("loss", r.Value, []float64{2.8942897597218415}, 1e-12); err != nil {
		t.Error(err)
	}
	if err := gradcheck.Check(build, inputs); err != nil {
		t.Error(err)
	}
}

// The gradients that a step moves by are those of its loss: along a random direction in all parameters, encoder and rows that
// the batch gathered among them, they tell by how much the loss changes.
func TestCamelGradientAlongALine(t *testing.T) {
	o := smallOptions("camel")
	graphs.Edit(&o, func(p *PaperOptions) { p.Decay = 0.2 }) // so that the encoder's share is to be seen
	c := newTestCamel(t, topical(t, 60), o, 2)
	c.authors.InitNormal(2, 0.5)
	direct, indirect := c.pairs.epoch(1)[:40], c.indirect.epoch(1)[:30]
	start := keepTables(c.Parameters())
	loss := func() float64 { // of the parameters as they are, which it leaves moved
		l := call.Of(c.step(direct, indirect))(t)
		return l.Pairs + l.Penalty
	}
	loss()
	m := c.graph
	gradient := func(table, i int) float64 {
		x := float64(start[table][i])
		switch table {
		case 0:
		case 1:
			return float64(m.program.Gradient(2)[i]) + 2*Own(c.o).Decay*x
		default:
			return float64(c.text.Gradients()[table-2][i]) + 2*Own(c.o).Decay*x
		}
		if row := m.author.gradient(c.o.Dim, m.program.Gradient(0))(i / c.o.Dim); row != nil {
			return float64(row[i%c.o.Dim]) + 2*Own(c.o).Decay*x
		}
		return 2 * Own(c.o).Decay * x
	}
	s := rng.New(3, "direction")
	var along float64
	direction := keepTables(c.Parameters())
	for table := range direction {
		for i := range direction[table] {
			direction[table][i] = float32(s.Normal())
			along += float64(direction[table][i]) * gradient(table, i)
		}
	}
	at := func(step float32) float64 {
		for i, table := range c.Parameters() {
			for j := range table.X {
				table.X[j] = start[i][j] + step*direction[i][j]
			}
		}
		return loss()
	}
	const step = 1e-3
	if got := (at(step) - at(-step)) / (2 * step); math.Abs(got-along) > 0.01*math.Abs(along) {
		t.Errorf("the loss changes by %v along the line: the gradients say %v", got, along)
	}
}

func keepTables(tables []*engine.Table) (kept [][]float32) {
	for _, t := range tables {
		kept = append(kept, slices.Clone(t.X))
	}
	return kept
}
