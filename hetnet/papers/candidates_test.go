package papers

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// manyTests is a bibliography of 12 authors and the given number of test papers, each by authors 3 and 5.
func manyTests(t *testing.T, papers int) *Bibliography {
	f := flat{Name: "tests", Authors: strings.Split("a b c d e f g h i j k l", " "), Papers: []Paper{{Name: "p", Venue: -1}}, Train: []int32{0}}
	for a := range f.Authors {
		f.Papers[0].Authors = append(f.Papers[0].Authors, int32(a))
	}
	for range papers {
		f.Papers = append(f.Papers, Paper{Name: "t", Venue: -1, Authors: []int32{5, 3}})
	}
	return f.bibliography(t)
}

// All authors but the paper's own are drawn equally often, at every place of the list: chi-square with nine degrees of
// freedom.
func TestCandidatesAreUniform(t *testing.T) {
	b := manyTests(t, 5000)
	for _, o := range []CandidateOptions{{Total: 8, Seed: 1}, {Total: 8, Seed: 1, Distinct: true}} {
		lists, err := b.Candidates(o)
		if err != nil {
			t.Fatal(err)
		}
		counts := make([][12]float64, 6)
		repeats := 0
		for _, list := range lists {
			if len(list) != 6 {
				t.Fatalf("%+v: %d candidates, expected 6 with the 2 authors", o, len(list))
			}
			for i, a := range list {
				counts[i][a]++
				if slices.Contains(list[:i], a) {
					repeats++
				}
			}
		}
		// Of 5,000 lists of 6 of 10, 15 pairs each, one in ten is of the same author twice; a third one counts once again.
		if o.Distinct != (repeats == 0) || !o.Distinct && repeats < 5000 {
			t.Errorf("%+v: %d repetitions", o, repeats)
		}
		for i := range counts {
			var chi float64
			for a, n := range counts[i] {
				if a == 3 || a == 5 {
					if n > 0 {
						t.Errorf("%+v: a paper's own author among its candidates", o)
					}
					continue
				}
				chi += math.Pow(n-500, 2) / 500
			}
			if chi > 33 { // .0001
				t.Errorf("%+v: place %d: %v, chi-square %.1f", o, i, counts[i], chi)
			}
		}
		again, _ := b.Candidates(o)
		o.Seed++
		other, _ := b.Candidates(o)
		if !reflect.DeepEqual(again, lists) || reflect.DeepEqual(other, lists) {
			t.Error("the same seed gave other candidates, or another one the same")
		}
	}
	if len(b.Test[0].Candidates) > 0 {
		t.Error("the bibliography was changed")
	}
}

func TestCandidatesEdges(t *testing.T) {
	b := manyTests(t, 1)
	for _, c := range []struct {
		o    CandidateOptions
		want int
	}{
		{CandidateOptions{Total: 100}, 98}, {CandidateOptions{Total: 100, Distinct: true}, 10}, {CandidateOptions{Total: 12, Distinct: true}, 10},
		{CandidateOptions{Total: 2}, 1}, {CandidateOptions{Total: 3, Distinct: true}, 1},
	} {
		lists, err := b.Candidates(c.o)
		if err != nil || len(lists[0]) != c.want {
			t.Errorf("%+v: %v, error %v: expected %d candidates", c.o, lists, err, c.want)
		}
	}
	if _, err := b.Candidates(CandidateOptions{Total: 1}); err == nil || !strings.Contains(err.Error(), "expected at least 2") {
		t.Errorf("total 1: error %v", err)
	}
	b.Test[0].Authors = b.AuthorsOf[0]
	if _, err := b.Candidates(CandidateOptions{Total: 9}); err == nil || !strings.Contains(err.Error(), "all 12 authors") {
		t.Errorf("a paper of all authors: error %v", err)
	}
}
