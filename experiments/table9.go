package experiments

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
)

// table9 parts about 200 numbers of a vertex into more or fewer aspects.
func table9() Spec {
	return sheet{
		number: 9, title: "Few large aspects or many small ones",
		columns: func(Selection) []column {
			var all []column
			for _, size := range []struct{ d, k int }{{20, 10}, {50, 4}, {40, 5}, {100, 2}} {
				all = append(all, column{
					name: fmt.Sprintf("d=%d,K=%d", size.d, size.k), method: graphs.MethodAsp2vec, stray: size.k == 10,
					set: func(o *graphs.Options) { o.Dim, o.Aspects = size.d, size.k },
				})
			}
			return all
		},
		notes: []string{
			"The paper's column d=20,K=10 is its result for K=5 in all rows (Table 1 at 100, Table 10), so it is not judged; the paper's number for this setting is in Table 10 under K=10.",
		},
	}.spec()
}
