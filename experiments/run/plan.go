package run

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// Plan is what is known of a run before it begins.
type Plan struct {
	Memory int64          // bytes that it needs, about
	Recipe *graphs.Recipe // of the whole run, where it ends after a number of pairs; else nil
}

// NewPlan returns the plan of a run.
func NewPlan(d Data, o graphs.Options) Plan {
	o = o.Complete() // a table's or a sweep's may not be
	if d.network() != nil {
		return Plan{Memory: memoryOf(d.size(o), hetnet.ForSchema(o))}
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

// size is how large the data of a run are.
type size struct {
	vertices, links int // vertices with a vector of their own
	texts           int // and other vertices that are known by their contents
	tokens          int // of all texts, as far as they are read
	words           int // of the vocabulary
}

// add counts a text.
func (s *size) add(tokens int) {
	s.texts++
	s.tokens += tokens
}

// size counts vertices, links and words of a heterogeneous network, and of test papers.
func (d Data) size(o graphs.Options) size {
	n := d.network()
	s := size{words: len(n.Words)}
	if d.Bibliography != nil {
		for _, p := range d.Bibliography.Test {
			s.add(min(len(p.Text), hetnet.Own(o).TextLength))
			s.links += len(p.Own)
		}
	}
	for t := range n.Types {
		texts, f := n.Contents[t].Texts, n.Contents[t].Features
		for _, text := range texts {
			s.add(min(len(text), hetnet.Own(o).TextLength))
		}
		switch {
		case f != nil:
			s.texts += n.Vertices(t)
			s.links += len(f.Index)
		case len(texts) == 0:
			s.vertices += n.Vertices(t)
		}
	}
	for _, l := range n.Links {
		s.links += len(l.From)
	}
	return s
}

// What a run holds at once, in bytes. An estimate is never below the peak, since runs that together fit by it must fit. It is at most three
// times as high, and six times where there are texts.
const (
	fixedBytes  = 72 << 20 // of the program, with its stacks and what the system keeps for it
	linkBytes   = 64       // 8 in a list, up to 8 as arcs, twice in a list again where some are held out, and in a reader before
	vertexBytes = 160      // with its name, and the place of that

	// gcPercent is how much garbage there may be, of what is held. Most is held in few large arrays, which cost the collector little.
	gcPercent = 50
)

// limitGarbage has the process hold no more garbage than plans reckon with, unless GOGC says otherwise.
func limitGarbage() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// memoryOf estimates the memory of a run: its data, and what its method says that it needs, or tables, walks, the windows of a step and contents of
// vertices, which may be made anew beside the old ones.
func memoryOf(s size, o graphs.Options) int64 {
	bytes := linkBytes*float64(s.links) + vertexBytes*float64(s.vertices+s.texts)
	garbage := 1 + gcPercent/100.
	if need := o.Method.Bytes; need != nil {
		return int64(min(fixedBytes+garbage*bytes+need(s.vertices, s.links, o), math.MaxInt64/2))
	}
	batch := float64(o.Batch)
	if recipe, ok := o.Recipe(s.vertices, max(s.links, 1), 1); ok && !o.Method.Typed {
		batch = float64(recipe.Batch)
	}
	bytes += tableBytes(s, o) + walkBytes(s, o) + windowBytes(batch, o)
	if o.Method.Typed {
		bytes, garbage = bytes+contentBytes(s, o, batch), 2
	}
	return int64(min(fixedBytes+garbage*bytes, math.MaxInt64/2))
}

// vectorsOf returns how many vectors a vertex has in a model.
func vectorsOf(o graphs.Options) float64 {
	switch {
	case o.Is(graphs.MethodPolyDW): // facets as centres and as contexts
		return 2 * float64(o.Aspects)
	case o.Method.Reads("aspects"):
		return 1 + float64(o.Aspects)
	}
	return 2
}

// tableBytes are those of vectors, as centres and as contexts or aspects, with two moments, the best epoch and the result.
func tableBytes(s size, o graphs.Options) float64 {
	n, vectors, copies := float64(s.vertices), vectorsOf(o), 2.0
	if o.Is(graphs.MethodSplitter) { // of personas, of which a vertex has as many as its neighbours fall apart into
		n = min(4*n, n+float64(s.links))
	}
	if o.WarmUp || o.Is(graphs.MethodSplitter) { // whose tables stand beside the model's
		vectors += 2
	}
	copies += float64(graphs.Optimizers.Get(o.Optimizer).Moments)
	if o.Select != graphs.SelectLast {
		copies++
	}
	return 4 * n * float64(o.Dim) * vectors * copies
}

// walkBytes are those of walks that are kept, those of a warm-up among them.
func walkBytes(s size, o graphs.Options) float64 {
	const small = 64 << 20
	bytes := 4 * float64(s.vertices) * float64(o.Walks) * float64(o.Length)
	if o.WalksInMemory == "true" || o.WalksInMemory != "false" && (o.Order == walks.Grouped || bytes <= small) {
		return 2 * bytes
	}
	return 0
}

// windowBytes are those of two batches of windows with so many pairs, with their indices and sorted, and with gradients.
func windowBytes(pairs float64, o graphs.Options) float64 {
	slots := 1.1
	if o.Shrink { // so that windows have more slots than pairs
		slots = 2
	}
	if o.Is(graphs.MethodSplitter) { // whose warm-up has others
		slots *= 2
	}
	return pairs * (slots*(1+float64(o.Negatives))*(38+4.5*vectorsOf(o)) + 9*float64(o.Dim)/float64(o.Window+1))
}

// contentBytes are those of texts and features, and of what a step makes of them, beside the vectors that it found.
func contentBytes(s size, o graphs.Options, batch float64) float64 {
	own, vectors, dim, wordDim := hetnet.Own(o), vectorsOf(o), float64(o.Dim), float64(hetnet.Own(o).WordDim)
	n, texts, tokens, words := float64(s.vertices), float64(s.texts), float64(s.tokens), float64(s.words)
	bytes := 8*(n+texts)*dim*vectors + 16*texts*(dim+float64(own.FeatureHidden)) + 4*tokens
	bytes += 4*words*wordDim*7 + 8*wordDim*(texts+2*n+2*batch) // words are learnt before, in two tables with moments
	encoded := 2 * batch                                       // texts of a step
	if !o.Is(hetnet.MethodCamel) && !o.Is(hetnet.MethodTaPEm) {
		encoded *= 1 + float64(o.Negatives)
	}
	if o.Is(hetnet.MethodTaPEm) { // has a graph for each length of paths
		window, steps := float64(o.Window), max(float64(s.links)/2/batch, 1) // some links are of test papers
		paths := n * float64(o.Walks) * float64(o.Length) / 2 * own.ContextRatio / steps
		bytes += 4 * 30 * (2*batch*window + paths*window*window) * (dim + 100)
		encoded += paths * (window + 1) * (window + 1)
	}
	encoded = texts * (1 - math.Exp(-encoded/max(texts, 1))) // without those that are there twice
	bytes += 32 * vectors * dim * encoded
	if own.Encoder != hetnet.EncoderMean && texts > 0 { // four gates and the state of each token
		read := encoded * tokens / texts
		bytes += 20*dim*(read+min(tokens, encode.WordsAtOnce)) + 4*(wordDim+7*dim)*min(read, words) + 4*32*3*dim*dim
	}
	return bytes
}

// checkFeatures returns an error for features of which DGI would have more parameters than there is memory for: their number
// is known when their file has been read, after the plan.
func checkFeatures(f *network.Features, o graphs.Options, limit uint64) error {
	need := 4 * 4 * float64(f.Columns) * float64(o.Dim)
	if limit > 0 && need > float64(limit) {
		return fmt.Errorf("experiments: features up to number %d need about %.0f MiB of memory with dim = %d, and there are %d: expected smaller numbers of features, "+
			"without gaps, or a smaller dim", f.Columns-1, need/(1<<20), o.Dim, limit>>20)
	}
	return nil
}
