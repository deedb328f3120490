package hetnet

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/walks"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// hetPass is the loss of asp2vec-het with its gradients: terms of windows around authors and around papers, over tables that have rows for papers.
// What these rows are made of, and T, are graphs (hetloss.go).
type hetPass struct {
	*asp2vecHet
	authorTerms *engine.Terms // w L1 + λ reg
	paperTerms  *engine.Terms // L2; nil where no vertex's content tells its aspect

	t     *engine.Table // (N,1,D)
	final *encode.Graph // T of the free rows, by P and Q; nil without such rows or paperTerms

	aspects *aspectGraph // V of the used papers
}

func (m *asp2vecHet) newPass() (stepPass, error) {
	o, k, d := m.o, m.o.Aspects, m.o.Dim
	f := &hetPass{asp2vecHet: m, t: engine.NewTable("T", m.p.Rows, 1, d)}
	f.aspects = &aspectGraph{k: k, dim: d, heads: m.heads}
	var err error
	authors := engine.Model{P: m.p, Q: m.q, Weight: Own(o).AuthorWeight, Facts: m.facts, Threads: m.threads, Penalized: m.freeQ}
	if f.authorTerms, err = engine.NewTerms(graphs.ModelOf(pairOptions(o, graphs.MethodAsp2vec), authors)); err != nil || len(m.streams) == 1 {
		return f, err
	}
	f.final = m.newFinal()
	papers := engine.Model{P: m.p, Q: f.t, Facts: m.facts, Threads: m.threads}
	f.paperTerms, err = engine.NewTerms(graphs.ModelOf(pairOptions(o, graphs.MethodDeepWalk), papers))
	return f, err
}

// newFinal returns the graph from the free rows of P and Q to those of T (F,D); nil where there are none.
func (m *asp2vecHet) newFinal() *encode.Graph {
	if m.freeP.Rows == 0 {
		return nil
	}
	final := encode.NewGraph(m.freeP.Rows, m.o.Dim, func(g *G.ExprGraph) (*G.Node, []*G.Node, error) {
		params := engine.Nodes(g, tensor.Float32, m.freeP, m.freeQ)
		t, err := finalVectors(params[0], params[1])
		return t, params, err
	})
	return &final
}

func (f *hetPass) forward(vectors []float32, batches []*walks.Batch) (l engine.Loss, err error) {
	if err := f.enter(vectors); err != nil {
		return l, err
	}
	f.authorTerms.SetStep(f.fraction)
	if l, err = f.authorTerms.Forward(context.Background(), batches[0]); err != nil || f.paperTerms == nil {
		return l, err
	}
	f.paperTerms.SetStep(f.fraction)
	l2, err := f.paperTerms.Forward(context.Background(), batches[1])
	l.Pairs += l2.Pairs
	return l, err
}

// enter fills the rows of papers, given the vectors (U,D) of those that are used, and T.
func (f *hetPass) enter(vectors []float32) error {
	f.contents.put(f.p, vectors)
	f.contents.put(f.t, vectors)
	aspects, err := f.aspects.of(vectors)
	if err != nil {
		return err
	}
	f.contents.put(f.q, aspects)
	if f.final == nil {
		return nil
	}
	t, err := f.final.Vectors()
	copy(f.t.X, t)
	return err
}

// ofContents works out the gradients by what T, the places and the heads are made of too.
func (f *hetPass) ofContents() ([]float32, error) {
	k, d := f.o.Aspects, f.o.Dim
	if f.final != nil {
		clear(f.final.Grad)
		encode.EachRow(f.threads, f.freeP.Rows, func(v int) { f.paperTerms.AspectRow(f.final.Grad[v*d:][:d], v) })
		if err := f.final.Differentiate(); err != nil {
			return nil, err
		}
	}
	clear(f.aspects.Grad)
	encode.EachRow(f.threads, len(f.contents.used), func(i int) { f.authorTerms.AspectRow(f.aspects.Grad[i*k*d:][:k*d], int(f.contents.used[i])) })
	if err := f.aspects.Differentiate(); err != nil {
		return nil, err
	}
	ofAspects := f.aspects.Gradient(0)
	return f.contents.gradient(d, func(g []float32, i, v int) {
		if f.paperTerms != nil {
			f.paperTerms.CenterRow(g, v)
			f.paperTerms.AspectRow(g, v)
		}
		f.authorTerms.CenterRow(g, v) // of a paper that is in the middle of no such window, nothing
		kernel.Axpy(g, ofAspects[i*d:][:d], 1)
	}), nil
}

func (f *hetPass) penalty(table int) func(worker int, g []float32, rows []int32) float64 {
	if table != 1 {
		return nil
	}
	return f.authorTerms.Penalty()
}

func (f *hetPass) err() error { return f.authorTerms.Err() }

func (f *hetPass) row(table int, g []float32, v int) {
	switch table {
	case 2:
		copy(g, f.aspects.Gradient(1)[v*len(g):])
		return
	case 1:
		f.authorTerms.AspectRow(g, v)
	default:
		f.authorTerms.CenterRow(g, v)
	}
	if f.final != nil {
		kernel.Axpy(g, f.final.Gradient(table)[v*len(g):][:len(g)], 1)
	}
}

// aspectGraph makes V (U,K,D) of papers, and takes its gradients back: by their vectors, and by the heads. It is made anew for more papers than it has room for.
type aspectGraph struct {
	k, dim int
	heads  *engine.Table // nil for none

	x []float32 // (room,D)
	encode.Graph
}

// of returns V of papers with vectors (U,D).
func (a *aspectGraph) of(vectors []float32) ([]float32, error) {
	if len(vectors) > len(a.x) || a.x == nil {
		room := max(1, len(vectors)/a.dim*9/8)
		a.x = make([]float32, room*a.dim)
		a.Graph = encode.NewGraph(room, a.k*a.dim, func(g *G.ExprGraph) (*G.Node, []*G.Node, error) {
			params := []*G.Node{engine.FloatNode(g, tensor.Float32, "papers", a.x, room, a.dim)}
			var heads *G.Node
			if a.heads != nil {
				heads = a.heads.Node(g, tensor.Float32)
				params = append(params, heads)
			}
			v, err := aspectsOfPapers(params[0], heads, a.k)
			return v, params, err
		})
	}
	clear(a.x[copy(a.x, vectors):])
	v, err := a.Vectors()
	if err != nil {
		return nil, err
	}
	return v[:len(vectors)*a.k], nil
}
