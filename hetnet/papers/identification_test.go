package papers

import (
	"context"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// scorer is a ranker of which a paper's first token says the paper.
type scorer func(paper, author int32) float32

func (s scorer) Scores(ctx context.Context, papers, authors [][]int32, _ int) ([][]float32, error) {
	out := make([][]float32, len(papers))
	for i, p := range papers {
		for _, a := range authors[i] {
			out[i] = append(out[i], s(p[0], a))
		}
	}
	return out, ctx.Err()
}

// numbered returns a bibliography of 200 authors and of test papers with the given names, each with one to three authors and
// 100 candidates in all, the first of which is there twice. The paper's place is its token.
func numbered(names ...string) *Bibliography {
	n := NewNetwork("numbered", nil, nil, nil)
	for a := range 200 {
		n.Names[Author] = append(n.Names[Author], fmt.Sprint("author ", a))
	}
	a, err := n.Authorship()
	if err != nil {
		panic(err) // bibliographies have papers and authors
	}
	b := &Bibliography{Authorship: a}
	for i, name := range names {
		order := rng.New(7, "numbered", uint64(i)).Perm(200)
		p := Paper{Name: name, Venue: -1, Tokens: []int32{int32(i)}, place: int32(i)}
		for j, a := range order[:99] {
			if j <= i%3 {
				p.Authors = append(p.Authors, int32(a))
			} else {
				p.Candidates = append(p.Candidates, int32(a))
			}
		}
		p.Candidates = append(p.Candidates, p.Candidates[0])
		b.Test = append(b.Test, p)
	}
	return b
}

func task(t *testing.T, b *Bibliography) *Identification {
	t.Helper()
	out, err := NewIdentification(b)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// places returns where papers stand.
func places(papers []Paper) (at []int32) {
	for _, p := range papers {
		at = append(at, p.place)
	}
	return at
}

func TestHalves(t *testing.T) {
	for _, c := range []struct {
		names     []string
		dev, test []int32
	}{
		// As the golden example has it: of five papers the first three.
		{[]string{"11", "12", "13", "14", "15"}, []int32{0, 1, 2}, []int32{3, 4}},
		{[]string{"100", "20", "3", "-5"}, []int32{3, 2, 1}, []int32{0}},             // by value
		{[]string{"100", "20", "3", "x"}, []int32{0, 1, 2}, []int32{3}},              // by bytes
		{[]string{"b", "a", "c"}, []int32{1, 0}, []int32{2}},                         //
		{[]string{"7", "07", "1"}, []int32{2, 1}, []int32{0}},                        // of equal value, by bytes
		{[]string{"99999999999999999999", "1", "2"}, []int32{1, 2}, []int32{0}},      // too large: by bytes
		{[]string{"9", "8", "7", "6", "5", "4"}, []int32{5, 4, 3, 2}, []int32{1, 0}}, // 0 to ⌊6/2⌋
		{[]string{"1", "2", "3", "4", "5", "6", "7"}, []int32{0, 1, 2, 3}, []int32{4, 5, 6}},
	} {
		b := numbered(c.names...)
		got := task(t, b)
		if !slices.Equal(places(got.Dev), c.dev) || !slices.Equal(places(got.Test), c.test) {
			t.Errorf("%v: %v and %v, expected %v and %v", c.names, got.Dev, got.Test, c.dev, c.test)
		}
	}
}

func TestEvaluate(t *testing.T) {
	b := numbered("1", "2", "3", "4", "5", "6")
	tk := task(t, b)
	wrote := func(paper, author int32) bool { return slices.Contains(b.Test[paper].Authors, author) }
	knows := scorer(func(p, a int32) float32 {
		if wrote(p, a) {
			return 1
		}
		return 0
	})
	s, err := tk.Evaluate(t.Context(), knows, tk.Test, 2)
	if err != nil {
		t.Fatal(err)
	}
	if m := s.Metrics(); s.Papers != 2 || m["auc"] != 1 || m["recall@5"] != 1 || m["recall@1"] == 1 || math.Abs(m["precision@20"]-2.5/20) > 1e-15 {
		t.Errorf("who knows all: %v", m) // papers 5 and 6 have 2 and 3 authors
	}
	same := scorer(func(_, _ int32) float32 { return 3 })
	if s, err = tk.Evaluate(t.Context(), same, b.Test, 1); err != nil || s.AUC != 0 || s.At[4].Recall != 0 {
		t.Errorf("who gives all the same: %+v, %v", s, err)
	}
	if want := AtFirst(); len(s.At) != len(want) || s.At[0].N != 1 || s.At[4].N != 20 {
		t.Errorf("%+v, expected %v", s.At, want)
	}
	// A candidate that stands there twice counts twice: before the only author stand the first candidate and itself again.
	first := scorer(func(p, a int32) float32 {
		switch {
		case a == b.Test[p].Candidates[0]:
			return 2
		case wrote(p, a):
			return 1
		}
		return 0
	})
	if s, err = tk.Evaluate(t.Context(), first, b.Test[:1], 1); err != nil || s.At[1].Recall != 0 || s.At[2].Recall != 1 || math.Abs(s.AUC-97./99) > 1e-15 {
		t.Errorf("behind one that is there twice: %+v, %v", s, err)
	}
}

// A random ranker comes to a recall@10 of .10 of 100 candidates. It gives a candidate that stands there
// twice the same score twice, which a random order of the list would not.
func TestRandomRanker(t *testing.T) {
	var names []string
	for i := range 3000 {
		names = append(names, fmt.Sprint(i))
	}
	b := numbered(names...)
	tk := task(t, b)
	got, err := tk.Evaluate(t.Context(), randomScorer(1), b.Test, 1)
	if err != nil {
		t.Fatal(err)
	}
	// Without training papers all have written as many.
	popularity, err := tk.Popularity(b.Test)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range []eval.AuthorScore{got, popularity} { // a paper's recall and AUC have a standard deviation of at most .4
		if far := 5 * 0.4 / math.Sqrt(float64(s.Papers)); math.Abs(s.At[3].Recall-0.1) > far || math.Abs(s.AUC-0.5) > far {
			t.Errorf("%+v, expected a recall@10 of about .1 and an AUC of about .5", s)
		}
	}
}

// Popularity is the number of training papers: the author of two stands before the author of one, who stands before all others.
func TestCoAuthors(t *testing.T) {
	b := numbered("1", "2", "3", "4")
	tk := task(t, b)
	paper := Paper{Name: "5", Authors: []int32{0, 1}, Candidates: []int32{2, 3, 2}}
	for _, c := range []struct {
		written [][]int32
		want    [2]float64 // recall at 1 and at 2
	}{
		{[][]int32{{0, 1}, {2}, {3}}, [2]float64{0.5, 1}},
		{[][]int32{{2, 3}, {0}, {1}}, [2]float64{0, 0}},
		{[][]int32{{0, 1, 2}, {3}}, [2]float64{0, 0.5}}, // one who knows both is no author
	} {
		b.AuthorsOf = c.written
		s, err := tk.CoAuthors([]Paper{paper})
		if err != nil {
			t.Fatal(err)
		}
		if got := [2]float64{s.At[0].Recall, s.At[1].Recall}; c.want[1] != 0.5 && got != c.want || c.want[1] == 0.5 && got[1] > 0.5 {
			t.Errorf("%v written: recalls %v, expected %v", c.written, got, c.want)
		}
	}
	if _, err := tk.CoAuthors(nil); err == nil {
		t.Error("no papers: no error")
	}
}

func TestPopularity(t *testing.T) {
	b := numbered("1", "2", "3", "4")
	tk := task(t, b)
	own, rival := b.Test[0].Authors[0], b.Test[0].Candidates[1]
	b.AuthorsOf = [][]int32{{rival}, {rival}}
	score := func() eval.AuthorScore {
		t.Helper()
		s, err := tk.Popularity(b.Test[:1])
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	b.AuthorsOf[1] = []int32{rival, own}
	if s := score(); s.At[0].Recall != 0 || s.At[1].Recall != 1 {
		t.Errorf("behind the author of more papers: %+v", s)
	}
	b.AuthorsOf[0] = []int32{own}
	if s := score(); s.At[0].Recall != 1 || s.AUC != 1 {
		t.Errorf("before the author of fewer papers: %+v", s)
	}
	if _, err := tk.Popularity(nil); err == nil {
		t.Error("no papers: no error")
	}
}

func randomScorer(seed uint64) scorer {
	key := rng.NewKey(seed, "random ranker")
	return func(p, a int32) float32 {
		s := key.With(uint64(p)).Stream(uint64(a))
		return s.Float32()
	}
}
