package hetnet

import (
	"context"
	"testing"
)

// A pair has the same score whatever pairs are scored with it, by however many goroutines, and from whichever end.
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
	s, err := newPairScorer(m.o.Dim, m.tables)
	if err != nil {
		t.Fatal(err)
	}
	f, err := m.encoder.Encode(context.Background(), papers[:1], 1)
	if err != nil {
		t.Fatal(err)
	}
	all, one := make([]float32, m.authors.Rows), make([]float32, 1)
	if err := s.score(all, f, m.authors.X, nil, false); err != nil {
		t.Fatal(err)
	}
	for i, a := range authors[:9] {
		if err := s.score(one, m.authors.Row(int(a)), f, []int32{0}, true); err != nil {
			t.Fatal(err)
		}
		if all[a] != scores[0][i] || one[0] != scores[0][i] {
			t.Errorf("author %d: %v by the paper, %v by the author, expected %v", a, all[a], one[0], scores[0][i])
		}
	}
}
