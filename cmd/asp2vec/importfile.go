package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
)

// fileFlags are those of data import that only files have.
var fileFlags = []string{"directed", "columns", "header", "network-format"}

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
