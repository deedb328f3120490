package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// SourceRanking is how well the targets that belong to one source, such as the artists that a user will listen to, are found among all
// that were scored for it. All measures are in [0,1].
type SourceRanking struct {
	AUC        float64 // share of (own target, other) pairs in the right order
	Reciprocal float64 // one over the place of the first own target
	At         []SourceAt
}

// SourceAt is about the first N targets.
type SourceAt struct {
	N         int     // at least 1
	Recall    float64 // share of the own targets that are among them
	Precision float64 // share of them that are own targets
	NDCG      float64 // discounted gain Σ 1/log2(1+place) of own targets, over the largest that there can be
	Hit       float64 // 1 if any own target is among them, else 0
}

// RankingScore is the mean of SourceRankings.
type RankingScore struct {
	Sources int
	Mean    SourceRanking
}

// Metrics returns the numbers by their names in records: "recall@20", "precision@20", "f1@20" (of these two means), "ndcg@20",
// "hit@20", ..., "mrr", "auc".
func (s RankingScore) Metrics() map[string]float64 {
	m := map[string]float64{"auc": s.Mean.AUC, "mrr": s.Mean.Reciprocal}
	for _, a := range s.Mean.At {
		name := func(metric string) string { return fmt.Sprintf("%s@%d", metric, a.N) }
		m[name("recall")], m[name("precision")], m[name("ndcg")], m[name("hit")] = a.Recall, a.Precision, a.NDCG, a.Hit
		m[name("f1")] = 0
		if sum := a.Recall + a.Precision; sum > 0 {
			m[name("f1")] = 2 * a.Recall * a.Precision / sum
		}
	}
	return m
}

// RankSource measures the places of own targets, given the scores of these and of all others that they are ranked among: higher is
// likelier. Ties count as errors, as in Identification: an own target stands behind all others of its score, and a scorer that gives
// all the same score gets an AUC of 0. It returns an error for no own target, an N below 1, and a score that is NaN. With no others,
// AUC is 1. own is sorted in place.
func RankSource(own, others []float32, at []int) (SourceRanking, error) {
	if len(own) == 0 {
		return SourceRanking{}, errors.New("eval: a source without targets: expected at least one")
	}
	isNaN := func(x float32) bool { return x != x }
	if slices.ContainsFunc(own, isNaN) || slices.ContainsFunc(others, isNaN) {
		return SourceRanking{}, errors.New("eval: a score is NaN: expected numbers")
	}
	slices.SortFunc(own, func(a, b float32) int { // largest first
		switch {
		case a > b:
			return -1
		case a < b:
			return 1
		}
		return 0
	})
	// ahead[i] counts others that are ahead of own target i and not of i-1.
	ahead := make([]int, len(own)+1)
	for _, x := range others {
		i, _ := slices.BinarySearchFunc(own, x, func(own, x float32) int { // the first own target that x is not behind
			if own > x {
				return -1
			}
			return 1
		})
		ahead[i]++
	}
	r := SourceRanking{AUC: 1}
	places := make([]int, len(own)) // from 1
	count, behind := 0, 0.
	for i := range own {
		count += ahead[i]
		places[i] = i + 1 + count
		behind += float64(len(others) - count)
	}
	if len(others) > 0 {
		r.AUC = behind / (float64(len(own)) * float64(len(others)))
	}
	r.Reciprocal = 1 / float64(places[0])
	for _, n := range at {
		if n < 1 {
			return r, fmt.Errorf("eval: the first %d targets: expected at least 1", n)
		}
		a := SourceAt{N: n}
		hits, gain, most := 0, 0., 0.
		for i, place := range places {
			if place <= n {
				hits++
				gain += 1 / math.Log2(float64(1+place))
			}
			if i < n {
				most += 1 / math.Log2(float64(2+i))
			}
		}
		a.Recall, a.Precision, a.NDCG = float64(hits)/float64(len(own)), float64(hits)/float64(n), gain/most
		if hits > 0 {
			a.Hit = 1
		}
		r.At = append(r.At, a)
	}
	return r, nil
}

// MeanRanking returns the mean of each measure over sources, each source counting the same; all are in [0,1]. It returns an error for
// no sources, and for sources whose At are of different numbers N.
func MeanRanking(sources []SourceRanking) (RankingScore, error) {
	if len(sources) == 0 {
		return RankingScore{}, errors.New("eval: no sources: expected at least one")
	}
	s := RankingScore{Sources: len(sources)}
	m := &s.Mean
	m.At = make([]SourceAt, len(sources[0].At))
	sameN := func(a, b SourceAt) bool { return a.N == b.N }
	for _, r := range sources {
		if !slices.EqualFunc(r.At, sources[0].At, sameN) {
			return RankingScore{}, errors.New("eval: sources measured at different numbers of first targets: expected the same numbers for all")
		}
		m.AUC += r.AUC
		m.Reciprocal += r.Reciprocal
		for i, a := range r.At {
			to := &m.At[i]
			to.N = a.N
			to.Recall += a.Recall
			to.Precision += a.Precision
			to.NDCG += a.NDCG
			to.Hit += a.Hit
		}
	}
	n := float64(len(sources))
	m.AUC /= n
	m.Reciprocal /= n
	for i := range m.At {
		a := &m.At[i]
		a.Recall, a.Precision, a.NDCG, a.Hit = a.Recall/n, a.Precision/n, a.NDCG/n, a.Hit/n
	}
	return s, nil
}
