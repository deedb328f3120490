package hetnet

import (
	"context"
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/hetnet/papers"
)

// Scores worked out by hand: of four training papers, "a" is in two (idf log 2), "b" in one (log 4), "c" in all (0).
func TestTFIDF(t *testing.T) {
	b := written(t, []string{"x", "y", "z"}, []string{"a", "b", "c", "new"},
		papers.Paper{Authors: []int32{0}, Tokens: []int32{0, 2}}, papers.Paper{Authors: []int32{0, 1}, Tokens: []int32{0, 1, 1, 2}},
		papers.Paper{Authors: []int32{2}, Tokens: []int32{2}}, papers.Paper{Authors: []int32{2}, Tokens: []int32{2}}).Authorship
	a, two := math.Log(2), math.Log(4)*(1+math.Log(2)) // of the second paper
	length := math.Hypot(a, two)
	x := [2]float64{1 + a/length, two / length} // the first author's sum; its papers are (1,0) and (a,two)/length
	for _, gamma := range []float64{0, 0.5, 1} {
		r := NewTFIDF(b, gamma, 0.1)
		scores, err := r.Scores(context.Background(), [][]int32{{0, 3}, {1}, {3}, nil}, [][]int32{{0, 1, 2}, {0, 1}, {0, 2}, {1}}, 2)
		if err != nil {
			t.Fatal(err)
		}
		norm := math.Pow(math.Hypot(x[0], x[1]), gamma)
		for i, want := range [][]float64{
			{x[0]/norm + 0.1*math.Log(3), a/length + 0.1*math.Log(2), 0.1 * math.Log(3)},
			{x[1]/norm + 0.1*math.Log(3), two/length + 0.1*math.Log(2)},
			{0.1 * math.Log(3), 0.1 * math.Log(3)},
			{0.1 * math.Log(2)},
		} {
			for j := range want {
				if math.Abs(float64(scores[i][j])-want[j]) > 2e-6 {
					t.Errorf("gamma %v, paper %d, author %d: %v, expected %v", gamma, i, j, scores[i][j], want[j])
				}
			}
		}
	}
	r := NewTFIDF(b, 0, 0.1)
	if _, err := r.Scores(context.Background(), [][]int32{nil}, [][]int32{{7}}, 1); err == nil {
		t.Error("an author that there is none of: no error")
	}
}

// beside returns what a ranker comes to on the test papers, and popularity beside it.
func beside(t *testing.T, tk *papers.Identification, r papers.Ranker) (score, popularity eval.AuthorScore) {
	t.Helper()
	score, err := tk.Evaluate(t.Context(), r, tk.Test, 2)
	if err != nil {
		t.Fatal(err)
	}
	if popularity, err = tk.Popularity(tk.Test); err != nil {
		t.Fatal(err)
	}
	return score, popularity
}

// On planted topics shared words tell more than the number of papers; the test half has no say in the constants.
func TestTFIDFOfTask(t *testing.T) {
	o := shelf.Options()
	o.TestShare = 0.2
	b := planted(t, o)
	tk := task(t, b)
	ctx := context.Background()
	r, err := TFIDF(ctx, tk, 2)
	if err != nil {
		t.Fatal(err)
	}
	score, popularity := beside(t, tk, r)
	if score.AUC < popularity.AUC+0.1 || score.At[3].Recall < 2*popularity.At[3].Recall {
		t.Errorf("tf-idf %+v, popularity %+v", score, popularity)
	}
	best, err := tk.Evaluate(ctx, r, tk.Dev, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, gamma := range textGammas {
		for _, beta := range textBetas {
			cosine := NewTFIDF(b.Authorship, gamma, beta)
			other, err := tk.Evaluate(ctx, cosine, tk.Dev, 1)
			if err != nil || other.At[2].Recall > best.At[2].Recall {
				t.Errorf("gamma %v, beta %v: Recall@5 of development papers %v, above the chosen %v; %v", gamma, beta, other.At[2].Recall, best.At[2].Recall, err)
			}
		}
	}
	blind := *tk
	blind.Test = nil
	if again, err := TFIDF(ctx, &blind, 1); err != nil || again.gamma != r.gamma || again.beta != r.beta {
		t.Errorf("without test papers: %v, %v", again, err)
	}
}
