package models

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

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/runs"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
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

// Evaluate is the command evaluate, which measures an embedding, or the kept vectors of stored runs.
func Evaluate(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: "[MODEL | FILE.yaml | TABLE | RUN | runs]",
		Description: "A MODEL is measured by the links or papers that were hidden from it. Of stored runs the kept vectors are scored, without training.\n\n" +
			shell.Example("asp2vec evaluate measured --score max --metric auc,ap                       # of train --split or --hold-out",
				"asp2vec evaluate vectors.npy --vertices ids.txt --split data/cora/split     # made elsewhere",
				"asp2vec evaluate --split data/cora/split --score walk --negatives degree    # no vectors",
				"asp2vec evaluate --dataset dblp                                             # papers, no vectors",
				"asp2vec evaluate runs --where dataset=cora --score cosine                   # or my-sweep.yaml, table1"),
		Flags: append([]cli.Flag{
			shell.NewFlag("split", "", "`DIR` of a link-prediction split"),
			shell.NewFlag("embedding", "", "`PATH` of a run's folder, a word2vec text file (also gzip), or a .npy file; as MODEL"),
			shell.NewFlag("vertices", "", "`FILE` with the ids of the rows of a .npy file, one per line"),
			shell.ListFlag(scoreFlag(shell.ScoreNative, "`NAMES` of scores of links, separated by commas: native, or those of asp2vec methods"), scoreWords()...),
			&cli.StringFlag{Name: "metric", Value: "auc", Usage: "`NAMES` of metrics, separated by commas: " + strings.Join(eval.MetricNames(), ", "), Action: func(_ *cli.Context, names string) error {
				for name := range strings.SplitSeq(names, ",") {
					if _, err := eval.FindMetric(name); err != nil {
						return shell.Badf("--metric: %w", err)
					}
				}
				return nil
			}},
			shell.ListFlag(shell.NewFlag("negatives", "", "`KINDS` of pairs to rank test links against: "+strings.Join(eval.NegativesKinds.Names(), ", "), "", "published, uniform and matched"), eval.NegativesKinds.Names()...),
			shell.ListFlag(shell.NewFlag("baselines", strings.Join(run.Untrained, ","), "`NAMES` of scores that need no training, shown beside: none, all, or those of asp2vec methods"), append(shell.UntrainedScores(), "none", "all")...),
			shell.NewFlag("held-out", "", "for --score fitted: `DIRS` of models trained like MODEL with --hold-out, with commas between them"),
			shell.NewFlag("dataset", "", "`NAME` of a data set of papers: dblp", data.Category), data.BibliographyFlag(),
			shell.NewFlag("directed", false, "fail if the split is not from a directed network"),
			shell.NewFlag("where", []string(nil), "of stored runs: those with `KEY=VALUE`, as in results show runs"),
			shell.FormatFlag("of stored runs: `FORMAT` of the table: "),
		}, shell.ScoreParameterFlags()...),
		Subcommands: []*cli.Command{program{p}.evaluateLabelsCommand(), program{p}.evaluateAspectsCommand()},
		Action:      program{p}.evaluate,
	}
}

// scoreWords are what --score takes.
func scoreWords() []string { return append([]string{shell.ScoreNative}, eval.Scorers.Names()...) }

// scoreFlag chooses scores of links, under its former name too.
func scoreFlag(value, usage string) cli.Flag {
	return &cli.StringFlag{Name: "score", Aliases: []string{"scoring"}, Value: value, Usage: usage}
}

