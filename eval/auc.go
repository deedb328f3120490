package eval

import (
	"fmt"
	"math"
	"slices"
)

// AUC returns the area under the ROC curve, in [0,1]: the probability that a positive scores above a negative, where a tie
// counts one half.
//
//	AUC = (#{(p,q): p > q} + ½ #{(p,q): p = q}) / (len(pos) len(neg))
//
// It is exact (integer counts, no binning) and takes O(n log n) time. Infinite scores are ranked as they stand. An empty
// input or a NaN score is an error: neither has a rank. The inputs are left alone.
//
// Source: Hanley and McNeil, Radiology 143 (1982), the Mann-Whitney form of the area.
func AUC(pos, neg []float64) (float64, error) {
	p, err := sortedScores("positive", pos)
	if err != nil {
		return 0, err
	}
	n, err := sortedScores("negative", neg)
	if err != nil {
		return 0, err
	}
	return aucSorted(p, n), nil
}

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

// aucSorted is AUC of ascending scores without NaN. The counts stay exact in uint64 for up to 2^31 scores on either side.
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
