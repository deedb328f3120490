package experiments

import (
	"github.com/asp2vec/asp2vec/graphs"
)

// Plan is what a run is going to do, worked out beforehand from sizes alone.
type Plan struct {
	Vertices   int   `json:"vertices"`
	Train      int   `json:"train"` // links, with those held out for validation
	Test       int   `json:"test"`
	Walks      int64 `json:"walks"` // at most: none start at a vertex without an outgoing link
	Pairs      int64 `json:"pairs"` // of an epoch, at most: walks end early at such a vertex
	Parameters int64 `json:"parameters"`
	Memory     int64 `json:"memory_bytes"` // about
}

// NewPlan returns the plan of a run.
func NewPlan(d Data, o graphs.Options) Plan {
	o = o.Complete()
	n, dim := int64(len(d.Split.Names)), int64(o.Dim)
	starts := n
	if d.Split.Directed {
		starts = sources(d)
	}
	p := Plan{
		Vertices: int(n), Train: len(d.Split.Train), Test: len(d.Split.Test),
		Walks: starts * int64(o.Walks), Parameters: n * dim * int64(o.Aspects+1),
	}
	p.Pairs = p.Walks * pairsOfWalk(int64(o.Length), int64(o.Window))
	// Parameters, two moments and a copy of the best epoch; the warm-up's stand beside them.
	tables := p.Parameters
	if o.WarmUp {
		tables += n * dim * 2
	}
	links := int64(len(d.Split.Train) + len(d.Split.TrainNeg) + len(d.Split.Test) + len(d.Split.TestNeg) + len(d.Split.TestNegDirected))
	// A link is 8 bytes in a list, up to 8 as arcs, and twice in a list again where some are held out. A slot of a batch
	// (a row that a window uses) is about 40 bytes with its index and coefficient, and there are three batches at a time.
	slots := int64(o.Batch) * int64(1+o.Negatives)
	p.Memory = 16*tables + 32*links + 120*slots + min(4*p.Walks*int64(o.Length), 64<<20) + 32<<20
	return p
}

// sources counts the vertices with an outgoing training link.
func sources(d Data) (count int64) {
	out := make([]bool, len(d.Split.Names))
	for _, l := range d.Split.Train {
		if !out[l.From] {
			out[l.From] = true
			count++
		}
	}
	return count
}

// pairsOfWalk returns how many (centre, context) pairs a walk of the given length has.
func pairsOfWalk(length, window int64) int64 {
	window = min(window, length-1)
	return 2*window*length - window*(window+1)
}
