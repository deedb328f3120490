package hetnet

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/internal/rng"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
)

// fromPapers are options with authors that are made of papers.
func fromPapers(method string) graphs.Options {
	o := walkedOptions(method)
	o.WarmUp = false
	graphs.Edit(&o, func(p *PaperOptions) { p.Authors, p.Encoder, p.Dropout = AuthorsPapers, EncoderMean, 0 })
	return o.Complete()
}

// x of an author without papers is what a bibliography without these has.
func TestMadeWithoutPapers(t *testing.T) {
	in := topical(t, 60)
	b := of(in).Authorship
	means := encode.NewTextMeans(in.Words, 1)
	call.OK(t, means.Weigh(b.Network))
	text := call.Of(newTexts(in, b.Texts(), fromPapers(MethodCamel), 2))(t)
	m := call.Of(newMade(b, text, 2))(t)
	tried := 0
	for a, papers := range b.PapersOf {
		for out := range len(papers) + 1 {
			sum, one := make([]float64, m.dim), make([]float32, m.dim)
			for _, p := range papers[out:] {
				means.Of(one, b.Texts()[p])
				for i, c := range one {
					sum[i] += float64(c)
				}
			}
			square := 0.
			for _, c := range sum {
				square += c * c
			}
			got := slices.Repeat([]float32{7}, m.dim)
			m.without(got, int32(a), papers[:out])
			for i, c := range sum {
				if want := c / max(math.Sqrt(square), 1e-9); math.Abs(float64(got[i])-want) > 1e-5 {
					t.Fatalf("author %d without %v of %v: %v, expected %v of length %v", a, papers[:out], papers, got, sum, math.Sqrt(square))
				}
			}
			tried++
		}
	}
	if tried < 100 {
		t.Errorf("%d authors and papers", tried)
	}
}

// Authors in a window are without the papers of that window, and no others; rows stand for their authors.
func TestWithheld(t *testing.T) {
	w := newWalkedModel(t, fromPapers(MethodM2V), 1)
	batch := firstBatches(context.Background(), w.streams...)
	h := w.withheld
	got := h.from(batch)[0]
	b, seen := batch[0], 0
	for i := range b.Windows() {
		before := append([]int32{b.Center[i]}, b.Context[i*b.Slots:][:b.Count[i]]...)
		after := append([]int32{got.Center[i]}, got.Context[i*b.Slots:][:b.Count[i]]...)
		for k, v := range before {
			a := v - h.author
			if a < 0 || int(a) >= len(w.made.b.PapersOf) {
				if after[k] != v {
					t.Fatalf("window %v: vertex %d, no author, became %d", before, v, after[k])
				}
				continue
			}
			var left []int32
			for _, p := range w.made.b.PapersOf[a] {
				if slices.Contains(before, p+h.papers) {
					left = append(left, p)
				}
			}
			if len(left) == 0 {
				if after[k] != v {
					t.Fatalf("window %v: author %d, of none of its papers, became %d", before, v, after[k])
				}
				continue
			}
			seen++
			row := after[k] - int32(h.first)
			if row < 0 || h.of[row] != v {
				t.Fatalf("window %v: author %d of papers %v became %d", before, v, left, after[k])
			}
			want := make([]float32, w.made.dim)
			w.made.without(want, a, left)
			close32(t, "x", append(slices.Clone(h.x[int(row)*w.made.dim:][:w.made.dim]), 1), append(want, 1))
		}
	}
	if seen == 0 || len(h.of) > h.room {
		t.Errorf("%d authors without papers, in %d rows of %d", seen, len(h.of), h.room)
	}
}

// The encoder's weights get the gradients of papers and of made authors: by finite differences of the loss of a step.
func TestMadeGradients(t *testing.T) {
	const h = 2e-2
	s := rng.New(3, "places")
	check := func(t *testing.T, weights *engine.Table, gradient []float32, loss func() float64) {
		t.Helper()
		for range 12 {
			i := s.Intn(len(weights.X))
			at := weights.X[i]
			weights.X[i] = at + h
			up := loss()
			weights.X[i] = at - h
			down := loss()
			weights.X[i] = at
			if want := (up - down) / (2 * h); math.Abs(float64(gradient[i])-want) > 3e-3*(math.Abs(want)+0.02) {
				t.Errorf("weight %d: gradient %v, by differences %v", i, gradient[i], want)
			}
		}
	}
	for _, method := range []string{MethodM2V, MethodAsp2vecHet} {
		t.Run(method, func(t *testing.T) {
			o := fromPapers(method)
			o.Selection = "softmax"
			w := newWalkedModel(t, o, 1)
			batches := w.withheld.from(firstBatches(context.Background(), w.streams...))
			loss := func() float64 {
				vectors := call.Of(w.contents.encode(batches...))(t)
				l := call.Of(w.pass.forward(vectors, batches))(t)
				return l.Pairs
			}
			loss()
			grad := call.Of(w.pass.ofContents())(t)
			call.OK(t, w.contents.backward(grad))
			e := w.textEncoder()
			check(t, e.Parameters()[0], slices.Clone(e.Gradients()[0]), loss)
		})
	}
	t.Run(MethodCamel, func(t *testing.T) {
		o := fromPapers(MethodCamel)
		graphs.Edit(&o, func(p *PaperOptions) { p.Margin = 5 }) // whose hinge no step of differences crosses
		c := newTestCamel(t, topical(t, 40), o, 1)
		direct, near := c.pairs.epoch(1)[:20], c.indirect.epoch(1)[:10]
		m := c.graph
		loss := func() float64 {
			m.fill(direct, near)
			call.OK(t, m.enter(c.authors))
			return call.Of(m.program.Run())(t)
		}
		loss()
		call.OK(t, m.back(m.program))
		check(t, c.text.Parameters()[0], slices.Clone(c.text.Gradients()[0]), loss)
	})
}

// Made authors learn to be named, are the same for any number of threads, and are kept with the model.
func TestMadeAuthorsLearn(t *testing.T) {
	golden.StillPaper(t)
	in := topical(t, 300)
	for _, method := range []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet} {
		o := fromPapers(method)
		o.Dim, o.Epochs, o.Batch = 8, 5, 500
		graphs.Edit(&o, func(p *PaperOptions) { p.ContextRatio = 0.2 })
		var want []float32
		for _, threads := range []int{1, 3} {
			res := call.Of(graphs.Train(t.Context(), graphs.Input{Typed: in}, o, threads, graphs.Monitor{}))(t)
			if got := recallAt10(t, of(in), res.Learner); got < 0.3 {
				t.Errorf("%s: Recall@10 %v among all authors", method, got)
			}
			if want != nil && !slices.Equal(want, res.Embedding.Final) {
				t.Errorf("%s: other vectors with %d threads", method, threads)
			}
			want = res.Embedding.Final
			if len(want) != len(of(in).PapersOf)*o.Dim {
				t.Errorf("%s: %d numbers of authors", method, len(want))
			}
		}
	}
}
