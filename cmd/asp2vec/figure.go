package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/experiments"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/urfave/cli/v2"
)

func (p *program) figureCommand() *cli.Command {
	return &cli.Command{
		Name:      "figure",
		Usage:     "draw a figure, from runs that are in the store and those that are missing; embedding, network: other pictures",
		ArgsUsage: "4|5|curves|aspects|epsilon",
		Description: "4 sets the variance of a vertex's aspects against its frequency, with controls; 5 shows how alike aspects are;\n" +
			"curves are AUC and loss by epoch; aspects and epsilon are AUC against the option, beside the paper's tables 10 and 4.\n\n" +
			example("asp2vec figure 4 --out figures --datasets filmtrust", "asp2vec figure epsilon --out figures --datasets filmtrust,cora --seeds 3"),
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "out", Usage: "`DIR` of the pictures"},
			&cli.StringFlag{Name: "format", DefaultText: strings.Join(results.PictureFormats, ","), Usage: "`FORMATS` of the pictures"},
			&cli.StringFlag{Name: "datasets", Usage: "`NAMES` of data sets; without, small ones"},
			&cli.StringFlag{Name: "methods", Usage: "`NAMES` of methods, for curves"},
			&cli.StringFlag{Name: "protocol", Value: experiments.DefaultProtocol, DefaultText: "standard; validated for curves, which need scores of epochs", Usage: protocolsUsage},
			&cli.IntFlag{Name: "seeds", Value: 1, Usage: "`N` runs of each kind; figures 4 and 5 draw the first"},
			&cli.IntFlag{Name: "epochs", DefaultText: "as the protocol has it", Usage: "at most `N` epochs of each stage, to try a figure quickly"},
			&cli.BoolFlag{Name: "no-run", Usage: "draw what there is, and run nothing"},
		},
		Subcommands: []*cli.Command{p.figureEmbeddingCommand(), p.figureNetworkCommand()},
		Action:      p.figure,
	}
}

// figureDoc is what figure prints with --json.
type figureDoc struct {
	Figure  string        `json:"figure"`
	Files   []string      `json:"files"`
	Runs    int           `json:"runs"`    // that the figure shows
	Missing int           `json:"missing"` // of those, that are not in the store
	Models  []figureModel `json:"models,omitempty"`

	Table *results.Table `json:"table,omitempty"`
}

// figureModel is the numbers of figures 4 and 5 for one run.
type figureModel struct {
	Dataset  string                   `json:"dataset"`
	Protocol string                   `json:"protocol"`
	Name     string                   `json:"name"`
	Seed     uint64                   `json:"seed"`
	Spearman map[string]results.Float `json:"spearman,omitempty"` // of frequency and variance, by variant
	Variance map[string]results.Float `json:"variance,omitempty"` // mean
	Cosine   *results.Float           `json:"cosine,omitempty"`   // mean of unlike aspects
	Key      string                   `json:"key"`
}

func (p *program) figure(c *cli.Context) error {
	f, panels, formats, err := p.figurePlan(c)
	if err != nil {
		return err
	}
	missing, older, err := f.Missing(p.results, panels)
	if err != nil {
		return bad(err)
	}
	p.warnOlder(experiments.ByMethod(older), !c.Bool("no-run"))
	if !c.Bool("no-run") {
		if err := p.runFigure(c.Context, f, missing); err != nil {
			return err
		}
		if missing, _, err = f.Missing(p.results, panels); err != nil {
			return bad(err)
		}
	}
	doc, err := p.figureDoc(f, panels, len(missing))
	if err != nil {
		return bad(err)
	}
	picture, err := f.Draw(p.results, panels)
	if err != nil {
		return bad(err)
	}
	dir := c.String("out")
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return bad(fmt.Errorf("--out: %w", err))
	}
	for _, format := range formats {
		path := filepath.Join(dir, "figure-"+f.Name+"."+format)
		if err := picture.Write(path, format); err != nil {
			return bad(fmt.Errorf("--out: %w", err))
		}
		doc.Files = append(doc.Files, path)
	}
	return p.emit(doc, func(b *bytes.Buffer) error { return figureReport(b, f, doc) })
}

// figurePlan reads the command line.
func (p *program) figurePlan(c *cli.Context) (f experiments.Figure, panels []experiments.FigurePanel, formats []string, err error) {
	if c.NArg() != 1 {
		return f, nil, nil, badf("%d figures named: want one, as in asp2vec figure 4", c.NArg())
	}
	if f, err = experiments.FindFigure(c.Args().First()); err != nil {
		return f, nil, nil, bad(err)
	}
	switch {
	case c.String("out") == "":
		return f, nil, nil, badf("no folder given for the pictures: want --out DIR")
	case p.results == "":
		return f, nil, nil, badf("--results none: want the folder of the store, which a figure is drawn from")
	case c.Int("seeds") < 1:
		return f, nil, nil, badf("--seeds %d: want at least 1", c.Int("seeds"))
	case c.Int("epochs") < 0 || c.IsSet("epochs") && c.Int("epochs") == 0:
		return f, nil, nil, badf("--epochs %d: want at least 1", c.Int("epochs"))
	case c.IsSet("methods") && f.Name != "curves":
		return f, nil, nil, badf("--methods with figure %s, whose methods are given: want it with figure curves", f.Name)
	}
	if formats, err = pictureFormats(c); err != nil {
		return f, nil, nil, err
	}
	sel := experiments.Selection{Datasets: figureList(c.String("datasets")), Methods: figureList(c.String("methods")), Seeds: c.Int("seeds")}
	if sel.Protocols, err = protocols(c); err != nil {
		return f, nil, nil, err
	}
	if f.Name == "curves" && !c.IsSet("protocol") {
		sel.Protocols = []string{"validated"}
	}
	if panels, err = f.Panels(sel); err != nil {
		return f, nil, nil, bad(err)
	}
	if c.IsSet("epochs") {
		panels = experiments.WithEpochs(panels, c.Int("epochs"))
	}
	return f, panels, formats, nil
}

