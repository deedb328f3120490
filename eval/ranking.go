package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Answers are the scores of a question's candidates: higher is likelier. A candidate that stands there twice counts twice.
type Answers struct {
	Own    []float32 // of those that are right, at least one
	Others []float32 // of those that are not, at least one
}

// Rankings returns how well scores tell the answers of questions from other candidates, all numbers in [0,1]: "auc" and, for each N of at, "recall@N",
// "precision@N" and "f1@N". For a question with scores of all its candidates,
//
//	hits      = #{own: score > the (N+1)-th largest score}
//	recall    = hits / own
//	precision = hits / N
//	AUC       = #{(own, other): score > score} / (own · others)
//
// and the result is the mean over questions; F1 is 2RP/(R+P) of these two means, not a mean of F1, and 0 where both are 0. Comparisons are
// strict, so that ties count as errors: an answer tied with the
// (N+1)-th candidate is not found, and a scorer that gives all the same score gets 0 throughout, also the AUC (where AUC, the
// function, has ½). Where there are at most N candidates all are among the first N, ties or not. Infinite scores are ranked
// as they stand.
//
// It returns an error for no questions, one without answers or without other candidates, and a score that is NaN. Each N is at least 1. The
// inputs are left alone.
//
// Source: evaluate.py of Park et al., CIKM 2019 (github.com/pcy1302/TapEM). Differs: fewer than N+1 candidates, which it
// never has, are allowed.
func Rankings(questions []Answers, at []int) (map[string]float64, error) {
	if len(questions) == 0 {
		return nil, errors.New("eval: Rankings: no questions: expected at least one")
	}
	var inOrder float64
	recall, precision := make([]float64, len(at)), make([]float64, len(at))
	for i, q := range questions {
		if len(q.Own) == 0 || len(q.Others) == 0 {
			return nil, fmt.Errorf("eval: Rankings: question %d has %d answers among its candidates and %d others: expected at least one of each", i, len(q.Own), len(q.Others))
		}
		all := slices.Concat(q.Own, q.Others)
		if j := slices.IndexFunc(all, func(x float32) bool { return math.IsNaN(float64(x)) }); j >= 0 {
			return nil, fmt.Errorf("eval: Rankings: question %d: score %d is NaN: expected a number", i, j)
		}
		slices.Sort(all)
		for k, n := range at {
			hits := len(q.Own)
			if n < len(all) {
				hits = 0
				for _, x := range q.Own {
					if x > all[len(all)-1-n] {
						hits++
					}
				}
			}
			recall[k] += float64(hits) / float64(len(q.Own))
			precision[k] += float64(hits) / float64(n)
		}
		others, pairs := slices.Sorted(slices.Values(q.Others)), 0
		for _, x := range q.Own {
			below, _ := slices.BinarySearch(others, x) // where x would be put: after all that are smaller
			pairs += below
		}
		inOrder += float64(pairs) / float64(len(q.Own)*len(others))
	}
	n := float64(len(questions))
	metrics := map[string]float64{"auc": inOrder / n}
	for k, first := range at {
		r, p, f1 := recall[k]/n, precision[k]/n, 0.
		if r+p > 0 {
			f1 = 2 * r * p / (r + p)
		}
		metrics[fmt.Sprintf("recall@%d", first)], metrics[fmt.Sprintf("precision@%d", first)], metrics[fmt.Sprintf("f1@%d", first)] = r, p, f1
	}
	return metrics, nil
}
