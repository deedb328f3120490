package experiments

import "github.com/asp2vec/asp2vec/graphs"

// table3 compares the two ways to pick an aspect, and with four controls says what makes the difference: that Gumbel noise
// makes choices discrete, or that it tells aspects apart that start alike.
func table3() Spec {
	aspect := func(name string, set func(*graphs.Options)) column {
		return column{name: name, method: graphs.MethodAsp2vec, set: set}
	}
	return sheet{
		number: 3, title: "Softmax and Gumbel-Softmax",
		columns: func(Selection) []column {
			return []column{
				aspect("Softmax", func(o *graphs.Options) { o.Selection = "softmax" }),
				aspect("Gumbel-Softmax", nil),
				{name: "Improvement", method: graphs.MethodAsp2vec, best: []string{"Gumbel-Softmax"}, over: "Softmax"},
				aspect("Gumbel-Softmax, no warm-up", func(o *graphs.Options) { o.WarmUp = false }),
				aspect("Softmax, no warm-up", func(o *graphs.Options) { o.Selection, o.WarmUp = "softmax", false }),
				aspect("Softmax, perturbed", func(o *graphs.Options) { o.Selection, o.AspectNoise = "softmax", 0.01 }),
				aspect("Gumbel-Softmax, no reg_asp", func(o *graphs.Options) { o.Lambda = 0 }),
			}
		},
		notes: []string{
			"Improvement: seed by seed, in percent of the AUC with softmax.",
			"After a warm-up all aspects of a vertex are equal, and under softmax stay so. Four controls that the paper does not have: both without warm-up; softmax whose aspects are perturbed by N(0, .01²) after it; Gumbel-Softmax without the regularizer.",
		},
	}.spec()
}
