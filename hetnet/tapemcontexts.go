package hetnet

import (
	"context"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// contexts are the context paths of a corpus of APA walks: what lies between an author and a later paper, both included, for
// every window and every such pair in it that is more than a step apart. A pair that several windows hold is there several
// times. Paths have an even number of vertices, from 4 to twice the window.
type contexts struct {
	walks   *walks.Stored
	window  int
	authors int32 // vertices from here on are papers
	lengths []int // that paths have
	counts  []int // of paths of each length
	seed    uint64
}

// contextPair is a context path, and another one of as many vertices to tell it from.
type contextPair struct{ path, other []int32 }

// newContexts returns an error if no walk is long enough for a context path, or ctx's.
func newContexts(ctx context.Context, b *typed.Authorship, o graphs.Options, threads int) (*contexts, error) {
	graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = b.Back })
	joined, err := metaPaths(b.Network, o, b.Author)
	if err != nil {
		return nil, err
	}
	stored, err := walks.Store(ctx, joined, threads)
	if err != nil {
		return nil, err
	}
	c := &contexts{walks: stored, window: o.Window, authors: int32(len(b.PapersOf)), seed: o.Seed}
	for length := 4; length <= 2*o.Window; length += 2 {
		n := 0
		c.each(length, func([]int32, int) bool { n++; return true })
		if n > 0 {
			c.lengths, c.counts = append(c.lengths, length), append(c.counts, n)
		}
	}
	if len(c.lengths) == 0 {
		return nil, fmt.Errorf("hetnet: walks of %d vertices and a window of %d: expected at least 4 and 2, for a path between an author and a paper",
			o.Length, o.Window)
	}
	return c, nil
}

// each calls do with every context path of a length, and its number in order, until do returns false.
func (c *contexts) each(length int, do func(path []int32, number int) bool) {
	number := 0
	for i := range c.walks.Walks() {
		walk := c.walks.Walk(i, nil)
		for k := 0; k+length <= len(walk); k++ {
			if walk[k] >= c.authors {
				continue
			}
			last := k + length - 1
			for range min(len(walk)-1, k+c.window) - max(0, last-c.window) + 1 { // the centres of windows that hold both ends
				if !do(walk[k:last+1], number) {
					return
				}
				number++
			}
		}
	}
}

// epoch returns a share of the paths of one length, in random order: all lengths take turns. Each is from a stretch of the
// corpus of its own, at a random place, and the other path is another one of those chosen that differs from it.
func (c *contexts) epoch(number int, ratio float64) []contextPair {
	s := rng.New(c.seed, "contexts", uint64(number))
	turn := (number - 1) % len(c.lengths)
	count := c.counts[turn]
	n := contextsOf(count, ratio)
	place := func(i int) int { return i * count / n } // where stretch i begins
	draw := func(i int) int { return place(i) + s.Intn(place(i+1)-place(i)) }
	paths := make([][]int32, 0, n)
	next := draw(0)
	c.each(c.lengths[turn], func(path []int32, number int) bool {
		if number == next {
			paths = append(paths, path)
			if len(paths) < n {
				next = draw(len(paths))
			}
		}
		return len(paths) < n
	})
	list := make([]contextPair, n)
	for i, j := range s.Perm(n) {
		list[i] = contextPair{paths[j], c.other(s, paths, paths[j])}
	}
	return list
}

// contextsOf returns how many of count paths an epoch takes.
func contextsOf(count int, ratio float64) int { return max(1, int(float64(count)*ratio)) }

// other draws a path that differs from one; where nearly all are alike, any.
func (c *contexts) other(s *rng.Stream, paths [][]int32, path []int32) (other []int32) {
	const draws = 100
	for range draws {
		if other = paths[s.Intn(len(paths))]; !slices.Equal(other, path) {
			break
		}
	}
	return other
}
