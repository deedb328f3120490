package hetnet

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Scores returns what the classifier makes of each pair, before its sigmoid: in float32 the sigmoid of the likeliest authors
// is 1, and equal scores count as misses. It returns an error if there are not as many lists of authors as papers, or if one is
// not in the bibliography.
func (t *tapem) Scores(ctx context.Context, papers [][]int32, authors [][]int32, threads int) ([][]float32, error) {
	if err := checkScores(papers, authors, t.authors.Rows); err != nil {
		return nil, err
	}
	f, err := t.encoder.Encode(ctx, papers, threads)
	if err != nil {
		return nil, err
	}
	type block struct {
		paper, lo, hi int
	}
	var blocks []block
	scores := make([][]float32, len(papers))
	for p, list := range authors {
		scores[p] = make([]float32, len(list))
		for lo := 0; lo < len(list); lo += scoreBlock {
			blocks = append(blocks, block{p, lo, min(lo+scoreBlock, len(list))})
		}
	}
	workers := make([]pairScorer, max(threads, 1))
	for i := range workers {
		if workers[i], err = newPairScorer(t.scorer, t.o.Dim, t.tables); err != nil {
			return nil, err
		}
	}
	failed := make([]error, len(workers))
	par.Blocks(threads, len(blocks), func(worker, i int) {
		if ctx.Err() != nil || failed[worker] != nil {
			return
		}
		b := blocks[i]
		failed[worker] = workers[worker].score(scores[b.paper][b.lo:b.hi], f[b.paper*t.o.Dim:][:t.o.Dim], t.authors, authors[b.paper][b.lo:b.hi])
	})
	return scores, errors.Join(append(failed, ctx.Err())...)
}

// Scorer ranks by what Scores says of pairs.
func (t *tapem) Scorer(task *typed.Task) (typed.Scorer, error) {
	f, err := t.b.trainVectors(t.encoder, t.threads)
	if err != nil {
		return nil, err
	}
	from, to, ofPapers := t.ends(task, f)
	others := &graphs.Table{Block: t.authors.Block, X: to.x}
	var idle sync.Pool
	return func(source int32, dst []float32) error {
		s, ok := idle.Get().(pairScorer)
		if !ok {
			var err error
			if s, err = newPairScorer(t.scorer, t.o.Dim, t.tables); err != nil {
				return err
			}
		}
		defer idle.Put(s)
		return scorePairs(s, dst, from.of(int(source)), others, !ofPapers)
	}, nil
}

// scorePairs sets dst (N) to the scores of a vector (D) with the rows of a table (N,D): of a paper with authors or, with ofAuthor, of an
// author with papers.
func scorePairs(s pairScorer, dst, of []float32, others *graphs.Table, ofAuthor bool) error {
	if ofAuthor {
		author := &graphs.Table{Block: others.Block, X: of}
		for p := range dst {
			if err := s.score(dst[p:p+1], others.Row(p), author, []int32{0}); err != nil {
				return err
			}
		}
		return nil
	}
	done := 0
	for block := range slices.Chunk(upTo(len(dst)), scoreBlock) {
		if err := s.score(dst[done:done+len(block)], of, others, block); err != nil {
			return err
		}
		done += len(block)
	}
	return nil
}

// PairScores returns what a loaded TaPEm makes of the pairs of a vector (D) with others (N,D) into dst (N): that of a paper with those
// of authors or, with ofAuthor, that of an author with those of papers. It returns an error for another model.
func (s *Saved) PairScores(dst, of, others []float32, ofAuthor bool) error {
	t, ok := s.Ranker.(*tapem)
	if !ok {
		return fmt.Errorf("hetnet: a model by %s scores no pairs of vectors: want one by %s", s.Record.Method, MethodTaPEm)
	}
	scorer, err := newPairScorer(t.scorer, t.o.Dim, t.tables)
	if err != nil {
		return err
	}
	return scorePairs(scorer, dst, of, &graphs.Table{Block: t.authors.Block, X: others}, ofAuthor)
}

const scoreBlock = 512 // authors that a pairScorer takes at a time, at most

// pairScorer sets out to the scores of authors, rows of table (A,D), for the paper f (D): pairScores of each.
type pairScorer interface {
	score(out, f []float32, table *graphs.Table, authors []int32) error
}

