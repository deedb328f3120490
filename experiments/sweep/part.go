package sweep

import (
	"slices"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// Part is what of a table a selection leaves: what it does not say is as in the file, or else as in the tables of the paper.
type Part struct {
	Datasets  []source.DataSet
	Protocols []string
	Seeds     []uint64
	Columns   []Column
}

// Part returns what a selection leaves of the file.
func (s *File) Part(sel Scope) (p Part) {
	p.Datasets = slices.Clone(s.Datasets)
	if sel.namesData() || len(s.Datasets) == 0 {
		p.Datasets = seq.Map(sel.ofKind(s.Typed()), func(d network.Dataset) source.DataSet { return source.DataSet{Dataset: d} })
		p.Datasets = append(p.Datasets, sel.Own...)
	}
	p.Datasets = slices.DeleteFunc(p.Datasets, func(d source.DataSet) bool { return d.Typed != s.Typed() })
	if len(sel.Protocols) == 0 {
		sel.Protocols = s.Protocols
	}
	if p.Seeds = s.Seeds; sel.Seeds > 0 || len(p.Seeds) == 0 {
		p.Seeds = nil
		for seed := range sel.seeds() {
			p.Seeds = append(p.Seeds, seed+1)
		}
	}
	p.Protocols, p.Columns = sel.protocols(), s.columns(sel)
	return p
}

// Under returns the part with the columns of a protocol.
func (p Part) Under(protocol string) Part {
	p.Columns = slices.DeleteFunc(slices.Clone(p.Columns), func(c Column) bool { return !c.Under(protocol) })
	return p
}

// Empty says that no column or no data set is left.
func (p Part) Empty() bool { return len(p.Datasets) == 0 || len(p.Columns) == 0 }

// Headings returns the columns' names, with the unit of gains.
func (p Part) Headings() (names []string) {
	for _, c := range p.Columns {
		if c.Over != "" {
			names = append(names, c.Name+", %")
		} else {
			names = append(names, c.Name)
		}
	}
	return names
}

// PartJobs returns the runs of a selection's cells, and those that choose among them: all of one seed before the next, so that a table is
// whole early and gains precision.
func (s *File) PartJobs(sel Scope) []store.Job {
	p := s.Part(sel)
	var all []store.Job
	for i, seed := range p.Seeds {
		for _, d := range p.Datasets {
			for _, protocol := range p.Protocols {
				for _, c := range p.Columns {
					all = append(all, c.Needed(d, protocol, seed, i == 0)...)
				}
			}
		}
	}
	all, _ = store.Merged(all)
	return all
}
