package hetnet

import (
	"context"
	"fmt"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// match ranks by what the classifier makes of each pair, before its sigmoid: in float32 the sigmoid of the likeliest authors
// is 1, and equal scores count as misses.
func (t *tapem) match(ctx context.Context, source, target side, threads int) (match, error) {
	m, err := t.paperModel.match(ctx, source, target, threads)
	ofAuthor := target.typ != t.b.Author
	var idle sync.Pool
	m.score = func(dst, x []float32, to rows, targets []int32) error {
		s, ok := idle.Get().(*pairScorer)
		if !ok {
			var err error
			if s, err = newPairScorer(t.o.Dim, t.tables); err != nil {
				return err
			}
		}
		defer idle.Put(s)
		return s.score(dst, x, to.x, targets, ofAuthor)
	}
	return m, err
}

// Scores returns what the classifier makes of each pair. It returns an error if there are not as many lists of authors as papers, or if one is
// not in the bibliography.
func (t *tapem) Scores(ctx context.Context, papers [][]int32, authors [][]int32, threads int) ([][]float32, error) {
	return t.scores(ctx, t, papers, authors, threads)
}

// Scorer ranks by what Scores says of pairs.
func (t *tapem) Scorer(task *typed.Task) (typed.Scorer, error) {
	return scorerOf(t, task, t.b.Network, t.threads)
}

// PairScores returns what a loaded TaPEm makes of the pairs of a vector (D) with others (N,D) into dst (N): that of a paper with those
// of authors or, with ofAuthor, that of an author with those of papers. It returns an error for another model.
func (s *Saved) PairScores(dst, of, others []float32, ofAuthor bool) error {
	t, ok := s.Ranker.(*tapem)
	if !ok {
		return fmt.Errorf("hetnet: a model by %s scores no pairs of vectors: expected one by %s", s.Record.Method, MethodTaPEm)
	}
	scorer, err := newPairScorer(t.o.Dim, t.tables)
	if err != nil {
		return err
	}
	return scorer.score(dst, of, others, nil, ofAuthor)
}

// scoreBlock is how many pairs go through the graph at a time; fewer are padded.
const scoreBlock = 128

// pairScorer is pairScores as a graph with memory of its own. It reads the tables when it scores.
type pairScorer struct {
	scores *graphs.Evaluator
	d      int
	a, f   []float32 // (scoreBlock,D)
}

func newPairScorer(d int, tables []*graphs.Table) (*pairScorer, error) {
	s := &pairScorer{d: d, a: make([]float32, scoreBlock*d), f: make([]float32, scoreBlock*d)}
	g := G.NewGraph()
	w := encode.TableNodes(g, tensor.Float32, tables[:forwardIH])
	a, f := graphs.FloatNode(g, tensor.Float32, "authors of pairs", s.a, scoreBlock, d), graphs.FloatNode(g, tensor.Float32, "papers of pairs", s.f, scoreBlock, d)
	scores, err := pairScores(a, f, w)
	if err != nil {
		return nil, err
	}
	s.scores, err = graphs.NewEvaluator(scores)
	return s, err
}

// score sets dst (N) to the scores of a vector (D) with some rows of others (M,D), or with all for nil: of a paper with authors or, with
// ofAuthor, of an author with papers.
func (s *pairScorer) score(dst, of, others []float32, rows []int32, ofAuthor bool) error {
	from, to := s.f, s.a
	if ofAuthor {
		from, to = s.a, s.f
	}
	for lo := 0; lo < len(dst); lo += scoreBlock {
		n := min(scoreBlock, len(dst)-lo)
		for i := range n {
			row := lo + i
			if rows != nil {
				row = int(rows[row])
			}
			copy(from[i*s.d:][:s.d], of)
			copy(to[i*s.d:][:s.d], others[row*s.d:])
		}
		x, err := s.scores.Run()
		if err != nil {
			return err
		}
		copy(dst[lo:], x[:n])
	}
	return nil
}
