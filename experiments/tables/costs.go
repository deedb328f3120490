package tables

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// Costs returns what the runs behind Table 1 took, a table for each protocol: of each cell the time of its fastest run,
// training and evaluation, and the smallest peak of its processes' memory. Whatever else a machine or a process did only adds
// to either. Where a cell chose from several runs, each counts alone. A selection that leaves no column or no row has none.
func Costs(r *store.Runs, sel sweep.Selection) (all []render.Table) {
	p := sweep.Paper("table1").Part(sel)
	if p.Empty() {
		return nil
	}
	for _, protocol := range p.Protocols {
		p := p.Under(protocol)
		out := render.Table{
			Name: "costs-" + protocol, Title: fmt.Sprintf("Time and memory of the runs of table1 (protocol %s)", protocol), Corner: "time, memory", Columns: p.Headings(),
			Notes: []string{
				"The time of the fastest run of a cell, training and evaluation, and the smallest peak memory of its processes, which may have done other runs too.",
				"On one thread unless stated. Runs may be from different machines, named in their records, which may have been busy.",
			},
		}
		for _, d := range p.Datasets {
			values := seq.Map(p.Columns, func(c sweep.Column) render.Value { return cost(c, r, d, protocol, p.Seeds) })
			out.Rows = append(out.Rows, render.Row{Label: d.Name, Values: values})
		}
		all = append(all, out)
	}
	return all
}

// cost returns what the runs of a cell took at least.
func cost(c sweep.Column, r *store.Runs, d source.DataSet, protocol string, seeds []uint64) (v render.Value) {
	seconds, threads := math.Inf(1), 0
	var memory uint64 // bytes; 0 unknown
	for _, seed := range seeds {
		there := 0
		for _, j := range c.Jobs(d, protocol, seed) {
			record, ok := r.Find(j)
			if !ok {
				continue
			}
			there = 1
			if took := record.TrainSeconds + record.EvalSeconds; took < seconds {
				seconds, threads = took, record.Host.Threads
			}
			if peak := record.PeakMemoryBytes; peak > 0 && (memory == 0 || peak < memory) {
				memory = peak
			}
		}
		v.N += there
	}
	if v.N == 0 {
		return v
	}
	v.Text = fmt.Sprintf("%.0f s", seconds)
	if seconds < 10 {
		v.Text = fmt.Sprintf("%.1f s", seconds)
	}
	if threads > 1 {
		v.Text += fmt.Sprintf(" on %d threads", threads)
	}
	if memory > 0 {
		v.Text += fmt.Sprintf(", %d MiB", (memory+1<<19)>>20)
	}
	return v
}
