package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/fetch"
	"github.com/urfave/cli/v2"
)

func (p *program) dataCommand() *cli.Command {
	return &cli.Command{
		Subcommands: []*cli.Command{
			{
				Name: "list", Usage: "list all data sets, with their sizes and whether they are on this machine", Action: p.dataList,
				Description: example("asp2vec data list --data networks"),
			},
			p.fetchCommand(), p.importCommand(),
			{
				Name: "show", Usage: "describe a data set, with statistics if it is on this machine", ArgsUsage: "NAME", Action: p.dataShow,
				Description: "For links: vertices, links, self-loops, components and degrees, next to Table 2 of the paper and the published split. For papers:\n" +
					"the numbers of papers, authors, venues, references and words. For a heterogeneous network: vertices and links of each type, and test\n" +
					"pairs. asp2vec data list lists the names.\n\n" +
					example("asp2vec data show Filmtrust"),
			},
			p.generateCommand(),
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
func (p *program) places(d network.Dataset) []any {
	links, split, _ := d.Find(p.data)
	what := "links_in"
	if d.Typed {
		what = "papers_in"
	}
	return []any{what, links, "split_in", split, "labels_in", network.FindLabels(filepath.Join(p.data, d.Folder))}
}

func (p *program) dataList(*cli.Context) error {
	rows := seq.Map(network.Datasets(), func(l network.Dataset) []any {
		here := []string{}
		for pair := range slices.Chunk(p.places(l), 2) {
			if pair[1] != "" {
				here = append(here, strings.TrimSuffix(pair[0].(string), "_in"))
			}
		}
		return []any{l.Name, l.Group, l.Directed, here, fetches(l), known(l.Vertices), known(l.Links), known(l.Train), known(l.Test)}
	})
	d := p.answer()
	d.data("folder", p.data)
	d.table("datasets", rows, "name", "group", "directed", "here", "data_fetch", "vertices", "links", "train", "test")
	d.say("In %s. Sizes are those of the largest component, and of the published split.", p.data)
	return p.show(d)
}

func (p *program) dataShow(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return badf("%d names: expected one; asp2vec data list shows them", c.Args().Len())
	}
	l, err := network.Lookup(c.Args().First())
	if err != nil {
		if name := c.Args().First(); isPath(name) {
			err = fmt.Errorf("%s is a file, and no data set: asp2vec data import %s --out DIR says what is in it", name, name)
		}
		return bad(err)
	}
	d, places := p.answer(), p.places(l)
	d.fold()
	d.facts("name", l.Name, "description", l.Description, "group", l.Group, "directed", l.Directed, "in_the_paper", l.InPaper,
		"vertices_in_table_2", known(l.PaperVertices), "edges_in_table_2", known(l.PaperLinks), "vertices", known(l.Vertices), "links", known(l.Links),
		"train", known(l.Train), "test", known(l.Test), "test_negatives", known(l.TestNeg), "url", l.URL, "notes", l.Notes, "data_fetch", fetches(l))
	d.facts(places...)
	switch path, _ := places[1].(string); {
	case path == "":
		d.line("here", "no, not in "+p.data)
	case l.Typed:
		b, notes, err := papers.Read(filepath.Dir(path))
		if err != nil {
			return bad(err)
		}
		d.found("papers", b.Sizes())
		d.found("read", notes)
	default:
		n, notes, err := network.Read(path, network.ReadOptions{Directed: l.Directed, Memory: p.available().Bytes})
		if err != nil {
			return bad(err)
		}
		s := n.Stats()
		d.data("stats", s)
		d.line("the file", fmt.Sprintf("%s vertices, %s links, %s components", count(s.Vertices), count(s.Links), count(s.Components)))
		d.line("degrees", fmt.Sprintf("mean %.1f, largest %s; reciprocity %.2f", s.MeanDegree, count(s.MaxDegree), s.Reciprocity))
		d.found("read", notes)
	}
	return p.show(d)
}
