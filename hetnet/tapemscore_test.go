package hetnet

import (
	"context"
	"testing"
)

// A pair has the same score whatever pairs are scored with it and by however many goroutines.
func TestScoresOfPairs(t *testing.T) {
	in := topical(t, 40)
	authors := make([]int32, 700)
	for i := range authors {
		authors[i] = int32(i * i % 60)
	}
	m, err := newTaPEm(in, walkedOptions(MethodTaPEm), 2)
	if err != nil {
		t.Fatal(err)
	}
	m.authors.InitNormal(1, 1)
	papers := [][]int32{{1, 2}, {4}, {3}}
	scores, err := m.Scores(context.Background(), papers, [][]int32{authors, nil, authors[:3]}, 2)
	if err != nil {
		t.Fatal(err)
	}
	if len(scores[1]) != 0 {
		t.Errorf("%d scores of no authors", len(scores[1]))
	}
	for p, list := range map[int][]int32{0: authors, 2: authors[:3]} {
		for i := 0; i < len(list); i += 99 {
			alone, err := m.Scores(context.Background(), papers[p:p+1], [][]int32{list[i : i+1]}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if alone[0][0] != scores[p][i] {
				t.Errorf("paper %d and author %d: %v alone, %v among others", p, list[i], alone[0][0], scores[p][i])
			}
		}
	}
}
