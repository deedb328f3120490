package hetnet

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// saveCamel writes the folder of a run of a model with random parameters.
func saveCamel(t *testing.T) (in Input, dir string) {
	t.Helper()
	in = topical(t, 100)
	o := smallOptions(MethodCamel)
	c := call.Of(newCamel(in, o, 2))(t)
	for _, table := range c.Parameters() { // other numbers than a new model has
		table.InitNormal(77, 0.3)
	}
	record := results.NewRecord(MethodCamel)
	record.Options = call.Of(results.MarshalOptions(o))(t)
	e := call.Of(c.Embedding())(t)
	dir = filepath.Join(t.TempDir(), "run")
	run := vectors.Run{Names: in.VertexNames(), D: e.D, Final: e.Final, Model: Keep(in, c), Record: record}
	call.OK(t, vectors.WriteRun(dir, false, run))
	return in, dir
}

func TestLoadErrors(t *testing.T) {
	replace := func(file, old, new string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			path := filepath.Join(dir, file)
			b, err := os.ReadFile(path)
			if err != nil || !strings.Contains(string(b), old) {
				t.Fatalf("%s: no %q in it, %v", file, old, err)
			}
			call.File(t, path, strings.Replace(string(b), old, new, 1))
		}
	}
	rename := func(from, to string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			call.OK(t, os.Rename(filepath.Join(dir, vectors.ParametersDir, from), filepath.Join(dir, vectors.ParametersDir, to)))
		}
	}
	for name, c := range map[string]struct {
		change func(t *testing.T, dir string)
		want   string
	}{
		"method":       {replace(results.RecordFile, `"method": "camel"`, `"method": "test-gone"`), `method "test-gone"`},
		"option":       {replace(results.RecordFile, `"dim": 6`, `"dim": -6`), "dim = -6"},
		"no option":    {replace(results.RecordFile, `"dim": 6`, `"dim": "six"`), "options of the run's record"},
		"build":        {replace(results.RecordFile, `"dim": 6`, `"dim": 7`), "no parameter of that size"},
		"one less":     {rename("bias_hh.npy", "bias_hh.txt"), `parameter "bias_hh" is missing`},
		"another name": {rename("bias_hh.npy", "other.npy"), `parameter "bias_hh" is missing`},
		"shape":        {rename("bias_hh.npy", "authors.npy"), `parameter "authors" of shape [18]: expected (`},
		"one more": {func(t *testing.T, dir string) {
			path := filepath.Join(dir, vectors.ParametersDir)
			b, err := os.ReadFile(filepath.Join(path, "bias_hh.npy"))
			if err == nil {
				err = os.WriteFile(filepath.Join(path, "more.npy"), b, 0o666)
			}
			if err != nil {
				t.Fatal(err)
			}
		}, `unknown parameter "more"`},
		"no model": {func(t *testing.T, dir string) {
			call.OK(t, os.RemoveAll(filepath.Join(dir, vectors.ParametersDir)))
		}, "contains no model"},
	} {
		t.Run(name, func(t *testing.T) {
			_, dir := saveCamel(t)
			c.change(t, dir)
			call.Refused(t, c.want, dir)(Load(dir, 1))
		})
	}
}

func loaded(t *testing.T) (Input, *Saved) {
	in, dir := saveCamel(t)
	s := call.Of(Load(dir, 1))(t)
	return in, s
}

// given is a ranker that knows the score of each author.
type given func(author int32) float32

func (g given) Rank(ctx context.Context, questions []typed.Question, dst [][]float32, threads int) error {
	return typed.Each(ctx, questions, dst, threads, func(_ int, dst []float32, authors []int32) error {
		for i, a := range authors {
			dst[i] = g(a)
		}
		return nil
	})
}

