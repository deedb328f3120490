package engine

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/memory"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/plan"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// A blockWorker runs the graph of a loss over a block of windows. The graph is cut where it reads the tables:
//
//   - inner products of centres with contexts, or with negatives, become inputs, which kernel.Dots computes without gathering rows;
//   - inner products with a weighted mean of contexts are the weighted means of their inner products;
//   - rows that anything else reads become inputs too: these are gathered.
//
// All between is the graph's own ops, forward and backward.
type blockWorker struct {
	t         Model
	windows   *Windows
	plan      *plan.Plan
	loss      []float32   // its only number
	values    [][]float32 // of what a penalty of the batch reads, and dL/d of these, which the worker is given
	dValues   [][]float32
	center    cutRows // only rows: scores are of pairs of rows
	context   cutRows
	negative  cutRows
	learned   []cutRows // only rows
	slots     int
	negatives int
	prefetch  bool
	_         par.Pad
}

// cutRows are the inputs at which a graph is cut for rows of one kind, and the gradients by these; nil for none.
type cutRows struct {
	scores, dScores []float32 // (rows,K)
	rows, dRows     []float32 // (rows,K,D); (rows,D) of centres
}

// newBlockWorker builds the graph of a loss, with a place for the gradient of each thing that a penalty reads, and without gradients if only
// these things are wanted.
func newBlockWorker(t Model, read []stateNode, gradients bool) (*blockWorker, error) {
	k := t.Q.Block[0]
	w := &blockWorker{
		t: t, windows: NewWindows(t.Shape, t.Block, k, t.Anchor),
		slots: 2 * t.Shape.Window, negatives: t.Shape.Negatives,
	}
	g := G.NewGraph()
	c := &cutter{p: t.P.Node(g, tensor.Float32), q: t.Q.Node(g, tensor.Float32), in: w.windows.Nodes(g, tensor.Float32, "")}
	var err error
	if c.learned, err = c.in.Learn(g, tensor.Float32, t.Learned); err != nil {
		return nil, err
	}
	c.learnedRows, w.learned = make([]*G.Node, len(t.Learned)), make([]cutRows, len(t.Learned))
	loss, state, err := t.Pairs(c.p, c.q, c.in)
	if err != nil {
		return nil, err
	}
	c.Copier = plan.Copier{To: G.NewGraph(), Replace: c.replace}
	if loss, err = c.Copy(loss); err != nil {
		return nil, err
	}
	var results, seeds []*G.Node
	if gradients {
		results, seeds = []*G.Node{loss}, []*G.Node{c.To.AddNode(G.NewConstant(float32(t.Weight), G.WithName("weight of the pairs")))}
	}
	for _, of := range read {
		n, err := c.Copy(*of(&state))
		if err != nil {
			return nil, err
		}
		results = append(results, n)
		seed := make([]float32, n.Shape().TotalSize())
		seeds, w.dValues = append(seeds, FloatNode(c.To, tensor.Float32, fmt.Sprint("seed ", len(seeds)), seed, n.Shape()...)), append(w.dValues, seed)
	}
	leaves := c.leaves()
	derived := make([][]float32, len(leaves))
	if gradients {
		w.plan, derived, err = differentiated(results, seeds, leaves)
	} else {
		w.plan, err = plan.New(results...)
	}
	if err != nil {
		return nil, err
	}
	w.loss = w.plan.Floats(loss)
	for _, n := range results[len(results)-len(read):] {
		w.values = append(w.values, w.plan.Floats(n))
	}
	w.bind(c, leaves, derived)
	w.windows.readBy(func(n *G.Node) bool { return n != nil && w.plan.Reads(c.copied(n)) }, c.in)
	return w, nil
}

// newBlockWorkers returns a worker for each thread.
func newBlockWorkers(t Model, read []stateNode, gradients bool) (all []*blockWorker, err error) {
	for range max(t.Threads, 1) {
		w, err := newBlockWorker(t, read, gradients)
		if err != nil {
			return nil, err
		}
		all = append(all, w)
	}
	return all, nil
}

