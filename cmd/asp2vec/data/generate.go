package data

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
)

// The files of a generated network.
const (
	edgesFile       = "edges.tsv.gz"
	membershipsFile = "memberships.tsv"
)

// generatedKinds are what can be generated.
var generatedKinds = []string{"planted", "karate"}

func (p program) generateCommand() *cli.Command {
	o := network.DefaultPlanted()
	return &cli.Command{
		Name:      "generate",
		Usage:     "write a synthetic network, or the karate club",
		ArgsUsage: strings.Join(generatedKinds, "|"),
		Description: "A folder gets " + edgesFile + " and " + membershipsFile + " (an id and its communities per line). A name that ends in\n" +
			".tsv or .tsv.gz is a file of links; the communities are written beside it, to NAME." + membershipsFile + ".\n\n" +
			shell.Example("asp2vec data generate planted --vertices 5000 --out synthetic", "asp2vec train --network synthetic/"+edgesFile),
		Flags: []cli.Flag{
			shell.NewFlag("out", "", "`PATH` of a folder or of a file of links"),
			shell.NewFlag("force", false, "replace the files in --out"),
			shell.NewFlag("vertices", o.Vertices, "`N` vertices, before those outside the largest component are removed"),
			shell.NewFlag("communities", o.Communities, "how many to generate"),
			shell.NewFlag("memberships", o.Memberships, "each vertex is in 1 to this many communities"),
			shell.NewFlag("mean-degree", o.MeanDegree, "mean number of links per vertex"),
			shell.NewFlag("skew", o.Skew, "skew of degrees, 0 to 2; from 0.5 on there are hubs"),
			shell.NewFlag("mixing", o.Mixing, "share drawn regardless of communities, 0 to 1"),
			shell.NewFlag("seed", o.Seed, "`SEED` of all random numbers"),
		},
		Action: p.generate,
	}
}

func (p program) generate(c *cli.Context) error {
	kind := c.Args().First()
	if c.NArg() != 1 || !slices.Contains(generatedKinds, kind) {
		return shell.Badf("%q: expected one of %s", strings.Join(c.Args().Slice(), " "), strings.Join(generatedKinds, ", "))
	}
	d := p.Answer()
	d.Facts("kind", kind, "out", c.String("out"))
	n, communities, err := p.generated(c, kind, d)
	if err != nil {
		return err
	}
	links, memberships, err := writeGenerated(c, n, communities)
	if err != nil {
		return err
	}
	d.Facts("vertices", n.Vertices(), "links", n.Links(), "sha256", n.Checksum(), "links_in", links, "communities_in", memberships)
	return p.Show(d)
}

// generated makes a network with its communities (N), and adds to a document how.
func (p program) generated(c *cli.Context, kind string, d *shell.Doc) (n *network.Network, communities [][]int32, err error) {
	if kind == "karate" {
		if err := shell.RefuseFlags(c, kind, "vertices", "communities", "memberships", "mean-degree", "skew", "mixing", "seed"); err != nil {
			return nil, nil, err
		}
		n, factions := network.Karate()
		for _, f := range factions {
			communities = append(communities, []int32{f})
		}
		return n, communities, nil
	}
	o := network.PlantedOptions{
		Vertices: c.Int("vertices"), Communities: c.Int("communities"), Memberships: c.Int("memberships"),
		MeanDegree: c.Float64("mean-degree"), Mixing: c.Float64("mixing"), Skew: c.Float64("skew"), Seed: c.Uint64("seed"),
	}
	if err := p.checkPlanted(o); err != nil {
		return nil, nil, err
	}
	planted, err := o.Generate()
	if err != nil {
		return nil, nil, shell.Bad(err)
	}
	d.Data("options", o)
	return planted.Network, planted.Memberships, nil
}

// writeGenerated writes links and communities to --out, and returns the files' names.
func writeGenerated(c *cli.Context, n *network.Network, communities [][]int32) (links, memberships string, err error) {
	out, force := c.String("out"), c.Bool("force")
	fill := func(w io.Writer) error { return writeMemberships(w, n, communities) }
	stem, isFile := strings.CutSuffix(strings.TrimSuffix(out, ".gz"), ".tsv")
	if !isFile || stem == "" {
		files := []string{edgesFile, membershipsFile}
		if err := shell.CheckFolder(c, "what is generated ("+strings.Join(files, ", ")+")", func(name string) bool { return slices.Contains(files, name) }); err != nil {
			return "", "", err
		}
		return filepath.Join(out, edgesFile), filepath.Join(out, membershipsFile), shell.OutError(atomicfile.Dir(out, force, func(tmp string) error {
			return errors.Join(n.WriteFile(filepath.Join(tmp, edgesFile)), atomicfile.Write(filepath.Join(tmp, membershipsFile), fill))
		}))
	}
	memberships = stem + "." + membershipsFile
	if err := errors.Join(shell.CheckFile(out, force), shell.CheckFile(memberships, force)); err != nil {
		return "", "", err
	}
	// Files cannot change at once: without communities, the links of another network are never beside them.
	err = os.Remove(memberships)
	if err == nil || errors.Is(err, fs.ErrNotExist) {
		err = n.WriteFile(out)
	}
	if err == nil {
		err = atomicfile.Write(memberships, fill)
	}
	return out, memberships, shell.OutError(err)
}

// checkPlanted returns an error for a network that there is not memory for.
func (p program) checkPlanted(o network.PlantedOptions) error {
	if o.Validate() != nil {
		return nil // which generating it tells
	}
	const vertex, link = 300, 100 // bytes
	need, there := float64(o.Vertices)*(vertex+link*o.MeanDegree/2), p.Available()
	if there.Bytes > 0 && need > float64(there.Bytes) {
		return shell.Badf("--vertices %d with --mean-degree %v need about %s of memory, and there are %s (%s): expected fewer", o.Vertices, o.MeanDegree,
			shell.Size(min(need, math.MaxInt64/2)), shell.Size(there.Bytes), there.Bound)
	}
	return nil
}

// writeMemberships writes an id and its communities a line.
func writeMemberships(w io.Writer, n *network.Network, communities [][]int32) error {
	b := bufio.NewWriter(w)
	for v, of := range communities {
		b.WriteString(n.Name(int32(v)))
		for _, c := range of {
			fmt.Fprintf(b, "\t%d", c)
		}
		b.WriteByte('\n')
	}
	return b.Flush()
}
