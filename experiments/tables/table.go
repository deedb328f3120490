package tables

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// Read returns the table of a file (sweep.ReadTable). It returns its errors.
func Read(path string, use sweep.Use) (Spec, error) {
	s, err := sweep.ReadTable(path, use)
	if err != nil {
		return Spec{}, err
	}
	return ofFile(s), nil
}

func ofFile(s *sweep.File) Spec {
	return Spec{
		Name: s.TableName(), Title: s.View.Title, OwnDatasets: len(s.Datasets) > 0, Protocols: s.Protocols, Jobs: s.PartJobs,
		Table: func(r *store.Runs, sel sweep.Scope) []render.Table { return project(s, r, sel) },
	}
}

// project returns the projections of records: of datasets as rows one for each protocol, else one for each data set and protocol.
func project(s *sweep.File, r *store.Runs, sel sweep.Scope) (all []render.Table) {
	p := s.Part(sel)
	switch {
	case p.Empty():
	case s.View.BySetting():
		for _, d := range p.Datasets {
			for _, protocol := range p.Protocols {
				of := p.Under(protocol)
				of.Datasets = []source.DataSet{d}
				all = append(all, (&projection{File: s, Part: of, runs: r, protocol: protocol}).ofSettings(d))
			}
		}
	default:
		for _, protocol := range p.Protocols {
			all = append(all, (&projection{File: s, Part: p.Under(protocol), runs: r, protocol: protocol}).ofDatasets(sel.Negatives))
		}
	}
	return all
}

// projection is one table of a file in the making.
type projection struct {
	*sweep.File
	sweep.Part
	runs     *store.Runs
	protocol string
	seen     audit

	negatives string // that links are ranked against; "" for the published ones
}

// ofDatasets has a row for each data set, and a column for each setting. The largest mean of a row is its best.
func (p *projection) ofDatasets(negatives string) render.Table {
	v := p.View
	metric := v.Metrics[0]
	out := render.Table{
		Name: p.TableName() + "-" + p.protocol, Title: fmt.Sprintf("%s (protocol %s)", v.Title, p.protocol), Corner: "test " + metric, Columns: p.Headings(),
	}
	if suffix := eval.NegativesKinds.Get(negatives).Suffix; metric == "AUC" && suffix != "" {
		metric, p.negatives = MetricKey(metric)+suffix, negatives
		out.Name, out.Corner = out.Name+"-"+negatives, out.Corner+" against "+negatives
	}
	for _, d := range p.Part.Datasets {
		row := render.Row{Label: d.Name, Values: p.values(d, metric, func(c sweep.Column) (paper results.Cell) {
			if p.negatives == "" {
				paper, _ = results.Paper(v.Number, d.Name, c.PaperName())
			}
			return paper
		})}
		p.markBest(row.Values)
		out.Rows = append(out.Rows, row)
		p.look(d)
	}
	p.seen.baselines = nil // these have no rows here
	out.Notes = p.notes(out)
	return out
}

// ofSettings has a row for each setting on one data set, and a column for each metric: first what needs no training, as far as records
// tell of it.
func (p *projection) ofSettings(d source.DataSet) render.Table {
	v := p.View
	out := render.Table{
		Name: fmt.Sprintf("%s-%s", p.TableName(), p.protocol), Title: fmt.Sprintf("%s (protocol %s)", v.Title, p.protocol), Corner: v.Corner, Columns: slices.Clone(v.Metrics),
	}
	if d.Name != sweep.PaperBibliography {
		out.Name, out.Title = fmt.Sprintf("%s-%s-%s", p.TableName(), d.Name, p.protocol), fmt.Sprintf("%s: %s (protocol %s)", v.Title, d.Name, p.protocol)
	}
	out.Rows = seq.Map(p.Headings(), func(name string) render.Row { return render.Row{Label: name} })
	for _, metric := range v.Metrics {
		for i, value := range p.values(d, metric, func(c sweep.Column) (paper results.Cell) {
			if d.Name == sweep.PaperBibliography || d.Name == sweep.PaperAbstracts {
				paper, _ = results.Paper(v.Number, c.PaperName(), metric)
			}
			return paper
		}) {
			out.Rows[i].Values = append(out.Rows[i].Values, value)
		}
	}
	p.look(d)
	for i, c := range p.Columns {
		if slices.ContainsFunc(p.seen.spreads, func(s spread) bool { return s.row == c.Name && s.alike() }) {
			out.Rows[i].Label += " (aspects alike)"
		}
	}
	out.Notes = p.notes(out)
	out.Rows = append(untrained(v.Metrics, p.seen.baselines), out.Rows...)
	return out
}

// markBest marks the best of several values of a row, but no gains.
func (p *projection) markBest(values []render.Value) {
	best, several := -1, 0
	for i, c := range p.Columns {
		if c.Over == "" && values[i].N > 0 {
			if several++; best < 0 || values[i].Mean > values[best].Mean {
				best = i
			}
		}
	}
	if several > 1 {
		values[best].Best = true
	}
}

// values returns what each column has of a metric on a data set, beside its cell of the paper.
func (p *projection) values(d source.DataSet, metric string, paper func(sweep.Column) results.Cell) (values []render.Value) {
	cells := map[string][]Sample{}
	for _, c := range p.Columns {
		own, lost := Samples(c, p.runs, d, metric, p.protocol, p.Part.Seeds)
		cells[c.Name] = own
		p.seen.lost += lost
	}
	for _, c := range p.Columns {
		own := cells[c.Name]
		if c.Over != "" {
			own = gain(cells, c.Best, c.Over)
		}
		values = append(values, Value(c, own, paper(c), p.protocol))
	}
	return values
}
