package graphs

import (
	"context"
	"fmt"
)

// initMethods are the methods that another one can begin with the vectors of.
func initMethods() (names []string) {
	for _, m := range Methods() {
		names = append(names, m.Name)
	}
	return names
}

// beginsByMethod says whether the run begins with another method's vectors.
func (o Options) beginsByMethod() bool {
	return o.InitMethod != "" && o.Method != nil && o.Method.lists("init-method")
}

// initOptions are those of the method that a run begins with the vectors of: under the protocol standard, of the run's dimensions and seed.
func (o Options) initOptions() Options {
	first := OptionsOf(MethodOf(o.InitMethod), Standard)
	first.Dim, first.Seed = o.Dim, o.Seed
	return first
}

// Earlier returns the options of what is trained before a run for its inputs: of the vectors of words, and of those that it begins with.
func (o Options) Earlier() (all []Options) {
	if o.beginsByMethod() {
		all = append(all, o.initOptions())
	}
	if o.Method.Before != nil {
		all = append(all, o.Method.Before(o)...)
	}
	return all
}

// beginLength is the root mean square length of the vectors that another method begins with, near which those of a warm-up end: the lengths of a
// factorisation say nothing of what a sum over pairs would make them.
const beginLength = 0.5

// beginBy sets what a run begins with to the vectors of its init-method on the same links, if it has one.
func (in *Input) beginBy(ctx context.Context, o Options, threads int) error {
	switch {
	case !o.beginsByMethod():
		return nil
	case in.Begin != nil || in.Held != nil:
		return fmt.Errorf("graphs: init-method = %q of a run that begins with other vectors: expected one of them", o.InitMethod)
	}
	r, err := Train(ctx, Input{Network: in.Network, Features: in.Features}, o.initOptions(), threads, Monitor{})
	switch {
	case err != nil:
		return fmt.Errorf("init-method %s: %w", o.InitMethod, err)
	case r.Interrupted:
		return ctx.Err()
	}
	scaleRows(r.Embedding.Final, in.Network.Vertices(), beginLength)
	in.Begin = Beginning(r.Embedding.Final, o)
	return nil
}

// Beginning returns what Input.Begin is for a run that begins with one vector for each vertex (N,Dim): that one is the centre and all aspects, as
// after a warm-up, but for the run's aspect-noise.
func Beginning(vectors []float32, o Options) [][]float32 {
	n := len(vectors) / o.Dim
	aspects := NewTable("Q", n, o.Aspects, o.Dim)
	for v := range n {
		for row := aspects.Row(v); len(row) > 0; row = row[o.Dim:] {
			copy(row, vectors[v*o.Dim:][:o.Dim])
		}
	}
	aspects.Disturb(o.Seed, o.AspectNoise)
	return [][]float32{vectors, aspects.X}
}
