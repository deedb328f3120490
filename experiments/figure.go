package experiments

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/methods"
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
		return Figure{}, fmt.Errorf("experiments: %s: search: figures do not support halving: want sweep, or search: {random: COUNT}", path)
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
			return Figure{}, fmt.Errorf("experiments: %s: figure line with %d options that vary: want x: OPTION, or figure: lines", path, len(numbers))
		}
		s.view.x = numbers[0]
	}
	if s.view.axis == "" {
		s.view.axis = s.view.x
	}
	if s.view.figure != figureLine && slices.ContainsFunc(s.columns(s.view.sizes, nil), func(c column) bool { return c.choice != nil }) {
		return Figure{}, fmt.Errorf("experiments: %s: choose in a figure of kind %s, which shows single runs: want figure: line, or the chosen options", path, s.view.figure)
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

	data source.DataSet
}

// FigureSeries is runs that differ in the seed alone.
type FigureSeries struct {
	Name string
	Jobs []store.Job

	column column
}

// FigureJobs returns the runs of all panels, in their order.
func FigureJobs(panels []FigurePanel) (jobs []store.Job) {
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
		if !slices.ContainsFunc(p.datasets, func(d source.DataSet) bool { return strings.EqualFold(d.Name, name) }) {
			return nil, fmt.Errorf("experiments: a figure of %s, which has several types of vertices: want a data set with one type of vertices", name)
		}
	}
	for _, protocol := range p.protocols {
		for _, d := range p.datasets {
			panel := FigurePanel{Dataset: d.Name, Protocol: protocol, data: d}
			for _, c := range p.under(protocol).columns {
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

// numbersVaried returns the options of which several numbers are swept.
func (s *Sweep) numbersVaried() (names []string) {
	for _, o := range s.Options {
		if declared, ok := grid.FindOption(o.Name); ok && o.Varies() && (declared.Kind == reflect.Int || declared.Kind == reflect.Float64) {
			names = append(names, o.Name)
		}
	}
	return names
}
