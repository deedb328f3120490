package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
)

// Halves of the papers whose authors are to be named.
const (
	halfDev  = "dev"
	halfTest = "test"
	halfBoth = "both"
)

func (p *program) evaluateAuthorsCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: modelArgument,
		Name:      "authors",
		Usage:     "how well a model ranks the authors of papers among candidates",
		Description: example("asp2vec evaluate authors dblp.asp2vec",
			"asp2vec evaluate authors papers.asp2vec --halves random --seed 2 --half both"),
		Flags: append(bibliographyFlags(),
			&cli.StringFlag{Name: "model", Usage: "`DIR` that train wrote for a method on papers and authors"},
			oneOf(cli.StringFlag{Name: "halves", Value: papers.HalvesPublished, Usage: "split test papers into halves: published (by name) or random"},
				papers.HalvesPublished, papers.HalvesRandom),
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of random halves"},
			oneOf(cli.StringFlag{Name: "half", Value: halfTest, Usage: "score the papers of dev (the validation set), of test, or of both together"},
				halfDev, halfTest, halfBoth),
		),
		Action: p.evaluateAuthors,
	}
}

// authorsEvaluation is what evaluate authors prints with --json.
type authorsEvaluation struct {
	Bibliography string          `json:"bibliography"`
	Model        string          `json:"model"`
	Method       string          `json:"method"`
	Halves       string          `json:"halves"`
	Seed         uint64          `json:"seed,omitempty"` // of random halves
	Half         string          `json:"half"`
	Papers       int             `json:"papers"`
	Metrics      results.Metrics `json:"metrics"`
	Random       results.Metrics `json:"random"`     // expected of a random order of the candidates
	Popularity   results.Metrics `json:"popularity"` // of their order by the number of their training papers
	CoAuthors    results.Metrics `json:"co-authors"` // of their order by the other candidates whom they have written with, which no method sees
	TFIDF        results.Metrics `json:"tf-idf"`     // of their order by words shared with their training papers, nothing trained
	WordMeans    results.Metrics `json:"word_means"` // of their order by the model's word vectors in their training papers, nothing else trained
}

func (p *program) evaluateAuthors(c *cli.Context) error {
	o := papers.HalvesOptions{Halves: c.String("halves"), Seed: c.Uint64("seed")}
	half := c.String("half")
	switch {
	case c.IsSet("seed") && o.Halves != papers.HalvesRandom:
		return badf("--seed with --halves %s: expected --halves %s, which is drawn", o.Halves, papers.HalvesRandom)
	case c.String("model") == "":
		_, err := p.model(c)
		return err
	}
	if err := p.ofRecord(c); err != nil {
		return bad(err)
	}
	b, err := p.bibliography(c)
	if err != nil {
		return err
	}
	model, err := p.model(c)
	if err != nil {
		return err
	}
	task, err := papers.NewIdentification(b, o)
	if err != nil {
		return bad(err)
	}
	ranker, err := model.For(b)
	if err != nil {
		return bad(err)
	}
	if half != halfDev && model.Record.Dataset.SHA256 == b.Checksum() && model.Record.Selection != results.Last && model.Record.Selection != results.LossBest &&
		(half == halfBoth || o.Halves == papers.HalvesRandom) {
		p.log.Warn("some of these papers were used to choose the model's epoch: expected --half test with --halves " + papers.HalvesPublished + " for an unbiased score")
	}
	asked := map[string][]papers.Paper{halfDev: task.Dev, halfTest: task.Test, halfBoth: b.Test}[half]
	score, err := task.Evaluate(c.Context, ranker, asked, p.threads)
	if err != nil {
		return err
	}
	random, err := task.Random(asked)
	if err != nil {
		return err
	}
	baselines, err := run.Baselines(c.Context, task, model.WordsOf(b.Network), asked, p.threads)
	if err != nil {
		return err
	}
	doc := authorsEvaluation{
		Bibliography: b.Name, Model: c.String("model"), Method: model.Record.Method, Halves: o.Halves, Half: half,
		Papers: score.Papers, Metrics: score.Metrics(), Random: random.Metrics(),
		Popularity: baselines[run.BaselinePopularity], CoAuthors: baselines[run.BaselineCoAuthors], TFIDF: baselines[run.BaselineTFIDF], WordMeans: baselines[run.BaselineWordMeans],
	}
	if o.Halves == papers.HalvesRandom {
		doc.Seed = o.Seed
	}
	return p.emit(doc, func(out *printout) {
		authorsTable(out, score, random, baselines)
		out.printf("Scored %s of %s test papers: %s.\n", count(score.Papers), count(len(b.Test)), map[string]string{
			halfDev:  "the half that is the validation set of training",
			halfTest: "the half that training reports on; the other half is the validation set (--half both for all)",
			halfBoth: "both halves, of which one is the validation set of training",
		}[half])
		out.sentence(rankedBetter(run.ValidatedChoice, "Recall@5", doc.Metrics[run.ValidatedChoice], baselines))
	})
}

// authorsTable writes a line for each number of first candidates, and one for the AUC, with a random order beside and one that
// reads no text below.
func authorsTable(out *printout, score, random eval.AuthorScore, baselines map[string]results.Metrics) {
	var rows [][]string
	for i, a := range score.At {
		r := random.At[i]
		rows = append(rows, []string{
			fmt.Sprintf("first %d", a.N), auc(a.Recall).String(), auc(r.Recall).String(),
			auc(a.Precision).String(), auc(r.Precision).String(), auc(a.F1).String(), auc(r.F1).String(),
		})
	}
	out.table(1, []string{"among the", "recall", "random", "precision", "random", "F1", "random"}, rows)
	out.printf("\nAUC %s, random %s. Random: expected scores of a random order of the candidates.\n", auc(score.AUC), auc(random.AUC))
	for _, b := range []struct{ name, how string }{
		{run.BaselinePopularity, "by their number of training papers, ignoring the text"},
		{run.BaselineCoAuthors, "by the other candidates whom they have written with: what the list tells, which no method sees"},
		{run.BaselineTFIDF, "by tf-idf of their training papers, not trained"},
		{run.BaselineWordMeans, "by the means of the model's word vectors in their training papers"},
	} {
		m, there := baselines[b.name]
		if !there {
			continue
		}
		recalls := seq.Map(score.At, func(a eval.AtN) string { return auc(m[fmt.Sprintf("recall@%d", a.N)]).String() })
		out.printf("Ranked %s: recalls %s, AUC %s.\n", b.how, strings.Join(recalls, ", "), auc(m["auc"]))
	}
}
