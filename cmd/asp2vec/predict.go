package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/predict"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

func (p *program) predictCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: modelArgument,
		Description: "New links are pairs without a link in the network that the model was trained on. Ten times a tenth of its links is held out, and counted\n" +
			"among the first: so many to expect. Scores of vectors are measured so too, where training ten times takes a minute or less.\n\n" +
			"A model of papers ranks authors for a text.\n\n" +
			example("asp2vec predict links.asp2vec --top 100 --out new.tsv",
				"asp2vec predict links.asp2vec --vertex 17 --top 5",
				"asp2vec predict links.asp2vec --pairs pairs.tsv",
				`asp2vec predict papers.asp2vec --text "link prediction in heterogeneous networks"`),
		Flags: slices.Concat(embeddingFlags(), []cli.Flag{
			topFlag(10, "show the first `N`"),
			&cli.StringFlag{Name: "vertex", Usage: "rank for the vertex `ID`"},
			&cli.StringFlag{Name: "pairs", Category: categoryLinks, Usage: "`FILE` of pairs to score, two ids per line; - for standard input"},
			scoreFlag(),
			&cli.Float64Flag{Name: "missing", Category: categoryLinks, DefaultText: fmt.Sprintf("as many as the split has test links, or else %v", predict.UsualMissing),
				Usage: "links that are missing from the network for each that is there: a `SHARE`, which probabilities are in proportion to; 0 measures nothing",
				Action: func(_ *cli.Context, share float64) error {
					if !(share >= 0 && share <= predict.MostMissing) {
						return badf("--missing %v: expected a share from 0 to %d", share, predict.MostMissing)
					}
					return nil
				}},
			&cli.StringFlag{Name: "text", Category: categoryAuthors, Usage: "`WORDS` of a paper"},
			&cli.StringFlag{Name: "file", Category: categoryAuthors, Usage: "`FILE` with the words of one paper per line; - for standard input"},
			&cli.StringFlag{Name: "paper", Category: categoryAuthors, Usage: "`ID` of a paper of --dataset or --bibliography"},
			bibliographyFlag(),
		}, sourceFlags(), outFlags(cli.StringFlag{Category: categoryLinks, DefaultText: "a table on standard output",
			Usage: "`FILE` for the links, tab-separated: two ids, the score, the probability if there is one"})),
		Action: p.predict,
	}
}

// What predict ranks heads its flags.
const (
	categoryLinks   = "Links"
	categoryAuthors = "Authors"
)

func (p *program) predict(c *cli.Context) error {
	ofPaper := seq.Filter([]string{"text", "file", "paper"}, c.IsSet)
	switch {
	case len(ofPaper) > 1:
		return badf("--%s given together: expected one of them", strings.Join(ofPaper, " and --"))
	case len(ofPaper) == 1:
		if err := refuseFlags(c, "--"+ofPaper[0], "vertex", "pairs", "scoring", "missing", "out", "network", "split"); err != nil {
			return err
		}
		return p.predictAuthors(c)
	}
	if err := refuseFlags(c, "links", "bibliography"); err != nil {
		return err
	}
	return p.predictLinks(c)
}

// refuseFlags returns an error for flags that do not go with something.
func refuseFlags(c *cli.Context, with string, names ...string) error {
	for _, name := range names {
		if c.IsSet(name) {
			return badf("--%s with %s: expected one of them", name, with)
		}
	}
	return nil
}

// tellOfPairs says how long all pairs take, by those of a few vertices, where that is long.
func (p *program) tellOfPairs(c *cli.Context, s *eval.LinkScorer, known func(u, v int32) bool) error {
	const many, some = 10000, 64
	if s.N < many {
		return nil
	}
	began, from := time.Now(), seq.Evenly(seq.Upto(int32(s.N)), some*p.threads)
	_, err := eval.TopLinks(c.Context, s, from, known, c.Int("top"), p.threads)
	took := time.Since(began).Seconds() * float64(s.N) / float64(len(from))
	if !s.Directed {
		took /= 2 // each pair once
	}
	if err == nil && took > 5 {
		p.log.Info("scoring all pairs; --vertex scores those of one vertex", "takes_about", about(took))
	}
	return err
}

// predictedLink is a pair of vertices with the score of a link between them.
type predictedLink struct {
	From        string   `json:"from"`
	To          string   `json:"to"`
	Score       float64  `json:"score"`
	Probability *float64 `json:"probability,omitempty"`
	// Of a given pair: whether it is linked in the training network, where that is known.
	Linked *bool `json:"linked,omitempty"`
}

// prediction is what predict prints with --json.
type prediction struct {
	Model string          `json:"model"`
	Score string          `json:"score"`
	Means string          `json:"score_is"`
	Links []predictedLink `json:"links,omitempty"` // not where Out has them
	Out   string          `json:"out,omitempty"`
	Count int             `json:"count"`
	Other *otherData      `json:"trained_on_other_data,omitempty"`

	expectation
}

