package eval

import "github.com/asp2vec/asp2vec/network"

// Degrees scores the test links of a split by the product of their ends' degrees in the training network, with nothing learnt.
// A link of a directed network counts for both of its ends, as the score of a link and of its reverse are the same for every
// embedding here. In networks of hubs it is what any embedding has to be compared with: it says that often met vertices are
// often linked, and no more. Metrics are as of LinkScorer.Measure. It returns an error for a split in which one of the test lists is empty, and for an unknown metric.
//
// Source: preferential attachment as a predictor of links, Liben-Nowell and Kleinberg, CIKM 2003.
func Degrees(s *network.Split, metrics ...string) (map[string]float64, error) {
	if err := checkSplit("Degrees", len(s.Names), s, testLists(s)); err != nil {
		return nil, err
	}
	degree := make([]float64, len(s.Names))
	for _, l := range s.Train {
		degree[l.From]++
		degree[l.To]++
	}
	return measure(s, func(links []network.Link) ([]float64, error) {
		scores := make([]float64, len(links))
		for i, l := range links {
			scores[i] = degree[l.From] * degree[l.To]
		}
		return scores, nil
	}, metrics)
}
