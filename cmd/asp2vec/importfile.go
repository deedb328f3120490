package main

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/hetnet/bibfile"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
)

// Values of data import --text.
const (
	textTitle    = "title"
	textAbstract = "abstract"
	textBoth     = "both"
)

// paperFlags and fileFlags are those of data import that only papers, and only files, have.
var (
	paperFlags = []string{"test-from", "text"}
	fileFlags  = append([]string{"directed", "columns", "header", "network-format"}, paperFlags...)
)

// importFile makes a data set of a file, of a network or of papers.
func (p *program) importFile(c *cli.Context, path string) error {
	ofPapers, err := bibfile.Is(path)
	if err != nil {
		return bad(err)
	}
	ofPapers = ofPapers && !c.IsSet("network-format")
	for _, name := range fileFlags {
		if c.IsSet(name) && slices.Contains(paperFlags, name) != ofPapers {
			what := map[bool]string{true: "papers", false: "a network"}
			return badf("--%s is for %s, and %s looks like %s: expected none", name, what[!ofPapers], path, what[ofPapers])
		}
	}
	if ofPapers {
		return p.importWorks(c, path)
	}
	return p.importNetwork(c, path)
}

// importNetwork makes a folder with the links of a network.
func (p *program) importNetwork(c *cli.Context, path string) error {
	o, err := readOptions(c)
	if err != nil {
		return err
	}
	o.Memory = p.available().Bytes
	n, report, err := formats.Read(c.Context, path, o)
	if err != nil {
		return bad(err)
	}
	p.tellOfFormat(path, report, nil)
	out := c.String("out")
	if err := atomicfile.Dir(out, c.Bool("force"), func(tmp string) error { return n.WriteFile(filepath.Join(tmp, network.LinksFile)) }); err != nil {
		return bad(err)
	}
	links := filepath.Join(out, network.LinksFile)
	doc := fields{"out", out, "links", links, "sha256", n.Checksum(), "directed", n.Directed(), "weighted", n.Weighted(), "vertices", n.Vertices(), "report", report}
	return p.emitTable(doc, 2, []string{"imported", out}, [][]string{
		{"format", strings.TrimSpace(report.Format + " " + report.Compression)}, {"vertices", count(n.Vertices())}, {"links", count(n.Links())},
		{"directed", yesNo(n.Directed())}, {"weights", yesNo(n.Weighted())}, {"use", "--network " + links},
	})
}

// importWorks makes a bibliography of a file of papers.
func (p *program) importWorks(c *cli.Context, path string) error {
	text := c.String("text")
	works, format, err := bibfile.Read(path)
	if err != nil {
		return bad(err)
	}
	out := c.String("out")
	table, dated, err := bibfile.Rows(path, works, bibfile.Options{TestFrom: c.Int("test-from"), Title: text != textAbstract, Abstract: text != textTitle})
	if err != nil {
		return bad(err)
	}
	if dated.NoYear > 0 {
		p.log.Warn("papers without a year are used as training papers", "papers", whole(dated.NoYear))
	}
	b, report, err := writePapers(table, path, out, c.Bool("force"))
	if err != nil {
		return bad(fmt.Errorf("%w; test papers are those from %d on", err, dated.TestFrom))
	}
	doc := struct {
		papers.Report
		bibfile.Dated
	}{report, dated}
	rows := append([][]string{{"format", format}, {"test papers from", fmt.Sprint(dated.TestFrom)}}, paperRows(report)...)
	return p.emitTable(fields{"out", out, "format", format, "sha256", b.Checksum(), "papers", doc}, 2, []string{"imported", out},
		append(rows, []string{"use", "--bibliography " + out}))
}

// writePapers writes a table of papers, made of what is at a path, and returns what reading it gives.
func writePapers(table *papers.Table, path, out string, force bool) (b *papers.Bibliography, report papers.Report, err error) {
	err = atomicfile.Dir(out, force, func(tmp string) error {
		if err := table.Write(tmp); err != nil {
			return err
		}
		if b, report, err = papers.Read(tmp); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		return nil
	})
	report.Layout, report.Texts = table.Report.Layout, table.Report.Texts
	return b, report, err
}
