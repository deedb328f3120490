package eval

import (
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// A star of vertex 0 with 1, 2 and 3, and a link of 1 with 2: degrees 3, 2, 2, 1, 0. The test link (0,3) has 3 and (1,3) 2; the
// random negatives (2,3) have 2, (3,4) 0. Of the four comparisons (0,3) wins two, (1,3) wins one and ties one: 3.5 of 4. Of the three
// with the reverse of (0,3), which ties with it and is above (1,3): 4 of 6.
func TestDegrees(t *testing.T) {
	s := &network.Split{
		Names: []string{"a", "b", "c", "d", "e"},
		Train: []network.Link{{From: 0, To: 1}, {From: 0, To: 2}, {From: 0, To: 3}, {From: 1, To: 2}},
		Test:  []network.Link{{From: 0, To: 3}, {From: 1, To: 3}}, TestNeg: []network.Link{{From: 2, To: 3}, {From: 3, To: 4}},
	}
	score, err := Degrees(s, "auc")
	if err != nil || score["auc"] != 3.5/4 || score["auc_random"] != 3.5/4 {
		t.Errorf("%v, %v: want .875", score, err)
	}
	s.Directed = true
	s.TestNegDirected = []network.Link{{From: 2, To: 3}, {From: 3, To: 4}, {From: 3, To: 0}}
	score, err = Degrees(s, "auc")
	if err != nil || score["auc"] != 4./6 || score["auc_random"] != 3.5/4 {
		t.Errorf("directed: %v, %v: want 4/6 and .875", score, err)
	}
	s.Test = nil
	if _, err := Degrees(s, "auc"); err == nil {
		t.Error("no test links: no error")
	}
}
