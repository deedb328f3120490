package graphs

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// sampleVertices is the size of the network on which gradients are checked.
const sampleVertices = 16

// sampleTables returns random tables of the model's shape. The aspects of a vertex share a vector, with either sign, under
// noise that grows from vertex to vertex, so that their cosines lie on both sides of any threshold.
func sampleTables(o Options, std float64) (p, q *engine.Table) {
	p, q = engine.NewTable("P", sampleVertices, o.Dim), engine.NewTable("Q", sampleVertices, o.Aspects, o.Dim)
	p.InitNormal(o.Seed, std)
	q.InitNormal(o.Seed, std)
	for v := range q.Rows {
		shared := p.Row((v + 1) % p.Rows)
		noise := float32(v+1) / float32(q.Rows)
		row := q.Row(v)
		for i := range row {
			sign := float32(1 - i/o.Dim%3%2*2)
			row[i] = noise*row[i] + (1-noise)*sign*shared[i%o.Dim]
		}
	}
	return p, q
}

// sampleModel returns the model of the options over such tables, with those that entries learn, with random numbers.
func sampleModel(o Options, std float64) engine.Model {
	m := engine.Model{Weight: 1, Threads: 1, Anchor: sampleAnchor(o), Learned: o.learnedTables(sampleVertices)}
	m.P, m.Q = sampleTables(o, std)
	for _, t := range m.Learned {
		t.Disturb(o.Seed, 0.3)
	}
	return ModelOf(o, m)
}

// sampleNetwork returns a ring with chords.
func sampleNetwork(vertices int) (*network.Network, error) {
	names := make([]string, vertices)
	var links []network.Link
	for v := range vertices {
		names[v] = fmt.Sprint(v)
		for _, step := range []int{1, 3} {
			links = append(links, network.Link{From: int32(v), To: int32((v + step) % vertices)})
		}
	}
	return network.New(names, links, nil, false)
}

// sampleBatch returns a batch of the model's shape, over a sampleNetwork. It has what a loss may stumble over: windows that reach as far
// as they may, vertex 0, whose degree is 0, in the middle of the first, and one vertex as all negatives of a pair.
func sampleBatch(o Options, vertices int) (*walks.Batch, error) {
	net, err := sampleNetwork(vertices)
	if err != nil {
		return nil, err
	}
	src, err := walks.NewUniform(net, walks.Options{PerVertex: 1, Length: max(7, 2*o.Window+1), Seed: o.Seed})
	if err != nil {
		return nil, err
	}
	s, err := walks.NewStream(context.Background(), src, vertices, walks.StreamOptions{
		Window: o.Window, Negatives: o.Negatives, Batch: math.MaxInt32, Order: walks.Shuffled, Seed: o.Seed,
	})
	if err != nil {
		return nil, err
	}
	for b := range s.Pass(context.Background(), 0) {
		turn := int32(vertices) - b.Center[0]
		for _, ids := range [][]int32{b.Center, b.Context, b.Negative} {
			for i := range ids {
				ids[i] = (ids[i] + turn) % int32(vertices)
			}
		}
		pair := b.Negative[int(b.First[0])*b.Negatives:][:b.Negatives]
		for i := range pair {
			pair[i] = pair[0]
		}
		b.Index.Build(b, vertices)
		return b, nil
	}
	return nil, fmt.Errorf("graphs: no batch from %d vertices", vertices)
}

// SampleStep is the fraction of the training at which gradients are checked.
const SampleStep = 0.5

// sampleFacts are those of the vertices of that network: for all that it matters, each has another degree.
func sampleFacts() engine.Facts {
	f := engine.Facts{Degree: make([]float32, sampleVertices), Type: make([]float32, sampleVertices)}
	for v := range f.Degree {
		f.Degree[v], f.Type[v] = float32(v%4), float32(v%2)
	}
	return f
}

// sampleAnchor returns an anchor for the network on which gradients are checked, if the method has one:
// two centres for each owner.
func sampleAnchor(o Options) *engine.Anchor {
	if !o.Is(MethodSplitter) {
		return nil
	}
	a := &engine.Anchor{Base: engine.NewTable("base", sampleVertices/2, 1, o.Dim), Owner: make([]int32, sampleVertices), Lambda: max(o.Lambda, 0.1)}
	a.Base.InitNormal(o.Seed, 0.5)
	for v := range a.Owner {
		a.Owner[v] = int32(v / 2)
	}
	return a
}
