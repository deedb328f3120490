package hetnet

import (
	"context"
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// by returns papers by some authors, without texts.
func by(t *testing.T, authors int, list ...[]int32) *typed.Authorship {
	var all []papers.Paper
	for _, own := range list {
		all = append(all, papers.Paper{Question: typed.Question{Own: own}})
	}
	return written(t, make([]string, authors), nil, all...).Authorship
}

// recalls returns what an untrained ranking comes to on a question.
func recalls(t *testing.T, name string, b *typed.Authorship, q typed.Question) map[string]float64 {
	t.Helper()
	some := []typed.Question{q}
	all := call.Of(Untrained(t.Context(), b, &typed.Task{Validation: some}, nil, 1))(t)
	return call.Of(typed.Evaluate(t.Context(), all[name], some, 1))(t)
}

// Who has written with most of the other candidates comes first, and then who has written most.
func TestCoAuthors(t *testing.T) {
	q := typed.Question{Own: []int32{0, 1}, Among: []int32{2, 3, 2}}
	for _, c := range []struct {
		written [][]int32
		want    [2]float64 // recall at 1 and at 2
	}{
		{[][]int32{{0, 1}, {2}, {3}}, [2]float64{0.5, 1}},
		{[][]int32{{2, 3}, {0}, {1}}, [2]float64{0, 0}},
		{[][]int32{{0, 1, 2}, {3}}, [2]float64{0, 0.5}}, // one who knows both is no author
	} {
		m := recalls(t, CoAuthors, by(t, 4, c.written...), q)
		if got := [2]float64{m["recall@1"], m["recall@2"]}; c.want[1] != 0.5 && got != c.want || c.want[1] == 0.5 && got[1] > 0.5 {
			t.Errorf("%v written: recalls %v, expected %v", c.written, got, c.want)
		}
	}
}

// Popularity is the number of training papers.
func TestPopularity(t *testing.T) {
	q := typed.Question{Own: []int32{0}, Among: []int32{1, 2}}
	if m := recalls(t, Popularity, by(t, 3, []int32{1}, []int32{1, 0}), q); m["recall@1"] != 0 || m["recall@2"] != 1 {
		t.Errorf("behind the author of more papers: %v", m)
	}
	if m := recalls(t, Popularity, by(t, 3, []int32{0}, []int32{1, 0}), q); m["recall@1"] != 1 || m["auc"] != 1 {
		t.Errorf("before the author of fewer papers: %v", m)
	}
}

// shelved has four training papers: "a" is in two (idf log 2), "b" in one (log 4), "c" in all (0), and "new" in none; second is the text of the second.
func shelved(t *testing.T, second ...int32) *typed.Authorship {
	var list []papers.Paper
	for _, q := range []typed.Question{{Own: []int32{0}, Text: []int32{0, 2}}, {Own: []int32{0, 1}, Text: second}, {Own: []int32{2}, Text: []int32{2}}, {Own: []int32{2}, Text: []int32{2}}} {
		list = append(list, papers.Paper{Question: q})
	}
	return written(t, []string{"x", "y", "z"}, []string{"a", "b", "c", "new"}, list...).Authorship
}

// expectScores checks the scores of a text ranker for authors 0 to 2.
func expectScores(t *testing.T, r *textRanker, gamma, beta float64, texts [][]int32, want [][3]float64) {
	t.Helper()
	r.gamma, r.beta = gamma, beta
	for i, text := range texts {
		got := call.Of(typed.Scores(t.Context(), r, []typed.Question{{Text: text, Own: []int32{0}, Among: []int32{1, 2, 1}}}, 2))(t)
		for a, x := range want[i] {
			if math.Abs(float64(got[0][a])-x) > 2e-6 {
				t.Errorf("gamma %v, text %v, author %d: %v, expected %v", gamma, text, a, got[0][a], x)
			}
		}
		if got[0][1] != got[0][3] {
			t.Errorf("an author who is there twice: %v", got)
		}
	}
}

// Scores worked out by hand.
func TestTFIDF(t *testing.T) {
	b := shelved(t, 0, 1, 1, 2)
	a, two := math.Log(2), math.Log(4)*(1+math.Log(2)) // of the second paper
	length := math.Hypot(a, two)
	x := [2]float64{1 + a/length, two / length} // the first author's sum; its papers are (1,0) and (a,two)/length
	of := [3]float64{0.1 * math.Log(3), 0.1 * math.Log(2), 0.1 * math.Log(3)}
	for _, gamma := range []float64{0, 0.5, 1} {
		norm := math.Pow(math.Hypot(x[0], x[1]), gamma)
		expectScores(t, newTFIDF(b), gamma, 0.1, [][]int32{{0, 3}, {1}, {3}, nil}, [][3]float64{
			{x[0]/norm + of[0], a/length + of[1], of[2]}, {x[1]/norm + of[0], two/length + of[1], of[2]}, of, of,
		})
	}
}

// Scores worked out by hand; "new" has no vector.
func TestWordMeans(t *testing.T) {
	b := shelved(t, 0, 1, 2)
	words := &encode.Words{Dim: 2, Vectors: []float32{3, 0, 3, 4, 1, 1, 0, 0}} // of length 3, 5, and directions (1,0) and (.6,.8)
	// The second paper: log 2 (1,0) + log 4 (.6,.8) is along (2.2,1.6), since log 4 is twice log 2.
	x, y := 2.2/math.Hypot(2.2, 1.6), 1.6/math.Hypot(2.2, 1.6)
	of := [3]float64{0.1 * math.Log(3), 0.1 * math.Log(2), 0.1 * math.Log(3)}
	for _, gamma := range []float64{0, 1} {
		norm := math.Pow(math.Hypot(1+x, y), gamma)
		expectScores(t, newWordMeans(b, words), gamma, 0.1, [][]int32{{1}, {2, 3}}, [][3]float64{{(0.6*(1+x)+0.8*y)/norm + of[0], 0.6*x + 0.8*y + of[1], of[2]}, of})
	}
}

// On planted topics shared words, and word vectors, tell more than the number of papers; threads do not matter. The test half has no say in the
// constants, which are the best of those to choose from.
func TestUntrainedOfTask(t *testing.T) {
	o := shelf.Options()
	o.TestShare = 0.2
	b := o.Bibliography(t)
	tk := task(t, b)
	words := call.Of(encode.TrainWords(t.Context(), b.Network, encode.WordOptions{Dim: 16, Seed: 1}, 1))(t)
	untrained := func(task *typed.Task, threads int) map[string]typed.Ranker {
		all, err := Untrained(t.Context(), b.Authorship, task, words, threads)
		if err != nil || len(all) != len(UntrainedNames()) {
			t.Fatal(all, err)
		}
		return all
	}
	all, blind := untrained(tk, 2), untrained(&typed.Task{Validation: tk.Validation}, 1)
	evaluate := func(r typed.Ranker, questions []typed.Question) map[string]float64 {
		return call.Of(typed.Evaluate(t.Context(), r, questions, 2))(t)
	}
	popularity := evaluate(all[Popularity], tk.Test)
	for _, name := range []string{TFIDF, WordMeans} {
		r := all[name].(*textRanker)
		if m := evaluate(r, tk.Test); m["auc"] < popularity["auc"]+0.1 || m["recall@10"] < 1.5*popularity["recall@10"] {
			t.Errorf("%s %v, popularity %v", name, m, popularity)
		}
		if again := blind[name].(*textRanker); again.gamma != r.gamma || again.beta != r.beta {
			t.Errorf("%s without test papers: γ %v, β %v", name, again.gamma, again.beta)
		}
		best, other := evaluate(r, tk.Validation)["recall@5"], *r
		for _, other.gamma = range textGammas {
			for _, other.beta = range textBetas {
				if recall := evaluate(&other, tk.Validation)["recall@5"]; recall > best {
					t.Errorf("%s: γ %v, β %v: Recall@5 of validation %v, above the chosen %v", name, other.gamma, other.beta, recall, best)
				}
			}
		}
	}
	stopped, cancel := context.WithCancel(t.Context())
	cancel()
	call.Refused(t)(Untrained(stopped, b.Authorship, tk, words, 1))
}
