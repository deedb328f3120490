package main

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

// topicsFile holds the topics of the authors of a generated bibliography.
const topicsFile = "topics.tsv"

// plantedFlags are those of a generated bibliography alone.
func plantedFlags() []cli.Flag {
	o := papers.DefaultPlanted()
	const category = "For bibliography"
	whole := wholeFlags(category)
	return []cli.Flag{
		whole("authors", o.Authors, "`N` authors, before those without a training paper are removed"),
		whole("papers", o.Papers, "`N` papers"),
		whole("topics", o.Topics, "how many to generate"),
		whole("author-topics", o.Aspects, "each author has 1 to this many topics"),
		whole("venues", o.Venues, "how many to generate"),
		whole("vocabulary", o.Vocabulary, "different words"),
		whole("tokens", o.Tokens, "mean number of words per paper: titles have about 6, abstracts 100"),
		whole("co-authors", o.CoAuthors, "each paper has 0 to this many besides its first author"),
		whole("references", o.References, "each paper has 0 to this many"),
		whole("candidates", o.Candidates, "candidate authors for each test paper"),
		&cli.Float64Flag{Name: "test-share", Category: category, Value: o.TestShare, Usage: "share of test papers (the last ones), at least 0 and below 1"},
	}
}

func (p *program) generateBibliography(c *cli.Context) error {
	out := c.String("out")
	if err := checkGenerated(c, papers.PapersFile, papers.CandidatesFile, topicsFile); err != nil {
		return err
	}
	o := papers.PlantedOptions{
		Authors: c.Int("authors"), Papers: c.Int("papers"), Topics: c.Int("topics"), Aspects: c.Int("author-topics"), Venues: c.Int("venues"),
		Vocabulary: c.Int("vocabulary"), Tokens: c.Int("tokens"), CoAuthors: c.Int("co-authors"), References: c.Int("references"),
		TestShare: c.Float64("test-share"), Candidates: c.Int("candidates"), Mixing: c.Float64("mixing"), Seed: c.Uint64("seed"),
	}
	planted, err := o.Generate()
	if err != nil {
		return bad(err)
	}
	b := planted.Bibliography
	err = atomicfile.Dir(out, c.Bool("force"), func(tmp string) error {
		return errors.Join(planted.Table.Write(tmp), atomicfile.Write(filepath.Join(tmp, topicsFile), func(w io.Writer) error {
			_, err := io.WriteString(w, planted.Topics())
			return err
		}))
	})
	if err != nil {
		return bad(fmt.Errorf("--out: %w", err))
	}
	train, authors, venues := b.Vertices(papers.Trained), b.Vertices(papers.Author), b.Vertices(papers.Venue)
	doc := fields{"kind", "bibliography", "out", out, "options", o, "train", train, "test", len(b.Test), "authors", authors,
		"venues", venues, "words", len(b.Words), "sha256", b.Checksum()}
	return p.emitTable(doc, 2, []string{"bibliography", out}, [][]string{
		{"training papers", count(train)}, {"test papers", count(len(b.Test))}, {"authors", count(authors)},
		{"venues", count(venues)}, {"words", count(len(b.Words))}, {"papers in", filepath.Join(out, papers.PapersFile)},
		{"topics in", filepath.Join(out, topicsFile)}})
}
