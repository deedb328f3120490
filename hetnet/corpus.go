package hetnet

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/walks"
)

// corpus is the walks of a bibliography along one or several meta-paths, all over the same vertices: authors first, then
// venues if any path has them, and then the training papers in the order of Bibliography.Train.
type corpus struct {
	walks.Source
	start []int32 // first vertex of each type, and the number of all
	kinds string  // of the types, "AP" or "AVP"
}

// newCorpus draws the walks that the options name, and keeps them.
func newCorpus(ctx context.Context, b *Bibliography, o graphs.Options, threads int) (*corpus, error) {
	c := &corpus{kinds: "AP"}
	var joined joinedWalks
	paths, err := metaPaths(b, o)
	if err != nil {
		return nil, err
	}
	for _, path := range paths {
		if path.Kinds() != "AP" {
			c.kinds = path.Kinds()
		}
		joined.paths = append(joined.paths, path)
	}
	venues := 0
	if c.kinds == "AVP" {
		venues = len(b.Venues)
	}
	c.start = starts(len(b.Authors), venues, len(b.Train), c.kinds)
	joined.authors, joined.venues = int32(len(b.Authors)), int32(venues)
	stored, err := walks.Store(ctx, &joined, threads)
	c.Source = stored
	return c, err
}

// starts returns where each type begins, and the number of vertices.
func starts(authors, venues, papers int, kinds string) []int32 {
	if kinds == "AVP" {
		return []int32{0, int32(authors), int32(authors + venues), int32(authors + venues + papers)}
	}
	return []int32{0, int32(authors), int32(authors + papers)}
}

// joinedWalks are the walks of several meta-paths, one path after the other.
type joinedWalks struct {
	paths           []*MetaPath
	authors, venues int32
}

func (j *joinedWalks) Walks() (n int) {
	for _, p := range j.paths {
		n += p.Walks()
	}
	return n
}

func (j *joinedWalks) MaxLength() (n int) {
	for _, p := range j.paths {
		n = max(n, p.MaxLength())
	}
	return n
}

// Walk returns walk i. A path without venues leaves no numbers for them; here all paths have the same numbers.
func (j *joinedWalks) Walk(i int, buf []int32) []int32 {
	for _, p := range j.paths {
		if i >= p.Walks() {
			i -= p.Walks()
			continue
		}
		walk := p.Walk(i, buf)
		if j.venues > 0 && p.Kinds() == "AP" {
			for at, v := range walk {
				if v >= j.authors {
					walk[at] += j.venues
				}
			}
		}
		return walk
	}
	return nil
}

// stream returns the batches of the windows around the centres of some types.
func (c *corpus) stream(ctx context.Context, o graphs.Options, batch int, types walks.Types) (*walks.Stream, error) {
	types.Start = c.start
	return walks.NewStream(ctx, c, int(c.start[len(c.start)-1]), walks.StreamOptions{
		Window: o.Window, Negatives: o.Negatives, Batch: batch, Order: o.Order, Resample: o.Resample, Seed: o.Seed, Types: &types,
	})
}

// of says of each type whether it is one of those that letters name.
func (c *corpus) of(letters string) []bool {
	is := make([]bool, len(c.kinds))
	for i, kind := range c.kinds {
		is[i] = strings.ContainsRune(letters, kind)
	}
	return is
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

// evenBatch returns the pairs of a batch of b for which its epoch has as many batches as that of a.
func evenBatch(a, b int64, batch int) int {
	steps := (a + int64(batch) - 1) / int64(batch)
	if steps == 0 {
		return batch
	}
	return int(max((b+steps-1)/steps, 1))
}

func noWindows(o graphs.Options, what string) error {
	return fmt.Errorf("hetnet: walks along %s have no window with %s in its middle: want a meta-path that passes some", Own(o).MetaPaths, what)
}
