package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

func (p *program) evaluateCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: "[MODEL | FILE.yaml | TABLE | RUN | runs]",
		Description: "A MODEL is measured by the links, papers or items that were hidden from it. Of stored runs the kept vectors are scored, without training.\n\n" +
			example("asp2vec evaluate measured --score max --metric auc,ap                       # of train --split or --hold-out",
				"asp2vec evaluate vectors.npy --vertices ids.txt --split data/cora/split     # made elsewhere",
				"asp2vec evaluate --split data/cora/split --score walk --negatives degree    # no vectors",
				"asp2vec evaluate --schema music                                             # items or papers, no vectors",
				"asp2vec evaluate runs --where dataset=cora --score cosine                   # or my-sweep.yaml, table1"),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "split", Usage: "`DIR` of a link-prediction split"},
			&cli.StringFlag{Name: "embedding", Usage: "`PATH` of a run's folder, a word2vec text file (also gzip), or a .npy file; as MODEL"},
			&cli.StringFlag{Name: "vertices", Usage: "`FILE` with the ids of the rows of a .npy file, one per line"},
			scoresFlag(scoreWords()...),
			&cli.StringFlag{Name: "metric", Value: "auc", Usage: "`NAMES` of metrics, separated by commas: " + strings.Join(eval.MetricNames(), ", "), Action: func(_ *cli.Context, names string) error {
				for name := range strings.SplitSeq(names, ",") {
					if _, err := eval.FindMetric(name); err != nil {
						return bad(fmt.Errorf("--metric: %w", err))
					}
				}
				return nil
			}},
			listFlag(cli.StringFlag{Name: "negatives", DefaultText: "published, uniform and matched", Usage: "`KINDS` of pairs to rank test links against: " + strings.Join(eval.NegativesKinds.Names(), ", ")}, eval.NegativesKinds.Names()...),
			listFlag(cli.StringFlag{Name: "baselines", Value: strings.Join(run.Untrained, ","), Usage: "`NAMES` of scores that need no training, shown beside: none, all, or those of asp2vec methods"}, append(untrainedScores(), "none", "all")...),
			&cli.StringFlag{Name: "held-out", Usage: "for --score stacked and lr-apart: `DIR` of a model trained like MODEL with --hold-out"},
			&cli.StringFlag{Name: "dataset", Category: dataCategory, Usage: "`NAME` of a data set of papers: dblp"}, bibliographyFlag(),
			&cli.BoolFlag{Name: "directed", Usage: "fail if the split is not from a directed network"},
			&cli.StringSliceFlag{Name: "where", Usage: "of stored runs: those with `KEY=VALUE`, as in results show runs"},
			formatFlag("of stored runs: `FORMAT` of the table: "),
		}, scoreParameterFlags()...),
		Subcommands: []*cli.Command{p.evaluateLabelsCommand(), p.evaluateAspectsCommand()},
		Action:      p.evaluate,
	}
}

