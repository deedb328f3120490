package walks

import (
	"context"

	"golang.org/x/sync/errgroup"
)

// Stored is a corpus of walks kept in memory, four bytes a vertex.
type Stored struct {
	tokens  []int32
	offsets []int64 // walk i is tokens[offsets[i]:offsets[i+1]]
	longest int
}

// blockWalks is how many walks a worker draws, and an epoch shuffles, at a time.
const blockWalks = 4096

// Store draws every walk of a source, on the given number of threads, and keeps them. It returns ctx's error if it is
// cancelled meanwhile.
func Store(ctx context.Context, src Source, threads int) (*Stored, error) {
	if e, ok := src.(even); ok && e.sameLength() {
		return storeEven(ctx, e, threads)
	}
	n := src.Walks()
	type block struct{ tokens, lengths []int32 }
	blocks := make([]block, (n+blockWalks-1)/blockWalks)
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(threads, 1))
	for b := range blocks {
		g.Go(func() error {
			if err := ctx.Err(); err != nil {
				return err
			}
			lo, hi := b*blockWalks, min((b+1)*blockWalks, n)
			var blk block
			for _, walk := range eachWalk(src, lo, hi, inCorpusOrder) {
				blk.tokens = append(blk.tokens, walk...)
				blk.lengths = append(blk.lengths, int32(len(walk)))
			}
			blocks[b] = blk
			return nil
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	var total int
	for _, b := range blocks {
		total += len(b.tokens)
	}
	s := &Stored{tokens: make([]int32, 0, total), offsets: make([]int64, 1, n+1), longest: src.MaxLength()}
	for b := range blocks {
		s.tokens = append(s.tokens, blocks[b].tokens...)
		for _, l := range blocks[b].lengths {
			s.offsets = append(s.offsets, s.offsets[len(s.offsets)-1]+int64(l))
		}
		blocks[b] = block{} // the flat copy is made as the blocks go
	}
	return s, nil
}

// storeEven is Store for walks of one length: the place of each is known before, so that no block doubles the memory meanwhile.
func storeEven(ctx context.Context, src even, threads int) (*Stored, error) {
	n, length := src.Walks(), src.MaxLength()
	s := &Stored{tokens: make([]int32, n*length), offsets: make([]int64, n+1), longest: length}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(threads, 1))
	for lo := 0; lo < n; lo += blockWalks {
		g.Go(func() error {
			for i, walk := range eachWalk(src, lo, min(lo+blockWalks, n), inCorpusOrder) {
				copy(s.tokens[i*length:], walk)
				s.offsets[i+1] = int64((i + 1) * length)
			}
			return ctx.Err()
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	return s, nil
}

// Walks returns the number of walks.
func (s *Stored) Walks() int { return len(s.offsets) - 1 }

// MaxLength returns the length that the source of the walks allowed.
func (s *Stored) MaxLength() int { return s.longest }

// Walk returns walk i; buf is not used.
func (s *Stored) Walk(i int, _ []int32) []int32 { return s.tokens[s.offsets[i]:s.offsets[i+1]] }
