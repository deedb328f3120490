package experiments

import (
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
	"github.com/asp2vec/asp2vec/results/render"
)

// Figure is a figure of the paper, one that shows its tables or the course of training, or one of one's own.
type Figure struct {
	Name  string // "4"
	Title string

	sweep *Sweep
}

// How a figure is drawn.
const (
	figureUse     = "use"     // the variance of a vertex's aspects against its frequency, as figure 4
	figureCosines = "cosines" // of aspects, as figure 5
	figureCurves  = "curves"  // of training
	figureLine    = "line"    // a metric against an option
	figureLines   = "lines"   // parallel coordinates: a line through what each setting has of several options, to what it came to
)

var figureKinds = []string{figureCosines, figureCurves, figureLine, figureLines, figureUse}

// figureNames are those of the figures that there are, and the first of them are the paper's.
var figureNames = []string{"4", "5", "curves", "aspects", "epsilon"}

const paperFigures = 2

// FigureNames returns the names of the figures of the paper that are drawn from runs.
func FigureNames() []string { return slices.Clone(figureNames[:paperFigures]) }

// Figures returns every figure.
func Figures() (all []Figure) {
	for _, name := range figureNames {
		all = append(all, figure(name))
	}
	return all
}

func figure(name string) Figure {
	f := Figure{Name: name}
	file := "specs/figure-" + name + ".yaml"
	if f.Paper() {
		file = "specs/figure" + name + ".yaml"
	}
	f.sweep = embedded(file)
	f.Title = f.sweep.view.title
	return f
}

// FindFigure returns the figure of a name, or an error that lists the names there are.
func FindFigure(name string) (Figure, error) {
	if slices.Contains(figureNames, name) {
		return figure(name), nil
	}
	return Figure{}, fmt.Errorf("experiments: figure %q: want one of %s, or a file", name, strings.Join(figureNames, ", "))
}

// ReadFigureFile reads a figure from a file of a sweep or a table (ReadSweep, ReadTable), where beside what is run stands how it is drawn:
//
//	figure: line        # a metric against an option; or lines, parallel coordinates; or curves, cosines, use
//	x: tau              # the option of line; that which varies if left out
//	axis: temperature τ # its title; the option's name if left out
//
// Without figure it is a line where one number varies, and else parallel coordinates. It returns an error for what ReadSweep and
// ReadTable refuse, and for a drawing that does not fit the runs.
func ReadFigureFile(path string) (Figure, error) {
	s, err := ReadSweep(path)
	if err != nil {
		return Figure{}, err
	}
	if _, err := s.Jobs(MaxSweep); err != nil {
		return Figure{}, err
	}
	if s.Halving != nil {
		return Figure{}, fmt.Errorf("experiments: %s: search: halving in a figure, whose runs are all whole: want sweep for it, or search: {random: COUNT}", path)
	}
	if s.view.title == "" {
		s.view.title = s.Title()
	}
	numbers := s.numbersVaried()
	if s.view.figure == "" {
		if s.view.figure = figureLines; len(numbers) == 1 && len(s.Varied()) == 1 || s.view.x != "" {
			s.view.figure = figureLine
		}
	}
	if s.view.figure == figureLine && s.view.x == "" {
		if len(numbers) != 1 {
			return Figure{}, fmt.Errorf("experiments: %s: figure line of %d options that vary: want x: OPTION, or figure: lines", path, len(numbers))
		}
		s.view.x = numbers[0]
	}
	if s.view.axis == "" {
		s.view.axis = s.view.x
	}
	if s.view.figure != figureLine && slices.ContainsFunc(s.columns(s.view.sizes, nil), func(c column) bool { return c.choice != nil }) {
		return Figure{}, fmt.Errorf("experiments: %s: choose in a figure of kind %s, which shows each run by itself: want figure: line, or the options that were chosen", path, s.view.figure)
	}
	return Figure{s.Title(), s.view.title, s}, nil
}

// Model says that the figure shows models, which the records of runs have not got.
func (f Figure) Model() bool {
	return f.sweep.view.figure == figureUse || f.sweep.view.figure == figureCosines
}

// Curves says that the figure shows the course of training.
func (f Figure) Curves() bool { return f.sweep.view.figure == figureCurves }

// Paper says that the figure is one of the paper's.
func (f Figure) Paper() bool { return slices.Contains(figureNames[:paperFigures], f.Name) }

// FigurePanel is the runs of one panel of a figure, or of one column of them.
type FigurePanel struct {
	Dataset  string
	Protocol string
	Series   []FigureSeries

	data DataSet
}

// FigureSeries is runs that differ in the seed alone.
type FigureSeries struct {
	Name string
	Jobs []Job

	column column
}

// FigureJobs returns the runs of all panels, in their order.
func FigureJobs(panels []FigurePanel) (jobs []Job) {
	for _, p := range panels {
		for _, s := range p.Series {
			jobs = append(jobs, s.Jobs...)
		}
	}
	return jobs
}

