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

// paperPart is what a selection of negatives leaves of a table of the paper. It is worked out once for each.
var paperPart sync.Map // from paperTable to Part

type paperTable struct{ name, negatives string }

// PaperJobs returns the runs of a column of a table of the paper, such as table1, on a registered data set under a seed: one, or the candidates of its choice against a
// kind of negatives; none under a protocol that it is not of.
func PaperJobs(table, column, dataset, protocol string, seed uint64, negatives string) []store.Job {
	d, err := network.Lookup(dataset)
	if err != nil {
		return nil
	}
	at := paperTable{table, negatives}
	part, known := paperPart.Load(at)
	if !known {
		part, _ = paperPart.LoadOrStore(at, Paper(table).Part(Scope{Negatives: negatives}))
	}
	for _, c := range part.(Part).Columns {
		if c.Name == column && c.Under(protocol) {
			return c.Jobs(source.DataSet{Dataset: d}, protocol, seed)
		}
	}
	return nil
}

// PaperBibliography is the paper's data set of Tables 5 and 6, and that of their claims. Others are to be named: PaperAbstracts has the same
// papers with the texts that the paper used.
const (
	PaperBibliography = "DBLP"
	PaperAbstracts    = "DBLP-abstracts"
)
