package eval

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// AuthorRanking is the scores of one paper's candidates: higher is likelier. A candidate that stands there twice counts twice.
type AuthorRanking struct {
	True  []float32 // of those who wrote the paper, at least one
	False []float32 // of those who did not, at least one
}

// AuthorScore is how well authors are found among candidates, averaged over papers. All numbers are in [0,1].
type AuthorScore struct {
	Papers int
	AUC    float64 // mean share of (author, other) pairs in the right order; a tie is not in order
	At     []AtN   // in the order in which they were asked for
}

// AtN is about the first N candidates of each paper.
type AtN struct {
	N         int
	Recall    float64 // mean share of the authors that are among them
	Precision float64 // mean share of them that are authors; at most the number of authors over N
	F1        float64 // 2RP/(R+P) of these two means, not a mean of F1; 0 where both are 0
}

// Metrics returns the numbers by their names in records: "recall@5", "precision@5", "f1@5", ..., "auc".
func (s AuthorScore) Metrics() map[string]float64 {
	m := map[string]float64{"auc": s.AUC}
	for _, a := range s.At {
		m[fmt.Sprintf("recall@%d", a.N)] = a.Recall
		m[fmt.Sprintf("precision@%d", a.N)] = a.Precision
		m[fmt.Sprintf("f1@%d", a.N)] = a.F1
	}
	return m
}

// Identification measures how well scores tell the authors of papers from other candidates. For a paper with scores of all
// its candidates, and each N of at,
//
//	hits      = #{author: score > the (N+1)-th largest score}
//	recall    = hits / authors
//	precision = hits / N
//	AUC       = #{(author, other): score > score} / (authors · others)
//
// and the result is the mean over papers. Comparisons are strict, so that ties count as errors: an author tied with the
// (N+1)-th candidate is not found, and a scorer that gives all the same score gets 0 throughout, also the AUC (where AUC, the
// function, has ½). Where there are at most N candidates all are among the first N, ties or not. Infinite scores are ranked
// as they stand.
//
// It returns an error for no papers, an N below 1, a paper without authors or without other candidates, and a score that is
// NaN. The inputs are left alone.
//
// Source: evaluate.py of Park et al., CIKM 2019 (github.com/pcy1302/TapEM). Differs: fewer than N+1 candidates, which it
// never has, are allowed.
func Identification(papers []AuthorRanking, at []int) (AuthorScore, error) {
	s, err := newAuthorScore(papers, at)
	if err != nil {
		return s, err
	}
	var all []float32
	for i, p := range papers {
		all = append(append(all[:0], p.True...), p.False...)
		for j, x := range all {
			if math.IsNaN(float64(x)) {
				return AuthorScore{}, fmt.Errorf("eval: Identification: paper %d: score %d is NaN: expected a number", i, j)
			}
		}
		slices.Sort(all)
		n, t := len(all), len(p.True)
		for a := range s.At {
			hits := t
			if first := s.At[a].N; first < n {
				hits = above(p.True, all[n-1-first])
			}
			s.At[a].Recall += float64(hits) / float64(t)
			s.At[a].Precision += float64(hits) / float64(s.At[a].N)
		}
		inOrder := 0
		others := append(all[:0], p.False...)
		slices.Sort(others)
		for _, x := range p.True {
			below, _ := slices.BinarySearch(others, x) // where x would be put: after all that are smaller
			inOrder += below
		}
		s.AUC += float64(inOrder) / float64(t*len(p.False))
	}
	s.average()
	return s, nil
}

// newAuthorScore returns a score of zeros, or what is wrong with the papers but for their scores.
func newAuthorScore(papers []AuthorRanking, at []int) (AuthorScore, error) {
	if len(papers) == 0 {
		return AuthorScore{}, errors.New("eval: Identification: no papers: expected at least one")
	}
	for i, p := range papers {
		if len(p.True) == 0 || len(p.False) == 0 {
			return AuthorScore{}, fmt.Errorf("eval: Identification: paper %d has %d authors among its candidates and %d others: expected at least one of each", i, len(p.True), len(p.False))
		}
	}
	s := AuthorScore{Papers: len(papers)}
	for _, n := range at {
		if n < 1 {
			return AuthorScore{}, fmt.Errorf("eval: Identification: the first %d candidates: expected at least 1", n)
		}
		s.At = append(s.At, AtN{N: n})
	}
	return s, nil
}

// average turns sums over papers into means.
func (s *AuthorScore) average() {
	n := float64(s.Papers)
	s.AUC /= n
	for i := range s.At {
		a := &s.At[i]
		a.Recall, a.Precision = a.Recall/n, a.Precision/n
		if sum := a.Recall + a.Precision; sum > 0 {
			a.F1 = 2 * a.Recall * a.Precision / sum
		}
	}
}

// above counts the scores above a threshold.
func above(scores []float32, threshold float32) (count int) {
	for _, x := range scores {
		if x > threshold {
			count++
		}
	}
	return count
}
