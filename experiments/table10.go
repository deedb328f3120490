package experiments

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
)

// table10 varies the number of aspects.
func table10() Spec {
	return sheet{
		number: 10, title: "The number of aspects",
		columns: func(Selection) []column {
			var all []column
			for k := 2; k <= 10; k++ {
				all = append(all, column{
					name: fmt.Sprintf("K=%d", k), method: graphs.MethodAsp2vec, set: func(o *graphs.Options) { o.Aspects = k },
				})
			}
			return all
		},
	}.spec()
}
