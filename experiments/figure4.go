package experiments

import "github.com/asp2vec/asp2vec/graphs"

// Figure4Panels are the runs of figure 4, which sets the variance of a vertex's aspects against its frequency: PolyDW and
// asp2vec at the protocol's defaults, in a column for each data set.
func Figure4Panels(sel Selection) ([]FigurePanel, error) {
	return figurePanels(sel, []string{"Filmtrust", "PPI"}, func(defaults func(string) graphs.Options) []namedOptions {
		return []namedOptions{
			{"PolyDW", []graphs.Options{defaults(graphs.MethodPolyDW)}},
			{"asp2vec", []graphs.Options{defaults(graphs.MethodAsp2vec)}},
		}
	})
}
