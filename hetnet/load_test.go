package hetnet

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// A trained model of every method, of every scoring, with its prior and made authors, gives the same scores after it was written and read, without papers. Walks
// over venues leave vectors that scores do not need.
func TestEveryMethodIsLoaded(t *testing.T) {
	in := topical(t, 100)
	questions := append(questions(of(in)), typed.Question{Among: []int32{0, 1}}) // of which one has no words
	methods := 0
	for _, m := range Methods() {
		if !m.Reads("text-length") {
			continue
		}
		methods++
		for i, scoring := range append(slices.Clone(m.Scorings), m.Scorings[0], m.Scorings[0]) {
			encoder, authors := EncoderGRU, AuthorsFree
			if i >= len(m.Scorings) {
				encoder = EncoderMean
			}
			if i > len(m.Scorings) {
				authors = AuthorsPapers
			}
			t.Run(m.Name+"/"+scoring+"/"+encoder+"/"+authors, func(t *testing.T) {
				o := graphs.OptionsOf(MethodOf(m.Name), graphs.Validated)
				o.Dim, o.Batch, o.Walks, o.Length, o.Scoring, o.Epochs, o.WarmUpEpochs = 6, 40, 2, 10, scoring, 1, 1
				graphs.Edit(&o, func(p *PaperOptions) {
					p.TextLength, p.Encoder, p.Authors, p.MetaPaths = 4, encoder, authors, "APA,APVPA"
				})
				o.Select = graphs.SelectLast
				res := call.Of(graphs.Train(t.Context(), graphs.Input{Typed: in}, o, 2, graphs.Monitor{}))(t)
				call.OK(t, res.Learner.(interface {
					ChoosePrior(context.Context, *typed.Authorship, []typed.Question, int) error
				}).ChoosePrior(t.Context(), of(in).Authorship, task(t, of(in)).Validation, 2))
				record := results.NewRecord(m.Name)
				record.Options = call.Of(results.MarshalOptions(o))(t)
				dir := filepath.Join(t.TempDir(), "run")
				e := res.Embedding
				run := vectors.Run{Names: res.Names, D: e.D, Final: e.Final, Model: Keep(in, res.Learner), Record: record}
				call.OK(t, vectors.WriteRun(dir, false, run))
				saved := call.Of(Load(dir, 1))(t)
				score := func(r typed.Ranker) string {
					return fmt.Sprint(call.Of(typed.Scores(t.Context(), r, questions, 1))(t))
				}
				want := score(res.Learner.(typed.Ranker))
				if got := score(saved.Ranker); got != want {
					t.Errorf("loaded: %.300s\nwant: %.300s", got, want)
				}
			})
		}
	}
	if methods != 4 {
		t.Errorf("%d methods, expected 4", methods)
	}
}
