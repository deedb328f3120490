package experiments

import "github.com/asp2vec/asp2vec/results"

const heterogeneous = "Belongs to the work on heterogeneous networks, which is not here yet: the paper's numbers alone."

// table5 and table6 are of networks with vertices of several types; their place is kept.
func table5() Spec {
	const title = "Author identification in DBLP"
	return withoutRuns(5, title, func(Selection) results.Table { return published(5, title, "method", heterogeneous) })
}

func table6() Spec {
	const title = "What the aspect of asp2vec-het is picked from"
	return withoutRuns(6, title, func(Selection) results.Table { return published(6, title, "context", heterogeneous) })
}
