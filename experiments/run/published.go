package run

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// Published returns the paper's AUC (Table 1) for a method, data set and size of the model, and whether there is one. The
// paper reports the best epoch and the best epsilon, both by test AUC.
func Published(dataset string, o graphs.Options) (results.Cell, bool) {
	m := o.Method
	total, column := o.Dim, m.Title
	if m.MultiVector() {
		total *= graphs.PaperAspects
	}
	if m.Reads("aspects") && o.Aspects != graphs.PaperAspects {
		return results.Cell{}, false // the table's are 5 aspects of 20, 40 and 100
	}
	if o.Is(graphs.MethodDeepWalk) || o.Is(graphs.MethodNode2vec) {
		column = "DW" // the better of the two
	}
	return results.Paper(1, dataset, fmt.Sprintf("dim=%d/%s", total, column))
}