func TestRank(t *testing.T) {
	in, s := loaded(t)
	texts := make([][]int32, 2*rankBatch+3) // more than one batch
	for i := range texts {
		texts[i] = of(in).Test[i%len(of(in).Test)].Text
	}
	got, err := s.Rank(t.Context(), texts, 7, 3)
	if err != nil || len(got) != len(texts) {
		t.Fatalf("%d papers ranked, %v", len(got), err)
	}
	everyone := seq.Upto(int32(len(s.Authors)))
	for i, list := range got {
		scores := call.Of(typed.Scores(t.Context(), s.Ranker, []typed.Question{{Text: texts[i], Among: everyone}}, 1))(t)
		order := slices.Clone(everyone)
		slices.SortStableFunc(order, func(a, b int32) int { return -cmp.Compare(scores[0][a], scores[0][b]) })
		if len(list) != 7 {
			t.Fatalf("paper %d: %d authors, expected 7", i, len(list))
		}
		for place, r := range list {
			if r.Author != order[place] || r.Score != scores[0][r.Author] {
				t.Fatalf("paper %d, place %d: %+v, expected author %d", i, place, r, order[place])
			}
		}
	}
	if all, err := s.Rank(t.Context(), texts[:1], 1000, 1); err != nil || len(all[0]) != len(s.Authors) {
		t.Errorf("more than there are: %d, %v", len(all[0]), err)
	}
	s.Ranker = given(func(a int32) float32 { return float32(a % 2) })
	if tied, _ := s.Rank(t.Context(), texts[:1], 3, 1); fmt.Sprint(tied) != "[[{1 1} {3 1} {5 1}]]" {
		t.Errorf("ties: %v", tied)
	}
	s.Ranker = given(func(a int32) float32 { return float32(math.NaN()) })
	call.Refused(t, "NaN")(s.Rank(t.Context(), texts[:1], 3, 1))
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	call.Refused(t)(s.Rank(cancelled, texts, 3, 1))
}

func TestTokens(t *testing.T) {
	s := &Saved{words: seq.Places[string, int32]([]string{"graph", "Go", "c++", "naïve", "bayes", "top-k", "2", "state", "e\u0301tat"})}
	for _, c := range []struct {
		text, want, unknown string
	}{
		{"graph graph", "[0 0]", "[]"},
		{"Graph, GRAPH. (graph)", "[0 0 0]", "[]"},
		{"Go go", "[1]", "[go]"}, // as it stands, or else in lower case
		{"C++ c+", "[2]", "[c]"},
		{"naïve-Bayes: top-k\tTop-K 2\n", "[3 4 5 5 6]", "[]"},
		{"E\u0301TAT, (nai\u0308ve)", "[8]", "[nai\u0308ve]"}, // marks belong to their letters; no other spelling is looked for
		{"graph-of-thought", "[0]", "[of thought]"},
		{"— … !?", "[]", "[]"},
		{"", "[]", "[]"},
		{"state-of-the-art", "[7]", "[of the art]"},
	} {
		tokens, unknown := s.Tokens(c.text)
		if fmt.Sprint(tokens) != c.want || fmt.Sprint(unknown) != c.unknown {
			t.Errorf("%q: %v and %v, expected %v and %v", c.text, tokens, unknown, c.want, c.unknown)
		}
	}
}

// A bibliography with the same authors and words in another order, and more words, has the model's own questions.
func TestQuestionsInAnotherOrder(t *testing.T) {
	in, s := loaded(t)
	own := of(in)
	authors := own.Names[papers.Author]
	order := rng.New(5, "authors").Perm(len(authors))
	words := rng.New(5, "words").Perm(len(own.Words))
	n := papers.NewNetwork("other", make([]string, len(order)), nil, make([]string, len(words)))
	for old, new := range order {
		n.Names[papers.Author][new] = authors[old]
	}
	for old, new := range words {
		n.Words[new] = own.Words[old]
	}
	n.Words = append(n.Words, "news")
	move := func(list []int32, to []int) (out []int32) {
		for _, x := range list {
			out = append(out, int32(to[x]))
		}
		return out
	}
	var list []paper
	for _, p := range own.Test {
		q := typed.Question{Name: p.Name, Text: move(p.Text, words), Own: move(p.Own, order), Among: move(p.Among, order)}
		q.Text = slices.Insert(q.Text, 1, int32(len(n.Words)-1)) // a word that the model does not know
		list = append(list, paper{papers.Paper{Question: q}, true})
	}
	b := bibliography(t, n, list...)
	got, err := s.questions(b.Authorship, questions(b))
	if want := questions(own); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, expected %+v; %v", got[0], want[0], err)
	}
	if tokens, unknown := s.Known(b.Spelt(b.Test[5].Text)); !slices.Equal(tokens, own.Test[5].Text) || !slices.Equal(unknown, []string{"news"}) {
		t.Errorf("words of a paper: %v and %v", tokens, unknown)
	}
	n.Names[papers.Author][b.Test[3].Among[2]] = "Nobody"
	call.Refused(t, `"Nobody" of other is not known`)(s.questions(b.Authorship, questions(b)))
}
