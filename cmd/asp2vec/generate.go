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
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
)

// The files of a generated network.
const (
	edgesFile       = "edges.tsv.gz"
	membershipsFile = "memberships.tsv"
	originsFile     = "origins.tsv"
)

// generatedKinds are what can be generated.
func generatedKinds() []string {
	return []string{"planted", "merged", "bibliography", "karate"}
}

// onlyFlagsOf returns an error if a flag is given that is not for the kind of what is generated.
func onlyFlagsOf(c *cli.Context, kind string) error {
	for _, f := range c.Command.Flags {
		name, category := f.Names()[0], categoryOf(f)
		fixed := name == "seed" && kind == "karate" || name == "mixing" && (kind == "karate" || kind == "merged")
		if c.IsSet(name) && (category != "" && category != "For "+kind || fixed) {
			return badf("--%s with %s: expected no such flag, it does not apply", name, kind)
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
	const planted, merged = "For planted", "For merged"
	whole := wholeFlags(planted)
	return &cli.Command{
		Name:      "generate",
		Usage:     "write a synthetic network or bibliography, or the karate club",
		ArgsUsage: strings.Join(generatedKinds(), "|"),
		Description: "A folder gets " + edgesFile + " and " + membershipsFile + " (an id and its communities per line). A name that ends in\n" +
			".tsv or .tsv.gz is a file of links; the communities are written beside it, to NAME." + membershipsFile + ". Planted and merged\n" +
			"networks also have " + originsFile + ", with what made each link. Merged is a network whose pairs of vertices became one: a truth for aspects. The folder of\n" +
			"a bibliography gets " + papers.PapersFile + ", " + papers.CandidatesFile + " and " + topicsFile + " (an author and its topics per line).\n\n" +
			example("asp2vec data generate planted --vertices 5000 --out synthetic", "asp2vec train --network synthetic/"+edgesFile,
				"asp2vec data generate merged --network links.tsv --out merged.tsv",
				"asp2vec data generate bibliography --topics 20 --out papers"),
		Flags: append(plantedFlags(), []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`PATH` of a folder or of a file of links"},
			&cli.BoolFlag{Name: "force", Usage: "replace the files in --out"},
			whole("vertices", o.Vertices, "`N` vertices, before those outside the largest component are removed"),
			whole("communities", o.Communities, "how many to generate"),
			whole("memberships", o.Memberships, "each vertex is in 1 to this many communities"),
			&cli.Float64Flag{Name: "mean-degree", Category: planted, Value: o.MeanDegree, Usage: "mean number of links per vertex"},
			&cli.Float64Flag{Name: "skew", Category: planted, Value: o.Skew, Usage: "skew of degrees, 0 to 2; from 0.5 on there are hubs"},
			&cli.StringFlag{Name: "network", Category: merged, Usage: "`FILE` of the links"},
			&cli.Float64Flag{Name: "share", Category: merged, Value: 0.3, Usage: "share of the vertices with five links or more that are merged in pairs, 0 to 1"},
			&cli.Float64Flag{Name: "mixing", Value: o.Mixing, Usage: "share drawn regardless of communities or topics, 0 to 1"},
			&cli.Uint64Flag{Name: "seed", Value: o.Seed, Usage: "`SEED` of all random numbers"},
		}...),
		Action: p.generate,
	}
}

func (p *program) generate(c *cli.Context) error {
	kind := c.Args().First()
	if c.Args().Len() != 1 || !slices.Contains(generatedKinds(), kind) {
		return badf("%q: expected one of %s", strings.Join(c.Args().Slice(), " "), strings.Join(generatedKinds(), ", "))
	}
	if err := onlyFlagsOf(c, kind); err != nil {
		return err
	}
	if kind == "bibliography" {
		return p.generateBibliography(c)
	}
	made, doc, err := p.generated(c, kind)
	if err != nil {
		return err
	}
	files, err := made.write(c)
	if err != nil {
		return err
	}
	n, rows := made.net, [][]string{{"vertices", count(made.net.Vertices())}, {"links", count(made.net.Links())}, {"links in", files[0]}}
	for i, what := range []string{"communities in", "what made links in"} {
		if made.truths()[i].is {
			rows = append(rows, []string{what, files[i+1]})
		}
	}
	return p.emitTable(append(doc, "vertices", n.Vertices(), "links", n.Links(), "sha256", n.Checksum()), 2, []string{kind, c.String("out")}, rows)
}

// generatedNetwork is a network with what is known of it.
type generatedNetwork struct {
	net         *network.Network
	communities [][]int32        // (N), or nil
	origins     []network.Origin // or nil
}

// generated makes a network, and says how.
func (p *program) generated(c *cli.Context, kind string) (g generatedNetwork, doc fields, err error) {
	doc = fields{"kind", kind, "out", c.String("out")}
	switch kind {
	case "planted":
		o := network.PlantedOptions{
			Vertices: c.Int("vertices"), Communities: c.Int("communities"), Memberships: c.Int("memberships"),
			MeanDegree: c.Float64("mean-degree"), Mixing: c.Float64("mixing"), Skew: c.Float64("skew"), Seed: c.Uint64("seed"),
		}
		if err := p.checkPlanted(o); err != nil {
			return g, doc, err
		}
		planted, err := o.Generate()
		if err != nil {
			return g, doc, bad(err)
		}
		return generatedNetwork{planted.Network, planted.Memberships, planted.LinkOrigins()}, append(doc, "options", o), nil
	case "merged":
		l, err := p.load(c)
		if err != nil {
			return g, doc, err
		}
		if g.net, g.origins, err = l.Network.Merge(c.Float64("share"), c.Uint64("seed")); err != nil {
			return g, doc, bad(err)
		}
		return g, append(doc, "of", l.Name, "share", c.Float64("share"), "seed", c.Uint64("seed")), nil
	}
	var factions []int32
	g.net, factions = network.Karate()
	for _, f := range factions {
		g.communities = append(g.communities, []int32{f})
	}
	return g, doc, nil
}

// truth is a file of what is known of a generated network.
type truth struct {
	name string
	is   bool
	fill func(w io.Writer) error
}

func (g generatedNetwork) truths() []truth {
	return []truth{
		{membershipsFile, g.communities != nil, func(w io.Writer) error { return writeMemberships(w, g.net, g.communities) }},
		{originsFile, g.origins != nil, func(w io.Writer) error { return network.WriteOrigins(w, g.origins) }},
	}
}

// write writes links, communities and origins, as far as there are any, to --out, and returns the files' names.
func (g generatedNetwork) write(c *cli.Context) (files []string, err error) {
	out, force := c.String("out"), c.Bool("force")
	stem, isFile := generatedStem(out)
	files = []string{filepath.Join(out, edgesFile), filepath.Join(out, membershipsFile), filepath.Join(out, originsFile)}
	if !isFile {
		if err := checkGenerated(c, edgesFile, membershipsFile, originsFile); err != nil {
			return nil, err
		}
		return files, outError(atomicfile.Dir(out, force, func(tmp string) error {
			errs := []error{g.net.WriteFile(filepath.Join(tmp, edgesFile))}
			for _, t := range g.truths() {
				if t.is {
					errs = append(errs, atomicfile.Write(filepath.Join(tmp, t.name), t.fill))
				}
			}
			return errors.Join(errs...)
		}))
	}
	files = []string{out, stem + "." + membershipsFile, stem + "." + originsFile}
	for _, f := range files {
		if err := checkFile(f, force); err != nil {
			return nil, err
		}
	}
	// Files cannot change at once: without what is known, the links of another network are never beside it.
	for _, f := range files[1:] {
		if err := os.Remove(f); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, outError(err)
		}
	}
	if err := g.net.WriteFile(out); err != nil {
		return nil, outError(err)
	}
	for i, t := range g.truths() {
		if t.is {
			if err := atomicfile.Write(files[i+1], t.fill); err != nil {
				return nil, outError(err)
			}
		}
	}
	return files, nil
}

