package hetnet

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/rng"
)

func prototypeOptions(dim int) graphs.Options {
	o := graphs.OptionsOf(MethodOf(MethodPrototype), graphs.Validated)
	o.Dim, o.Batch, o.Negatives, o.Epochs, o.Select = dim, 64, 20, 3, graphs.SelectLast
	return o.Complete()
}

// plantedInput is a bibliography whose words have vectors.
func plantedInput(t *testing.T) Input {
	o := shelf.Options()
	o.TestShare = 0.2
	b := planted(t, o)
	return OfPapers(b.Network, testWords(len(b.Words), 8))
}

func prepared(t *testing.T, in Input, o graphs.Options, threads int) *prototype {
	t.Helper()
	m, err := newPrototype(in, o, threads)
	if err == nil {
		err = m.prepare(t.Context())
	}
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// Before training, with as many axes as word vectors have numbers, authors are ranked by word means and a share of tf-idf.
func TestPrototypeBeginsAsWordMeans(t *testing.T) {
	in := plantedInput(t)
	task := task(t, of(in))
	tokens, authors, err := task.Asked(task.Test)
	if err != nil {
		t.Fatal(err)
	}
	m := prepared(t, in, prototypeOptions(8), 2)
	got, err := m.Scores(t.Context(), tokens, authors, 2)
	if err != nil {
		t.Fatal(err)
	}
	want, err := NewWordMeans(of(in).Authorship, in.Words, 1, 0.05).Scores(t.Context(), tokens, authors, 1)
	if err != nil {
		t.Fatal(err)
	}
	exact, err := NewTFIDF(of(in).Authorship, 1, 0).Scores(t.Context(), tokens, authors, 1)
	if err != nil {
		t.Fatal(err)
	}
	for p := range want {
		for i := range want[p] {
			if math.Abs(float64(got[p][i]-want[p][i]-m.kappa.X[0]*exact[p][i])) > 5e-6 {
				t.Fatalf("paper %d, candidate %d: %v, expected %v and %v of %v", p, i, got[p][i], want[p][i], m.kappa.X[0], exact[p][i])
			}
		}
	}
}

// A step's own authors are without the paper that they are told by, others have all their papers, and other authors who wrote the paper
// too do not count.
func TestPrototypeLeavesPapersOut(t *testing.T) {
	in := plantedInput(t)
	o := prototypeOptions(4)
	o.Negatives = 200 // so that some of them wrote the papers
	m := prepared(t, in, o, 1)
	x, err := m.directions(t.Context(), m.texts, m.weights, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range m.pairs {
		if len(m.b.PapersOf[p.own]) < 2 {
			t.Fatalf("a pair with an author of one paper")
		}
	}
	batch := []int{3, 0, len(m.pairs) - 1}
	m.fill(batch, rng.New(7, "others"), x, m.sums(x))
	g, s, excluded := m.graph, rng.New(7, "others"), 0
	var others []int32
	for j := range o.Negatives {
		a := int32(s.Intn(len(m.b.PapersOf)))
		others = append(others, a)
		if want := math.Log1p(float64(len(m.b.PapersOf[a]))); float64(g.othersPapers[j]) != float64(float32(want)) {
			t.Errorf("log of the papers of another %v, expected %v", g.othersPapers[j], want)
		}
	}
	for i, n := range batch {
		pair := m.pairs[n]
		var sum [8]float64
		papers := 0
		for q, authors := range of(in).AuthorsOf {
			if q == int(pair.paper) || !slices.Contains(authors, pair.own) {
				continue
			}
			papers++
			for d := range sum {
				sum[d] += float64(x[q*8+d])
			}
		}
		for d, want := range sum {
			if got := float64(g.own[i*8+d]); math.Abs(got-want) > 1e-5 {
				t.Errorf("pair %d: own author %v, expected %v", i, g.own[i*8:][:8], sum)
				break
			}
		}
		if got, want := float64(g.ownPapers[i]), math.Log1p(float64(papers)); math.Abs(got-want) > 1e-6 {
			t.Errorf("pair %d: log of the papers %v, expected %v", i, got, want)
		}
		for j, a := range others {
			want := float32(0)
			if slices.Contains(of(in).AuthorsOf[pair.paper], a) {
				want = farBelow
				excluded++
			}
			if got := g.excluded[i*len(others)+j]; got != want {
				t.Errorf("pair %d, other author %d: excluded %v, expected %v", i, a, got, want)
			}
		}
	}
	// The words that a paper shares with its author are those of the author's other papers, by the tf-idf of a bibliography without the paper
	// but for df, which all training papers have.
	cosine := func(a, b map[int32]float64) float64 {
		var product, x, y float64
		for w, c := range a {
			product, x = product+c*b[w], x+c*c
		}
		for _, c := range b {
			y += c * c
		}
		if x == 0 || y == 0 {
			return 0
		}
		return product / math.Sqrt(x*y)
	}
	df := map[int32]float64{}
	for _, tokens := range m.b.Texts() {
		for _, w := range encode.Count(tokens).Words {
			df[w]++
		}
	}
	vector := func(list []int32) map[int32]float64 { // the sum of unit vectors
		sum := map[int32]float64{}
		for _, p := range list {
			one, square := map[int32]float64{}, 0.
			for _, w := range m.b.Texts()[p] {
				one[w]++
			}
			for w, n := range one {
				one[w] = (1 + math.Log(n)) * math.Log(float64(len(m.b.Texts()))/df[w])
				square += one[w] * one[w]
			}
			for w, x := range one {
				sum[w] += x / math.Sqrt(square)
			}
		}
		return sum
	}
	for i, n := range batch {
		pair := m.pairs[n]
		own := vector([]int32{pair.paper})
		left := slices.DeleteFunc(slices.Clone(m.b.PapersOf[pair.own]), func(p int32) bool { return p == pair.paper })
		if got, want := float64(g.ownWords[i]), cosine(own, vector(left)); math.Abs(got-want) > 1e-5 {
			t.Errorf("pair %d: words shared with the own author %v, expected %v", i, got, want)
		}
		for j, a := range others {
			if got, want := float64(g.othersWords[i*len(others)+j]), cosine(own, vector(m.b.PapersOf[a])); math.Abs(got-want) > 1e-5 {
				t.Errorf("pair %d, other author %d: shared words %v, expected %v", i, a, got, want)
			}
		}
	}
	if g.weight[0] != float32(1)/3 || g.weight[3] != 0 {
		t.Errorf("weights %v, expected a third of three pairs", g.weight[:4])
	}
	if excluded == 0 {
		t.Error("no other author wrote one of the papers: draw more, or the test shows nothing")
	}
}

// Where half of the words of a text say nothing, training finds out which, and authors are ranked better than by word means.
func TestPrototypeLearns(t *testing.T) {
	o := shelf.Options()
	o.TestShare = 0.2
	b := planted(t, o)
	words := trainedWords(t, b.Network, encode.WordOptions{Dim: 16, Epochs: 20, Window: 5, Negatives: 5, Seed: 1}, 2)
	s := rng.New(1, "noise words")
	named := len(b.Words)
	for i := range 300 {
		b.Words = append(b.Words, fmt.Sprint("noise", i))
	}
	noisy := func(tokens []int32) []int32 {
		tokens = slices.Clone(tokens)
		for range len(tokens) {
			tokens = append(tokens, int32(named+s.Intn(300)))
		}
		return tokens
	}
	*b.Network = *retold(b.Network, noisy)
	for i := range b.Test {
		b.Test[i].Tokens = noisy(b.Test[i].Tokens)
	}
	for range 300 { // each looks like a word of some topic
		words.Vectors = append(words.Vectors, words.Vector(int32(s.Intn(named)))...)
	}
	in := OfPapers(b.Network, words)
	task := task(t, b)
	recall := func(r papers.Ranker) float64 {
		score, err := task.Evaluate(t.Context(), r, task.Dev, 1)
		if err != nil {
			t.Fatal(err)
		}
		return score.At[2].Recall
	}
	options := prototypeOptions(16)
	before := recall(prepared(t, in, options, 1))
	options.Epochs, options.LearningRate = 10, 0.01
	var tables [2][]*graphs.Table
	for i, threads := range []int{1, 3} {
		res, err := graphs.Train(t.Context(), graphs.Input{Typed: in}, options, threads, graphs.Monitor{})
		if err != nil {
			t.Fatal(err)
		}
		tables[i] = res.Learner.Parameters()
		if after := recall(res.Learner.(papers.Ranker)); after < before+0.03 {
			t.Errorf("Recall@5 %.3f after training, %.3f before: expected more", after, before)
		}
		weights := tables[i][0].X
		mean := func(x []float32) (sum float64) {
			for _, v := range x {
				sum += float64(v) / float64(len(x))
			}
			return sum
		}
		if topical, noisy := mean(weights[:named]), mean(weights[named:]); noisy > topical/2 {
			t.Errorf("words that say nothing weigh %.2f, others %.2f", noisy, topical)
		}
	}
	for i, one := range tables[0] {
		if !slices.Equal(one.X, tables[1][i].X) {
			t.Errorf("other %s with three threads", one.Name)
		}
	}
}

// Axes of vectors along (3,4) and, less far, across.
func TestPrincipalAxes(t *testing.T) {
	table := graphs.NewTable("matrix", 2, 2)
	if err := principalAxes(table, []float32{3, 4, -6, -8, -4, 3}); err != nil {
		t.Fatal(err)
	}
	for i, want := range []float32{.6, .8, .8, -.6} {
		if got := table.X[i]; math.Abs(float64(got-want)) > 1e-6 {
			t.Errorf("axes %v, expected .6 .8 and .8 -.6", table.X)
			break
		}
	}
	if err := principalAxes(table, []float32{float32(math.NaN()), 1}); err == nil {
		t.Error("vectors that are no numbers: no error")
	}
}

func TestPrototypeErrors(t *testing.T) {
	in := plantedInput(t)
	if _, err := newPrototype(in, prototypeOptions(9), 1); err == nil || !strings.Contains(err.Error(), "dim = 9") {
		t.Errorf("more dimensions than word vectors have: %v", err)
	}
	once := written(t, []string{"a", "b"}, []string{"w"}, papers.Paper{Name: "p", Authors: []int32{0}, Tokens: []int32{0}}, papers.Paper{Name: "q", Authors: []int32{1}, Tokens: []int32{0}})
	m, err := newPrototype(OfPapers(once.Network, testWords(1, 8)), prototypeOptions(4), 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := m.prepare(context.Background()); err == nil || !strings.Contains(err.Error(), "no author of \"written\" has two training papers") {
		t.Errorf("authors of one paper each: %v", err)
	}
	if _, err := prepared(t, in, prototypeOptions(4), 1).Encode(context.Background(), [][]int32{{99999}}, 1); err == nil {
		t.Error("a word that is not there: no error")
	}
}
