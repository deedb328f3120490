package hetnet

import (
	"errors"
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/plan"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// rowMap makes rows of a table of the same rows of others, by a graph over some of them at a time, and takes gradients back.
type rowMap struct {
	threads int
	workers []*rowMapWorker
	errs    []error
}

// rowMapWorker is the graph of mapRows rows, with its memory.
type rowMapWorker struct {
	forward, backward *plan.Plan
	in                [][]float32
	out, seed         []float32
	grads             [][]float32 // by in
}

// mapRows is how many rows a graph takes at a time: enough for long runs of its ops.
const mapRows = 64

// newRowMap returns the map that build makes of rows of the given shapes.
func newRowMap(threads int, build func(in []*G.Node) (*G.Node, error), shapes ...[]int) (*rowMap, error) {
	m := &rowMap{threads: threads}
	for range max(threads, 1) {
		w := &rowMapWorker{}
		g := G.NewGraph()
		var nodes []*G.Node
		for i, s := range shapes {
			shape := append([]int{mapRows}, s...)
			x := make([]float32, tensor.Shape(shape).TotalSize())
			w.in, nodes = append(w.in, x), append(nodes, graphs.FloatNode(g, tensor.Float32, fmt.Sprint("rows ", i), x, shape...))
		}
		out, err := build(nodes)
		if err != nil {
			return nil, err
		}
		w.seed = make([]float32, out.Shape().TotalSize())
		seed := graphs.FloatNode(g, tensor.Float32, "gradient", w.seed, out.Shape()...)
		if w.forward, err = plan.New(out); err != nil {
			return nil, err
		}
		grads, err := plan.Gradients([]*G.Node{out}, []*G.Node{seed}, nodes)
		if err != nil {
			return nil, err
		}
		if w.backward, err = plan.New(grads...); err != nil {
			return nil, err
		}
		w.out = w.forward.Floats(out)
		for _, n := range grads {
			w.grads = append(w.grads, w.backward.Floats(n))
		}
		m.workers = append(m.workers, w)
	}
	m.errs = make([]error, len(m.workers))
	return m, nil
}

// each calls run for n rows, some at a time, with a worker that has rows lo to hi-1 in its memory.
func (m *rowMap) each(n int, in []rowsOf, run func(w *rowMapWorker, lo, hi int) error) error {
	par.Blocks(m.threads, (n+mapRows-1)/mapRows, func(worker, block int) {
		w, lo := m.workers[worker], block*mapRows
		hi := min(lo+mapRows, n)
		for i, x := range w.in {
			width := len(x) / mapRows
			for v := lo; v < hi; v++ {
				copy(x[(v-lo)*width:][:width], in[i](v))
			}
		}
		if err := run(w, lo, hi); err != nil {
			m.errs[worker] = err
		}
	})
	return errors.Join(m.errs...)
}

// rowsOf returns the memory of a row.
type rowsOf func(i int) []float32

// values sets n rows of out to what the map makes of the rows of in.
func (m *rowMap) values(n int, out rowsOf, in ...rowsOf) error {
	return m.each(n, in, func(w *rowMapWorker, lo, hi int) error {
		if err := w.forward.Run(); err != nil {
			return err
		}
		width := len(w.out) / mapRows
		for v := lo; v < hi; v++ {
			copy(out(v), w.out[(v-lo)*width:][:width])
		}
		return nil
	})
}

// gradients calls do with the gradients by the rows of in that belong to each of n rows. seed sets dst to the gradient by that row of the map's result.
func (m *rowMap) gradients(n int, seed func(dst []float32, i int), do func(i int, grads [][]float32), in ...rowsOf) error {
	return m.each(n, in, func(w *rowMapWorker, lo, hi int) error {
		width := len(w.seed) / mapRows
		clear(w.seed)
		for v := lo; v < hi; v++ {
			seed(w.seed[(v-lo)*width:][:width], v)
		}
		if err := w.backward.Run(); err != nil {
			return err
		}
		each := make([][]float32, len(w.grads))
		for v := lo; v < hi; v++ {
			for i, g := range w.grads {
				n := len(g) / mapRows
				each[i] = g[(v-lo)*n:][:n]
			}
			do(v, each)
		}
		return nil
	})
}
