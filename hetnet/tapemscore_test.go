package hetnet

import (
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// A pair has the same score whatever pairs are scored with it and by however many goroutines.
func TestScoresOfPairs(t *testing.T) {
	in := topical(t, 40)
	authors := make([]int32, 700)
	for i := range authors {
		authors[i] = int32(i * i % 60)
	}
	m := call.Of(newTaPEm(in, walkedOptions(MethodTaPEm), 2))(t)
	m.authors.InitNormal(1, 1)
	questions := []typed.Question{{Text: []int32{1, 2}, Among: authors}, {Text: []int32{4}}, {Text: []int32{3}, Among: authors[:3]}}
	scores := call.Of(typed.Scores(t.Context(), m, questions, 2))(t)
	if len(scores[1]) != 0 {
		t.Errorf("%d scores of no authors", len(scores[1]))
	}
	for p, list := range map[int][]int32{0: authors, 2: authors[:3]} {
		for i := 0; i < len(list); i += 99 {
			alone := call.Of(typed.Scores(t.Context(), m, []typed.Question{{Text: questions[p].Text, Among: list[i : i+1]}}, 1))(t)
			if alone[0][0] != scores[p][i] {
				t.Errorf("paper %d and author %d: %v alone, %v among others", p, list[i], alone[0][0], scores[p][i])
			}
		}
	}
}
