package run

import (
	"fmt"
	"math"
	"os"
	"runtime/debug"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
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
	if d.Bibliography != nil {
		return Plan{Memory: memoryOf(bibliographySize(d.Bibliography, o), o)}
	}
	if d.Typed != nil {
		return Plan{Memory: memoryOf(typedSize(d.Typed, o), hetnet.ForSchema(o))}
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
	tokens, longest int // of all texts, and of one, as far as they are read
	words           int // of the vocabulary
}

// add counts a text.
func (s *size) add(tokens int) {
	s.texts++
	s.tokens += tokens
	s.longest = max(s.longest, tokens)
}

// bibliographySize counts what typedSize does, and test papers.
func bibliographySize(b *papers.Bibliography, o graphs.Options) size {
	s := typedSize(b.Network, o)
	for _, p := range b.Test {
		s.add(min(len(p.Tokens), hetnet.Own(o).TextLength))
		s.links += len(p.Authors)
	}
	return s
}

// typedSize counts vertices, links and words of a heterogeneous network.
func typedSize(n *typed.Network, o graphs.Options) size {
	s := size{words: len(n.Words)}
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

// What a run holds at once, in bytes. An estimate is to be at most twice the peak, and never below it: runs that together fit by it must fit.
const (
	fixedBytes  = 64 << 20 // of the program, with its stacks and what the system keeps for it
	linkBytes   = 64       // 8 in a list, up to 8 as arcs, twice in a list again where some are held out, and in a reader before
	vertexBytes = 160      // with its name, and the place of that
	slotBytes   = 38       // 13 in each of two batches with its index, and 12 where it is sorted

	// gcPercent is how much garbage there may be, of what is held. Most is held in few large arrays, which cost the collector little.
	gcPercent = 50
	garbage   = 1 + gcPercent/100.
)

// limitGarbage has the process hold no more garbage than plans reckon with, unless GOGC says otherwise.
func limitGarbage() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(gcPercent)
	}
}

// held is what a run holds.
type held struct {
	size
	o     graphs.Options
	bytes float64 // that stay
	grown float64 // of these, of arrays that are made anew where a step has more in it, beside the old ones
}

// memoryOf estimates the memory of a run: the network, its tables with moments and the best epoch, walks, and what a step holds.
func memoryOf(s size, o graphs.Options) int64 {
	h := held{size: s, o: o, bytes: linkBytes*float64(s.links) + vertexBytes*float64(s.vertices+s.texts)}
	if need := o.Method.Bytes; need != nil {
		h.bytes += need(s.vertices, s.links, o) * 2 / garbage // all of it may be made anew
	} else if o.Method.Typed {
		h.addTyped()
	} else {
		h.addTables(s.vertices, o.Dim, o.Aspects)
		h.addPairs(o)
	}
	return int64(min(fixedBytes+garbage*h.bytes+(2-garbage)*h.grown, math.MaxInt64/2))
}

// addTables counts tables of vectors of some vertices, as centres and as contexts or aspects.
func (h *held) addTables(vertices, dim, aspects int) {
	n, own, of := float64(vertices), h.o, 1.0
	switch {
	case own.Method.Reads("aspects"):
		of = float64(aspects)
	case own.Is(graphs.MethodSplitter): // of personas, of which a vertex has as many as its neighbours fall apart into
		n = min(4*n, n+float64(h.links))
	}
	vectors := 1 + of
	if own.Is(graphs.MethodPolyDW) { // facets have both
		vectors = 2 * of
	}
	copies := 1.0
	if own.Optimizer != graphs.OptimizerSGD {
		copies += 2 // moments
	}
	if own.Select != graphs.SelectLast {
		copies++
	}
	if own.WarmUp || own.Is(graphs.MethodSplitter) { // whose tables stand beside the model's
		vectors += 2
	}
	h.bytes += 4 * n * float64(dim) * (copies*vectors + 1) // with the result
}

// addPairs counts walks, and the windows of a step of pairs.
func (h *held) addPairs(o graphs.Options) {
	n, stages := float64(h.vertices), 1.0
	if o.Is(graphs.MethodSplitter) { // whose warm-up has walks of its own
		stages = 2
	}
	if tokens := n * float64(o.Walks) * float64(o.Length); keepsWalks(o, tokens) {
		h.bytes += 2 * 4 * tokens * stages
	}
	batch := float64(o.Batch)
	if recipe, ok := o.Recipe(h.vertices, max(h.links, 1), 1); ok {
		batch = float64(recipe.Batch)
	}
	h.addWindows(batch*stages, o)
}