// bind sets the worker's inputs to those at which the graph was cut, with the gradients by these.
func (w *blockWorker) bind(c *cutter, leaves []*G.Node, derived [][]float32) {
	for i, n := range leaves {
		x, dx := w.plan.Floats(n), derived[i]
		if x == nil { // it has been cut out of what is not wanted
			continue
		}
		switch n {
		case c.scores[ofContext]:
			w.context.scores, w.context.dScores = x, dx
		case c.scores[ofNegative]:
			w.negative.scores, w.negative.dScores = x, dx
		case c.rows[ofCenter]:
			w.center.rows, w.center.dRows = x, dx
		case c.rows[ofContext]:
			w.context.rows, w.context.dRows = x, dx
		case c.rows[ofNegative]:
			w.negative.rows, w.negative.dRows = x, dx
		default:
			at := slices.Index(c.learnedRows, n)
			w.learned[at] = cutRows{rows: x, dRows: dx}
		}
	}
}

// fill sets the inputs of the graph to windows lo to hi-1 of a batch, and from (W,D) to their centres. Slots that are not used, and windows beyond, have the scores of others.
func (w *blockWorker) fill(b *walks.Batch, lo, hi int, f Facts, from []float32) {
	w.windows.Fill(b, lo, hi, f)
	t, slots, m := w.t, w.slots, w.negatives
	k, d := t.Q.Block[0], t.Q.Block[1]
	for i := range t.Block {
		at := lo + i
		if at >= hi {
			w.pad(i)
			continue
		}
		if w.prefetch && at+1 < b.Windows() {
			w.prefetchWindow(b, at+1)
		}
		x := from[at*d:][:d]
		copy(x, t.P.Row(int(b.Center[at])))
		used, first, last := int(b.Count[at]), int(b.First[at]), int(b.Last[at])
		if w.context.scores != nil {
			scores := w.context.scores[i*slots*k:][:slots*k]
			kernel.Dots(scores, x, t.Q.X, b.Context[at*slots:][:used], k, d)
			repeat(scores, first*k, k, used*k, slots*k)
		}
		if w.negative.scores != nil {
			scores := w.negative.scores[i*slots*m*k:][:slots*m*k]
			kernel.Dots(scores[first*m*k:], x, t.Q.X, b.Negative[at*slots*m+first*m:at*slots*m+last*m], k, d)
			repeat(scores, first*m*k, m*k, 0, first*m*k)
			repeat(scores, first*m*k, m*k, last*m*k, slots*m*k)
		}
		if w.center.rows != nil {
			copy(w.center.rows[i*d:][:d], x)
		}
		for j, learned := range t.Learned {
			gather(w.learned[j].rows, i, learned, []int32{b.Center[at] % int32(learned.Rows)})
		}
		gather(w.context.rows, i*slots, t.Q, b.Context[at*slots:][:slots])
		gather(w.negative.rows, i*slots*m, t.Q, b.Negative[at*slots*m:][:slots*m])
	}
}

// pad gives window i of the block the inputs of the first.
func (w *blockWorker) pad(i int) {
	all := [][]float32{w.context.scores, w.context.rows, w.negative.scores, w.negative.rows, w.center.rows}
	for _, l := range w.learned {
		all = append(all, l.rows)
	}
	for _, x := range all {
		n := len(x) / w.t.Block
		copy(x[i*n:][:n], x)
	}
}

// repeat fills places lo to hi-1 with the n numbers from a place on, over and over.
func repeat(x []float32, from, n, lo, hi int) {
	for ; lo < hi; lo += n {
		copy(x[lo:lo+n], x[from:])
	}
}

// gather copies rows of a table to dst (.,K,D) from row at on.
func gather(dst []float32, at int, t *Table, rows []int32) {
	if dst == nil {
		return
	}
	width := t.Width()
	for i, v := range rows {
		copy(dst[(at+i)*width:][:width], t.Row(int(v)))
	}
}

// prefetchWindow asks for the rows that fill reads for window at.
func (w *blockWorker) prefetchWindow(b *walks.Batch, at int) {
	memory.Prefetch(w.t.P.Row(int(b.Center[at])))
	for _, v := range b.Context[at*b.Slots:][:b.Count[at]] {
		memory.Prefetch(w.t.Q.Row(int(v)))
	}
	for _, v := range b.Negative[(at*b.Slots+int(b.First[at]))*b.Negatives : (at*b.Slots+int(b.Last[at]))*b.Negatives] {
		memory.Prefetch(w.t.Q.Row(int(v)))
	}
}

