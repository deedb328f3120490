package eval

import (
	"fmt"
	"math"
	"slices"
)

// sortedScores returns scores in ascending order. It returns an error for none, and for one that is NaN: neither has a rank.
func sortedScores(name string, scores []float64) ([]float64, error) {
	if len(scores) == 0 {
		return nil, fmt.Errorf("eval: AUC: no %s scores: expected at least one", name)
	}
	for i, s := range scores {
		if math.IsNaN(s) {
			return nil, fmt.Errorf("eval: AUC: %s score %d is NaN", name, i)
		}
	}
	s := slices.Clone(scores)
	slices.Sort(s)
	return s, nil
}

// aucSorted returns the area under the ROC curve of ascending scores without NaN, in [0,1]: the probability that a positive scores above a negative, where a tie
// counts one half.
//
//	AUC = (#{(p,q): p > q} + ½ #{(p,q): p = q}) / (len(pos) len(neg))
//
// It is exact: the counts stay so in uint64 for up to 2^31 scores on either side. Infinite scores are ranked as they stand.
//
// Source: Hanley and McNeil, Radiology 143 (1982), the Mann-Whitney form of the area.
func aucSorted(pos, neg []float64) float64 {
	var below, upTo int // negatives < p, negatives <= p
	var halves uint64   // twice the number of pairs in the right order; a tie adds one
	for _, p := range pos {
		for below < len(neg) && neg[below] < p {
			below++
		}
		upTo = max(upTo, below)
		for upTo < len(neg) && neg[upTo] <= p {
			upTo++
		}
		halves += uint64(below) + uint64(upTo)
	}
	return float64(halves) / 2 / float64(len(pos)) / float64(len(neg))
}
