package hetnet

import (
	"context"
	"sync"

	"github.com/asp2vec/asp2vec/graphs/engine"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// matched ranks by what the classifier makes of each pair, before its sigmoid: in float32 the sigmoid of the likeliest authors
// is 1, and equal scores count as misses.
func (t *tapem) matched(ctx context.Context, texts [][]int32, threads int) (match, error) {
	m, err := t.paperModel.matched(ctx, texts, threads)
	var idle sync.Pool
	m.score = func(dst, x []float32, to rows, authors []int32) error {
		s, ok := idle.Get().(*pairScorer)
		if !ok {
			var err error
			if s, err = newPairScorer(t.o.Dim, t.tables); err != nil {
				return err
			}
		}
		defer idle.Put(s)
		return s.score(dst, x, to.x, authors)
	}
	return m, err
}

// scoreBlock is how many pairs go through the graph at a time; fewer are padded.
const scoreBlock = 128

// pairScorer is pairScores as a graph with memory of its own. It reads the tables when it scores.
type pairScorer struct {
	scores *engine.Evaluator
	d      int
	a, f   []float32 // (scoreBlock,D)
}

func newPairScorer(d int, tables []*engine.Table) (*pairScorer, error) {
	s := &pairScorer{d: d, a: make([]float32, scoreBlock*d), f: make([]float32, scoreBlock*d)}
	g := G.NewGraph()
	w := engine.Nodes(g, tensor.Float32, tables[:forwardIH]...)
	a, f := engine.FloatNode(g, tensor.Float32, "authors of pairs", s.a, scoreBlock, d), engine.FloatNode(g, tensor.Float32, "papers of pairs", s.f, scoreBlock, d)
	scores, err := pairScores(a, f, w)
	if err != nil {
		return nil, err
	}
	s.scores, err = engine.NewEvaluator(scores)
	return s, err
}

// score sets dst (N) to the scores of a paper's vector (D) with some rows of authors (M,D).
func (s *pairScorer) score(dst, paper, authors []float32, rows []int32) error {
	for lo := 0; lo < len(dst); lo += scoreBlock {
		n := min(scoreBlock, len(dst)-lo)
		for i := range n {
			copy(s.f[i*s.d:][:s.d], paper)
			copy(s.a[i*s.d:][:s.d], authors[int(rows[lo+i])*s.d:])
		}
		x, err := s.scores.Run()
		if err != nil {
			return err
		}
		copy(dst[lo:], x[:n])
	}
	return nil
}
