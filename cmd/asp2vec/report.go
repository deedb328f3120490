package main

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/compare"
	"github.com/asp2vec/asp2vec/experiments/report"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/webpage"
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
		return badf("no folder given: want --out DIR")
	}
	if err := checkReport(filepath.Join(out, reportFile), c.Bool("force")); err != nil {
		return err
	}
	index, runs, selection, err := p.shown(c)
	if err != nil {
		return err
	}
	tables, err := p.tablesOf(allTables, index, runs, selection)
	if err != nil {
		return err
	}
	store := c.String("store")
	if store == "" {
		store = filepath.Dir(p.results)
	}
	records, _, err := results.ReadStore(store) // whole: the page shows their curves
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return bad(err)
	}
	beside := store
	if fi, err := os.Stat(store); err == nil && !fi.IsDir() {
		beside = filepath.Dir(store)
	}
	figures, err := figuresIn(filepath.Join(beside, figuresFolder))
	if err != nil {
		return bad(err)
	}
	claims := compare.Claims(runs)
	page, err := report.Build(records, tables, claims, figures)
	if err != nil {
		return err
	}
	var b bytes.Buffer
	if err := webpage.Write(&b, page); err != nil {
		return bad(err)
	}
	path := filepath.Join(out, reportFile)
	size := b.Len()
	if err := atomicfile.Write(path, func(w io.Writer) error { _, err := b.WriteTo(w); return err }); err != nil {
		return bad(err)
	}
	return p.emit(fields{"out", path, "bytes", size, "records", len(records), "claims", claims}, func(b *printout) {
		b.printf("%s: %s records, %d figures, %s kB\n\n", path, count(len(records)), len(figures), count(size/1000))
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

// checkReport finds out what would keep a report from being written; without force another page is not replaced.
func checkReport(path string, force bool) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && bytes.Contains(text, []byte("<title>"+report.Title+"</title>")) {
		force = true // of a report there is none to lose
	}
	return checkFile(path, force)
}

// figuresIn returns the SVG files in a folder, by name without ending; none where there is no such folder.
func figuresIn(dir string) (map[string][]byte, error) {
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	figures := map[string][]byte{}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".svg")
		if !ok {
			continue
		}
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			return nil, err
		}
		figures[name] = text
	}
	return figures, nil
}
