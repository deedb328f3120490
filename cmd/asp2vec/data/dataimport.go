package data

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
)

func (p program) importCommand() *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "make a data set from a network in any known format, or from files as their authors published them", ArgsUsage: "PATH", Action: p.dataImport,
		Description: "PATH is a file of a network (edge list, Matrix Market, GraphML, GML, GEXF, node-link JSON, SciPy .npz), uncompressed or with gzip, bzip2,\n" +
			"xz or zstd. The format is recognised by content; see docs/formats.md.\n" +
			"PATH can also be a split pickled by the authors' code (data_remove_percent_0.5.pkl), or a folder with one; a file edges.txt beside it\n" +
			"has the links. Or it is the folder data of TaPEm's repository, with pickled words. No code in a pickle is run. Papers become a folder\n" +
			"with papers.tsv.gz.\n\n" +
			shell.Example("asp2vec data import network.graphml --out mine              # then: asp2vec train --network mine/edges.tsv.gz",
				"asp2vec data import asp2vec/data/filmtrust --out filmtrust   # then: asp2vec train --split filmtrust/split",
				"asp2vec data import TapEM/data --out papers"),
		Flags: append([]cli.Flag{
			shell.NewFlag("out", "", "`DIR` for the data set"),
			shell.NewFlag("force", false, "replace the data set in --out"),
			shell.NewFlag("directed", false, "treat links as directed, or with =false as undirected; default: as the file says"),
		}, networkFlags("")...),
	}
}

func (p program) dataImport(c *cli.Context) error {
	if c.NArg() != 1 {
		return shell.Badf("%d paths: expected one: a file of a network, a pickled split, or a folder with published files", c.NArg())
	}
	out, force := c.String("out"), c.Bool("force")
	if err := shell.CheckFolder(c, "a data set", func(name string) bool { return !network.Unexpected(name) }); err != nil {
		return err
	}
	path := c.Args().First()
	fi, err := os.Stat(path)
	if err != nil {
		return shell.Bad(err)
	}
	if !fi.IsDir() && !strings.HasSuffix(path, ".pkl") {
		return p.importNetwork(c, path)
	}
	for _, name := range ReadFlags {
		if c.IsSet(name) {
			return shell.Badf("--%s is for files of networks: expected none for %s", name, path)
		}
	}
	pickled, err := findPickled(path, fi.IsDir())
	if err != nil {
		return shell.Bad(err)
	}
	if pickled != "" {
		return p.importSplit(pickled, out, force)
	}
	return p.importPapers(path, out, force)
}

// findPickled returns the pickled split that a path names, or "" if it is a folder without one.
func findPickled(path string, folder bool) (string, error) {
	if !folder {
		return path, nil
	}
	splits, err := atomicfile.Named(path, "data_remove_percent_*.pkl")
	if err != nil {
		return "", err
	}
	if len(splits) > 1 {
		return "", fmt.Errorf("%s has %d pickled splits: expected the path of one of them", path, len(splits))
	}
	if len(splits) == 1 {
		return splits[0], nil
	}
	if _, err := os.Stat(filepath.Join(path, "edges.txt")); err == nil {
		return "", fmt.Errorf("%s has links but no data_remove_percent_0.5.pkl: expected asp2vec split --network %s", path, filepath.Join(path, "edges.txt"))
	}
	return "", nil
}

func (p program) importSplit(path, out string, force bool) error {
	s, err := network.ReadPickled(path)
	if err != nil {
		return shell.Bad(err)
	}
	links := filepath.Join(filepath.Dir(path), "edges.txt")
	if _, err := os.Stat(links); err != nil {
		links = ""
	}
	if err := atomicfile.Dir(out, force, func(tmp string) error { return s.FillDataset(tmp, links) }); err != nil {
		return shell.Bad(err)
	}
	of, d := s.Split, p.Answer()
	d.Facts("out", out, "links_of", cmp.Or(links, "training and test links together"), "sha256", of.Checksum(), "directed", of.Directed, "vertices", len(of.Names),
		"train", len(of.Train), "test", len(of.Test), "labels", s.Labels != nil, "use", "--split "+filepath.Join(out, network.SplitFolder))
	return p.Show(d)
}

func (p program) importPapers(path, out string, force bool) error {
	table, err := papers.ReadTable(path)
	if err != nil {
		return shell.Bad(err)
	}
	var b *papers.Bibliography
	var notes network.Notes
	err = atomicfile.Dir(out, force, func(tmp string) error {
		if err := table.Write(tmp); err != nil {
			return err
		}
		if b, notes, err = papers.Read(tmp); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	if err != nil {
		return shell.Bad(err)
	}
	d := p.Answer()
	d.Facts("out", out, "sha256", b.Checksum(), "use", "--bibliography "+out)
	d.Found("papers", b.Sizes())
	d.Found("notes", append(notes, table.Notes...))
	return p.Show(d)
}

// importNetwork makes a folder with the links of a network.
func (p program) importNetwork(c *cli.Context, path string) error {
	o, err := ReadOptions(c)
	if err != nil {
		return err
	}
	o.Memory = p.Available().Bytes
	n, notes, err := formats.Read(c.Context, path, o)
	if err != nil {
		return shell.Bad(err)
	}
	p.Tell(path, nil, notes)
	out := c.String("out")
	if err := atomicfile.Dir(out, c.Bool("force"), func(tmp string) error { return n.WriteFile(filepath.Join(tmp, network.LinksFile)) }); err != nil {
		return shell.Bad(err)
	}
	d, file := p.Answer(), filepath.Join(out, network.LinksFile)
	d.Facts("out", out, "file", file, "sha256", n.Checksum(), "vertices", n.Vertices(), "links", n.Links(), "directed", n.Directed(), "weighted", n.Weighted(), "use", "--network "+file)
	d.Found("notes", notes)
	return p.Show(d)
}