// Panels returns a panel for every protocol and data set of a selection; figures 4 and 5 draw the first of several seeds. It returns an
// error for names that are not known, and for data whose vertices are of several types.
func (f Figure) Panels(sel Selection) (panels []FigurePanel, err error) {
	if err := sel.Validate(); err != nil {
		return nil, err
	}
	s := *f.sweep
	if f.Curves() && len(sel.Methods) > 0 {
		s.Methods, sel.Methods = sel.Methods, nil
	}
	p := s.part(sel)
	for _, name := range sel.Datasets {
		if !slices.ContainsFunc(p.datasets, func(d DataSet) bool { return strings.EqualFold(d.Name, name) }) {
			return nil, fmt.Errorf("experiments: a figure of %s, whose vertices are of several types: want a data set whose vertices are all of one type", name)
		}
	}
	for _, protocol := range p.protocols {
		for _, d := range p.datasets {
			panel := FigurePanel{Dataset: d.Name, Protocol: protocol, data: d}
			for _, c := range p.columns {
				series := FigureSeries{Name: c.name, column: c}
				if m, err := methods.Find(c.method); f.Curves() && err == nil && len(s.Settings) == 0 {
					series.Name = m.Title
				}
				for i, seed := range p.seeds {
					series.Jobs = append(series.Jobs, c.needed(d, protocol, seed, i == 0)...)
				}
				panel.Series = append(panel.Series, series)
			}
			panels = append(panels, panel)
		}
	}
	return panels, nil
}

// WithEpochs returns panels whose jobs train at most so many epochs of each stage, to try a figure quickly. They are other
// runs than those without. epochs is at least 1.
func WithEpochs(panels []FigurePanel, epochs int) []FigurePanel {
	out := slices.Clone(panels)
	for i := range out {
		out[i].Series = slices.Clone(out[i].Series)
		for k := range out[i].Series {
			s := &out[i].Series[k]
			s.Jobs = slices.Clone(s.Jobs)
			for j := range s.Jobs {
				s.Jobs[j].Options.Give("epochs")
				s.Jobs[j].Options.Epochs = epochs
			}
		}
	}
	return out
}

// Drawing is what a figure is made of: its panels, and what the store and the folder beside it have of them.
type Drawing struct {
	figure Figure
	panels []FigurePanel
	runs   *Runs
	data   map[string]*plot.FigureData // by the key of the job
	older  map[string]bool             // keys of what is there of an older definition of the method only
	titled bool                        // panels name their protocol
}

