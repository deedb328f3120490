package models

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/data"
	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/predict"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// Predict is the command predict, which ranks new links, or authors of a text.
func Predict(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelArgument,
		Description: "New links are pairs without a link in the network that the model was trained on. Ten times a tenth of its links is held out, and counted\n" +
			"among the first: so many to expect. Scores of vectors are measured so too, where training ten times takes a minute or less.\n\n" +
			"A model of papers ranks authors for a text.\n\n" +
			shell.Example("asp2vec predict links.asp2vec --top 100 --out new.tsv",
				"asp2vec predict links.asp2vec --vertex 17 --top 5",
				"asp2vec predict links.asp2vec --pairs pairs.tsv",
				`asp2vec predict papers.asp2vec --text "link prediction in heterogeneous networks"`),
		Flags: slices.Concat(embeddingFlags(), []cli.Flag{
			shell.CountFlag("top", 10, "show the first `N`"),
			shell.NewFlag("vertex", "", "rank for the vertex `ID`"),
			shell.NewFlag("pairs", "", "`FILE` of pairs to score, two ids per line; - for standard input", categoryLinks),
			shell.OneOf(scoreFlag(scoreBest, "score links by `NAME`: best by links held out, native, or one of asp2vec methods"), append([]string{scoreBest}, scoreWords()...)...),
			shell.Between(shell.NewFlag("missing", 0., "links that are missing from the network for each that is there: a `SHARE`, which probabilities are in proportion to; 0 measures nothing",
				categoryLinks, fmt.Sprintf("as many as the split has test links, or else %v", predict.UsualMissing)), 0, predict.MostMissing),
			shell.NewFlag("text", "", "`WORDS` of a paper", categoryAuthors),
			shell.NewFlag("file", "", "`FILE` with the words of one paper per line; - for standard input", categoryAuthors),
			shell.NewFlag("paper", "", "`ID` of a paper of --dataset or --bibliography", categoryAuthors),
			data.BibliographyFlag(),
		}, data.Flags(), outFlags("`FILE` for the links, tab-separated: two ids, the score, the probability if there is one",
			categoryLinks, "a table on standard output")),
		Action: program{p}.predict,
	}
}

// What predict ranks heads its flags.
const (
	categoryLinks   = "Links"
	categoryAuthors = "Authors"
)

func (p program) predict(c *cli.Context) error {
	ofPaper := seq.Filter([]string{"text", "file", "paper"}, c.IsSet)
	switch {
	case len(ofPaper) > 1:
		return shell.Badf("--%s given together: expected one of them", strings.Join(ofPaper, " and --"))
	case len(ofPaper) == 1:
		if err := shell.RefuseFlags(c, "--"+ofPaper[0], "vertex", "pairs", "scoring", "missing", "out", "network", "split"); err != nil {
			return err
		}
		return p.predictAuthors(c)
	}
	if err := shell.RefuseFlags(c, "links", "bibliography"); err != nil {
		return err
	}
	return p.predictLinks(c)
}

// tellOfPairs says how long all pairs take, by those of a few vertices, where that is long.
func (p program) tellOfPairs(c *cli.Context, s *eval.LinkScorer, known func(u, v int32) bool) error {
	const many, some = 10000, 64
	if s.N < many {
		return nil
	}
	began, from := time.Now(), seq.Evenly(seq.Upto(int32(s.N)), some*p.Threads)
	_, err := eval.TopLinks(c.Context, s, from, known, c.Int("top"), p.Threads)
	took := time.Since(began).Seconds() * float64(s.N) / float64(len(from))
	if !s.Directed {
		took /= 2 // each pair once
	}
	if err == nil && took > 5 {
		p.Log.Info("scoring all pairs; --vertex scores those of one vertex", "takes_about", shell.About(took))
	}
	return err
}

// predictedLink is a pair of vertices with the score of a link between them.
type predictedLink struct {
	from, to    string
	score       float64
	probability *float64
}

