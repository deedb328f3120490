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
		number: 5, title: "Author identification", typed: true, corner: "method", seeds: DefaultSeeds, settings: table5Settings,
		metrics: []string{"Recall@5", "Recall@10", "F1@5", "F1@10", "AUC"},
		notes: []string{
			"asp2vec-het has five vectors of an author, with a fifth of the numbers in each, where the others have one of all: in the paper these get worse from 200 to 500. With --dims 40,100 they have as many numbers in their vector as asp2vec-het in each of its own, and asp2vec-het has one aspect (K=1).",
		},
	}.spec()
}

// table5Settings returns the rows. At dims that the paper does not have, asp2vec-het has one aspect, a control: what several vectors bring,
// and what short ones; with five it must be named.
func table5Settings(s Selection) []column {
	dims := s.Dims
	if len(dims) == 0 {
		dims = paperAuthorDims
	}
	var all []column
	for _, dim := range slices.Compact(slices.Sorted(slices.Values(dims))) {
		add := func(title, method string, d, aspects int) {
			all = append(all, column{name: fmt.Sprintf("dim=%d/%s", dim, title), method: method, set: func(o *graphs.Options) {
				if o.Dim = d; aspects > 0 {
					o.Aspects = aspects
				}
			}})
		}
		inPaper := slices.Contains(paperAuthorDims, dim)
		for _, m := range authorMethods {
			if m.name != hetnet.MethodAsp2vecHet {
				add(m.title, m.name, dim, 0)
				continue
			}
			if inPaper || slices.Contains(s.Methods, m.name) {
				add(m.title, m.name, dim/graphs.PaperAspects, graphs.PaperAspects)
			}
			if !inPaper {
				add(m.title+" K=1", m.name, dim, 1)
			}
		}
	}
	return all
}