func (p program) evaluate(c *cli.Context) error {
	if word := c.Args().First(); word == runs.AllRuns || runs.IsRun(word) || sweep.IsFile(word) || slices.Contains(runs.ProductNames(), strings.ToLower(word)) {
		return runs.EvaluateStored(p.Program, c)
	}
	path := cmp.Or(c.String("embedding"), c.Args().First())
	switch {
	case c.NArg() > 1 || c.NArg() == 1 && c.IsSet("embedding"):
		return shell.Badf("several embeddings given: expected one")
	case path == "" && c.IsSet("split") && !slices.ContainsFunc(shell.List(c, "score"), func(name string) bool { return !eval.Scorers.Get(name).Untrained }):
		split, dir, err := p.splitOf(c, nil)
		if err != nil {
			return err
		}
		d, err := p.measure(c, split, eval.Vectors{}, shell.List(c, "score"), p.ScoreOptions(c), "split", dir)
		if err != nil {
			return err
		}
		return p.Show(d)
	case path == "" && (c.IsSet("dataset") || c.IsSet("bibliography")):
		return p.evaluateRankings(c, nil)
	case path == "":
		return shell.Badf("no embedding given: expected asp2vec evaluate MODEL, a folder that train wrote or a file of vectors, or FILE.yaml for stored runs")
	}
	if _, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) && path == filepath.Base(path) && !c.IsSet("embedding") {
		names := seq.Map(c.Command.Subcommands, func(sub *cli.Command) string { return sub.Name })
		return shell.Badf("unknown command %q: %s, or the path of an embedding", path, shell.DidYouMean(path, names))
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
	v, err := store.Aligned(e.Embedding, split.Names)
	if err != nil {
		return shell.Bad(err)
	}
	if v.Held, err = p.heldOut(c, split); err != nil {
		return err
	}
	scores, how := shell.List(c, "score"), p.ScoreOptions(c)
	if len(v.Held) > 0 && !c.IsSet("score") {
		scores = []string{"fitted"}
	}
	for i, asked := range scores {
		if scores[i], err = e.score(asked, "lr"); err != nil {
			return err
		}
		if !eval.Scorers.Get(scores[i]).Held || len(v.Held) > 0 {
			continue
		}
		if e.Record != nil {
			how.Coefficients = run.CoefficientsOf(*e.Record, scores[i])
		}
		if how.Coefficients == nil {
			return shell.Badf("--score %s: expected --held-out DIR, a model trained like %s with --hold-out 0.1; or a model of train --scoring fitted, which keeps what it needs", scores[i], path)
		}
	}
	var other *OtherData
	if c.IsSet("split") {
		record := e.Record
		if r, err := results.ReadRecord(filepath.Dir(path)); err == nil && slices.Contains(runFiles, filepath.Base(path)) {
			record = &r
		}
		other = CompareData(c.Context, p.Program, record, path, split)
	}
	d, err := p.measure(c, split, v, scores, how, "split", name, "embedding", path, "dim", e.D)
	if err != nil {
		return err
	}
	if other != nil {
		d.Data("trained_on_other_data", other)
		d.Say("Trained on other data: %s.", other)
	}
	return p.Show(d)
}

// measure returns a document of what scores and baselines come to: a row for each, with a column for each metric against each kind of negatives.
// It begins with facts about the vectors.
func (p program) measure(c *cli.Context, split *network.Split, v eval.Vectors, scores []string, by eval.ScoreOptions, facts ...any) (*shell.Doc, error) {
	d, how := p.Answer(), shell.Measurement(c)
	d.Data(append(facts, "vertices", len(split.Names), "directed", split.Directed)...)
	kinds := how.Negatives
	if len(kinds) == 0 {
		kinds = []string{"uniform", "matched"}
		if split.Directed {
			kinds = append([]string{"published"}, kinds...)
		}
	}
	header := []string{"score"}
	for _, kind := range kinds {
		for _, metric := range how.Metrics {
			header = append(header, strings.ToUpper(metric)+" "+kind)
		}
	}
	var all [2][]results.Scored
	var rows [][]any
	baselines := map[string]results.Metrics{}
	for i, names := range [][]string{scores, seq.Filter(untrainedOf(c), func(name string) bool { return !slices.Contains(scores, name) })} {
		for _, score := range names {
			m, err := eval.Measure(c.Context, score, v, split, by, how)
			if err != nil {
				return nil, shell.Bad(err)
			}
			all[i] = append(all[i], results.Scored{Score: score, Metrics: m})
			row := []any{score}
			if i > 0 {
				row[0], baselines[score] = score+", not trained", m
			}
			for _, kind := range kinds {
				for _, metric := range how.Metrics {
					key := metric + eval.NegativesKinds.Get(kind).Suffix
					var value any = shell.AUC(m[key])
					if sd, drawn := m[key+eval.SpreadSuffix]; drawn {
						value = shell.Spread{Mean: m[key], SD: sd}
					}
					row = append(row, value)
				}
			}
			rows = append(rows, row)
		}
	}
	first := all[0][0]
	d.Data("scores", all[0], "baselines", all[1], "scoring", first.Score)
	for _, name := range []string{"auc", "auc_random"} { // of the first score
		if x, there := first.Metrics[name]; there {
			d.Data(name, x)
		}
	}
	d.Rows(rows, header...)
	if by := how.Metrics[0] + eval.NegativesKinds.Get(kinds[0]).Suffix; v.One.N+len(v.Several.Data) > 0 {
		if better := RankedBetter(Metric{by, header[1]}, first.Metrics[by], baselines); better != "" {
			d.Say("%s.", better)
		}
	}
	for _, s := range slices.Concat(all[:]...) {
		if share, sampled := s.Metrics[eval.SampleShare]; sampled {
			d.Say("%s: of the pairs with one of %.0f %% of the vertices, drawn at random.", s.Score, 100*share)
		}
	}
	var meanings strings.Builder
	for _, kind := range kinds {
		fmt.Fprintf(&meanings, "\n  %-10s %s", kind, eval.NegativesKinds.Get(kind).Help)
	}
	d.Say("%s, against negatives:%s", shell.Many(len(split.Test), "test link"), meanings.String())
	return d, nil
}