func (p program) predictLinks(c *cli.Context) error {
	out := c.String("out")
	if c.IsSet("pairs") && (c.IsSet("vertex") || c.IsSet("top")) {
		return shell.Badf("--pairs with --vertex or --top: expected given pairs or new links")
	}
	e, err := p.withLinks(c)
	if err != nil {
		return err
	}
	links := e.links
	var from []int32
	if c.IsSet("vertex") {
		v, err := e.vertex(c.String("vertex"))
		if err != nil {
			return fmt.Errorf("--vertex: %w", err)
		}
		from = []int32{v}
	}
	var pairs []network.Link
	if c.IsSet("pairs") {
		if pairs, err = p.pairs(e, c.String("pairs")); err != nil {
			return err
		}
	}
	anyRank := c.IsSet("vertex") || c.IsSet("pairs")
	score, expected, err := p.choose(c, e, anyRank)
	if err != nil {
		return err
	}
	scorer, err := p.scorer(c, e, score, expected.Coefficients)
	if err != nil {
		return err
	}
	var known func(u, v int32) bool
	if links != nil {
		known = predict.Linked(links.net, scorer)
	}
	var best []eval.ScoredLink
	if c.IsSet("pairs") {
		scores, err := scorer.Score(pairs)
		if err != nil {
			return err
		}
		for i, l := range pairs {
			best = append(best, eval.ScoredLink{Link: l, Score: scores[i]})
		}
	} else {
		if links == nil {
			p.Log.Warn("links are not known, so new links may include existing ones: give --network or --split")
		}
		if from == nil {
			if err := p.tellOfPairs(c, scorer, known); err != nil {
				return err
			}
		}
		if best, err = eval.TopLinks(c.Context, scorer, from, known, c.Int("top"), p.Threads); err != nil {
			return err
		}
	}
	place := func(i int, _ eval.ScoredLink) float64 { return float64(i) }
	if anyRank && expected.Known() {
		all, err := eval.Rank(c.Context, scorer, known, predict.FirstRanked, predict.Sampled, 1, p.Threads)
		if err != nil {
			return err
		}
		place = func(_ int, l eval.ScoredLink) float64 {
			if !scorer.Directed && l.From > l.To {
				l.From, l.To = l.To, l.From
			}
			return all.Above(l)
		}
	}
	var above []float64
	var all []predictedLink
	var rows [][]any
	for i, l := range best {
		one := predictedLink{from: e.Names[l.From], to: e.Names[l.To], score: l.Score}
		if known == nil || !known(l.From, l.To) && l.From != l.To { // a link that is there is not missing
			above = append(above, place(i, l))
			one.probability = expected.Probability(above[len(above)-1])
		}
		var probability, linked any
		if one.probability != nil {
			probability = *one.probability
		}
		if c.IsSet("pairs") && links != nil {
			linked = links.has(l.From, l.To)
		}
		all = append(all, one)
		rows = append(rows, []any{one.from, one.to, shell.AUC(one.score), probability, linked})
	}
	if !c.IsSet("pairs") && expected.Known() {
		expected.Expect(above)
	}
	d := p.Answer()
	d.Data("model", e.path, "score", score, "score_is", eval.Scorers.Get(score).Help, "count", len(all), "out", out)
	if links != nil && links.other != nil {
		d.Data("trained_on_other_data", links.other)
	}
	switch {
	case out != "":
		if err := shell.WriteOut(out, func(w io.Writer) error { return writePredicted(w, all) }); err != nil {
			return err
		}
		d.Say("%s in %s", shell.Many(len(all), "link"), out)
	case len(all) == 0:
		d.Say("No new links: every pair is linked already.")
	default:
		d.Table("links", rows, "from", "to", "score", "probability", "linked")
	}
	expected.tell(d, score)
	return p.Show(d)
}

// writePredicted writes links so that --pairs reads them, with the ids as they are.
func writePredicted(w io.Writer, links []predictedLink) error {
	b := bufio.NewWriter(w)
	for _, l := range links {
		if strings.ContainsAny(l.from+l.to, "\t\r\n") {
			return fmt.Errorf("ids %q and %q: expected ids without tabs and line ends, or --json", l.from, l.to)
		}
		if l.from != "" && strings.ContainsAny(l.from[:1], "#%") { // not a comment
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%s\t%s\t%v", l.from, l.to, l.score)
		if l.probability != nil {
			fmt.Fprintf(b, "\t%v", *l.probability)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// open opens the file that a flag names, or standard input for -; name is what errors call it.
func (p program) open(flag, path string) (in io.ReadCloser, name string, err error) {
	if path == "-" {
		return io.NopCloser(p.In), "standard input", nil
	}
	if in, err = os.Open(path); err != nil {
		return nil, "", shell.Badf("--%s: %w", flag, err)
	}
	return in, path, nil
}

// pairs reads the pairs of a file.
func (p program) pairs(e *embedding, path string) (out []network.Link, err error) {
	in, name, err := p.open("pairs", path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	err = vectors.EachPair(in, name, func(from, to string) (err error) {
		var l network.Link
		if l.From, err = e.vertex(from); err == nil {
			l.To, err = e.vertex(to)
		}
		out = append(out, l)
		return err
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: no pair in it: expected lines of two vertex ids", name)
	}
	return out, shell.Bad(err)
}
