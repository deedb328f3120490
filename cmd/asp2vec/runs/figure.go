package runs

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/experiments/figures"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/render"
)

// Figure is the command figure, which draws a figure of the paper or of a sweep, after the runs that it lacks.
func Figure(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: "4|5|aspects|epsilon|FILE.yaml",
		Description: "4 plots the variance of a vertex's aspects against its frequency, with controls; 5 shows how similar aspects are;\n" +
			"aspects and epsilon show AUC against the option, next to the paper's tables 10 and 4.\n" +
			"FILE is a sweep or a table: AUC against the option that varies (docs/sweeps.md).\n\n" +
			shell.Example("asp2vec figure 4 --out figures --datasets filmtrust", "asp2vec figure epsilon --out figures --datasets filmtrust,cora --seeds 3",
				"asp2vec figure epsilon.yaml --out figures # a sweep of your own"),
		Flags: append([]cli.Flag{
			shell.NewFlag("out", "", "`DIR` of the pictures"),
			shell.ListFlag(shell.NewFlag("format", "svg, png", "`FORMATS` of the pictures: "+strings.Join(plot.PictureFormats, ", "), "", "svg, png"), plot.PictureFormats...),
			shell.ListFlag(shell.NewFlag("datasets", "", "`NAMES` of data sets; default: small ones")),
			protocolsFlag(run.DefaultProtocol),
			shell.CountFlag("seeds", 0, "do `N` runs of each kind; figures 4 and 5 draw the first", "", "1, or as in the file"),
			shell.CountFlag("epochs", 0, "train at most `N` epochs of each stage, to try a figure quickly", "", "as in the protocol"),
			shell.NewFlag("no-run", false, "draw existing runs and run nothing"),
		}, shell.SizeFlags()...),
		Action: program{p}.figure,
	}
}

func (p program) figure(c *cli.Context) error {
	f, panels, err := p.figurePlan(c)
	if err != nil {
		return err
	}
	drawing, err := f.Drawing(p.Results, run.NewCatalog(p.Data), panels)
	if err != nil {
		return shell.Bad(err)
	}
	missing := drawing.Missing()
	TellOfShared(p.Program, runOptions(figures.Jobs(panels))...)
	if !c.Bool("no-run") && len(missing) > 0 {
		if err := p.runFigure(c, f, panels, missing); err != nil {
			return err
		}
		if drawing, err = f.Drawing(p.Results, run.NewCatalog(p.Data), panels); err != nil {
			return shell.Bad(err)
		}
		missing = drawing.Missing()
	}
	picture, err := drawing.Draw()
	if err != nil {
		return shell.Bad(err)
	}
	if picture, err = shell.Sized(c, picture); err != nil {
		return err
	}
	paths := shell.InFolder(c.String("out"), "figure-"+f.Name, shell.List(c, "format"))
	if err := shell.WritePicture(picture, paths); err != nil {
		return err
	}
	d, runs := p.Answer(), len(figures.Jobs(panels))
	d.Data("figure", f.Name, "files", paths, "runs", runs, "missing", len(missing))
	if t := drawing.Values(); len(t.Rows) > 0 {
		d.Data("table", t)
		d.Insert(t)
	} else {
		figureModels(d, f, drawing, panels)
	}
	if len(missing) > 0 {
		d.Say("%d of %d runs are missing and shown as not run", len(missing), runs)
	}
	d.Say("%s", strings.Join(paths, "\n"))
	return p.Show(d)
}

// figurePlan reads the command line.
func (p program) figurePlan(c *cli.Context) (f figures.Figure, panels []figures.Panel, err error) {
	if c.NArg() != 1 {
		return f, nil, shell.Badf("%d figures named: expected one, as in asp2vec figure 4; asp2vec plot draws an embedding or a network", c.NArg())
	}
	if f, err = findFigure(c.Args().First(), c.Bool("no-run")); err != nil {
		return f, nil, shell.WithNearest(err)
	}
	switch {
	case c.String("out") == "":
		return f, nil, shell.Badf("no folder given for the pictures: expected --out DIR")
	case p.Results == "":
		return f, nil, shell.Badf("--results none: expected the folder of the store that the figure is drawn from")
	}
	sel := sweep.Scope{Seeds: c.Int("seeds"), Datasets: shell.List(c, "datasets")}
	if c.IsSet("protocol") || !sweep.IsFile(c.Args().First()) { // else those of the file
		sel.Protocols = protocols(c)
	}
	panels, err = f.Panels(sel, c.Int("epochs"))
	return f, panels, shell.Bad(err)
}

