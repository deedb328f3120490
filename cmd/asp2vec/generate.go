package main

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

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
)

// The files of a generated network.
const (
	edgesFile       = "edges.tsv.gz"
	membershipsFile = "memberships.tsv"
)

// generatedKinds are what can be generated.
func generatedKinds() []string { return []string{"planted", "bibliography", "typed", "karate"} }

// onlyFlagsOf returns an error if a flag is given that is not for the kind of what is generated.
func onlyFlagsOf(c *cli.Context, kind string) error {
	for _, f := range c.Command.Flags {
		name, category := f.Names()[0], ""
		if f, ok := f.(cli.CategorizableFlag); ok {
			category = f.GetCategory()
		}
		random := name == "mixing" || name == "seed"
		if c.IsSet(name) && (category != "" && category != "For "+kind || random && kind == "karate") {
			return badf("--%s with %s: want no such flag, it does not apply", name, kind)
		}
	}
	return nil
}

// wholeFlags returns what makes flags of whole numbers in a category.
func wholeFlags(category string) func(name string, value int, usage string) cli.Flag {
	return func(name string, value int, usage string) cli.Flag {
		return &cli.IntFlag{Name: name, Category: category, Value: value, Usage: usage}
	}
}

func (p *program) generateCommand() *cli.Command {
	o := network.DefaultPlanted()
	const planted = "For planted"
	whole := wholeFlags(planted)
	return &cli.Command{
		Name:      "generate",
		Usage:     "write a synthetic network with overlapping communities, a bibliography with topics, users with tastes, or the karate club",
		ArgsUsage: strings.Join(generatedKinds(), "|"),
		Description: "A folder gets " + edgesFile + " and " + membershipsFile + " (an id and its communities per line). A name that ends in\n" +
			".tsv or .tsv.gz is a file of links; the communities are written beside it, to NAME." + membershipsFile + ". The folder of\n" +
			"a bibliography gets " + papers.PapersFile + ", " + papers.CandidatesFile + " and " + topicsFile + " (an author and its topics per line);\n" +
			"that of typed gets " + typed.SchemaFile + " with its files, and " + typed.TastesFile + " (a user and its tastes per line).\n\n" +
			example("asp2vec data generate planted --vertices 5000 --out synthetic", "asp2vec train --network synthetic/"+edgesFile,
				"asp2vec data generate bibliography --topics 20 --out papers",
				"asp2vec data generate typed --out music", "asp2vec train --schema music --method asp2vec-het --out runs/music"),
		Flags: append(append(plantedFlags(), typedFlags()...), []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`PATH` of a folder or of a file of links"},
			&cli.BoolFlag{Name: "force", Usage: "replace the files in --out"},
			whole("vertices", o.Vertices, "`N` vertices, before those outside the largest component are removed"),
			whole("communities", o.Communities, "how many to generate"),
			whole("memberships", o.Memberships, "each vertex is in 1 to this many communities"),
			&cli.Float64Flag{Name: "mean-degree", Category: planted, Value: o.MeanDegree, Usage: "mean number of links per vertex"},
			&cli.Float64Flag{Name: "skew", Category: planted, Value: o.Skew, Usage: "skew of degrees, 0 to 2; from 0.5 on there are hubs"},
			&cli.Float64Flag{Name: "mixing", Value: o.Mixing, Usage: "share drawn regardless of communities or topics, 0 to 1"},
			&cli.Uint64Flag{Name: "seed", Value: o.Seed, Usage: "`SEED` of all random numbers"},
		}...),
		Action: p.generate,
	}
}

