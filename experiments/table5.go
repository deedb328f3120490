package experiments

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

// authorMethods are the methods of Table 5 in its order, by their titles there.
var authorMethods = []struct{ title, name string }{
	{"M2V++", hetnet.MethodM2V}, {"Camel", hetnet.MethodCamel}, {"TaPEm", hetnet.MethodTaPEm}, {"asp2vec-het", hetnet.MethodAsp2vecHet},
}

// paperAuthorDims are the numbers of an author in all its vectors.
var paperAuthorDims = []int{200, 500}

// table5 compares the methods that name authors at the same count of numbers for an author.
func table5() Spec {
	return authorSheet{
		number: 5, title: "Author identification in DBLP", corner: "method", seeds: DefaultSeeds, settings: table5Settings,
		metrics: []string{"Recall@5", "Recall@10", "F1@5", "F1@10", "AUC"},
		notes: []string{
			"asp2vec-het has five vectors of an author, with a fifth of the numbers in each, where the others have one of all: in the paper these get worse from 200 to 500. With --dims 40,100 they have as many numbers in their vector as asp2vec-het in each of its own.",
		},
	}.spec()
}

// table5Settings returns the rows: at dims that the paper does not have, asp2vec-het only where it is named.
func table5Settings(s Selection) []column {
	dims := s.Dims
	if len(dims) == 0 {
		dims = paperAuthorDims
	}
	var all []column
	for _, dim := range slices.Compact(slices.Sorted(slices.Values(dims))) {
		for _, m := range authorMethods {
			several := m.name == hetnet.MethodAsp2vecHet
			if several && !slices.Contains(paperAuthorDims, dim) && !slices.Contains(s.Methods, m.name) {
				continue
			}
			all = append(all, column{name: fmt.Sprintf("dim=%d/%s", dim, m.title), method: m.name, set: func(o *graphs.Options) {
				if o.Dim = dim; several {
					o.Dim, o.Aspects = dim/graphs.PaperAspects, graphs.PaperAspects
				}
			}})
		}
	}
	return all
}
