package hetnet

import (
	"context"
	"encoding/json"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
)

// paperModel is what the methods that train on pairs of a paper and an author have in common: vectors of authors, and steps of Adam against
// the gradients of a graph.
type paperModel struct {
	o       graphs.Options
	b       *Bibliography
	threads int

	authors *graphs.Table // (A,D)
	adam    *graphs.Optimizer
	skip    int // steps that the next epoch has had already
}

func newPaperModel(in Input, o graphs.Options, threads int) paperModel {
	return paperModel{
		o: o, b: in.Bibliography, threads: threads,
		authors: graphs.NewTable("authors", len(in.Bibliography.Authors), o.Dim), adam: graphs.NewAdam(o.LearningRate, threads),
	}
}

func (m *paperModel) bibliography() *Bibliography { return m.b }

// batch returns how many of an epoch's pairs a step has, but for the last one.
func (m *paperModel) batch(pairs int) int { return min(BatchOf(m.o, int64(pairs)), pairs) }

// State returns the optimizer's: each epoch draws its own pairs.
func (m *paperModel) State() any { return m.adam.State() }

// Resume takes over a state.
func (m *paperModel) Resume(state []byte, steps int) error {
	var s graphs.OptimizerState
	if err := json.Unmarshal(state, &s); err != nil {
		return err
	}
	m.skip = steps
	m.adam.Resume(s)
	return nil
}

// steps takes the steps of an epoch from the first that it has not had to the last, number n-1, or until ctx is cancelled, and says whether it
// has come to the end. take takes a step, and returns how many pairs it had and its loss, of which step is told.
func (m *paperModel) steps(ctx context.Context, n int, step func(pairs int64, l graphs.Loss), take func(i int) (int64, graphs.Loss, error)) (ended bool, err error) {
	first := m.skip
	m.skip = 0
	for i := first; i < n; i++ {
		if ctx.Err() != nil {
			return false, nil
		}
		pairs, l, err := take(i)
		if err != nil {
			return false, err
		}
		step(pairs, l)
	}
	return true, nil
}

// move runs the graph of a loss, which has decay times the squares of the parameters besides, and moves these against its gradients: the
// authors, of whose rows in the batch the graph has the gradient first, unless batch is nil, and tables, one after the other. It returns
// the loss before the move, or an error where that is not finite.
func (m *paperModel) move(program *graphs.Program, batch *places, tables []*graphs.Table, decay float64) (l graphs.Loss, err error) {
	if l.Pairs, err = program.Run(); err != nil {
		return l, err
	}
	if err := finite(l.Pairs, m.o.LearningRate); err != nil {
		return l, err
	}
	m.adam.Begin(1)
	first := 0
	if batch != nil {
		l.Penalty, first = m.adam.MoveDecayed(m.authors, decay, batch.gradient(m.o.Dim, program.Gradient(0))), 1
	}
	for i, t := range tables {
		l.Penalty += m.adam.MoveWhole(t, decay, program.Gradient(first+i))
	}
	return l, finite(l.Penalty, m.o.LearningRate)
}

// ends returns the vectors of a task's sources and targets, given those of papers (P,D), and whether papers are the sources.
func (m *paperModel) ends(t *typed.Task, papers []float32) (from, to rows, ofPapers bool) {
	from, to = rows{m.authors.X, m.o.Dim, 1}, rows{papers, m.o.Dim, 1}
	if source, _ := t.Ends(m.b.Network()); source == m.b.seen.paper {
		return to, from, true
	}
	return from, to, false
}

// fallen is what no loss falls below that has a lower bound.
const fallen = -1e5

// finite returns an error unless a loss is a finite number, and not below fallen.
func finite(loss, rate float64) error {
	switch {
	case math.IsNaN(loss) || math.IsInf(loss, 0):
		return fmt.Errorf("hetnet: the loss became %v: want a finite number; try a smaller learning-rate than %v", loss, rate)
	case loss < fallen:
		return fmt.Errorf("hetnet: the loss fell to %v: want one that has a lower bound", loss)
	}
	return nil
}
