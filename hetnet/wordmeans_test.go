package hetnet

import (
	"context"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
)

// Scores worked out by hand: "a" is in two of four training papers (idf log 2), "b" in one (log 4), "c" in all (0), and "new" has no vector.
func TestWordMeans(t *testing.T) {
	b := written(t, []string{"x", "y", "z"}, []string{"a", "b", "c", "new"},
		papers.Paper{Authors: []int32{0}, Tokens: []int32{0, 2}}, papers.Paper{Authors: []int32{0, 1}, Tokens: []int32{0, 1, 2}},
		papers.Paper{Authors: []int32{2}, Tokens: []int32{2}}, papers.Paper{Authors: []int32{2}, Tokens: []int32{2}}).Authorship
	words := &encode.Words{Dim: 2, Vectors: []float32{3, 0, 3, 4, 1, 1, 0, 0}} // of length 3, 5, and directions (1,0) and (.6,.8)
	// The second paper: log 2 (1,0) + log 4 (.6,.8) is along (2.2,1.6), since log 4 is twice log 2.
	x, y := 2.2/math.Hypot(2.2, 1.6), 1.6/math.Hypot(2.2, 1.6)
	for _, gamma := range []float64{0, 1} {
		m := NewWordMeans(b, words, gamma, 0.1)
		scores, err := m.Scores(context.Background(), [][]int32{{1}, {2, 3}}, [][]int32{{0, 1, 2}, {0}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		norm := math.Pow(math.Hypot(1+x, y), gamma)
		for i, want := range [][]float64{
			{(0.6*(1+x)+0.8*y)/norm + 0.1*math.Log(3), 0.6*x + 0.8*y + 0.1*math.Log(2), 0.1 * math.Log(3)}, {0.1 * math.Log(3)},
		} {
			for j := range want {
				if math.Abs(float64(scores[i][j])-want[j]) > 2e-6 {
					t.Errorf("gamma %v, paper %d, author %d: %v, expected %v", gamma, i, j, scores[i][j], want[j])
				}
			}
		}
		if _, err := m.Scores(context.Background(), [][]int32{nil}, [][]int32{{7}}, 1); err == nil {
			t.Error("an author that there is none of: no error")
		}
	}
}

// On planted topics trained word vectors rank well above popularity; threads do not matter, and the constants are of the development papers.
func TestWordMeansOfTask(t *testing.T) {
	o := shelf.Options()
	o.TestShare = 0.2
	b := planted(t, o)
	tk := task(t, b)
	ctx := context.Background()
	words, err := encode.TrainWords(ctx, b.Network, encode.WordOptions{Dim: 16, Window: 5, Negatives: 5, Seed: 1}, 1)
	if err != nil {
		t.Fatal(err)
	}
	m, err := WordMeans(ctx, tk, words, 2)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Contains(textGammas, m.gamma) || !slices.Contains(textBetas, m.beta) {
		t.Errorf("gamma %v, beta %v", m.gamma, m.beta)
	}
	score, popularity := beside(t, tk, m)
	if score.AUC < popularity.AUC+0.1 {
		t.Errorf("AUC %v, popularity %v", score.AUC, popularity.AUC)
	}
	again, err := WordMeans(ctx, tk, words, 1)
	if err != nil {
		t.Fatal(err)
	}
	if one, err := tk.Evaluate(ctx, again, tk.Test, 1); err != nil || one.AUC != score.AUC {
		t.Errorf("with one thread AUC %v, expected %v, %v", one.AUC, score.AUC, err)
	}
	stopped, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := WordMeans(stopped, tk, words, 1); err == nil {
		t.Error("cancelled: no error")
	}
}
