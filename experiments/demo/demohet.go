package demo

import (
	"context"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/results"
)

// HetDemoOptions say what HetDemo does.
type HetDemoOptions struct {
	Bibliography hetnet.PlantedOptions `json:"bibliography"`
	Methods      []graphs.Options      `json:"methods"`
}

// DefaultHetDemo returns a demonstration that takes some seconds: six hundred authors of one or two of ten topics, and papers
// of eight words. Everything random comes from seed.
//
// Options were chosen on seeds 11 and 12, by Recall@10 of both methods there. What differs from the defaults of training:
// vectors and steps are small, since the bibliography is, and the rate is higher.
func DefaultHetDemo(seed uint64) HetDemoOptions {
	o := HetDemoOptions{Bibliography: hetnet.DefaultPlanted()}
	o.Bibliography.Authors, o.Bibliography.Papers, o.Bibliography.TestShare, o.Bibliography.Seed = 600, 2000, 0.2, seed
	for _, c := range []struct {
		method              string
		dim, aspects, batch int
	}{{hetnet.MethodCamel, 40, 1, 500}, {hetnet.MethodAsp2vecHet, 8, 5, 2000}} {
		m := graphs.OptionsOf(hetnet.MethodOf(c.method), graphs.Default)
		m.Dim, m.Aspects, m.Seed = c.dim, c.aspects, seed
		graphs.Edit(&m, func(p *hetnet.PaperOptions) { p.WordDim = 32 })
		m.LearningRate, m.Batch, m.Patience = 0.005, c.batch, 5
		o.Methods = append(o.Methods, m)
	}
	return o
}

// HetDemoMethod is what one method came to.
type HetDemoMethod struct {
	Name    string          `json:"name"`
	Dim     int             `json:"dim"`
	Aspects int             `json:"aspects"`
	Metrics results.Metrics `json:"metrics"` // of the reported half of the test papers
	Epoch   int             `json:"epoch"`
	Seconds float64         `json:"seconds"` // of training and evaluation
}

// HetDemoResult is what HetDemo came to.
type HetDemoResult struct {
	HetDemoOptions
	Authors  int             `json:"authors"`
	Train    int             `json:"train"`
	Reported int             `json:"reported"` // test papers whose authors were to be named
	Random   results.Metrics `json:"random"`   // expected of the candidates in a random order
	Topics   results.Metrics `json:"topics"`   // of those of the paper's topic before all others, in random orders
	Runs     []HetDemoMethod `json:"runs"`
}

// HetDemo trains the methods on papers and authors with planted topics, and measures how well they identify the authors of papers that
// they have not seen. One half of the test papers chooses the epoch and the other is reported. begin is told of each method, and
// returns what watches it. It returns an error for options of the bibliography or the training that these refuse, and where ctx is
// done.
func HetDemo(ctx context.Context, o HetDemoOptions, threads int, begin func(graphs.Options) run.Watch) (*HetDemoResult, error) {
	planted, err := o.Bibliography.Generate()
	if err != nil {
		return nil, err
	}
	b := planted.Bibliography
	task, err := hetnet.NewTask(b, hetnet.TaskOptions{Halves: hetnet.HalvesPublished, Seed: o.Bibliography.Seed})
	if err != nil {
		return nil, err
	}
	random, err := task.Random(task.Test)
	if err != nil {
		return nil, err
	}
	known, err := byTopic(planted, task.Test, o.Bibliography.Seed)
	if err != nil {
		return nil, err
	}
	r := &HetDemoResult{
		HetDemoOptions: o, Authors: len(b.Authors), Train: len(b.Train), Reported: len(task.Test), Random: random.Metrics(), Topics: known.Metrics(),
	}
	for _, options := range o.Methods {
		out, err := train(ctx, run.Data{Name: "planted", Bibliography: b}, options, threads, begin)
		if err != nil {
			return nil, err
		}
		r.Runs = append(r.Runs, HetDemoMethod{
			Name: options.Method.Name, Dim: options.Dim, Aspects: options.Aspects, Metrics: out.Record.Metrics, Epoch: out.Record.BestEpoch,
			Seconds: out.Record.TrainSeconds + out.Record.EvalSeconds,
		})
	}
	return r, nil
}

// byTopic returns the score of somebody who knows the topics of all papers and authors, and nothing else.
func byTopic(planted *hetnet.PlantedBibliography, papers []int32, seed uint64) (eval.AuthorScore, error) {
	s := rng.New(seed, "by topic")
	var rankings []eval.AuthorRanking
	for _, p := range papers {
		score := func(authors []int32) (scores []float32) {
			for _, a := range authors {
				x := s.Float64()
				if slices.Contains(planted.AuthorTopics[a], planted.PaperTopics[p]) {
					x++
				}
				scores = append(scores, float32(x))
			}
			return scores
		}
		paper := planted.Bibliography.Papers[p]
		rankings = append(rankings, eval.AuthorRanking{True: score(paper.Authors), False: score(paper.Candidates)})
	}
	return eval.Identification(rankings, hetnet.AtFirst())
}
