package eval

import (
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// A star of vertex 0 with 1, 2 and 3, and a link of 1 with 2: degrees 3, 2, 2, 1, 0. The test link (0,3) has 3 and (1,3) 2; the
// random negatives (2,3) have 2, (3,4) 0. Of the four comparisons (0,3) wins two, (1,3) wins one and ties one: 3.5 of 4. With directions the
// link (2,0) and not (0,2), links out of the first end times links into the second are 2 and 1 of the test links, 1, 0 and 0 of the others, among
// them the reverse (3,0): (0,3) wins three, (1,3) wins two and ties one, 5.5 of 6.
func TestDegrees(t *testing.T) {
	s := &network.Split{
		Names: []string{"a", "b", "c", "d", "e"},
		Train: []network.Link{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}, {From: 1, To: 2}},
		Test:  []network.Link{{From: 0, To: 3}, {From: 1, To: 3}}, TestNeg: []network.Link{{From: 2, To: 3}, {From: 3, To: 4}},
	}
	score, err := degreesOf(t, s)
	if err != nil || score["auc"] != 3.5/4 || score["auc_random"] != 3.5/4 {
		t.Errorf("%v, %v: expected .875", score, err)
	}
	s.Directed, s.Train[1] = true, network.Link{From: 2, To: 0}
	s.TestNegDirected = []network.Link{{From: 2, To: 3}, {From: 3, To: 4}, {From: 3, To: 0}}
	score, err = degreesOf(t, s)
	if err != nil || score["auc"] != 5.5/6 || score["auc_random"] != 3.5/4 {
		t.Errorf("directed: %v, %v: expected 5.5/6 and .875", score, err)
	}
	s.Test = nil
	call.Refused(t)(degreesOf(t, s))
}

func degreesOf(t *testing.T, s *network.Split) (map[string]float64, error) {
	all, err := Fit(t.Context(), "degrees", Vectors{}, s, ScoreOptions{})
	if err != nil {
		return nil, err
	}
	return all.Measure(t.Context(), s, Measurement{Negatives: []string{"published", "uniform"}})
}
