package figures

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/render"
)

// Drawing is what a figure is made of: its panels, and what the store has of them.
type Drawing struct {
	figure Figure
	panels []Panel
	runs   *store.Runs
	data   map[string]*plot.FigureData // by the key of the job
	titled bool                        // panels name their protocol
}

// Drawing reads what there is of the panels in the store. It returns an error for
// files that cannot be read; that they are not there is none.
func (f Figure) Drawing(path string, data *run.Catalog, panels []Panel) (*Drawing, error) {
	d := &Drawing{figure: f, panels: panels, data: map[string]*plot.FigureData{}}
	d.titled = slices.ContainsFunc(panels, func(p Panel) bool { return p.Protocol != panels[0].Protocol })
	records, err := store.ReadStore(path) // all that results show sees
	if err != nil {
		return nil, err
	}
	d.runs = records.Runs(data)
	if f.Model() {
		for _, j := range Jobs(panels) {
			there, _ := d.runs.Entry(j)
			data, err := read(path, j, there)
			if err == nil {
				d.data[j.Key()] = data
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	return d, nil
}

// Missing returns the jobs of panels whose results are not there, each once.
func (d *Drawing) Missing() (missing []store.Job) {
	all, keys := store.Merged(Jobs(d.panels))
	for i, j := range all {
		there := d.data[keys[i]] != nil
		if !d.figure.Model() {
			there = d.runs.NeedsNoRun(j)
		}
		if !there {
			missing = append(missing, j)
		}
	}
	return missing
}

// Data returns what figures 4 and 5 show of a job; nil where it has not been run.
func (d *Drawing) Data(j store.Job) *plot.FigureData { return d.data[j.Key()] }

// title names a panel.
func (d *Drawing) title(p Panel) string {
	if d.titled {
		return p.Dataset + " (" + p.Protocol + ")"
	}
	return p.Dataset
}

// first returns the data of a series' first job, or nil.
func (d *Drawing) first(s Series) *plot.FigureData {
	if len(s.Jobs) == 0 {
		return nil
	}
	return d.Data(s.Jobs[0])
}

// Values returns the metric of every series of the panels of a figure that is drawn from records, a row for each panel; no row of
// another.
func (d *Drawing) Values() render.Table {
	t := render.Table{Name: "figure-" + d.figure.Name, Title: d.figure.file.View.Title, Corner: "data set"}
	if d.figure.Model() {
		return t
	}
	validated := false
	for i, p := range d.panels {
		row := render.Row{Label: d.title(p)}
		for _, s := range p.Series {
			if i == 0 {
				t.Columns = append(t.Columns, s.Name)
			}
			v, held := d.value(p, s)
			row.Values, validated = append(row.Values, v), validated || held
		}
		t.Rows = append(t.Rows, row)
	}
	t.Notes = d.runs.Notes(seq.Flat(d.panels, func(p Panel) [][]store.Job {
		return seq.Flat(p.Series, func(s Series) [][]store.Job { return s.cells })
	}))
	if validated {
		t.Title += ", validation " + d.figure.file.View.Metrics[0]
	}
	return t
}

// value returns the metric of a series, over its seeds, with the paper's where the figure is of a table; held says that it is one of
// links that were held out, as the test links are for later.
func (d *Drawing) value(p Panel, s Series) (v render.Value, held bool) {
	view := d.figure.file.View
	var own []tables.Sample
	for _, jobs := range s.cells {
		j, r, ok := d.runs.Shown(jobs)
		if !ok {
			continue
		}
		x, ok := r.Metrics[tables.MetricKey(view.Metrics[0])]
		if _, tested := store.TestScore(r.Metrics); !ok && !tested { // links were held out, and the test links are for later
			var on string
			x, on = store.ChosenBy(r)
			ok = on == store.OnValidation
			held = held || ok
		}
		if ok {
			own = append(own, tables.Sample{Seed: j.Options.Seed, Score: x})
		}
	}
	paper, _ := results.Paper(view.Number, p.Dataset, s.column.PaperName())
	return tables.Value(s.column, own, paper, p.Protocol), held
}

// Draw draws the figure. What is not there is shown as not run. It returns an error for a line along an option that a series has no number of.
func (d *Drawing) Draw() (*plot.Picture, error) {
	switch d.figure.file.View.Figure.Value {
	case sweep.FigureUse:
		return plot.DrawUse(d.groups()), nil
	case sweep.FigureCosines:
		return plot.DrawHeat(d.groups()), nil
	}
	return d.drawLine()
}

// groups returns the runs of each panel, with their data.
func (d *Drawing) groups() []plot.Group {
	return seq.Map(d.panels, func(p Panel) plot.Group {
		return plot.Group{Title: d.title(p), Runs: seq.Map(p.Series, func(s Series) plot.Run { return plot.Run{Name: s.Name, Data: d.first(s)} })}
	})
}

// drawLine draws series one after the other along an option.
func (d *Drawing) drawLine() (*plot.Picture, error) {
	view := d.figure.file.View
	var panels []plot.SweepPanel
	for _, p := range d.panels {
		panel := plot.SweepPanel{Title: d.title(p), Metric: view.Metrics[0]}
		for _, s := range p.Series {
			x, ok := s.column.Place(view.X, p.Protocol)
			if !ok {
				return nil, fmt.Errorf("experiments: figure of %s: %s has no number of it", view.X, s.Name)
			}
			v, held := d.value(p, s)
			if held {
				panel.Metric = "validation " + view.Metrics[0]
			}
			label, line := s.column.Label(view.X)
			panel.Points = append(panel.Points, plot.SweepPoint{X: x, Label: label, Line: line, Value: v})
		}
		panels = append(panels, panel)
	}
	return plot.DrawSweep(view.Axis, panels), nil
}

// MeanOffDiagonal returns the mean of the cosines of unlike aspects; NaN where there are none.
func MeanOffDiagonal(cosines [][]results.Float) float64 {
	var sum, n float64
	for s, row := range cosines {
		for t, x := range row {
			if s != t {
				sum += float64(x)
				n++
			}
		}
	}
	return sum / n // NaN of none
}
