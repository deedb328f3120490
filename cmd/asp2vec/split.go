package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/urfave/cli/v2"
)

func (p *program) splitCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage:   networkArgument,
		Description: example("asp2vec split --network links.tsv --rule ce1 --out mysplit", "asp2vec train --split mysplit --out runs/mine"),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "network", Usage: networkUsage},
			&cli.BoolFlag{Name: "directed", Usage: "treat links as directed, or with =false as undirected; default: as the file says"},
			&cli.Float64Flag{Name: "remove", Value: 0.5, Usage: "use this `SHARE` of the links as test links"},
			&cli.StringFlag{Name: "rule", Value: network.Rules()[0],
				Usage: "rule: ce5 is the paper's, which removes fewer links of sparse networks; ce1 removes the exact share"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of the random choice"},
			&cli.StringFlag{Name: "out", Usage: "`DIR` for the split"},
			&cli.BoolFlag{Name: "force", Usage: "replace the split in --out"},
		}, networkFlags("")...),
		Action: p.split,
	}
}

func (p *program) split(c *cli.Context) error {
	o := network.SplitOptions{Remove: c.Float64("remove"), Rule: c.String("rule"), Seed: c.Uint64("seed")}
	if err := o.Validate(); err != nil {
		return bad(err)
	}
	if err := checkFolder(c, "the split", nil); err != nil {
		return err
	}
	out := c.String("out")
	loaded, err := p.load(c)
	if err != nil {
		return err
	}
	s, err := network.MakeSplit(c.Context, loaded.Network, o)
	switch {
	case c.Context.Err() != nil:
		return errors.New("interrupted: nothing was written")
	case err != nil:
		return bad(err)
	}
	if err := s.Write(out, c.Bool("force")); err != nil {
		return bad(err)
	}
	outside := loaded.Network.Vertices() - len(s.Names)
	train, test, reversed := len(s.Train), len(s.Test), max(0, len(s.TestNegDirected)-len(s.TestNeg))
	doc := fields{"out", out, "sha256", s.Checksum(), "directed", s.Directed, "remove", s.Options.Remove, "rule", s.Options.Rule, "seed", s.Options.Seed,
		"vertices", len(s.Names), "vertices_outside_largest_component", outside, "train", train, "test", test, "test_negatives", len(s.TestNeg),
		"reversed_test_negatives", reversed, "lost", s.Lost}
	rows := facts{
		{"vertices", count(len(s.Names))}, {"training links", count(train)},
		{"test links", fmt.Sprintf("%s (%.1f %% of all)", count(test), 100*float64(test)/float64(train+test+s.Lost))},
	}
	if s.Directed {
		rows.add("reversed test negatives", count(reversed))
	}
	if s.Lost > 0 {
		rows.add("lost links", count(s.Lost))
	}
	if outside > 0 {
		rows.add("vertices left out", count(outside)+", outside the largest component")
	}
	return p.emitTable(doc, 2, []string{"split " + strings.Join([]string{o.Rule, fmt.Sprint("seed ", o.Seed)}, ", "), out}, rows)
}

// writeOut writes the file that --out names, whole or not at all.
func writeOut(path string, fill func(w io.Writer) error) error {
	if err := atomicfile.Write(path, fill); err != nil {
		return bad(fmt.Errorf("--out: %w", err))
	}
	return nil
}

// checkFile finds out beforehand whether a file can be written. Devices and pipes are written to as they are.
func checkFile(out string, force bool) error {
	if info, err := os.Stat(out); err == nil && info.Mode().IsRegular() && !force {
		return badf("--out %s exists: want a new file, or --force to replace it", out)
	} else if err == nil && info.IsDir() {
		return badf("--out %s is a folder: want a file", out)
	}
	if err := atomicfile.CheckWritable(out); err != nil {
		return bad(fmt.Errorf("--out: %w", err))
	}
	return nil
}

// checkFolder finds out beforehand whether the folder that --out names can be written. With --force it replaces one of nothing but what,
// which ours knows by name, so that no other work is swept away; nil knows all.
func checkFolder(c *cli.Context, what string, ours func(name string) bool) error {
	out := c.String("out")
	if out == "" {
		return badf("no folder to write to: want --out DIR")
	}
	err := atomicfile.CheckDir(out, c.Bool("force"))
	if errors.Is(err, atomicfile.ErrExists) {
		return badf("--out %s exists and is not empty: want a new folder, or --force to replace %s in it", out, what)
	}
	if err != nil {
		return bad(fmt.Errorf("--out: %w", err))
	}
	entries, err := os.ReadDir(out)
	if errors.Is(err, fs.ErrNotExist) || ours == nil {
		return nil
	}
	for _, e := range entries {
		if !ours(e.Name()) {
			return badf("--out %s contains %s, which is not part of %s: want a new folder, or one with nothing else in it", out, e.Name(), what)
		}
	}
	return bad(err)
}
