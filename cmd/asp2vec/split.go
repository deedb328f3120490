package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/urfave/cli/v2"
)

func (p *program) splitCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage:   networkArgument,
		Description: example("asp2vec split --network links.tsv --rule ce1 --out mysplit", "asp2vec train --split mysplit"),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "network", Usage: networkUsage},
			&cli.BoolFlag{Name: "directed", Usage: "treat links as directed, or with =false as undirected; default: as the file says"},
			&cli.Float64Flag{Name: "remove", Value: 0.5, Usage: "use this `SHARE` of the links as test links"},
			&cli.StringFlag{Name: "rule", Value: network.Rules()[0],
				Usage: "rule: ce5 is the paper's, which removes fewer links of sparse networks; ce1 removes the exact share"},
			&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "`SEED` of the random choice"},
			&cli.BoolFlag{Name: "as-published", Usage: "do as the authors' code: self-loops may be test links, reciprocal arcs be parted, and negatives lie within a side of a bipartite network"},
			&cli.IntFlag{Name: "splits", Value: 1, Usage: "make `K` splits, with seeds from --seed on, in the folders 1 to K of --out"},
			&cli.StringFlag{Name: "out", Usage: "`DIR` for the split, or for the folders of several"},
			&cli.BoolFlag{Name: "force", Usage: "replace the split in --out"},
		}, networkFlags("")...),
		Action: p.split,
	}
}

func (p *program) split(c *cli.Context) error {
	o := network.SplitOptions{Remove: c.Float64("remove"), Rule: c.String("rule"), Seed: c.Uint64("seed"), AsPublished: c.Bool("as-published")}
	if err := o.Validate(); err != nil {
		return bad(err)
	}
	out, folders := c.String("out"), []string{c.String("out")}
	n := c.Int("splits")
	if n < 1 || n > 1000 || o.Seed+uint64(n-1) < o.Seed {
		return badf("--splits %d from --seed %d on: expected 1 to 1000, and no seed of more than 64 bits", n, o.Seed)
	}
	var ours func(name string) bool
	if n > 1 {
		folders = nil
		for i := range n {
			folders = append(folders, filepath.Join(out, strconv.Itoa(i+1)))
		}
		ours = func(name string) bool {
			return slices.Contains(folders, filepath.Join(out, name)) || strings.Contains(name, ".tmp-") // of a run that was killed
		}
	}
	if err := checkFolder(c, "the split", ours); err != nil {
		return err
	}
	loaded, err := p.load(c)
	if err != nil {
		return err
	}
	var docs []fields
	var rows [][]string
	var s *network.Split
	for i, folder := range folders {
		s, err = network.MakeSplit(c.Context, loaded.Network, o)
		switch {
		case c.Context.Err() != nil && i > 0:
			return fmt.Errorf("interrupted: %d of %d splits were written", i, n)
		case c.Context.Err() != nil:
			return errors.New("interrupted: nothing was written")
		case err != nil:
			return bad(err)
		}
		if err := s.Write(folder, c.Bool("force")); err != nil {
			return bad(err)
		}
		docs = append(docs, splitDoc(folder, s, loaded.Network))
		rows = append(rows, []string{folder, fmt.Sprint(o.Seed), count(len(s.Train)), testLinks(s), count(s.Lost)})
		o.Seed++
	}
	if n == 1 {
		header := []string{fmt.Sprintf("split %s, seed %d", o.Rule, s.Options.Seed), out}
		return p.emitTable(docs[0], 2, header, slices.Concat(splitSizes(s), splitFinds(s, loaded.Network)))
	}
	return p.emit(fields{"splits", docs}, func(b *printout) {
		b.table(1, []string{"splits " + o.Rule, "seed", "training links", "test links", "lost links"}, rows)
		if finds := splitFinds(s, loaded.Network); len(finds) > 0 && !o.AsPublished { // which differ by the seed then
			b.printf("\n")
			b.table(2, []string{"in each", ""}, finds)
		}
	})
}

// splitDoc is what split says of one split as JSON.
func splitDoc(out string, s *network.Split, n *network.Network) fields {
	had := s.Counts()
	return fields{"out", out, "sha256", s.Checksum(), "directed", s.Directed, "remove", s.Options.Remove, "rule", s.Options.Rule, "seed", s.Options.Seed,
		"as_published", s.Options.AsPublished, "vertices", len(s.Names), "vertices_outside_largest_component", n.Vertices() - len(s.Names),
		"train", len(s.Train), "test", len(s.Test), "test_negatives", len(s.TestNeg), "reversed_test_negatives", max(0, len(s.TestNegDirected)-len(s.TestNeg)),
		"lost", s.Lost, "self_loops", had.SelfLoops, "test_self_loops", had.TestSelfLoops, "reciprocal_pairs", had.Pairs, "parted_pairs", had.Parted,
		"sides", s.Sides}
}

// testLinks says how many there are, and what share.
func testLinks(s *network.Split) string {
	return fmt.Sprintf("%s (%.1f %% of all)", count(len(s.Test)), 100*float64(len(s.Test))/float64(len(s.Train)+len(s.Test)+s.Lost))
}

// splitSizes are the sizes of a split.
func splitSizes(s *network.Split) facts {
	rows := facts{{"vertices", count(len(s.Names))}, {"training links", count(len(s.Train))}, {"test links", testLinks(s)}}
	if s.Directed {
		rows.add("reversed test negatives", count(max(0, len(s.TestNegDirected)-len(s.TestNeg))))
	}
	if s.Lost > 0 {
		rows.add("lost links", count(s.Lost))
	}
	return rows
}

// splitFinds says what of a network a split had to heed.
func splitFinds(s *network.Split, n *network.Network) (rows facts) {
	had := s.Counts()
	if had.SelfLoops > 0 {
		where := "all of them training links"
		if had.TestSelfLoops > 0 {
			where = count(had.TestSelfLoops) + " of them test links"
		}
		rows.add("self-loops", count(had.SelfLoops)+", "+where)
	}
	if had.Pairs > 0 {
		where := "both arcs of each in training or both in test"
		if had.Parted > 0 {
			where = count(had.Parted) + " of them with one arc in training and one in test"
		}
		rows.add("reciprocal pairs", count(had.Pairs)+", "+where)
	}
	if len(s.Sides) == 2 {
		rows.add("two sides", fmt.Sprintf("%s and %s vertices; each negative joins them, as each link does", count(s.Sides[0]), count(s.Sides[1])))
	}
	if outside := n.Vertices() - len(s.Names); outside > 0 {
		rows.add("vertices left out", count(outside)+", outside the largest component")
	}
	return rows
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
		return badf("--out %s exists: expected a new file, or --force to replace it", out)
	} else if err == nil && info.IsDir() {
		return badf("--out %s is a folder: expected a file", out)
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
		return badf("no folder to write to: expected --out DIR")
	}
	err := atomicfile.CheckDir(out, c.Bool("force"))
	if errors.Is(err, atomicfile.ErrExists) {
		return badf("--out %s exists and is not empty: expected a new folder, or --force to replace %s in it", out, what)
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
			return badf("--out %s contains %s, which is not part of %s: expected a new folder, or one with nothing else in it", out, e.Name(), what)
		}
	}
	return bad(err)
}