func (p *program) predictLinks(c *cli.Context) error {
	out := c.String("out")
	if c.IsSet("pairs") && (c.IsSet("vertex") || c.IsSet("top")) {
		return badf("--pairs with --vertex or --top: expected given pairs or new links")
	}
	e, err := p.embedding(c)
	if err != nil {
		return err
	}
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
	links, err := p.links(c, e)
	if err != nil {
		return err
	}
	anyRank := c.IsSet("vertex") || c.IsSet("pairs")
	score, expected, err := p.choose(c, e, links, anyRank)
	if err != nil {
		return err
	}
	scorer, err := p.scorer(c, e, links, score)
	if err != nil {
		return err
	}
	doc := prediction{Model: e.path, Score: score, Means: eval.Scorers.Get(score).Help, expectation: expected}
	var known func(u, v int32) bool
	if links != nil {
		doc.Other, known = links.other, predict.Linked(links.net, scorer)
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
			p.log.Warn("links are not known, so new links may include existing ones: give --network or --split")
		}
		if from == nil {
			if err := p.tellOfPairs(c, scorer, known); err != nil {
				return err
			}
		}
		if best, err = eval.TopLinks(c.Context, scorer, from, known, c.Int("top"), p.threads); err != nil {
			return err
		}
	}
	place := func(i int, _ eval.ScoredLink) float64 { return float64(i) }
	if anyRank && expected.Known() {
		all, err := eval.Rank(c.Context, scorer, known, predict.FirstRanked, predict.Sampled, 1, p.threads)
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
	for i, l := range best {
		one := predictedLink{From: e.Names[l.From], To: e.Names[l.To], Score: l.Score}
		if known == nil || !known(l.From, l.To) && l.From != l.To { // a link that is there is not missing
			above = append(above, place(i, l))
			one.Probability = expected.Probability(above[len(above)-1])
		}
		if c.IsSet("pairs") {
			if links != nil {
				one.Linked = new(links.has(l.From, l.To))
			}
		}
		doc.Links = append(doc.Links, one)
	}
	if !c.IsSet("pairs") && expected.Known() {
		doc.Expect(above)
	}
	doc.Count = len(doc.Links)
	if out != "" {
		if err := writeOut(out, func(w io.Writer) error { return writePredicted(w, doc.Links) }); err != nil {
			return err
		}
		doc.Out, doc.Links = out, nil
	}
	return p.emit(doc, doc.write)
}

func (d prediction) write(b *printout) {
	if d.Out != "" {
		b.printf("%s in %s\n", many(d.Count, "link"), d.Out)
		d.writeExpected(b)
		return
	}
	if len(d.Links) == 0 {
		b.WriteString("No new links: every pair is linked already.\n")
		return
	}
	header := []string{"vertex", "vertex", "score"}
	if d.Known() {
		header = append(header, "probability")
	}
	if d.Links[0].Linked != nil {
		header = append(header, "linked in training")
	}
	var rows [][]string
	for _, l := range d.Links {
		row := []string{printable(l.From), printable(l.To), fmt.Sprintf("%.4f", l.Score)}
		if d.Known() {
			word := ""
			if l.Probability != nil {
				word = fmt.Sprintf("%.3f", *l.Probability)
			}
			row = append(row, word)
		}
		if l.Linked != nil {
			row = append(row, map[bool]string{true: "yes"}[*l.Linked])
		}
		rows = append(rows, row)
	}
	b.table(2, header, rows)
	d.writeExpected(b)
}

// writePredicted writes links so that --pairs reads them, with the ids as they are.
func writePredicted(w io.Writer, links []predictedLink) error {
	b := bufio.NewWriter(w)
	for _, l := range links {
		if strings.ContainsAny(l.From+l.To, "\t\r\n") {
			return fmt.Errorf("ids %q and %q: expected ids without tabs and line ends, or --json", l.From, l.To)
		}
		if l.From != "" && strings.ContainsAny(l.From[:1], "#%") { // not a comment
			b.WriteByte(' ')
		}
		fmt.Fprintf(b, "%s\t%s\t%v", l.From, l.To, l.Score)
		if l.Probability != nil {
			fmt.Fprintf(b, "\t%v", *l.Probability)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}

// open opens the file that a flag names, or standard input for -; name is what errors call it.
func (p *program) open(flag, path string) (in io.ReadCloser, name string, err error) {
	if path == "-" {
		return io.NopCloser(p.in), "standard input", nil
	}
	if in, err = os.Open(path); err != nil {
		return nil, "", bad(fmt.Errorf("--%s: %w", flag, err))
	}
	return in, path, nil
}

// pairs reads the pairs of a file.
func (p *program) pairs(e *embedding, path string) (out []network.Link, err error) {
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
	return out, bad(err)
}
