// Package data has the commands on data sets and splits, and reads the data that the flags of other commands name.
package data

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/urfave/cli/v2"
)

// program is the shell that the commands of this package run in.
type program struct{ *shell.Program }

// Sets is the command data: its subcommands list, download, import, describe and generate data sets.
func Sets(p *shell.Program) *cli.Command {
	return &cli.Command{
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "list all data sets, with their sizes and whether they are on this machine", Action: program{p}.dataList,
				Description: shell.Example("asp2vec data list --data networks"),
			},
			program{p}.fetchCommand(), program{p}.importCommand(),
			{
				Name: "show", Usage: "describe a data set, with statistics if it is on this machine", ArgsUsage: "NAME", Action: program{p}.dataShow,
				Description: "For links: vertices, links, self-loops, components and degrees, next to Table 2 of the paper and the published split. For papers:\n" +
					"the numbers of papers, authors, venues, references and words. For a heterogeneous network: vertices and links of each type, and test\n" +
					"pairs. asp2vec data list lists the names.\n\n" +
					shell.Example("asp2vec data show Filmtrust"),
			},
			program{p}.generateCommand(),
		},
	}
}

// fetches says what of a data set can be fetched, "" for nothing.
func fetches(d network.Dataset) string {
	files := fetch.Files(d)
	switch {
	case len(files) == 0:
		return ""
	case d.Typed:
		return "papers"
	case fetch.HasSplit(files):
		return "links, split"
	}
	return "links"
}

// places returns the files of a data set that are here: what they hold and their paths in turn, "" for none.
func (p program) places(d network.Dataset) []any {
	links, split, _ := d.Find(p.Data)
	what := "links_in"
	if d.Typed {
		what = "papers_in"
	}
	return []any{what, links, "split_in", split, "labels_in", network.FindLabels(filepath.Join(p.Data, d.Folder))}
}

func (p program) dataList(*cli.Context) error {
	rows := seq.Map(network.Datasets(), func(l network.Dataset) []any {
		here := []string{}
		for pair := range slices.Chunk(p.places(l), 2) {
			if pair[1] != "" {
				here = append(here, strings.TrimSuffix(pair[0].(string), "_in"))
			}
		}
		return []any{l.Name, l.Group, l.Directed, here, fetches(l), shell.Known(l.Vertices), shell.Known(l.Links), shell.Known(l.Train), shell.Known(l.Test)}
	})
	d := p.Answer()
	d.Data("folder", p.Data)
	d.Table("datasets", rows, "name", "group", "directed", "here", "data_fetch", "vertices", "links", "train", "test")
	d.Say("In %s. Sizes are those of the largest component, and of the published split.", p.Data)
	return p.Show(d)
}

func (p program) dataShow(c *cli.Context) error {
	if c.NArg() != 1 {
		return shell.Badf("%d names: expected one; asp2vec data list shows them", c.NArg())
	}
	l, err := network.Lookup(c.Args().First())
	if err != nil {
		if name := c.Args().First(); shell.IsPath(name) {
			err = fmt.Errorf("%s is a file, and no data set: asp2vec data import %s --out DIR says what is in it", name, name)
		}
		return shell.Bad(err)
	}
	d, places := p.Answer(), p.places(l)
	d.Fold()
	d.Facts("name", l.Name, "description", l.Description, "group", l.Group, "directed", l.Directed, "in_the_paper", l.InPaper,
		"vertices_in_table_2", shell.Known(l.PaperVertices), "edges_in_table_2", shell.Known(l.PaperLinks), "vertices", shell.Known(l.Vertices), "links", shell.Known(l.Links),
		"train", shell.Known(l.Train), "test", shell.Known(l.Test), "test_negatives", shell.Known(l.TestNeg), "url", l.URL, "notes", l.Notes, "data_fetch", fetches(l))
	d.Facts(places...)
	switch path, _ := places[1].(string); {
	case path == "":
		d.Line("here", "no, not in "+p.Data)
	case l.Typed:
		b, notes, err := papers.Read(filepath.Dir(path))
		if err != nil {
			return shell.Bad(err)
		}
		d.Found("papers", b.Sizes())
		d.Found("read", notes)
	default:
		n, notes, err := network.Read(path, network.ReadOptions{Directed: l.Directed, Memory: p.Available().Bytes})
		if err != nil {
			return shell.Bad(err)
		}
		s := n.Stats()
		d.Data("stats", s)
		d.Line("the file", fmt.Sprintf("%s vertices, %s links, %s components", shell.Count(s.Vertices), shell.Count(s.Links), shell.Count(s.Components)))
		d.Line("degrees", fmt.Sprintf("mean %.1f, largest %s; reciprocity %.2f", s.MeanDegree, shell.Count(s.MaxDegree), s.Reciprocity))
		d.Found("read", notes)
	}
	return p.Show(d)
}
