package hetnet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
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
	starts := make([]int, len(papers)+1) // of each paper's pairs, and the end
	for p, list := range authors {
		starts[p+1] = starts[p] + len(list)
	}
	all := make([]float32, starts[len(papers)])
	workers := make([]*pairScorer, max(threads, 1))
	for i := range workers {
		if workers[i], err = newPairScorer(t.o.Dim, t.tables); err != nil {
			return nil, err
		}
	}
	failed := make([]error, len(workers))
	par.Blocks(threads, (len(all)+scoreBlock-1)/scoreBlock, func(worker, block int) {
		if ctx.Err() != nil || failed[worker] != nil {
			return
		}
		lo := block * scoreBlock
		p, _ := slices.BinarySearch(starts, lo+1) // the first that starts behind
		p--
		failed[worker] = workers[worker].score(all[lo:min(lo+scoreBlock, len(all))], func(i int) (author, paper []float32) {
			for starts[p+1] <= lo+i {
				p++
			}
			return t.authors.Row(int(authors[p][lo+i-starts[p]])), f[p*t.o.Dim:][:t.o.Dim]
		})
	})
	scores := make([][]float32, len(papers))
	for p := range scores {
		scores[p] = all[starts[p]:starts[p+1]:starts[p+1]]
	}
	return scores, errors.Join(append(failed, ctx.Err())...)
}

// Scorer ranks by what Scores says of pairs.
func (t *tapem) Scorer(task *typed.Task) (typed.Scorer, error) {
	f, err := t.b.trainVectors(t.encoder, t.threads)
	if err != nil {
		return nil, err
	}
	from, to, ofPapers := t.ends(task, f)
	var idle sync.Pool
	return func(source int32, dst []float32) error {
		s, ok := idle.Get().(*pairScorer)
		if !ok {
			var err error
			if s, err = newPairScorer(t.o.Dim, t.tables); err != nil {
				return err
			}
		}
		defer idle.Put(s)
		return s.scoreOne(dst, from.of(int(source)), to.x, !ofPapers)
	}, nil
}

// PairScores returns what a loaded TaPEm makes of the pairs of a vector (D) with others (N,D) into dst (N): that of a paper with those
// of authors or, with ofAuthor, that of an author with those of papers. It returns an error for another model.
func (s *Saved) PairScores(dst, of, others []float32, ofAuthor bool) error {
	t, ok := s.Ranker.(*tapem)
	if !ok {
		return fmt.Errorf("hetnet: a model by %s scores no pairs of vectors: want one by %s", s.Record.Method, MethodTaPEm)
	}
	scorer, err := newPairScorer(t.o.Dim, t.tables)
	if err != nil {
		return err
	}
	return scorer.scoreOne(dst, of, others, ofAuthor)
}

// scoreBlock is how many pairs go through the graph at a time; fewer are padded.
const scoreBlock = 512

// pairScorer is pairScores as a graph with memory of its own. It reads the tables when it scores.
type pairScorer struct {
	scores *graphs.Evaluator
	d      int
	a, f   []float32 // (scoreBlock,D)
}

func newPairScorer(d int, tables []*graphs.Table) (*pairScorer, error) {
	s := &pairScorer{d: d, a: make([]float32, scoreBlock*d), f: make([]float32, scoreBlock*d)}
	g := G.NewGraph()
	w := tableNodes(g, tensor.Float32, tables[:forwardIH])
	a, f := graphs.FloatNode(g, tensor.Float32, "authors of pairs", s.a, scoreBlock, d), graphs.FloatNode(g, tensor.Float32, "papers of pairs", s.f, scoreBlock, d)
	scores, err := pairScores(a, f, w)
	if err != nil {
		return nil, err
	}
	s.scores, err = graphs.NewEvaluator(scores)
	return s, err
}

// score sets out (N) to the scores of pairs, whose vectors (D) pair is asked for one after the other.
func (s *pairScorer) score(out []float32, pair func(i int) (author, paper []float32)) error {
	for lo := 0; lo < len(out); lo += scoreBlock {
		n := min(scoreBlock, len(out)-lo)
		for i := range n {
			author, paper := pair(lo + i)
			copy(s.a[i*s.d:][:s.d], author)
			copy(s.f[i*s.d:][:s.d], paper)
		}
		x, err := s.scores.Run()
		if err != nil {
			return err
		}
		copy(out[lo:], x[:n])
	}
	return nil
}

// scoreOne sets dst (N) to the scores of a vector (D) with others (N,D): of a paper with authors or, with ofAuthor, of an author with
// papers.
func (s *pairScorer) scoreOne(dst, of, others []float32, ofAuthor bool) error {
	return s.score(dst, func(i int) (author, paper []float32) {
		other := others[i*s.d:][:s.d]
		if ofAuthor {
			return of, other
		}
		return other, of
	})
}
