package typed

import (
	"fmt"
	"math"
	"slices"
)

// IDF returns log(N/df) of each word, df being how many of the network's N texts have it; 0 for a word of none or of all. It returns an error
// for a network without texts.
func (n *Network) IDF() ([]float64, error) {
	if !n.Has(Text) {
		return nil, fmt.Errorf("typed: words of %s: expected a type with content: %s", n.Name, Text)
	}
	idf, texts := make([]float64, len(n.Words)), 0
	for t, typ := range n.Types {
		if typ.Content != Text {
			continue
		}
		for _, tokens := range n.Contents[t].Texts {
			texts++
			for _, w := range slices.Compact(slices.Sorted(slices.Values(tokens))) {
				idf[w]++
			}
		}
	}
	for w, df := range idf {
		if df > 0 {
			idf[w] = math.Log(float64(texts) / df)
		}
	}
	return idf, nil
}