func (p *program) generate(c *cli.Context) error {
	kind := c.Args().First()
	if c.Args().Len() != 1 || !slices.Contains(generatedKinds(), kind) {
		return badf("%q: want one of %s", strings.Join(c.Args().Slice(), " "), strings.Join(generatedKinds(), ", "))
	}
	if err := onlyFlagsOf(c, kind); err != nil {
		return err
	}
	if kind == "bibliography" {
		return p.generateBibliography(c)
	}
	if kind == "typed" {
		return p.generateTyped(c)
	}
	out, force := c.String("out"), c.Bool("force")
	edges, memberships, isFile := generatedFiles(out)
	if isFile {
		for _, f := range []string{edges, memberships} {
			if err := checkFile(f, force); err != nil {
				return err
			}
		}
	} else if err := checkGenerated(c, edgesFile, membershipsFile); err != nil {
		return err
	}
	o := network.PlantedOptions{
		Vertices: c.Int("vertices"), Communities: c.Int("communities"), Memberships: c.Int("memberships"),
		MeanDegree: c.Float64("mean-degree"), Mixing: c.Float64("mixing"), Skew: c.Float64("skew"), Seed: c.Uint64("seed"),
	}
	doc := fields{"kind", kind, "out", out}
	var n *network.Network
	var communities [][]int32
	if kind == "planted" {
		var err error
		if err = p.checkPlanted(o); err != nil {
			return err
		}
		if n, communities, err = network.Planted(o); err != nil {
			return bad(err)
		}
		doc = append(doc, "options", o)
	} else {
		var factions []int32
		n, factions = network.Karate()
		for _, f := range factions {
			communities = append(communities, []int32{f})
		}
	}
	var err error
	if isFile {
		// Two files cannot change at once: without the communities, the links of another network are never beside them.
		if err = os.Remove(memberships); err == nil || errors.Is(err, fs.ErrNotExist) {
			if err = n.WriteFile(edges); err == nil {
				err = writeMemberships(memberships, n, communities)
			}
		}
	} else {
		err = atomicfile.Dir(out, force, func(tmp string) error {
			return errors.Join(n.WriteFile(filepath.Join(tmp, edgesFile)), writeMemberships(filepath.Join(tmp, membershipsFile), n, communities))
		})
	}
	if err != nil {
		return bad(fmt.Errorf("--out: %w", err))
	}
	return p.emitTable(append(doc, "vertices", n.Vertices(), "links", n.Links(), "sha256", n.Checksum()), 2, []string{kind, out},
		[][]string{{"vertices", count(n.Vertices())}, {"links", count(n.Links())}, {"links in", edges}, {"communities in", memberships}})
}

// checkPlanted returns an error for a network that there is not memory for.
func (p *program) checkPlanted(o network.PlantedOptions) error {
	if o.Validate() != nil {
		return nil // which generating it tells
	}
	const vertex, link = 300, 100 // bytes
	need, there := float64(o.Vertices)*(vertex+link*o.MeanDegree/2), p.available()
	if there.Bytes > 0 && need > float64(there.Bytes) {
		return badf("--vertices %d with --mean-degree %v need about %s of memory, and there are %s (%s): want fewer", o.Vertices, o.MeanDegree,
			size(min(need, math.MaxInt64/2)), size(there.Bytes), there.Bound)
	}
	return nil
}

// generatedFiles returns the names of the files of a generated network, and whether they have no folder of their own.
func generatedFiles(out string) (edges, memberships string, isFile bool) {
	for _, ending := range []string{".tsv", ".tsv.gz"} {
		if stem, ok := strings.CutSuffix(out, ending); ok && stem != "" {
			return out, stem + "." + membershipsFile, true
		}
	}
	return filepath.Join(out, edgesFile), filepath.Join(out, membershipsFile), false
}

// checkGenerated is checkFolder for what is generated, in files of these names.
func checkGenerated(c *cli.Context, files ...string) error {
	return checkFolder(c, "what is generated ("+strings.Join(files, ", ")+")", func(name string) bool { return slices.Contains(files, name) })
}

// writeMemberships writes an id and its communities a line.
func writeMemberships(path string, n *network.Network, communities [][]int32) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		b := bufio.NewWriter(w)
		for v, of := range communities {
			b.WriteString(n.Name(int32(v)))
			for _, c := range of {
				fmt.Fprintf(b, "\t%d", c)
			}
			b.WriteByte('\n')
		}
		return b.Flush()
	})
}