// newPairScorer returns the scorer of an engine. It reads the tables when it scores.
func newPairScorer(engine string, d int, tables []*graphs.Table) (pairScorer, error) {
	if engine == graphs.EngineFused {
		return &fusedScorer{w: tables}, nil
	}
	const rows = 128 // fewer are padded
	s := &graphScorer{a: make([]float32, rows*d), f: make([]float32, rows*d)}
	g := G.NewGraph()
	w := tableNodes(g, tensor.Float32, tables[:forwardIH])
	scores, err := pairScores(graphs.FloatNode(g, tensor.Float32, "authors of pairs", s.a, rows, d), graphs.FloatNode(g, tensor.Float32, "papers of pairs", s.f, rows, d), w)
	if err != nil {
		return nil, err
	}
	s.scores, err = graphs.NewEvaluator(scores)
	return s, err
}

// graphScorer is pairScores.
type graphScorer struct {
	scores *graphs.Evaluator
	a, f   []float32 // (N,D)
}

func (s *graphScorer) score(out, f []float32, table *graphs.Table, authors []int32) error {
	d := len(f)
	for i := range len(s.f) / d {
		copy(s.f[i*d:], f)
	}
	for chunk := range slices.Chunk(authors, len(s.a)/d) {
		for i, a := range chunk {
			copy(s.a[i*d:], table.Row(int(a)))
		}
		x, err := s.scores.Run()
		if err != nil {
			return err
		}
		out = out[copy(out, x[:len(chunk)]):]
	}
	return nil
}

// fusedScorer is the same network written out, with its memory.
//
// The first layer takes [a; f; a∘f; a-f]. For one f that is a linear function of a alone,
//
//	W1 [a; f; a∘f; a-f] + b1 = (Wa + Wd + Wp diag(f)) a + (Wf - Wd) f + b1
//
// which takes a quarter of the work.
type fusedScorer struct {
	w               []*graphs.Table
	a, m, row, x, y []float32
}

func (s *fusedScorer) score(out, f []float32, table *graphs.Table, authors []int32) error {
	const h = pairDim
	w := s.w
	n, d := len(authors), len(f)
	s.a, s.m, s.row = grown(s.a, n*d), grown(s.m, h*d), grown(s.row, h)
	s.x, s.y = grown(s.x, n*h), grown(s.y, n*h)
	for i, a := range authors {
		copy(s.a[i*d:], table.Row(int(a)))
	}
	for o := range h {
		w1 := w[pairWeight1].Row(o)
		ofAuthor, ofPaper, ofProduct, ofDifference := w1[:d], w1[d:2*d], w1[2*d:3*d], w1[3*d:]
		var sum float64
		for i, x := range f {
			s.m[o*d+i] = ofAuthor[i] + ofDifference[i] + ofProduct[i]*x
			sum += float64((ofPaper[i] - ofDifference[i]) * x)
		}
		s.row[o] = float32(sum) + w[pairBias1].X[o]
	}
	affine(s.x, s.a, s.m, s.row)
	normalise(s.x, w[pairGain1].X, w[pairShift1].X)
	rectify(s.x)
	affine(s.y, s.x, w[pairWeight2].X, w[pairBias2].X)
	normalise(s.y, w[pairGain2].X, w[pairShift2].X)
	affine(s.x, s.y, w[validWeight1].X, w[validBias1].X)
	rectify(s.x)
	affine(out, s.x, w[validWeight2].X, w[validBias2].X)
	return nil
}

// affine sets y (N,O) to x wᵀ + bias, x (N,I), w (O,I), bias (O).
func affine(y, x, w, bias []float32) {
	o := len(bias)
	n, i := len(y)/o, len(w)/o
	for r := range n {
		copy(y[r*o:], bias)
	}
	kernel.Gemm(1, false, true, n, o, i, x, i, w, i, true, y, o)
}

func rectify(x []float32) {
	for i, v := range x {
		x[i] = max(v, 0)
	}
}

// normalise is layers.LayerNorm in place.
func normalise(x, gain, shift []float32) {
	const eps = 1e-5
	h := len(gain)
	for ; len(x) > 0; x = x[h:] {
		row := x[:h]
		var mean, variance float64
		for _, v := range row {
			mean += float64(v)
		}
		mean /= float64(h)
		for _, v := range row {
			variance += (float64(v) - mean) * (float64(v) - mean)
		}
		scale := 1 / math.Sqrt(variance/float64(h)+eps)
		for i, v := range row {
			row[i] = gain[i]*float32((float64(v)-mean)*scale) + shift[i]
		}
	}
}
