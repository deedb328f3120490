// Package figures draws the paper's figures, and those of sweep files, from the records of their runs and what is kept of their models.
package figures

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Figure is a figure of the paper, one that shows its tables, or one of one's own.
type Figure struct {
	Name string // "4"

	file *sweep.File
}

// figureNames are those of the figures that there are, and the first of them are the paper's.
var figureNames = []string{"4", "5", "aspects", "epsilon"}

const paperFigures = 2

// Names returns the names of the figures of the paper that are drawn from runs.
func Names() []string { return slices.Clone(figureNames[:paperFigures]) }

func figure(name string) Figure {
	f := Figure{Name: name}
	file := "figure-" + name
	if f.Paper() {
		file = "figure" + name
	}
	f.file = sweep.Paper(file)
	return f
}

// Find returns the figure of a name, or an error that lists the names there are.
func Find(name string) (Figure, error) {
	if slices.Contains(figureNames, name) {
		return figure(name), nil
	}
	return Figure{}, fmt.Errorf("experiments: figure %q: expected one of %s, or a file", name, strings.Join(figureNames, ", "))
}

// Read reads a figure from a file of a sweep or a table (sweep.Read, sweep.ReadTable), where beside what is run stands how it is drawn:
//
//	figure: line        # a metric against an option; or cosines, use
//	x: tau              # the option of line; that which varies if left out
//	axis: temperature τ # its title; the option's name if left out
//
// Without figure it is a line. It returns an error for what these refuse, and for a drawing that does not fit the runs.
func Read(path string, use sweep.Use) (Figure, error) {
	s, err := sweep.Read(path, use)
	if err != nil {
		return Figure{}, err
	}
	if _, err := s.Jobs(sweep.MaxRuns); err != nil {
		return Figure{}, err
	}
	numbers := s.NumbersVaried()
	if s.View.Figure.Value == "" {
		s.View.Figure.Value = sweep.FigureLine
	}
	if s.View.Figure.Value == sweep.FigureLine && s.View.X == "" {
		if len(numbers) != 1 {
			return Figure{}, fmt.Errorf("experiments: %s: figure line with %d options that vary: expected one number, or x: OPTION", path, len(numbers))
		}
		s.View.X = numbers[0]
	}
	if s.View.Axis == "" {
		s.View.Axis = s.View.X
	}
	if s.View.Figure.Value == sweep.FigureUse {
		for _, c := range s.Part(sweep.Scope{}).Columns {
			if c.Method.Name != graphs.MethodAsp2vec && c.Method.Name != graphs.MethodPolyDW {
				return Figure{}, fmt.Errorf("experiments: %s: figure use of method %s: expected %s or %s", path, c.Method, graphs.MethodAsp2vec, graphs.MethodPolyDW)
			}
		}
	}
	if s.View.Figure.Value != sweep.FigureLine && slices.ContainsFunc(s.Part(sweep.Scope{}).Columns, sweep.Column.Chooses) {
		return Figure{}, fmt.Errorf("experiments: %s: choose in a figure of kind %s, which shows single runs: expected figure: line, or the chosen options", path, s.View.Figure.Value)
	}
	return Figure{s.Title(), s}, nil
}

// Model says that the figure shows models, which the records of runs have not got.
func (f Figure) Model() bool {
	return f.file.View.Figure.Value == sweep.FigureUse || f.file.View.Figure.Value == sweep.FigureCosines
}

// Paper says that the figure is one of the paper's.
func (f Figure) Paper() bool { return slices.Contains(figureNames[:paperFigures], f.Name) }

// Panel is the runs of one panel of a figure, or of one column of them.
type Panel struct {
	Dataset  string
	Protocol string
	Series   []Series
}

// Series is runs that differ in the seed alone.
type Series struct {
	Name string
	Jobs []store.Job // with those that choose

	column sweep.Column
	cells  [][]store.Job // of each seed, what its run is chosen from
}

// Jobs returns the runs of all panels, in their order.
func Jobs(panels []Panel) (jobs []store.Job) {
	return seq.Flat(panels, func(p Panel) []store.Job { return seq.Flat(p.Series, func(s Series) []store.Job { return s.Jobs }) })
}

// Panels returns a panel for every protocol and data set of a selection; figures 4 and 5 draw the first of several seeds. With epochs, at least 1,
// jobs train at most so many of each stage, to try a figure quickly: they are other runs than those without, 0. It returns an
// error for names that are not known, and for data whose vertices are of several types.
func (f Figure) Panels(sel sweep.Scope, epochs int) (panels []Panel, err error) {
	if err := sel.Validate(); err != nil {
		return nil, err
	}
	p := f.file.Part(sel)
	for _, name := range sel.Datasets {
		if !slices.ContainsFunc(p.Datasets, func(d source.DataSet) bool { return strings.EqualFold(d.Name, name) }) {
			return nil, fmt.Errorf("experiments: a figure of %s, which has several types of vertices: expected a data set with one type of vertices", name)
		}
	}
	for _, protocol := range p.Protocols {
		for _, d := range p.Datasets {
			panel := Panel{Dataset: d.Name, Protocol: protocol}
			for _, c := range p.Under(protocol).Columns {
				series := Series{Name: c.Name, column: c}
				for i, seed := range p.Seeds {
					series.Jobs = append(series.Jobs, shortened(c.Needed(d, protocol, seed, i == 0), epochs)...)
					series.cells = append(series.cells, shortened(c.Jobs(d, protocol, seed), epochs))
				}
				panel.Series = append(panel.Series, series)
			}
			panels = append(panels, panel)
		}
	}
	return panels, nil
}

// shortened returns jobs that train at most so many epochs of each stage; 0 for as many as they do.
func shortened(jobs []store.Job, epochs int) []store.Job {
	for i := range jobs {
		if o := &jobs[i].Options; epochs > 0 {
			o.Give("epochs")
			o.Epochs = epochs
		}
	}
	return jobs
}