// addWindows counts what there is of windows with so many pairs.
func (h *held) addWindows(pairs float64, o graphs.Options) {
	aspects, perWindow, slots := 1.0, 2*float64(o.Window), 1.1
	if o.Method.Reads("aspects") {
		aspects = float64(o.Aspects)
	}
	if o.Shrink { // so that windows have more slots than pairs
		slots, perWindow = 2*float64(o.Window)/float64(o.Window+1), float64(o.Window+1)
	}
	const slack = 9 / 8.
	h.bytes += pairs * ((1+float64(o.Negatives))*slots*(slotBytes+slack*4*aspects) + slack*8*float64(o.Dim)/perWindow)
}

// keepsWalks says whether walks of so many vertices are kept in memory.
func keepsWalks(o graphs.Options, tokens float64) bool {
	const small = 64 << 20
	return o.WalksInMemory == "true" || o.WalksInMemory != "false" && (o.Order == walks.Grouped || 4*tokens <= small)
}

// addTyped counts what methods on vertices of several types, papers and authors among them, hold.
func (h *held) addTyped() {
	o, own := h.o, hetnet.Own(h.o)
	n, texts, dim, wordDim := float64(h.vertices), float64(h.texts), float64(o.Dim), float64(own.WordDim)
	vectors, pairs := 1.0, o.Is(hetnet.MethodM2V) || o.Is(hetnet.MethodMetapath2vec)
	if o.Method.Reads("aspects") {
		vectors, pairs = float64(o.Aspects+1), true
	}
	copies := 4.0 // the vectors, moments, and the result
	if o.Select != graphs.SelectLast {
		copies++
	}
	if o.WarmUp {
		h.bytes += 4 * n * dim * copies
	}
	h.bytes += 4 * n * dim * copies * vectors

	batch := float64(o.Batch)
	if pairs { // of all vertices a step has the vectors as it found them, and gradients of some
		h.bytes += 2*4*(n+texts)*dim*vectors + 4*n*float64(o.Walks)*float64(o.Length)
		h.bytes += 4 * 4 * texts * (dim + float64(own.FeatureHidden)) // of contents, with gradients and the result
		h.addWindows(batch, o)
	}
	if h.words == 0 {
		return
	}
	h.bytes += 4*float64(h.tokens) + 4*float64(h.words)*wordDim
	if own.WordVectors == "" { // which are learnt before: two tables, with moments
		h.bytes += 4 * float64(h.words) * wordDim * 6
	}
	h.bytes += 4 * 4 * texts * dim           // their vectors, with gradients and the result
	if own.Authors == hetnet.AuthorsPapers { // with all of their papers, and without those in the windows of a step
		h.bytes += 2*4*wordDim*(2*n+2*batch) + 4*5*vectors*dim*2*batch
	}
	encoded := 2 * batch // texts of a step: of direct and of indirect pairs
	switch {
	case pairs: // of contexts and negatives, half of which have no text
		encoded = batch * (1 + float64(o.Negatives))
		if o.WarmUp {
			encoded *= 2
		}
	case o.Is(hetnet.MethodTaPEm):
		encoded = h.addPaths(batch)
	}
	encoded = texts * (1 - math.Exp(-encoded/max(texts, 1))) // without those that are there twice
	if vectors > 1 {
		h.grow(8 * 4 * vectors * dim * encoded)
	}
	if own.Encoder == hetnet.EncoderMean {
		h.bytes += 2 * 4 * wordDim * texts // of each text, and of those of a step
		return
	}
	const perToken = 4 * 5 // numbers of a vector: four of gates, and the state
	tokens := encoded * float64(h.tokens) / max(texts, 1)
	h.grow(perToken * dim * tokens)
	h.bytes += perToken*dim*min(float64(h.tokens), encode.WordsAtOnce) + 4*(wordDim+7*dim)*min(tokens, float64(h.words)) + 4*32*3*dim*dim
}

// grow counts arrays that grow with the steps.
func (h *held) grow(bytes float64) { h.bytes, h.grown = h.bytes+bytes, h.grown+bytes }

// addPaths counts the graphs of TaPEm, one for each length of paths, and returns how many texts its steps have, with those of a warm-up.
func (h *held) addPaths(batch float64) (encoded float64) {
	const pairDim, copies = 100, 80 // of the vectors of a pair, in its graph
	o := h.o
	window, steps := float64(o.Window), max(float64(h.links)/2/batch, 1) // some links are of test papers
	for length := 4.0; length <= 2*window; length += 2 {
		all := float64(h.vertices) * float64(o.Walks) * max(float64(o.Length)-length, 2) / 2 * (2*window - length + 2)
		paths := all * hetnet.Own(o).ContextRatio / steps
		h.bytes += 4 * copies * (2*batch + paths) * float64(o.Dim+pairDim)
		encoded = max(encoded, batch+paths*length)
	}
	if o.WarmUp {
		encoded += 2 * batch
	}
	return encoded
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
