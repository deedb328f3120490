package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/experiments/report"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
	"github.com/urfave/cli/v2"
)

// reportFile is the page, and figuresFolder where figures lie beside a store.
const (
	reportFile    = "index.html"
	figuresFolder = "figures"
)

func (p *program) reportCommand() *cli.Command {
	return &cli.Command{
		Name:  "report",
		Usage: "write one HTML page of all records: tables, claims, curves, runs",
		Description: "The page works offline and needs no other file. Figures are the .svg files in the folder figures beside the records. Filters\n" +
			"apply to the tables; claims and curves use all records. An earlier report in the folder is replaced.\n\n" +
			example("asp2vec results report --out report", "asp2vec results report --store results/measured --out report"),
		Flags: append(tableFlags(), tableBibliographyFlag(""), &cli.StringFlag{Name: "out", Usage: "`DIR` for " + reportFile},
			&cli.BoolFlag{Name: "force", Usage: "replace an " + reportFile + " even if it is not a report"}),
		Action: p.report,
	}
}

func (p *program) report(c *cli.Context) error {
	out := c.String("out")
	if out == "" {
		return badf("no folder given: expected --out DIR")
	}
	path := filepath.Join(out, reportFile)
	if err := checkReport(path, c.Bool("force")); err != nil {
		return err
	}
	index, runs, selection, err := p.shown(c)
	if err != nil {
		return err
	}
	claims := compare.Claims(runs)
	page, figures, err := p.reportPage(c, index, runs, selection, claims)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := report.Write(&b, page); err != nil {
		return bad(err)
	}
	size := b.Len()
	if err := atomicfile.Write(path, func(w io.Writer) error { _, err := b.WriteTo(w); return err }); err != nil {
		return bad(err)
	}
	records := len(index.Entries())
	return p.emit(fields{"out", path, "bytes", size, "records", records, "claims", claims}, func(b *printout) {
		b.printf("%s: %s records, %d figures, %s kB\n\n", path, count(records), figures, count(size/1000))
		var rows [][]string
		for _, claim := range claims {
			if claim.Verdict != compare.TooFewRuns {
				name, protocol, _ := strings.Cut(claim.Name, "/")
				rows = append(rows, []string{name, protocol, claim.Verdict})
			}
		}
		if few := len(claims) - len(rows); few > 0 && len(rows) > 0 {
			b.printf("%d of %d claims of the paper, counted per protocol, have too few runs here to be judged.\n", few, len(claims))
		}
		if len(rows) > 0 {
			b.table(3, []string{"claim", "protocol", "verdict"}, rows)
		}
	})
}

// reportPage collects what the page shows, and says how many figures it has.
func (p *program) reportPage(c *cli.Context, index *store.Store, runs *store.Runs, s sweep.Scope, claims []compare.Claim) (page report.Page, figures int, err error) {
	tables, err := p.tablesOf(allTables, index, runs, s)
	if err != nil {
		return page, 0, err
	}
	all, err := p.runsTable(c, index, withProtocols(s, index.Entries()))
	if err != nil {
		return page, 0, err
	}
	folder := c.String("store")
	if folder == "" {
		folder = filepath.Dir(p.results)
	} else if fi, err := os.Stat(folder); err == nil && !fi.IsDir() {
		folder = filepath.Dir(folder)
	}
	pictures, err := figuresIn(filepath.Join(folder, figuresFolder))
	if err != nil {
		return page, 0, bad(err)
	}
	own := bestTable(runs.Best(math.MaxInt, func(j store.Job) bool { _, err := network.Lookup(j.Dataset); return err != nil }))
	return report.New(own, claims, tables, report.Curves(runs), pictures, all), len(pictures), nil
}

// checkReport finds out what would keep a report from being written; without force another page is not replaced.
func checkReport(path string, force bool) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Contains(text, []byte("<title>"+report.Title+"</title>")) {
		force = true // of a report there is none to lose
	}
	return checkFile(path, force)
}

// figuresIn returns the SVG files in a folder, by name; none where there is no such folder.
func figuresIn(dir string) (figures []report.Picture, err error) {
	files, err := fs.Glob(os.DirFS(dir), "*.svg")
	for _, file := range files {
		text, err := os.ReadFile(filepath.Join(dir, file))
		if err != nil {
			return nil, err
		}
		figures = append(figures, report.Picture{Caption: report.Caption(strings.TrimSuffix(file, ".svg")), SVG: text})
	}
	return figures, err
}
