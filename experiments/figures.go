package experiments

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// Figure is a figure of the paper, or one that shows its tables or the course of training.
type Figure struct {
	Name  string // "4"
	Title string
	// Panels are the runs that it shows, for a selection; of several seeds figures 4 and 5 draw the first.
	Panels func(sel Selection) ([]FigurePanel, error)

	model bool // it shows the model, which the record of a run has not got
	draw  func(f *drawing) (*results.Picture, error)
	paper func(dataset string, o graphs.Options) (results.Cell, bool) // the published value of a run; nil where there is none
}

// Figures returns every figure.
func Figures() []Figure {
	return []Figure{
		{"4", "variance of aspects against frequency", Figure4Panels, true, drawUse, nil},
		{"5", "cosines of aspects", Figure5Panels, true, drawHeat, nil},
		{"curves", "learning curves", CurvePanels, false, drawCurves, nil},
		{"aspects", "AUC against the number of aspects (table 10)", AspectPanels, false, drawAspects, aspectsCell},
		{"epsilon", "AUC against epsilon (table 4)", EpsilonPanels, false, drawEpsilon, epsilonCell},
	}
}

// FindFigure returns the figure of a name, or an error that lists the names there are.
func FindFigure(name string) (Figure, error) {
	var names []string
	for _, f := range Figures() {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Figure{}, fmt.Errorf("experiments: figure %q: want one of %s", name, strings.Join(names, ", "))
}

// Missing returns the jobs of panels whose results are not in the store or beside it, each once, and those of them whose results
// are there of an older definition of their method.
func (f Figure) Missing(store string, panels []FigurePanel) (missing, older []Job, err error) {
	d, err := newDrawing(store, f, panels)
	if err != nil {
		return nil, nil, err
	}
	seen := map[string]bool{}
	for _, j := range FigureJobs(panels) {
		there := d.data[j.Key()] != nil
		if !f.model {
			_, there = d.runs.Find(j)
		}
		if !there && !seen[j.Key()] {
			seen[j.Key()] = true
			missing = append(missing, j)
			if d.older[j.Key()] {
				older = append(older, j)
			}
		}
	}
	return missing, older, nil
}

// Run runs a job of the figure and keeps its results; see RunFigure and RunRecord.
func (f Figure) Run(ctx context.Context, dataDir, store string, j Job, threads int, watch Watch) error {
	if f.model {
		return RunFigure(ctx, dataDir, store, j, threads, watch)
	}
	return RunRecord(ctx, dataDir, store, j, threads, watch)
}

// Draw draws what there is of the panels in the store, a file, and beside it. What is not there is shown as not run.
func (f Figure) Draw(store string, panels []FigurePanel) (*results.Picture, error) {
	d, err := newDrawing(store, f, panels)
	if err != nil {
		return nil, err
	}
	return f.draw(d)
}

// Data returns what figures 4 and 5 show of the jobs of panels, as far as they have been run.
func (f Figure) Data(store string, panels []FigurePanel) ([]*results.FigureData, error) {
	d, err := newDrawing(store, f, panels)
	if err != nil {
		return nil, err
	}
	var all []*results.FigureData
	for _, j := range FigureJobs(panels) {
		if data := d.data[j.Key()]; data != nil {
			all = append(all, data)
		}
	}
	return all, nil
}

// drawing is what a figure is made of.
type drawing struct {
	figure Figure
	panels []FigurePanel
	runs   *Runs
	data   map[string]*results.FigureData // by the key of the job
	older  map[string]bool                // keys of what is there of an older definition of the method only
	titled bool                           // panels name their protocol
}

func newDrawing(store string, f Figure, panels []FigurePanel) (*drawing, error) {
	d := &drawing{figure: f, panels: panels, data: map[string]*results.FigureData{}, older: map[string]bool{}}
	d.titled = slices.ContainsFunc(panels, func(p FigurePanel) bool { return p.Protocol != panels[0].Protocol })
	if f.model {
		for _, j := range FigureJobs(panels) {
			data, err := ReadFigure(filepath.Dir(store), j)
			if err == nil {
				d.data[j.Key()] = data
			} else if errors.Is(err, ErrOlder) {
				d.older[j.Key()] = true
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
		return d, nil
	}
	records, err := ReadStore(store)
	if err != nil {
		return nil, err
	}
	d.runs = records.Runs()
	for key := range d.runs.older {
		d.older[key] = true
	}
	return d, nil
}

// title names a panel.
func (d *drawing) title(p FigurePanel) string {
	if d.titled {
		return p.Dataset + " (" + p.Protocol + ")"
	}
	return p.Dataset
}

// first returns the data of a series' first job, or nil.
func (d *drawing) first(s FigureSeries) *results.FigureData {
	if len(s.Jobs) == 0 {
		return nil
	}
	return d.data[s.Jobs[0].Key()]
}

func drawUse(d *drawing) (*results.Picture, error) {
	var columns []results.UseColumn
	for _, p := range d.panels {
		columns = append(columns, results.UseColumn{Title: d.title(p), PolyDW: d.first(p.Series[0]), Asp2vec: d.first(p.Series[1])})
	}
	return results.PlotUse(columns)
}

func drawHeat(d *drawing) (*results.Picture, error) {
	var rows []results.HeatRow
	for _, p := range d.panels {
		row := results.HeatRow{Title: d.title(p)}
		for _, s := range p.Series {
			row.Cells = append(row.Cells, results.HeatCell{Title: s.Name, Data: d.first(s)})
		}
		rows = append(rows, row)
	}
	return results.PlotHeat(rows)
}

func drawCurves(d *drawing) (*results.Picture, error) {
	var curves []results.CurvePanel
	for _, p := range d.panels {
		c := results.CurvePanel{Title: d.title(p)}
		for _, s := range p.Series {
			series := results.CurveSeries{Name: s.Name}
			for _, j := range s.Jobs {
				if r, ok := d.runs.Find(j); ok {
					series.Records = append(series.Records, r)
				}
			}
			c.Series = append(c.Series, series)
		}
		curves = append(curves, c)
	}
	return results.PlotCurves(curves)
}

func drawAspects(d *drawing) (*results.Picture, error) {
	return d.sweep("aspects K", func(o graphs.Options) float64 { return float64(o.Aspects) })
}

func drawEpsilon(d *drawing) (*results.Picture, error) {
	return d.sweep("threshold ε of the regularizer", func(o graphs.Options) float64 {
		if o.Lambda == 0 {
			return 1.1 // no regularizer: where no cosine is above the threshold, and a step further
		}
		return o.Epsilon
	})
}

// sweep draws series one after the other along the value that x finds in their options.
func (d *drawing) sweep(option string, x func(graphs.Options) float64) (*results.Picture, error) {
	var sweep []results.SweepPanel
	for _, p := range d.panels {
		s := results.SweepPanel{Title: d.title(p)}
		for _, v := range d.values(p) {
			s.Points = append(s.Points, results.SweepPoint{X: x(v.series.Jobs[0].Options), Label: v.series.Name, Value: v.value})
		}
		sweep = append(sweep, s)
	}
	return results.PlotSweep(option, sweep)
}