// outError says that what keeps files from being written is about --out.
func outError(err error) error {
	if err != nil {
		err = bad(fmt.Errorf("--out: %w", err))
	}
	return err
}

// checkPlanted returns an error for a network that there is not memory for.
func (p *program) checkPlanted(o network.PlantedOptions) error {
	if o.Validate() != nil {
		return nil // which generating it tells
	}
	const vertex, link = 300, 100 // bytes
	need, there := float64(o.Vertices)*(vertex+link*o.MeanDegree/2), p.available()
	if there.Bytes > 0 && need > float64(there.Bytes) {
		return badf("--vertices %d with --mean-degree %v need about %s of memory, and there are %s (%s): expected fewer", o.Vertices, o.MeanDegree,
			size(min(need, math.MaxInt64/2)), size(there.Bytes), there.Bound)
	}
	return nil
}

// generatedStem returns what the names of the files of a generated network begin with, where they have no folder of their own.
func generatedStem(out string) (stem string, isFile bool) {
	for _, ending := range []string{".tsv", ".tsv.gz"} {
		if stem, ok := strings.CutSuffix(out, ending); ok && stem != "" {
			return stem, true
		}
	}
	return "", false
}

// checkGenerated is checkFolder for what is generated, in files of these names.
func checkGenerated(c *cli.Context, files ...string) error {
	return checkFolder(c, "what is generated ("+strings.Join(files, ", ")+")", func(name string) bool { return slices.Contains(files, name) })
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