func (p *program) evaluate(c *cli.Context) error {
	if word := c.Args().First(); word == allRuns || isRun(word) || sweep.IsFile(word) || slices.Contains(productNames(), strings.ToLower(word)) {
		return p.evaluateStored(c)
	}
	path := cmp.Or(c.String("embedding"), c.Args().First())
	switch {
	case c.NArg() > 1 || c.NArg() == 1 && c.IsSet("embedding"):
		return badf("several embeddings given: expected one")
	case path == "" && c.IsSet("split") && !slices.ContainsFunc(list(c, "score"), func(name string) bool { return !eval.Scorers.Get(name).Untrained }):
		return p.evaluateNetwork(c)
	case path == "" && (c.IsSet("dataset") || c.IsSet("bibliography")):
		return p.evaluateRankings(c, nil)
	case path == "":
		return badf("no embedding given: expected asp2vec evaluate MODEL, a folder that train wrote or a file of vectors, or FILE.yaml for stored runs")
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && path == filepath.Base(path) && !c.IsSet("embedding") {
		names := seq.Map(c.Command.Subcommands, func(sub *cli.Command) string { return sub.Name })
		return badf("unknown command %q: %s, or the path of an embedding", path, nearest(path, names))
	}
	e, err := p.embeddingAt(path, c.String("vertices"))
	if err != nil {
		return err
	}
	if m, err := methods.Find(e.method); err == nil && m.Typed && !c.IsSet("split") {
		return p.evaluateRankings(c, e)
	}
	split, name, err := p.splitOf(c, e)
	if err != nil {
		return err
	}
	doc := evaluation{Split: name, Embedding: path, Vertices: len(split.Names), Directed: split.Directed}
	scores := list(c, "score")
	for i, asked := range scores {
		if scores[i], err = e.score(asked, "lr"); err != nil {
			return err
		}
	}
	v, err := store.Aligned(e.Embedding, split.Names)
	if err != nil {
		return bad(err)
	}
	if v.Held, err = p.heldOut(c, split); err != nil {
		return err
	}
	if i := slices.IndexFunc(scores, func(name string) bool { return eval.Scorers.Get(name).Held }); v.Held == nil && i >= 0 {
		return badf("--score %s: expected --held-out DIR, a model trained like %s with --hold-out 0.1", scores[i], path)
	}
	doc.Dim = e.D
	if r, err := recordOf(path); err == nil && c.IsSet("split") { // also of a file in the folder of a run
		doc.Other = p.otherData(c.Context, r, path, split)
	}
	return p.measure(c, doc, split, v, scores)
}

// evaluateNetwork measures scores that need no vectors.
func (p *program) evaluateNetwork(c *cli.Context) error {
	dir := c.String("split")
	split, err := network.ReadSplitWithin(c.Context, dir, c.Bool("directed"), p.available().Bytes)
	if err != nil {
		return bad(err)
	}
	return p.measure(c, evaluation{Split: dir, Vertices: len(split.Names), Directed: split.Directed}, split, eval.Vectors{}, list(c, "score"))
}

// measure adds what scores and baselines come to, and prints it.
func (p *program) measure(c *cli.Context, doc evaluation, split *network.Split, v eval.Vectors, scores []string) error {
	how := measurement(c)
	of := func(names []string) (all []scoredBy, err error) {
		for _, score := range names {
			m, err := eval.Measure(c.Context, score, v, split, p.scoreOptions(c, score), how)
			if err != nil {
				return nil, bad(err)
			}
			all = append(all, scoredBy{score, m})
		}
		return all, nil
	}
	var err error
	if doc.Scores, err = of(scores); err != nil {
		return err
	}
	if doc.Baselines, err = of(seq.Filter(baselines(c), func(name string) bool { return !slices.Contains(scores, name) })); err != nil {
		return err
	}
	first := doc.Scores[0]
	doc.Scoring, doc.AUC, doc.AUCRandom = first.Score, first.Metrics["auc"], first.Metrics["auc_random"]
	return p.emit(doc, func(b *printout) { doc.write(b, how, split) })
}

// heldOut returns the vectors of --held-out, and nil without it.
func (p *program) heldOut(c *cli.Context, split *network.Split) (*eval.Held, error) {
	path := c.String("held-out")
	if path == "" {
		return nil, nil
	}
	e, err := p.embeddingAt(path, "")
	if err != nil {
		return nil, err
	}
	if e.Record == nil {
		return nil, badf("--held-out %s: no record in it: expected the folder of train --hold-out", path)
	}
	j, err := store.JobOf(*e.Record)
	if err != nil {
		return nil, bad(err)
	}
	if j.Options.HoldOut == 0 {
		return nil, badf("--held-out %s: it was trained on all links: expected one of train --hold-out 0.1", path)
	}
	held, err := split.HoldOutAlike(j.Options.HoldOut, j.Options.Seed)
	if err != nil {
		return nil, bad(fmt.Errorf("--held-out %s: %w", path, err))
	}
	v, err := store.Aligned(e.Embedding, split.Names)
	return &eval.Held{One: v.One, Split: held}, bad(err)
}

// measurement is what --metric and --negatives ask for.
func measurement(c *cli.Context) eval.Measurement {
	return eval.Measurement{Metrics: list(c, "metric"), Negatives: list(c, "negatives")}
}

// untrainedScores are the names of scores that need no vectors.
func untrainedScores() []string {
	return seq.Filter(eval.Scorers.Names(), func(name string) bool { return eval.Scorers.Get(name).Untrained })
}

// baselines are the scores that --baselines names.
func baselines(c *cli.Context) []string {
	switch c.String("baselines") {
	case "all":
		return untrainedScores()
	case "none":
		return nil
	}
	return list(c, "baselines")
}

// splitOf returns the split that --split names, or that of the run's record.
func (p *program) splitOf(c *cli.Context, e *embedding) (*network.Split, string, error) {
	if dir := c.String("split"); dir != "" {
		split, err := network.ReadSplitWithin(c.Context, dir, c.Bool("directed"), p.available().Bytes)
		return split, dir, bad(err)
	}
	const want = "expected --split DIR (asp2vec split makes one)"
	if _, ok := p.sourceOf(e.Record, e.path); !ok {
		return nil, "", badf("no split given: " + want)
	}
	l, split := p.dataOf(c.Context, e.Record, e.path)
	switch {
	case split == nil:
		return nil, "", badf("no split given, and the run's record names none that is still there: " + want)
	case l.Split == nil:
		if held, err := p.heldByRun(c, e.Record, l); held != nil || err != nil {
			return held, l.Path + ", links held out", bad(err)
		}
		return nil, "", badf("%s was trained on all links of %s, so no link was hidden to measure it by: "+want+" and a model trained on it; asp2vec evaluate labels and evaluate aspects need none", e.path, l.Name)
	}
	return split, l.Path, nil
}

// heldByRun returns the links of a network that a run held out as test links; nil where it held out none.
func (p *program) heldByRun(c *cli.Context, r *results.Record, l source.Loaded) (*network.Split, error) {
	o := optionsOf(r)
	if o.Seed = r.Seed; o.Refit || o.HoldOut == 0 && o.Select != graphs.SelectValidation {
		return nil, nil
	}
	whole, err := network.Whole(c.Context, l.Network, o.Seed)
	if err != nil {
		return nil, err
	}
	return run.Seen(whole, o)
}

// evaluation is what evaluate prints with --json.
type evaluation struct {
	Split     string     `json:"split"`
	Embedding string     `json:"embedding,omitempty"`
	Vertices  int        `json:"vertices"`
	Dim       int        `json:"dim,omitempty"`
	Directed  bool       `json:"directed"`
	Scores    []scoredBy `json:"scores"`
	Baselines []scoredBy `json:"baselines,omitempty"`

	// Of the first score.
	Scoring   string  `json:"scoring"`
	AUC       float64 `json:"auc,omitempty"`
	AUCRandom float64 `json:"auc_random,omitempty"`

	Other *otherData `json:"trained_on_other_data,omitempty"`
}

// scoredBy is what a score comes to: "auc", and "auc_matched" against negatives of matched degrees.
type scoredBy struct {
	Score   string          `json:"score"`
	Metrics results.Metrics `json:"metrics"`
}

// write writes a row for each score, with a column for each metric against each kind of negatives.
func (d evaluation) write(b *printout, m eval.Measurement, split *network.Split) {
	kinds := m.Negatives
	if len(kinds) == 0 {
		kinds = []string{"uniform", "matched"}
		if split.Directed {
			kinds = append([]string{"published"}, kinds...)
		}
	}
	header := []string{"score"}
	for _, kind := range kinds {
		for _, metric := range m.Metrics {
			header = append(header, metricTitle(metric)+" "+kind)
		}
	}
	var rows [][]string
	for i, s := range append(slices.Clone(d.Scores), d.Baselines...) {
		row := []string{s.Score}
		if i >= len(d.Scores) {
			row[0] += ", not trained"
		}
		for _, kind := range kinds {
			for _, metric := range m.Metrics {
				key := metric + eval.NegativesKinds.Get(kind).Suffix
				text := auc(s.Metrics[key]).String()
				if sd, drawn := s.Metrics[key+eval.SpreadSuffix]; drawn {
					text += " ± " + auc(sd).String()
				}
				row = append(row, text)
			}
		}
		rows = append(rows, row)
	}
	b.table(1, header, rows)
	if by := m.Metrics[0] + eval.NegativesKinds.Get(kinds[0]).Suffix; d.Embedding != "" {
		baselines := map[string]results.Metrics{}
		for _, s := range d.Baselines {
			baselines[s.Score] = s.Metrics
		}
		b.sentence(rankedBetter(by, header[1], d.Scores[0].Metrics[by], baselines))
	}
	for _, s := range append(slices.Clone(d.Scores), d.Baselines...) {
		if share, sampled := s.Metrics[eval.SampleShare]; sampled {
			b.printf("\n%s: of the pairs with one of %.0f %% of the vertices, drawn at random.\n", s.Score, 100*share)
		}
	}
	b.printf("\n%s, against negatives:\n", many(len(split.Test), "test link"))
	for _, kind := range kinds {
		b.printf("  %-10s %s\n", kind, eval.NegativesKinds.Get(kind).Help)
	}
	if d.Other != nil {
		b.printf("\nTrained on other data: %s.\n", d.Other)
	}
}

// metricTitle is the heading of a metric.
func metricTitle(name string) string { return strings.ToUpper(name) }