// heldOut returns the vectors of --held-out, and none without it.
func (p program) heldOut(c *cli.Context, split *network.Split) (all []eval.Held, err error) {
	if c.String("held-out") == "" {
		return nil, nil
	}
	for path := range strings.SplitSeq(c.String("held-out"), ",") {
		e, err := p.embeddingAt(path, "")
		if err != nil {
			return nil, err
		}
		if e.Record == nil {
			return nil, shell.Badf("--held-out %s: no record in it: expected the folder of train --hold-out", path)
		}
		j, err := store.JobOf(*e.Record)
		if err != nil {
			return nil, shell.Bad(err)
		}
		if j.Options.HoldOut == 0 {
			return nil, shell.Badf("--held-out %s: it was trained on all links: expected one of train --hold-out 0.1", path)
		}
		one := eval.Held{}
		if one.Split, err = split.HoldOutAlike(j.Options.HoldOut, j.Options.Seed); err == nil {
			one.Vectors, err = store.Aligned(e.Embedding, split.Names)
		}
		if err != nil {
			return nil, shell.Badf("--held-out %s: %w", path, err)
		}
		all = append(all, one)
	}
	return all, nil
}

// untrainedOf are the scores that --baselines names.
func untrainedOf(c *cli.Context) []string {
	switch c.String("baselines") {
	case "all":
		return shell.UntrainedScores()
	case "none":
		return nil
	}
	return shell.List(c, "baselines")
}

// splitOf returns the split that --split names, or that of the run's record.
func (p program) splitOf(c *cli.Context, e *embedding) (*network.Split, string, error) {
	if dir := c.String("split"); dir != "" {
		split, err := network.ReadSplitWithin(c.Context, dir, c.Bool("directed"), p.Available().Bytes)
		return split, dir, shell.Bad(err)
	}
	const want = "expected --split DIR (asp2vec split makes one)"
	if _, ok := p.sourceOf(e.Record, e.path); !ok {
		return nil, "", shell.Badf("no split given: " + want)
	}
	l, split := p.dataOf(c.Context, e.Record, e.path)
	switch {
	case split == nil:
		return nil, "", shell.Badf("no split given, and the run's record names none that is still there: " + want)
	case l.Split == nil:
		if held, err := heldByRun(c, e.Record, l); held != nil || err != nil {
			return held, l.Path + ", links held out", shell.Bad(err)
		}
		return nil, "", shell.Badf("%s was trained on all links of %s, so no link was hidden to measure it by: "+want+" and a model trained on it; asp2vec evaluate labels and evaluate aspects need none", e.path, l.Name)
	}
	return split, l.Path, nil
}

// heldByRun returns the links of a network that a run held out as test links; nil where it held out none.
func heldByRun(c *cli.Context, r *results.Record, l source.Loaded) (*network.Split, error) {
	o := OptionsOf(r)
	if o.Seed = r.Seed; o.Refit || o.HoldOut == 0 && o.Select != graphs.SelectValidation {
		return nil, nil
	}
	whole, err := network.Whole(c.Context, l.Network, o.Seed)
	if err != nil {
		return nil, err
	}
	return run.Seen(whole, o)
}
