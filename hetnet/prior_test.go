package hetnet

import (
	"context"
	"math"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// given is a model whose scores are given, of the papers by their first tokens.
type given struct {
	prior
	of func(paper, author int32) float32
}

func (g given) Scores(_ context.Context, texts, authors [][]int32, _ int) ([][]float32, error) {
	all := make([][]float32, len(texts))
	for p, list := range authors {
		for _, a := range list {
			all[p] = append(all[p], g.of(texts[p][0], a)+g.known.X[a])
		}
	}
	return all, nil
}

// A prior is chosen where papers are by prolific authors, and none where scores know all; it is β log(1+n), and the best of those to choose from.
func TestChoosePrior(t *testing.T) {
	o := shelf.Options()
	o.TestShare = 0.2
	b := planted(t, o)
	tk := task(t, b)
	wrote := map[[2]int32]bool{}
	for i := range tk.Dev {
		p := &tk.Dev[i]
		p.Tokens = []int32{int32(i)}
		for _, a := range p.Authors {
			wrote[[2]int32{int32(i), a}] = true
		}
	}
	noise := func(paper, author int32) float32 { return float32(math.Sin(float64(paper*7919 + author*104729))) }
	for name, of := range map[string]func(paper, author int32) float32{
		"noise": noise,
		"known": func(paper, author int32) float32 {
			if wrote[[2]int32{paper, author}] {
				return 100 + noise(paper, author)
			}
			return noise(paper, author)
		},
	} {
		m := given{newPrior(len(b.PapersOf)), of}
		m.known.InitNormal(1, 5) // of a choice before
		if err := ChoosePrior(t.Context(), m, tk, 1); err != nil {
			t.Fatal(err)
		}
		chosen := slices.Clone(m.known.X)
		recall := func() float64 {
			s, err := tk.Evaluate(t.Context(), m, tk.Dev, 1)
			if err != nil {
				t.Fatal(err)
			}
			return s.At[2].Recall
		}
		best := recall()
		unit := 0.
		for a, list := range b.PapersOf {
			if len(list) > 0 {
				beta := float64(chosen[a]) / math.Log1p(float64(len(list)))
				if unit == 0 {
					unit = beta
				}
				if math.Abs(beta-unit) > 1e-4*math.Abs(unit) {
					t.Fatalf("%s: β %v of author %d, %v of another", name, beta, a, unit)
				}
			}
		}
		if (unit > 0) != (name == "noise") {
			t.Errorf("%s: β %v", name, unit)
		}
		m.set(0, b.PapersOf)
		if plain := recall(); plain > best || name == "noise" && plain == best {
			t.Errorf("%s: Recall@5 %v with the prior, %v without", name, best, plain)
		}
	}
}

// A model that is loaded gives the scores that it gave, to the bit, with its prior and made authors.
func TestLoadedScores(t *testing.T) {
	in := topical(t, 120)
	tk := task(t, of(in))
	free := func(method string) graphs.Options {
		o := walkedOptions(method)
		o.WarmUp = false
		return o
	}
	for name, o := range map[string]graphs.Options{
		"m2v++": free(MethodM2V), "camel": free(MethodCamel), "tapem": free(MethodTaPEm), "asp2vec-het": free(MethodAsp2vecHet),
		"m2v++ of papers": fromPapers(MethodM2V), "camel of papers": fromPapers(MethodCamel), "tapem of papers": fromPapers(MethodTaPEm),
		"asp2vec-het of papers": fromPapers(MethodAsp2vecHet),
	} {
		o.Epochs = 2
		if o.Method.Name == MethodTaPEm {
			graphs.Edit(&o, func(p *PaperOptions) { p.ContextRatio = 0.2 })
		}
		res, err := graphs.Train(t.Context(), graphs.Input{Typed: in}, o, 2, graphs.Monitor{})
		if err != nil {
			t.Fatal(name, err)
		}
		model := res.Learner.(papers.Ranker)
		if err := ChoosePrior(t.Context(), model, tk, 2); err != nil {
			t.Fatal(name, err)
		}
		record := results.NewRecord(o.Method.Name)
		if record.Options, err = results.MarshalOptions(o); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "run")
		if err := vectors.WriteRun(dir, false, vectors.Run{Names: in.VertexNames(), D: o.Dim, Final: res.Embedding.Final, Model: Keep(in, res.Learner), Record: record}); err != nil {
			t.Fatal(name, err)
		}
		s, err := Load(dir, 1)
		if err != nil {
			t.Fatal(name, err)
		}
		again, err := s.For(of(in))
		if err != nil {
			t.Fatal(name, err)
		}
		tokens, authors, err := tk.Asked(tk.Test)
		if err != nil {
			t.Fatal(err)
		}
		want, err := model.Scores(t.Context(), tokens, authors, 2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := again.Scores(t.Context(), tokens, authors, 1)
		if err != nil {
			t.Fatal(err)
		}
		for p := range want {
			if !slices.Equal(got[p], want[p]) {
				t.Errorf("%s: paper %d: %v, expected %v", name, p, got[p][:3], want[p][:3])
				break
			}
		}
	}
}
