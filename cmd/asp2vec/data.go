package main

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"
	"unicode/utf8"

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
				Description: example("asp2vec data list --data ../shared/data"),
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

// place is a data set and where it lies.
type place struct {
	network.Dataset
	Here  bool   `json:"here"`
	Edges string `json:"edges,omitempty"` // path of the file of links, or of papers
	Split string `json:"split,omitempty"` // path of the split's folder
	Fetch string `json:"fetch,omitempty"` // what asp2vec data fetch gets

	Labels string `json:"labels,omitempty"` // path of the file of labels
}

func (p *program) place(d network.Dataset) place {
	edges, split, err := d.Find(p.data)
	return place{d, err == nil, edges, split, fetches(d), network.FindLabels(filepath.Join(p.data, d.Folder))}
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

// files returns the files that are here: what they hold, and their paths.
func (l place) files() (files facts) {
	edges := "links"
	if l.Typed {
		edges = "papers"
	}
	files.add(edges, l.Edges)
	files.add("split", l.Split)
	files.add("labels", l.Labels)
	return files
}

func (p *program) dataList(*cli.Context) error {
	places := seq.Map(network.Datasets(), p.place)
	return p.emit(fields{"folder", p.data, "datasets", places}, func(b *printout) {
		var rows [][]string
		for _, l := range places {
			here := "no"
			if l.Here {
				here = strings.Join(seq.Map(l.files(), func(f []string) string { return f[0] }), ", ")
			}
			rows = append(rows, []string{l.Name, l.Group, yesNo(l.Directed), here, cmp.Or(l.Fetch, "-"),
				known(l.Vertices), known(l.Links), known(l.Train), known(l.Test)})
		}
		b.table(5, []string{"name", "group", "directed", "here", "data fetch", "vertices", "links", "train", "test"}, rows)
		b.printf("\nIn %s. Sizes are those of the largest component, and of the published split.\n", p.data)
	})
}

// known writes a size, of which 0 says that it is not known.
func known[T int | int64](n T) string {
	if n == 0 {
		return "-"
	}
	return count(n)
}

func (p *program) dataShow(c *cli.Context) error {
	if c.Args().Len() != 1 {
		return badf("%d names: expected one; asp2vec data list shows them", c.Args().Len())
	}
	d, err := network.Lookup(c.Args().First())
	if err != nil {
		return bad(err)
	}
	doc := struct {
		place
		Stats  *network.Stats `json:"stats,omitempty"`  // of the links as they are in the file
		Papers *papers.Report `json:"papers,omitempty"` // of a data set of papers
	}{place: p.place(d)}
	switch {
	case doc.Edges == "":
	case d.Typed:
		_, r, err := papers.Read(filepath.Dir(doc.Edges))
		if err != nil {
			return bad(err)
		}
		doc.Papers = &r
	default:
		n, _, err := network.Read(doc.Edges, network.ReadOptions{Directed: d.Directed, Memory: p.available().Bytes})
		if err != nil {
			return bad(err)
		}
		doc.Stats = new(n.Stats())
	}
	rows := facts{
		{"what", d.Description}, {"group", d.Group}, {"directed", yesNo(d.Directed)}, {"in the paper", yesNo(d.InPaper)},
	}
	if !d.Typed {
		rows = append(rows, []string{"Table 2", known(d.PaperVertices) + " vertices, " + known(d.PaperLinks) + " edges"},
			[]string{"largest component", known(d.Vertices) + " vertices, " + known(d.Links) + " links"},
			[]string{"published split", known(d.Train) + " training links, " + known(d.Test) + " test links, " + known(d.TestNeg) + " test negatives"})
	}
	rows = append(rows, []string{"from", d.URL})
	rows.add("notes", d.Notes)
	if !doc.Here {
		rows.add("here", "no, not in "+p.data)
		if doc.Fetch != "" {
			rows.add("to get it", "asp2vec data fetch "+strings.ToLower(d.Name))
		}
	}
	rows = append(rows, doc.files()...)
	if s := doc.Stats; s != nil {
		rows.add("the file", fmt.Sprintf("%s vertices, %s links, %s self-loops, %s components", count(s.Vertices), count(s.Links),
			count(s.SelfLoops), count(s.Components)))
		rows.add("degrees", fmt.Sprintf("mean %.1f, largest %s; reciprocity %.2f", s.MeanDegree, count(s.MaxDegree), s.Reciprocity))
	}
	if doc.Papers != nil {
		rows = append(rows, paperRows(*doc.Papers)...)
	}
	return p.emitTable(doc, 2, []string{d.Name, ""}, narrow(rows, 75))
}

// narrow breaks the texts of rows of a name and a text between words, into lines of up to width characters where that is possible; lines
// after the first have no name.
func narrow(rows [][]string, width int) (all [][]string) {
	for _, row := range rows {
		name, line := row[0], ""
		for word := range strings.SplitSeq(row[1], " ") {
			if line != "" && utf8.RuneCountInString(line+" "+word) > width {
				all = append(all, []string{name, line})
				name, line = "", word
				continue
			}
			line = strings.TrimPrefix(line+" "+word, " ")
		}
		all = append(all, []string{name, line})
	}
	return all
}

// paperRows says what a bibliography holds.
func paperRows(r papers.Report) facts {
	rows := facts{
		{"training papers", fmt.Sprintf("%s by %s authors, %s pairs of paper and author", count(r.Train), count(r.Authors), count(r.Pairs))},
		{"test papers", fmt.Sprintf("%s, %s pairs of paper and known author; candidates published for %s, drawn for %s", count(r.Test), count(r.TestPairs), count(r.Test-r.Drawn), count(r.Drawn))},
		{"venues, citations", count(r.Venues) + ", " + count(r.Citations)},
		{"words", fmt.Sprintf("%s different ones; %s papers have none", count(r.Words), count(r.NoTokens))},
	}
	if r.UnknownAuthors+r.UnknownPapers+r.UnknownCitations+r.Repeated > 0 {
		rows.add("left out", fmt.Sprintf("%s authors and %s papers that training papers do not know, %s such references, %s repetitions",
			count(r.UnknownAuthors), count(r.UnknownPapers), count(r.UnknownCitations), count(r.Repeated)))
	}
	return rows
}
