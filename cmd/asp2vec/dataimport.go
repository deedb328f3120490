package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
)

func (p *program) importCommand() *cli.Command {
	return &cli.Command{
		Name: "import", Usage: "make a data set from a network in any known format, or from files as their authors published them", ArgsUsage: "PATH", Action: p.dataImport,
		Description: "PATH is a file of a network (edge list, Matrix Market, GraphML, GML, GEXF, node-link JSON, SciPy .npz), uncompressed or with gzip, bzip2,\n" +
			"xz or zstd. The format is recognised by content; see docs/formats.md.\n" +
			"PATH can also be a split pickled by the authors' code (data_remove_percent_0.5.pkl), or a folder with one; a file edges.txt beside it\n" +
			"has the links. Or it is the folder data of TaPEm's repository, with pickled words. No code in a pickle is run. Papers become a folder\n" +
			"with papers.tsv.gz.\n\n" +
			example("asp2vec data import network.graphml --out mine              # then: asp2vec train --network mine/edges.tsv.gz",
				"asp2vec data import asp2vec/data/filmtrust --out filmtrust   # then: asp2vec train --split filmtrust/split",
				"asp2vec data import TapEM/data --out papers"),
		Flags: append([]cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`DIR` for the data set"},
			&cli.BoolFlag{Name: "force", Usage: "replace the data set in --out"},
			&cli.BoolFlag{Name: "directed", Usage: "treat links as directed, or with =false as undirected; default: as the file says"},
		}, networkFlags("")...),
	}
}

func (p *program) dataImport(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return badf("%d paths: expected one: a file of a network, a pickled split, or a folder with published files", c.Args().Len())
	}
	out, force := c.String("out"), c.Bool("force")
	if err := checkFolder(c, "a data set", func(name string) bool { return !network.Unexpected(name) }); err != nil {
		return err
	}
	path := c.Args().First()
	fi, err := os.Stat(path)
	if err != nil {
		return bad(err)
	}
	if !fi.IsDir() && !strings.HasSuffix(path, ".pkl") {
		return p.importNetwork(c, path)
	}
	for _, name := range fileFlags {
		if c.IsSet(name) {
			return badf("--%s is for files of networks: expected none for %s", name, path)
		}
	}
	pickled, err := findPickled(path, fi.IsDir())
	if err != nil {
		return bad(err)
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

func (p *program) importSplit(path, out string, force bool) error {
	s, err := network.ReadPickled(path)
	if err != nil {
		return bad(err)
	}
	links := filepath.Join(filepath.Dir(path), "edges.txt")
	if _, err := os.Stat(links); err != nil {
		links = ""
	}
	if err := atomicfile.Dir(out, force, func(tmp string) error { return s.FillDataset(tmp, links) }); err != nil {
		return bad(err)
	}
	doc, from := fields{"out", out}, "training and test links together"
	if links != "" {
		doc, from = append(doc, "links", links), "from "+links
	}
	of, labels := s.Split, s.Labels != nil
	doc = append(doc, "sha256", of.Checksum(), "directed", of.Directed, "vertices", len(of.Names), "train", len(of.Train), "test", len(of.Test), "labels", labels)
	return p.emitTable(doc, 2, []string{"imported", out}, [][]string{
		{"links", from}, {"directed", yesNo(of.Directed)}, {"vertices of the split", count(len(of.Names))},
		{"training links", count(len(of.Train))}, {"test links", count(len(of.Test))}, {"labels", yesNo(labels)},
		{"use", "--split " + filepath.Join(out, network.SplitFolder)},
	})
}

func (p *program) importPapers(path, out string, force bool) error {
	table, err := papers.ReadTable(path)
	if err != nil {
		return bad(err)
	}
	bibliography, report, err := writePapers(table, path, out, force)
	if err != nil {
		return bad(err)
	}
	rows := paperRows(report)
	rows.add("words from", report.Texts)
	rows.add("use", "--bibliography "+out)
	return p.emitTable(fields{"out", out, "sha256", bibliography.Checksum(), "papers", report}, 2, []string{"imported", out}, rows)
}
