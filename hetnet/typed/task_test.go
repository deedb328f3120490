package typed

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// scorer is a ranker of which the first word of a text says the question.
type scorer func(question, vertex int32) float32

func (s scorer) Rank(ctx context.Context, questions []Question, dst [][]float32, threads int) error {
	return Each(ctx, questions, dst, threads, func(i int, dst []float32, candidates []int32) error {
		for k, v := range candidates {
			dst[k] = s(questions[i].Text[0], v)
		}
		return nil
	})
}

// asked returns n questions about 200 vertices, each with one to three that are right and 100 candidates in all, the first of the others twice.
func asked(n int) (all []Question) {
	for i := range n {
		var order []int32
		for _, v := range rng.New(7, "numbered", uint64(i)).Perm(200)[:99] {
			order = append(order, int32(v))
		}
		own := 1 + i%3
		all = append(all, Question{Text: []int32{int32(i)}, Own: order[:own], Among: append(slices.Clone(order[own:]), order[own])})
	}
	return all
}

func TestEvaluate(t *testing.T) {
	all := asked(6)
	is := func(x bool) float32 { return map[bool]float32{true: 1}[x] }
	knows := scorer(func(q, v int32) float32 { return is(slices.Contains(all[q].Own, v)) })
	evaluate := func(r Ranker, some []Question) map[string]float64 {
		t.Helper()
		return call.Of(Evaluate(t.Context(), r, some, 2))(t)
	}
	if m := evaluate(knows, all[4:]); len(m) != 16 || m["auc"] != 1 || m["recall@5"] != 1 || m["recall@1"] == 1 || math.Abs(m["precision@20"]-2.5/20) > 1e-15 {
		t.Errorf("who knows all: %v", m) // of questions with 2 and 3 answers
	}
	if m := evaluate(scorer(func(_, _ int32) float32 { return 3 }), all); m["auc"] != 0 || m["recall@20"] != 0 {
		t.Errorf("who gives all the same: %v", m)
	}
	// A candidate that stands there twice counts twice: before the only answer stand the first candidate and itself again.
	first := scorer(func(q, v int32) float32 { return is(slices.Contains(all[q].Own, v)) + 2*is(v == all[q].Among[0]) })
	if m := evaluate(first, all[:1]); m["recall@2"] != 0 || m["recall@5"] != 1 || math.Abs(m["auc"]-97./99) > 1e-15 {
		t.Errorf("behind one that is there twice: %v", m)
	}
	call.Refused(t)(Evaluate(t.Context(), knows, nil, 1))
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	call.Refused(t)(Evaluate(stopped, knows, all, 1))
}

// A random ranker comes to a recall@10 of .10 of 100 candidates. It gives a candidate that stands there
// twice the same score twice, which a random order of the list would not.
func TestRandomRanker(t *testing.T) {
	key := rng.NewKey(1, "random ranker")
	random := scorer(func(q, v int32) float32 {
		s := key.With(uint64(q)).Stream(uint64(v))
		return s.Float32()
	})
	const n = 3000
	m, err := Evaluate(t.Context(), random, asked(n), 1)
	if far := 5 * 0.4 / math.Sqrt(n); err != nil || math.Abs(m["recall@10"]-0.1) > far || math.Abs(m["auc"]-0.5) > far { // a question's have a standard deviation of at most .4
		t.Errorf("%v, expected a recall@10 of about .1 and an AUC of about .5; %v", m, err)
	}
}
