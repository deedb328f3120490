package graphs

import (
	"errors"
)

// Terms are the terms of a loss over two tables, with their gradients.
type Terms struct {
	*Pairs
	penalty *tablePenalty // nil for none
}

// NewTerms makes the terms of the loss that the options name. The regularizer is that of the rows of penalized, Q itself or a part of its
// memory. It returns an error for options that Validate refuses, and for a loss whose graph cannot be built or cut.
func NewTerms(o Options, t TermsOptions, penalized *Table) (*Terms, error) {
	pairs, err := newPairs(o, t)
	if err != nil || !o.penalizesTables() {
		return &Terms{Pairs: pairs}, err
	}
	penalty, err := newTablePenalty(o, penalized, t.Threads)
	return &Terms{pairs, penalty}, err
}

// SetStep says which fraction of the training is done, from 0 to 1, for what reads it.
func (t *Terms) SetStep(fraction float64) {
	if t.step = fraction; t.penalty != nil {
		t.penalty.step = fraction
	}
}

// Penalty returns the penalty of aspect vectors as RowWork takes it; nil for none.
func (t *Terms) Penalty() func(worker int, g []float32, rows []int32) float64 {
	if t.penalty == nil {
		return nil
	}
	return t.penalty.rows
}

// Err returns the errors of Penalty.
func (t *Terms) Err() error {
	if t.penalty == nil {
		return nil
	}
	return errors.Join(t.penalty.errs...)
}