// figureList splits a list at its commas; "" has none.
func figureList(list string) []string {
	var out []string
	for name := range strings.SplitSeq(list, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// runFigure runs the jobs that a figure is missing, once their data are found to be there.
func (p *program) runFigure(ctx context.Context, f experiments.Figure, missing []experiments.Job) error {
	for _, j := range missing {
		d, err := network.Lookup(j.Dataset)
		if err == nil {
			_, _, err = d.Find(p.data)
		}
		if err != nil {
			return bad(err)
		}
	}
	for i, j := range missing {
		p.log.Info("run", "number", i+1, "of", len(missing), "dataset", j.Dataset, "method", j.Options.Method, "protocol", j.Protocol, "seed", j.Options.Seed)
		err := f.Run(ctx, p.data, p.results, j, p.threads, p.watch(j.Options))
		p.clearBar()
		switch {
		case errors.Is(err, context.Canceled):
			return fmt.Errorf("interrupted: %d of %d missing runs are done, and the same command goes on from there", i, len(missing))
		case err != nil:
			return fmt.Errorf("%s on %s: %w", j.Options.Method, j.Dataset, err)
		}
	}
	return nil
}

// figureDoc collects the numbers of a figure.
func (p *program) figureDoc(f experiments.Figure, panels []experiments.FigurePanel, missing int) (figureDoc, error) {
	doc := figureDoc{Figure: f.Name, Files: []string{}, Runs: len(experiments.FigureJobs(panels)), Missing: missing}
	for _, panel := range panels {
		for _, s := range panel.Series {
			for _, j := range s.Jobs {
				data, err := f.Data(p.results, []experiments.FigurePanel{{Series: []experiments.FigureSeries{{Jobs: []experiments.Job{j}}}}})
				if err != nil {
					return doc, err
				}
				for _, d := range data {
					doc.Models = append(doc.Models, modelOf(d, s.Name, j.Options.Seed))
				}
			}
		}
	}
	t, err := f.Summary(p.results, panels)
	if len(t.Rows) > 0 {
		doc.Table = &t
	}
	return doc, err
}

func modelOf(d *results.FigureData, name string, seed uint64) figureModel {
	m := figureModel{Dataset: d.Dataset, Protocol: d.Protocol, Name: name, Seed: seed, Key: d.Key}
	if d.Use != nil {
		m.Spearman, m.Variance = map[string]results.Float{}, map[string]results.Float{}
		for _, v := range d.Use.Variants {
			m.Spearman[v.Name], m.Variance[v.Name] = v.Spearman, v.Mean
		}
	}
	if len(d.Cosines) > 1 {
		x := results.Float(experiments.MeanOffDiagonal(d.Cosines))
		m.Cosine = &x
	}
	return m
}

func figureReport(b *bytes.Buffer, f experiments.Figure, doc figureDoc) error {
	if err := figureTable(b, f, doc); err != nil {
		return err
	}
	if doc.Missing > 0 {
		fmt.Fprintf(b, "\n%d of %d runs are missing, and shown as not run\n", doc.Missing, doc.Runs)
	}
	fmt.Fprintf(b, "\n%s\n", strings.Join(doc.Files, "\n"))
	return nil
}

func figureTable(b *bytes.Buffer, f experiments.Figure, doc figureDoc) error {
	var rows [][]string
	switch {
	case doc.Table != nil:
		for _, row := range doc.Table.Rows {
			for i, v := range row.Values {
				line := []string{row.Label, doc.Table.Columns[i], "–", fmt.Sprint(v.N), v.Printed}
				if v.N > 0 {
					line[2] = auc(v.Mean).String()
				}
				if v.N > 1 {
					line[2] = fmt.Sprintf("%.4f ± %.4f", v.Mean, v.SD)
				}
				rows = append(rows, line)
			}
		}
		return table(b, 2, []string{"data set", f.Name, "AUC", "seeds", "paper"}, rows)
	case f.Name == "5":
		for _, m := range doc.Models {
			if m.Cosine != nil {
				rows = append(rows, []string{m.Dataset, m.Protocol, m.Name, fmt.Sprint(m.Seed), fmt.Sprintf("%.3f", float64(*m.Cosine))})
			}
		}
		return table(b, 3, []string{"data set", "protocol", "regularizer", "seed", "mean cosine of unlike aspects"}, rows)
	}
	for _, m := range doc.Models {
		for _, name := range experiments.UseVariants() {
			if rho, ok := m.Spearman[name]; ok {
				rows = append(rows, []string{m.Dataset, m.Protocol, m.Name, fmt.Sprint(m.Seed), name, fmt.Sprintf("%.3f", float64(rho)), fmt.Sprintf("%.2e", float64(m.Variance[name]))})
			}
		}
	}
	return table(b, 3, []string{"data set", "protocol", "method", "seed", "aspects", "rank correlation", "mean variance"}, rows)
}
