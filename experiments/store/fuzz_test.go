package store

import (
	"testing"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/graphs"
)

// Whatever an option says that is given as a text, it is taken or an error.
func FuzzOptionTexts(f *testing.F) {
	for _, text := range []string{"p=0.25,1", "tau=.1,.5", "selection=gumbel,softmax", "epsilon=nan", "dim=1e9", "method=x", "1/8", "8/1", "commit=a,seed=1"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, _ = grid.SetWords(graphs.Default(), []string{text})
		_, _ = ParseFilter(text)
	})
}
