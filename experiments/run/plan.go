package run

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Plan is what is known of a run before it begins.
type Plan struct {
	Memory int64          // bytes that it needs, about
	Ranked string         // what a run on a heterogeneous network ranks; "" elsewhere
	Recipe *graphs.Recipe // of the whole run, where it ends after a number of pairs; else nil
}

// NewPlan returns the plan of a run.
func NewPlan(d Data, o graphs.Options) Plan {
	o = o.Complete() // a table's or a sweep's may not be
	if d.Bibliography != nil {
		return Plan{Memory: memoryOf(bibliographySize(d.Bibliography, o), o)}
	}
	if d.Typed != nil {
		p := Plan{Memory: memoryOf(typedSize(d.Typed, o), hetnet.ForSchema(o))}
		if d.Task != nil {
			_, target := d.Task.Ends(d.Typed)
			p.Ranked = d.Typed.Types[target].Name + "s"
		}
		return p
	}
	s := d.Split
	links := len(s.Train) + len(s.TrainNeg) + len(s.Test) + len(s.TestNeg) + len(s.TestNegDirected)
	p := Plan{Memory: memoryOf(size{vertices: len(s.Names), links: links}, o)}
	trained := len(s.Train) - int(math.Round(o.HoldOut*float64(len(s.Train))))
	if recipe, ok := o.Recipe(len(s.Names), trained, graphs.DegreeSpread(len(s.Names), s.Train)); ok {
		p.Recipe = &recipe
	}
	return p
}

// NewBenchPlan returns the plan of Bench.
func NewBenchPlan(n *network.Network, o graphs.Options) Plan {
	return PlanOfSizes(n.Vertices(), n.Links(), benchOptions(o))
}

// PlanOfSizes returns the plan of a run on a network of which no more is known than its vertices and its links of all kinds, those that
// stand against them in evaluation among them.
func PlanOfSizes(vertices, links int, o graphs.Options) Plan {
	return Plan{Memory: memoryOf(size{vertices: vertices, links: links}, o.Complete())}
}

// size is how large the data of a run are.
type size struct {
	vertices, links int // vertices with a vector of their own
	texts           int
	tokens          int // of all texts, as far as they are read
	words           int // of the vocabulary
}

// bibliographySize counts what typedSize does, and test papers.
func bibliographySize(b *papers.Bibliography, o graphs.Options) size {
	s := typedSize(b.Network, o)
	for _, p := range b.Test {
		s.texts++
		s.links += len(p.Authors)
		s.tokens += min(len(p.Tokens), hetnet.Own(o).TextLength)
	}
	return s
}

// typedSize counts vertices, links and words of a heterogeneous network.
func typedSize(n *typed.Network, o graphs.Options) size {
	s := size{words: len(n.Words)}
	for t := range n.Types {
		s.vertices += n.Vertices(t)
		for _, text := range n.Contents[t].Texts {
			s.texts++
			s.tokens += min(len(text), hetnet.Own(o).TextLength)
		}
		if f := n.Contents[t].Features; f != nil {
			s.links += len(f.Index)
		}
	}
	for _, l := range n.Links {
		s.links += len(l.From)
	}
	return s
}

// What a run holds at once, in bytes. The figures are rough: an estimate is to tell a run that cannot fit from one that can.
const (
	fixedBytes  = 64 << 20 // of the program, and garbage that is not collected yet
	linkBytes   = 32       // 8 in a list, up to 8 as arcs, and twice in a list again where some are held out
	vertexBytes = 64       // with its name
	slotBytes   = 38       // 13 in each of two batches with its index, and 12 where it is sorted
	stepCopies  = 5        // of the vectors that a step gathers or encodes: gates, states and their gradients
)

// network is what the network itself needs.
func (s size) network() float64 { return linkBytes*float64(s.links) + vertexBytes*float64(s.vertices) }

// memoryOf estimates the memory of a run: the network, its tables with moments and the best epoch, walks, and what a step holds.
func memoryOf(s size, o graphs.Options) int64 {
	if need := o.Method.Bytes; need != nil {
		return int64(min(fixedBytes+s.network()+need(s.vertices, s.links, o), math.MaxInt64/2))
	}
	n, dim, vectors := float64(s.vertices), float64(o.Dim), 2.0 // of a vertex: as centre and as context
	if o.Method.Reads("aspects") {
		vectors = float64(o.Aspects + 1)
	}
	copies := 1.0
	if o.Optimizer != graphs.OptimizerSGD {
		copies += 2 // moments
	}
	if o.Select != graphs.SelectLast {
		copies++
	}
	tables := 4 * n * dim * (copies*vectors + 1)
	if o.WarmUp { // whose tables stand beside the model's
		tables += 4 * n * dim * 2
	}
	data := s.network() + vertexBytes*float64(s.texts)
	if s.words > 0 {
		wordDim := float64(hetnet.Own(o).WordDim)
		data += 4*float64(s.tokens) + 4*float64(s.words)*wordDim
		tables += 4 * 4 * 3 * dim * (dim + wordDim) // an encoder's
	}

	tokens := n * float64(o.Walks) * float64(o.Length) // of walks
	kept := 0.0
	const small = 64 << 20 // below which they are kept in memory
	if o.WalksInMemory == "true" || o.WalksInMemory != "false" && (o.Order == walks.Grouped || 4*tokens <= small) {
		kept = 2 * 4 * tokens
	}

	batch := float64(o.Batch)
	if recipe, ok := o.Recipe(s.vertices, s.links, 1); ok {
		batch = float64(recipe.Batch)
	}
	step := batch * (1 + float64(o.Negatives)) * (slotBytes + 4*vectors)
	if s.texts > 0 {
		encoded := min(float64(s.tokens), batch*float64(s.tokens)/float64(s.texts))
		step += 4*stepCopies*dim*encoded + 4*stepCopies*vectors*dim*float64(s.texts)
		own := hetnet.Own(o)
		if own.Encoder == hetnet.EncoderMean {
			data += 2 * 4 * float64(own.WordDim) * float64(s.texts) // of each text, and of those of a step
		}
		if own.Authors == hetnet.AuthorsPapers { // with all of their papers, and without those in the windows of a step
			rows := 2 * batch
			data += 2 * 4 * float64(own.WordDim) * n
			step += 2*4*float64(own.WordDim)*(n+rows) + 4*stepCopies*vectors*dim*rows
		}
	}
	return int64(min(fixedBytes+tables+data+kept+step, math.MaxInt64/2))
}

// checkFeatures returns an error for features of which DGI would have more parameters than there is memory for: their number
// is known when their file has been read, after the plan.
func checkFeatures(f *network.Features, o graphs.Options, limit uint64) error {
	need := 4 * 4 * float64(f.Columns) * float64(o.Dim)
	if limit > 0 && need > float64(limit) {
		return fmt.Errorf("experiments: features up to number %d need about %.0f MiB of memory with dim = %d, and there are %d: want smaller numbers of features, "+
			"without gaps, or a smaller dim", f.Columns-1, need/(1<<20), o.Dim, limit>>20)
	}
	return nil
}