// kinds of rows by what looks them up.
const (
	ofCenter = iota
	ofContext
	ofNegative
	rowKinds
)

// cutter copies the graph of a loss, and cuts it.
type cutter struct {
	plan.Copier
	p, q         *G.Node // tables, in the graph as it was built
	in           Inputs
	scores, rows [rowKinds]*G.Node // inputs of the copy
	learned      []*G.Node         // tables that entries learn, and the inputs of the copy for their rows
	learnedRows  []*G.Node
}

// leaves returns the inputs at which the graph is cut, in a fixed order.
func (c *cutter) leaves() []*G.Node {
	return slices.DeleteFunc(slices.Concat(c.scores[:], c.rows[:], c.learnedRows), func(n *G.Node) bool { return n == nil })
}

// copied returns what stands for an input in the copy; the input itself, which the copy does not have, if nothing does.
func (c *cutter) copied(n *G.Node) *G.Node {
	if x := c.Done(n); x != nil {
		return x
	}
	return n
}

// replace is the copier's.
func (c *cutter) replace(n *G.Node) (*G.Node, error) {
	if n == c.p || n == c.q || slices.Contains(c.learned, n) {
		return nil, fmt.Errorf("engine: the loss of pairs reads the whole of table %s: expected layers.Lookup by Center of P, or by Context or Negative of Q", n.Name())
	}
	if kind, ok := c.lookedUp(n); ok {
		return c.leaf(&c.rows[kind], fmt.Sprint("rows ", kind), n.Shape()), nil
	}
	if op.KindOf(n) == op.LookupKind {
		if at := slices.Index(c.learned, op.Children(n)[0]); at >= 0 {
			return c.leaf(&c.learnedRows[at], c.learned[at].Name(), n.Shape()), nil
		}
	}
	if op.KindOf(n) != op.RowDotsKind {
		return nil, nil
	}
	children := op.Children(n)
	center, rows := children[0], children[1]
	if kind, ok := c.lookedUp(center); !ok || kind != ofCenter {
		return nil, nil
	}
	if kind, ok := c.lookedUp(rows); ok && kind != ofCenter {
		return c.score(kind, n.Shape()...), nil
	}
	if op.KindOf(rows) != op.BagMeanKind {
		return nil, nil
	}
	bag := op.Children(rows)
	if kind, ok := c.lookedUp(bag[0]); !ok || kind != ofContext {
		return nil, nil
	}
	weight, err := c.Copy(bag[1])
	if err != nil {
		return nil, err
	}
	return op.BagMean(c.score(ofContext, bag[0].Shape()[0], n.Shape()[1]), weight) // an inner product with a mean is the mean of inner products
}

// lookedUp says whether a node is rows of a table, and by what they are looked up.
func (c *cutter) lookedUp(n *G.Node) (kind int, ok bool) {
	if op.KindOf(n) != op.LookupKind {
		return 0, false
	}
	children := op.Children(n)
	switch table, index := children[0], children[1]; {
	case table == c.p && index == c.in.Center:
		return ofCenter, true
	case table == c.q && index == c.in.Context:
		return ofContext, true
	case table == c.q && index == c.in.Negative:
		return ofNegative, true
	}
	return 0, false
}

// score returns the input for inner products, of a shape, of centres with rows of a kind.
func (c *cutter) score(kind int, shape ...int) *G.Node {
	return c.leaf(&c.scores[kind], fmt.Sprint("scores ", kind), shape)
}

func (c *cutter) leaf(at **G.Node, name string, shape []int) *G.Node {
	if *at == nil {
		*at = FloatNode(c.To, tensor.Float32, name, make([]float32, tensor.Shape(shape).TotalSize()), shape...)
	}
	return *at
}

// stateNode picks one of a State's nodes.
type stateNode func(s *losses.State) **G.Node

// stateNodes are those that depend on parameters.
var stateNodes = []stateNode{
	func(s *losses.State) **G.Node { return &s.Pos },
	func(s *losses.State) **G.Node { return &s.Neg },
	func(s *losses.State) **G.Node { return &s.Logits },
	func(s *losses.State) **G.Node { return &s.Prob },
}
