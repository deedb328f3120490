package sweep

import (
	"io/fs"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/specs"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/network"
)

// Paper returns a file of experiments/specs: "table3", "figure-epsilon". One that cannot be read is a bug.
func Paper(name string) *File {
	text, err := fs.ReadFile(specs.Files, name+".yaml")
	if err == nil {
		var s *File
		if s, err = parse("specs/"+name+".yaml", text, ToShow); err == nil {
			return s
		}
	}
	panic(err)
}

// tableOne are the columns of Table 1 as its file has them, by their names.
var tableOne = sync.OnceValue(func() map[string]Column {
	all := map[string]Column{}
	for _, c := range Paper("table1").Part(Scope{}).Columns {
		all[c.Name] = c
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
	return tableOne()[column].Jobs(source.DataSet{Dataset: d}, protocol, seed)
}

// PaperBibliography is the paper's data set of Tables 5 and 6, and that of their claims. Others are to be named: PaperAbstracts has the same
// papers with the texts that the paper used.
const (
	PaperBibliography = "DBLP"
	PaperAbstracts    = "DBLP-abstracts"
)