// Drawing reads what there is of the panels in the store, a file, and beside it. It returns an error for a store or files beside it
// that cannot be read; that they are not there is none.
func (f Figure) Drawing(store string, panels []FigurePanel) (*Drawing, error) {
	d := &Drawing{figure: f, panels: panels, data: map[string]*plot.FigureData{}, older: map[string]bool{}}
	d.titled = slices.ContainsFunc(panels, func(p FigurePanel) bool { return p.Protocol != panels[0].Protocol })
	if f.Model() {
		folder, err := OpenFigures(filepath.Dir(store))
		if err != nil {
			return nil, err
		}
		for _, j := range FigureJobs(panels) {
			data, err := folder.Read(j)
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

// Missing returns the jobs of panels whose results are not there, each once, and those of them whose results are there of an older
// definition of their method.
func (d *Drawing) Missing() (missing, older []Job) {
	all, keys := merged(FigureJobs(d.panels))
	for i, j := range all {
		there := d.data[keys[i]] != nil
		if !d.figure.Model() {
			there = d.runs.NeedsNoRun(j)
		}
		if there {
			continue
		}
		if missing = append(missing, j); d.older[keys[i]] {
			older = append(older, j)
		}
	}
	return missing, older
}

// Data returns what figures 4 and 5 show of a job; nil where it has not been run.
func (d *Drawing) Data(j Job) *plot.FigureData { return d.data[j.Key()] }

// title names a panel.
func (d *Drawing) title(p FigurePanel) string {
	if d.titled {
		return p.Dataset + " (" + p.Protocol + ")"
	}
	return p.Dataset
}

// first returns the data of a series' first job, or nil.
func (d *Drawing) first(s FigureSeries) *plot.FigureData {
	if len(s.Jobs) == 0 {
		return nil
	}
	return d.Data(s.Jobs[0])
}

// Values returns the metric of every series of the panels of a figure that is drawn from records, a row for each panel; no row of
// another.
func (d *Drawing) Values() render.Table {
	t := render.Table{Name: "figure-" + d.figure.Name, Title: d.figure.Title, Corner: "data set"}
	if d.figure.Model() {
		return t
	}
	for i, p := range d.panels {
		row := render.Row{Label: d.title(p)}
		for _, s := range p.Series {
			if i == 0 {
				t.Columns = append(t.Columns, s.Name)
			}
			row.Values = append(row.Values, d.value(p, s))
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// value returns the metric of a series, over its seeds, with the paper's where the figure is of a table.
func (d *Drawing) value(p FigurePanel, s FigureSeries) render.Value {
	view := d.figure.sweep.view
	var seeds []uint64
	var own []sample
	for _, j := range s.Jobs {
		if s.column.choice != nil {
			if !slices.Contains(seeds, j.Options.Seed) {
				seeds = append(seeds, j.Options.Seed)
			}
		} else if r, ok := d.runs.Find(j); ok {
			if x, ok := r.Metrics[metricKey(view.metrics[0])]; ok {
				own = append(own, sample{j.Options.Seed, x})
			}
		}
	}
	if s.column.choice != nil {
		own, _ = s.column.samples(d.runs, p.data, metricKey(view.metrics[0]), p.Protocol, seeds)
	}
	paper, _ := results.Paper(view.number, p.Dataset, s.column.inPaper())
	return s.column.value(own, paper, p.Protocol)
}

// Draw draws the figure. What is not there is shown as not run. It returns an error for numbers that cannot be drawn.
func (d *Drawing) Draw() (*plot.Picture, error) {
	switch d.figure.sweep.view.figure {
	case figureUse:
		return d.drawUse()
	case figureCosines:
		return d.drawHeat()
	case figureCurves:
		return d.drawCurves()
	case figureLines:
		return d.drawLines()
	}
	return d.drawLine()
}

func (d *Drawing) drawUse() (*plot.Picture, error) {
	var columns []plot.UseColumn
	for _, p := range d.panels {
		column := plot.UseColumn{Title: d.title(p)}
		for _, s := range p.Series {
			switch s.column.method {
			case graphs.MethodPolyDW:
				column.PolyDW = d.first(s)
			case graphs.MethodAsp2vec:
				column.Asp2vec = d.first(s)
			}
		}
		columns = append(columns, column)
	}
	return plot.DrawUse(columns)
}

func (d *Drawing) drawHeat() (*plot.Picture, error) {
	var rows []plot.HeatRow
	for _, p := range d.panels {
		row := plot.HeatRow{Title: d.title(p)}
		for _, s := range p.Series {
			row.Cells = append(row.Cells, plot.HeatCell{Title: s.Name, Data: d.first(s)})
		}
		rows = append(rows, row)
	}
	return plot.DrawHeat(rows)
}

func (d *Drawing) drawCurves() (*plot.Picture, error) {
	var curves []plot.CurvePanel
	for _, p := range d.panels {
		c := plot.CurvePanel{Title: d.title(p)}
		for _, s := range p.Series {
			series := plot.CurveSeries{Name: s.Name}
			for _, j := range s.Jobs {
				if r, ok := d.runs.Find(j); ok {
					series.Records = append(series.Records, r)
				}
			}
			c.Series = append(c.Series, series)
		}
		curves = append(curves, c)
	}
	return plot.DrawCurves(curves)
}

// drawLine draws series one after the other along an option.
func (d *Drawing) drawLine() (*plot.Picture, error) {
	view := d.figure.sweep.view
	var panels []plot.SweepPanel
	for _, p := range d.panels {
		panel := plot.SweepPanel{Title: d.title(p)}
		for _, s := range p.Series {
			x, ok := s.column.at(view.x, p.Protocol)
			if !ok {
				return nil, fmt.Errorf("experiments: figure of %s: %s has no number of it", view.x, s.Name)
			}
			panel.Points = append(panel.Points, plot.SweepPoint{X: x, Label: s.column.label(view.x), Value: d.value(p, s)})
		}
		panels = append(panels, panel)
	}
	return plot.DrawSweep(view.axis, panels)
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

// numbersVaried returns the options of which several numbers are swept.
func (s *Sweep) numbersVaried() (names []string) {
	for _, o := range s.Options {
		if declared, ok := optionOf(o.Name); ok && o.varies() && (declared.Kind == reflect.Int || declared.Kind == reflect.Float64) {
			names = append(names, o.Name)
		}
	}
	return names
}

// drawLines draws each setting as a line through the values of the options that vary, to what it came to.
func (d *Drawing) drawLines() (*plot.Picture, error) {
	s := d.figure.sweep
	var panels []plot.ParallelPanel
	for _, p := range d.panels {
		panel := plot.ParallelPanel{Title: d.title(p), Metric: s.view.metrics[0]}
		for _, name := range s.Varied() {
			if name != varyProtocol {
				panel.Axes = append(panel.Axes, name)
			}
		}
		for _, series := range p.Series {
			line := plot.ParallelLine{Value: d.value(p, series)}
			for i, word := range s.valuesOf(cell{protocol: p.Protocol, column: series.column}, series.Jobs[0], false) {
				if s.Varied()[i] != varyProtocol {
					line.At = append(line.At, word)
				}
			}
			panel.Lines = append(panel.Lines, line)
		}
		panels = append(panels, panel)
	}
	return plot.DrawParallel(panels)
}
