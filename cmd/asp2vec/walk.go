package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/asp2vec/asp2vec/walks"
	"github.com/urfave/cli/v2"
)

func (p *program) walkCommand() *cli.Command {
	o := graphs.Default()
	return &cli.Command{
		ArgsUsage:   networkArgument,
		Description: example("asp2vec walk --network links.tsv --walks 5 --out walks.txt", "asp2vec walk --split data/cora/split | head"),
		Flags: slices.Concat(sourceFlags(), []cli.Flag{
			&cli.IntFlag{Name: "walks", Category: "Walks", Value: o.Walks, Usage: "walks from each vertex"},
			&cli.IntFlag{Name: "walk-length", Category: "Walks", Value: o.Length, Usage: "vertices per walk"},
			&cli.Uint64Flag{Name: "seed", Category: "Walks", Value: o.Seed, Usage: "`SEED` of the walks; train draws the same walks"},
			namesFlag(""),
		}, outFlags(cli.StringFlag{Category: "Output", DefaultText: "standard output", Usage: "`FILE` for the walks"})),
		Action: p.walk,
	}
}

func (p *program) walk(c *cli.Context) error {
	out := c.String("out")
	if p.json && out == "" {
		return badf("--json: expected --out FILE with it, because walks are printed as text")
	}
	_, net, err := p.training(c)
	if err != nil {
		return err
	}
	src, err := walks.NewUniform(net, walks.Options{PerVertex: c.Int("walks"), Length: c.Int("walk-length"), Seed: c.Uint64("seed")})
	if err != nil {
		return bad(err)
	}
	names, err := vectors.Spell(net.Names(), c.String("names"))
	if err != nil {
		return bad(err)
	}
	write := func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		var walk []int32
		for i := range src.Walks() {
			if c.Context.Err() != nil {
				return errors.New("interrupted")
			}
			walk = src.Walk(i, walk)
			for j, v := range walk {
				if j > 0 {
					b.WriteByte(' ')
				}
				b.WriteString(names[v])
			}
			if err := b.WriteByte('\n'); err != nil { // a bufio.Writer keeps its first error
				return err
			}
		}
		return b.Flush()
	}
	if out == "" {
		return write(p.out)
	}
	if err := atomicfile.Write(out, write); err != nil {
		if c.Context.Err() != nil {
			return errors.New("interrupted: nothing was written")
		}
		return bad(fmt.Errorf("--out: %w", err))
	}
	return p.emitTable(fields{"out", out, "walks", src.Walks()}, 2, []string{"walks", out},
		[][]string{{"number", count(src.Walks())}, {"vertices in each", fmt.Sprintf("at most %d", src.MaxLength())}})
}
