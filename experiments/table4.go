package experiments

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
)

// table4 is the effect of the regularizer, and of its threshold.
func table4() Spec {
	return sheet{
		number: 4, title: "The regularizer and its threshold",
		columns: func(Selection) []column {
			const none = "No reg_asp"
			all := []column{{name: none, method: graphs.MethodAsp2vec, set: func(o *graphs.Options) { o.Lambda = 0 }}}
			gained := column{name: "best vs. " + none, method: graphs.MethodAsp2vec, over: none}
			for _, epsilon := range []float64{0.9, 0.7, 0.5, 0.3, 0.1} {
				c := column{name: fmt.Sprintf("eps=%v", epsilon), method: graphs.MethodAsp2vec, set: func(o *graphs.Options) { o.Epsilon = epsilon }}
				all = append(all, c)
				gained.best = append(gained.best, c.name)
			}
			return append(all, gained)
		},
		notes: []string{
			"No reg_asp: lambda = 0. Last column: the best epsilon by its mean, which is a choice on the test links, over no regularizer; seed by seed, in percent.",
		},
	}.spec()
}
