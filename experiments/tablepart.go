package experiments

import (
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/network"
)

// tableOne are the columns of Table 1 as its file has them, by their names.
var tableOne = sync.OnceValue(func() map[string]column {
	all := map[string]column{}
	s := paperSweep(1)
	for _, c := range s.columns(s.view.sizes, nil) {
		all[c.name] = c
	}
	return all
})

// TableOneJobs returns the runs of a column of Table 1 on a registered data set under a seed: one, or the candidates of its choice; none
// under a protocol that it is not of.
func TableOneJobs(column, dataset, protocol string, seed uint64) []store.Job {
	d, err := network.Lookup(dataset)
	if err != nil {
		return nil
	}
	return tableOne()[column].jobs(source.DataSet{Dataset: d}, protocol, seed)
}

// part is what of a table a selection leaves: what it does not say is as in the file, or else as in the tables of the paper.
type part struct {
	datasets  []source.DataSet
	protocols []string
	seeds     []uint64
	columns   []column
}

func (s *Sweep) part(sel Selection) (p part) {
	p.datasets = slices.Clone(s.Datasets)
	if sel.namesData() || len(s.Datasets) == 0 {
		p.datasets = nil
		for _, d := range sel.ofKind(s.typed()) {
			p.datasets = append(p.datasets, source.DataSet{Dataset: d})
		}
		p.datasets = append(p.datasets, sel.Own...)
	}
	p.datasets = slices.DeleteFunc(p.datasets, func(d source.DataSet) bool { return severalTypes(d.Dataset) != s.typed() })
	if len(sel.Protocols) == 0 {
		sel.Protocols = s.Protocols
	}
	if p.seeds = s.Seeds; sel.Seeds > 0 || len(p.seeds) == 0 {
		p.seeds = nil
		for seed := range sel.seeds() {
			p.seeds = append(p.seeds, seed+1)
		}
	}
	sizes := s.view.sizes
	if len(sel.Dims) > 0 {
		sizes = sel.Dims
	}
	p.protocols = sel.protocols()
	p.columns = slices.DeleteFunc(s.columns(sizes, sel.Methods), func(c column) bool {
		return len(sel.Methods) > 0 && !slices.Contains(sel.Methods, c.method)
	})
	return p
}

// under returns the part with the columns of a protocol.
func (p part) under(protocol string) part {
	p.columns = slices.DeleteFunc(slices.Clone(p.columns), func(c column) bool { return !c.under(protocol) })
	return p
}

func (p part) empty() bool { return len(p.datasets) == 0 || len(p.columns) == 0 }

// headings returns the columns' names, with the unit of gains.
func (p part) headings() (names []string) {
	for _, c := range p.columns {
		if c.over != "" {
			names = append(names, c.name+", %")
		} else {
			names = append(names, c.name)
		}
	}
	return names
}

// tableJobs returns the runs of all cells, and those that choose among them: all of one seed before the next, so that a table is
// whole early and gains precision.
func (s *Sweep) tableJobs(sel Selection) []store.Job {
	p := s.part(sel)
	var all []store.Job
	for i, seed := range p.seeds {
		for _, d := range p.datasets {
			for _, protocol := range p.protocols {
				for _, c := range p.columns {
					all = append(all, c.needed(d, protocol, seed, i == 0)...)
				}
			}
		}
	}
	all, _ = store.Merged(all)
	return all
}
