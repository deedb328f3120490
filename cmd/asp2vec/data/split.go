package data

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/urfave/cli/v2"
)

// Split is the command split, which parts the links of a network into training links and test links.
func Split(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage:   shell.NetworkArgument,
		Description: shell.Example("asp2vec split --network links.tsv --rule ce1 --out mysplit", "asp2vec train --split mysplit"),
		Flags: append([]cli.Flag{
			shell.NewFlag("network", "", networkUsage),
			shell.NewFlag("directed", false, "treat links as directed, or with =false as undirected; default: as the file says"),
			shell.NewFlag("remove", 0.5, "use this `SHARE` of the links as test links"),
			shell.NewFlag("rule", network.Rules()[0], "rule: ce5 is the paper's, which removes fewer links of sparse networks; ce1 removes the exact share; linked lets the network fall apart, and random takes any links, also a vertex's last"),
			shell.NewFlag("seed", uint64(1), "`SEED` of the random choice"),
			shell.NewFlag("as-published", false, "do as the authors' code: self-loops may be test links, reciprocal arcs be parted, and negatives lie within a side of a bipartite network"),
			shell.NewFlag("splits", 1, "make `K` splits, with seeds from --seed on, in the folders 1 to K of --out"),
			shell.NewFlag("out", "", "`DIR` for the split, or for the folders of several"),
			shell.NewFlag("force", false, "replace the split in --out"),
		}, networkFlags("")...),
		Action: program{p}.split,
	}
}

func (p program) split(c *cli.Context) error {
	o := network.SplitOptions{Remove: c.Float64("remove"), Rule: c.String("rule"), Seed: c.Uint64("seed"), AsPublished: c.Bool("as-published")}
	if err := o.Validate(); err != nil {
		return shell.Bad(err)
	}
	out, folders := c.String("out"), []string{c.String("out")}
	n := c.Int("splits")
	if n < 1 || n > 1000 || o.Seed+uint64(n-1) < o.Seed {
		return shell.Badf("--splits %d from --seed %d on: expected 1 to 1000, and no seed of more than 64 bits", n, o.Seed)
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
	if err := shell.CheckFolder(c, "the split", ours); err != nil {
		return err
	}
	loaded, err := Load(p.Program, c)
	if err != nil {
		return err
	}
	var s *network.Split
	d, all := p.Answer(), [][]any(nil)
	for i, folder := range folders {
		s, err = network.MakeSplit(c.Context, loaded.Network, o)
		switch {
		case c.Context.Err() != nil && i > 0:
			return fmt.Errorf("interrupted: %d of %d splits were written", i, n)
		case c.Context.Err() != nil:
			return errors.New("interrupted: nothing was written")
		case err != nil:
			return shell.Bad(err)
		}
		if err := s.Write(folder, c.Bool("force")); err != nil {
			return shell.Bad(err)
		}
		all = append(all, append([]any{"out", folder}, splitFacts(s, loaded.Network)...))
		o.Seed++
	}
	if n == 1 {
		d.Facts(all[0]...)
		return p.Show(d)
	}
	d.Data("splits", seq.Map(all, func(pairs []any) shell.Fields { return pairs }))
	d.Rows(seq.Map(all, func(pairs []any) []any { return []any{pairs[1], pairs[3], pairs[5], pairs[7], pairs[9]} }), "split", "seed", "training links", "test links", "lost links")
	return p.Show(d)
}

// splitFacts are the sizes of a split, and what of the network it had to heed.
func splitFacts(s *network.Split, n *network.Network) []any {
	o, had := s.Options, s.Counts()
	return []any{"seed", o.Seed, "train", len(s.Train), "test", len(s.Test), "lost", s.Lost, "rule", o.Rule, "remove", o.Remove, "as_published", o.AsPublished,
		"sha256", s.Checksum(), "directed", s.Directed, "vertices", len(s.Names), "vertices_outside_largest_component", shell.Known(n.Vertices() - len(s.Names)),
		"test_negatives", len(s.TestNeg), "reversed_test_negatives", shell.Known(max(0, len(s.TestNegDirected)-len(s.TestNeg))),
		"self_loops", shell.Known(had.SelfLoops), "test_self_loops", shell.Known(had.TestSelfLoops), "reciprocal_pairs", shell.Known(had.Pairs), "parted_pairs", shell.Known(had.Parted), "sides", s.Sides}
}