// findFigure returns a figure by its name, or that of a file, whose data have to be there if it is run.
func findFigure(name string, noRun bool) (figures.Figure, error) {
	switch {
	case !sweep.IsFile(name):
		return figures.Find(name)
	case noRun:
		return figures.Read(name, sweep.ToShow)
	}
	return figures.Read(name, sweep.ToRun)
}

// runFigure does the runs that a figure is missing, once their data are found to be there.
func (p program) runFigure(c *cli.Context, f figures.Figure, panels []figures.Panel, missing []store.Job) error {
	runner, err := p.newRunner(1)
	if err != nil {
		return err
	}
	all := figures.Jobs(panels)
	if f.Model() {
		figures.Keep(runner, all)
	}
	planned, err := runner.Plan(missing)
	if err != nil {
		return shell.Bad(err)
	}
	for _, x := range planned {
		if x.Unfit != "" {
			return shell.Bad(errors.New(x.Unfit))
		}
	}
	runner.Monitor = p.runLog(true) // scripts get one document
	report, runErr := runner.Run(c.Context, all)
	p.ClearBar()
	return p.concludeRuns(report, runErr)
}

// figureModels adds the numbers of figures 4 and 5: of each run the mean cosine of unlike aspects, or of each variant of the aspects the rank
// correlation of their variance with frequency, and the mean of that variance.
func figureModels(d *shell.Doc, f figures.Figure, drawing *figures.Drawing, panels []figures.Panel) {
	var rows [][]any
	for _, panel := range panels {
		for _, s := range panel.Series {
			for _, j := range s.Jobs {
				x := drawing.Data(j)
				if x == nil {
					continue
				}
				row := []any{x.Dataset, x.Protocol, s.Name, j.Options.Seed, x.Key}
				switch {
				case f.Name != "5" && x.Use != nil:
					for _, v := range x.Use.Variants {
						rows = append(rows, append(slices.Clone(row), v.Name, v.Spearman, v.Mean, nil))
					}
				case len(x.Cosines) > 1:
					rows = append(rows, append(row, nil, nil, nil, results.Float(figures.MeanOffDiagonal(x.Cosines))))
				}
			}
		}
	}
	d.Table("models", rows, "dataset", "protocol", "model", "seed", "run", "aspects", "rank_correlation", "mean_variance", "mean_cosine")
}

// figureProducts returns the figures of the paper. They are drawn into the folder figures of the store, of the first seed;
// asp2vec figure has more of them, and more to choose from.
func (p program) figureProducts() (all []product) {
	for _, name := range figures.Names() {
		f, _ := figures.Find(name)
		panels := func(sel sweep.Scope) []figures.Panel {
			sel.Seeds = 1
			panels, _ := f.Panels(sel, 0) // the names in the selection are known
			return panels
		}
		all = append(all, product{name: "figure" + f.Name, ownData: true, jobs: func(sel sweep.Scope) []store.Job {
			return figures.Jobs(panels(sel))
		}, model: true, show: func(_ *store.Runs, sel sweep.Scope) ([]render.Table, error) {
			if of := panels(sel); len(of) > 0 {
				return nil, p.drawFigure(f, of)
			}
			return nil, nil
		}})
	}
	return all
}

func (p program) drawFigure(f figures.Figure, panels []figures.Panel) error {
	drawing, err := f.Drawing(p.Results, run.NewCatalog(p.Data), panels)
	if err != nil {
		return err
	}
	picture, err := drawing.Draw()
	if err != nil {
		return err
	}
	files := shell.InFolder(filepath.Join(p.Results, results.FigureFolder), "figure-"+f.Name, plot.PictureFormats)
	if err := shell.WritePicture(picture, files); err != nil {
		return err
	}
	for _, path := range files {
		p.Log.Info("drew "+path, "figure", f.Name)
	}
	return nil
}
