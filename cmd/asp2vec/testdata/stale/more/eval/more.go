package eval

func init() {
	Scorers.Add("lr-more", classifier("log odds of a logistic regression on smaller numbers", func(dst, u, v []float32) {
		for j := range dst {
			dst[j] = min(u[j], v[j])
		}
	}))
	Metrics.Add("least", Metric{Help: "the smallest score of a link", Of: func(pos, _ []float64) float64 { return pos[0] }})
}
