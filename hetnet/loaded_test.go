package hetnet

import (
	"context"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// chooser is a model with a prior.
type chooser interface {
	ChoosePrior(ctx context.Context, b *typed.Authorship, questions []typed.Question, threads int) error
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
		model := res.Learner.(Model)
		if err := model.(chooser).ChoosePrior(t.Context(), of(in).Authorship, tk.Validation, 2); err != nil {
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
		questions, err := s.questions(of(in).Authorship, tk.Test)
		if err != nil {
			t.Fatal(name, err)
		}
		want, err := typed.Scores(t.Context(), model, tk.Test, 2)
		if err != nil {
			t.Fatal(err)
		}
		got, err := typed.Scores(t.Context(), s.Ranker, questions, 1)
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
