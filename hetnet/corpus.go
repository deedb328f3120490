package hetnet

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/walks"
)

// corpus is the walks of a network along one or several meta-paths, all over the same vertices: those with vectors of their own
// first, and then those with contents.
type corpus struct {
	walks.Source
	typed.Layout
	n *typed.Network
}

// newCorpus draws the walks that the options name, and keeps them. Vertices that are embedded are numbered also where no walk comes
// by.
func newCorpus(ctx context.Context, in Input, o graphs.Options, threads int) (*corpus, error) {
	in, err := in.as(o)
	if err != nil {
		return nil, err
	}
	n := in.Network
	free, _ := in.embedded()
	joined, err := metaPaths(n, o, free...)
	if err != nil {
		return nil, err
	}
	stored, err := walks.Store(ctx, joined, threads)
	return &corpus{stored, joined[0].Layout(), n}, err
}

// stream returns the batches of the windows around the centres of some types.
func (c *corpus) stream(ctx context.Context, o graphs.Options, batch int, types walks.Types) (*walks.Stream, error) {
	types.Start = c.Start
	return walks.NewStream(ctx, c, c.Vertices(), walks.StreamOptions{
		Window: o.Window, Negatives: o.Negatives, Batch: batch, Order: o.Order, Resample: o.Resample, Seed: o.Seed, Types: &types,
	})
}

// facts are what losses can read of the vertices: their links of all kinds, and their types.
func (c *corpus) facts() engine.Facts {
	f := engine.Facts{Degree: make([]float32, c.Vertices()), Type: make([]float32, c.Vertices())}
	for _, t := range c.Types {
		first := int(c.First(t))
		for v := range c.n.Vertices(t) {
			f.Type[first+v] = float32(t)
		}
	}
	count := func(t int, v int32) {
		if slices.Contains(c.Types, t) {
			f.Degree[c.First(t)+v]++
		}
	}
	for i, links := range c.n.Links {
		ends := c.n.Schema.Links[i]
		for j := range links.From {
			count(ends.From, links.From[j])
			count(ends.To, links.To[j])
		}
	}
	return f
}

// of says of each type of the layout whether it is one that is says so of.
func (c *corpus) of(is func(t int) bool) []bool {
	types := make([]bool, len(c.Types))
	for i, t := range c.Types {
		types[i] = is(t)
	}
	return types
}

// byContext are the types whose aspect the context tells, if it is to, and the others else.
func (c *corpus) byContext(does bool) []bool {
	return c.of(func(t int) bool { return c.n.Types[t].ByContext() == does })
}

// names returns the names of some types, for errors.
func (c *corpus) names(types []bool) string {
	var names []string
	for i, t := range c.Types {
		if types[i] {
			names = append(names, c.n.Types[t].Name)
		}
	}
	return strings.Join(names, " or ")
}

// readout says of each type whether an aspect is picked from the vertices of that type in a window; nil for all types. Where no type
// is called paper, which is the default, types with contents stand for it or, without these, all.
func (c *corpus) readout(context string) ([]bool, error) {
	switch {
	case context == ContextBoth, context == ContextPaper && c.n.Type(ContextPaper) < 0 && c.FreeVertices() == c.Vertices():
		return nil, nil
	case context == ContextPaper && c.n.Type(ContextPaper) < 0:
		return c.of(func(t int) bool { return c.n.Types[t].Content != typed.NoContent }), nil
	}
	on := make([]bool, len(c.n.Types))
	for name := range strings.SplitSeq(context, ",") {
		t := c.n.Type(strings.TrimSpace(name))
		if t < 0 {
			return nil, fmt.Errorf("hetnet: aspect-context = %q: no type %q: expected %s, or types of %s with commas", context, name, ContextBoth, c.n.Name)
		}
		if !slices.Contains(c.Types, t) {
			return nil, fmt.Errorf("hetnet: aspect-context = %q: %s is on no meta-path: expected %s, or types that windows can have", context, name, ContextBoth)
		}
		on[t] = true
	}
	return c.of(func(t int) bool { return on[t] }), nil
}

// together gives the batches of an epoch of some streams, one of each at a time, as long as all have any: of streams made by evenBatch
// nothing is left over but in corpora with more batches than pairs in a batch. The first batches, so many of each stream, are left out.
func together(ctx context.Context, pass uint64, first int, streams ...*walks.Stream) iter.Seq[[]*walks.Batch] {
	return func(yield func([]*walks.Batch) bool) {
		var more []func() (*walks.Batch, bool)
		for _, s := range streams[1:] {
			next, stop := iter.Pull(s.PassFrom(ctx, pass, first))
			defer stop()
			more = append(more, next)
		}
		for b := range streams[0].PassFrom(ctx, pass, first) {
			batches := []*walks.Batch{b}
			for _, next := range more {
				if b, ok := next(); ok {
					batches = append(batches, b)
				}
			}
			if len(batches) < len(streams) || !yield(batches) {
				return
			}
		}
	}
}

// firstBatches returns the first batches of some streams; nil where there are none, or ctx is cancelled.
func firstBatches(ctx context.Context, streams ...*walks.Stream) (batches []*walks.Batch) {
	for batches = range together(ctx, 1, 0, streams...) {
		break
	}
	return batches
}

// evenBatch returns the pairs of a batch of b for which its epoch has as many batches as that of a.
func evenBatch(a, b int64, batch int) int {
	steps := (a + int64(batch) - 1) / int64(batch)
	if steps == 0 {
		return batch
	}
	return int(max((b+steps-1)/steps, 1))
}

func noWindows(o graphs.Options, what string) error {
	return fmt.Errorf("hetnet: walks along %s have no window with %s in its middle: expected a meta-path that passes some", Own(o).MetaPaths, what)
}
