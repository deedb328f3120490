package experiments

import "github.com/asp2vec/asp2vec/graphs"

// Figure5Panels are the runs of figure 5, which shows how alike aspects are: asp2vec without the regularizer, and with it at
// the two ends of epsilon.
func Figure5Panels(sel Selection) ([]FigurePanel, error) {
	return figurePanels(sel, []string{"Filmtrust", "PPI"}, func(defaults func(string) graphs.Options) []namedOptions {
		none, low, high := defaults(graphs.MethodAsp2vec), defaults(graphs.MethodAsp2vec), defaults(graphs.MethodAsp2vec)
		none.Lambda, low.Epsilon, high.Epsilon = 0, 0.1, 0.9
		return []namedOptions{
			{"no regularizer", []graphs.Options{none}},
			{"ε = .1", []graphs.Options{low}},
			{"ε = .9", []graphs.Options{high}},
		}
	})
}
