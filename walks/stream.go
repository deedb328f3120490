package walks

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"sync"

	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// Orders of the windows of an epoch.
const (
	// Shuffled permutes the walks, and then the windows of each block of walks, anew in each epoch.
	Shuffled = "shuffled"
	// Grouped is the published order: by centre, in the order of the centres' first appearance in the corpus, and within a
	// centre in corpus order; the same in each epoch. A batch then holds few centres.
	Grouped = "grouped"
)

// StreamOptions say how windows become batches.
type StreamOptions struct {
	Window    int    // vertices on each side of the centre, 1 to MaxWindow; paper: 3
	Negatives int    // noise vertices of each pair, 1 to MaxNegatives; paper: 2
	Batch     int    // pairs of a batch, >= 1; the epoch's last batch may have fewer. Authors' code: 50,000
	Order     string // Shuffled or Grouped
	Resample  bool   // draw negatives anew in each epoch, rather than the same ones
	Seed      uint64 // of the streams "order", "negatives", "shrink" and "keep"

	// Shrink draws how far each window reaches from 1 to Window, all equally likely, anew in each epoch, so that near contexts
	// weigh more. Source: word2vec's code (Mikolov et al., 2013) and gensim's.
	Shrink bool
	// Noise, unless nil, has the weight of each vertex as a negative, >= 0, of a finite sum > 0; without it all are equally
	// likely. The stream keeps it, and it must not change. See NoiseWeights.
	Noise []float64
	// Keep, unless nil, has the probability of each vertex to stay where it occurs in a walk, 0 to 1, drawn anew in each epoch before windows are
	// made, so that they reach over what is left out. Only in the order Shuffled. The stream keeps it, and it must not change. See KeepRates.
	Keep []float64

	// Types, unless nil, are those of the vertices. Not together with Noise. The stream keeps it, and it must not change.
	Types *Types
}

func (o StreamOptions) validate(vertices int) error {
	switch {
	case o.Window < 1 || o.Window > MaxWindow:
		return fmt.Errorf("walks: window %d: expected 1 to %d", o.Window, MaxWindow)
	case o.Negatives < 1 || o.Negatives > MaxNegatives:
		return fmt.Errorf("walks: %d negatives: expected 1 to %d", o.Negatives, MaxNegatives)
	case o.Batch < 1:
		return fmt.Errorf("walks: batches of %d pairs: expected at least 1", o.Batch)
	case o.Order != Shuffled && o.Order != Grouped:
		return fmt.Errorf("walks: order %q: expected %q or %q", o.Order, Shuffled, Grouped)
	case o.Types != nil && o.Noise != nil:
		return fmt.Errorf("walks: types of vertices and weights of noise: expected one of them")
	case o.Types != nil:
		return errors.Join(o.validateKeep(vertices), o.Types.validate(vertices))
	}
	return errors.Join(o.validateKeep(vertices), validateNoise(o.Noise, vertices))
}

// Stream gives the batches of a corpus, epoch by epoch.
type Stream struct {
	src      Source
	vertices int
	o        StreamOptions
	most     int64    // pairs of an epoch whose windows all reach as far as they may
	reaches  int64    // the sum of what that is for windows of 1 to Window
	noise    *noise   // nil when negatives are uniform
	grouped  []uint32 // window numbers in the published order; nil when shuffled

	mu    sync.Mutex
	spare [][]*Batch // of passes that have ended
}

// NewStream returns the stream of a corpus over a network of the given number of vertices. It goes over all walks once to
// count their pairs, unless all are known to be of one length, and, for the grouped order, sorts all windows by centre (four
// bytes a window). It returns an error if an option is out of range, if a walk leaves the network, or ctx's if it is
// cancelled.
func NewStream(ctx context.Context, src Source, vertices int, o StreamOptions) (*Stream, error) {
	if err := o.validate(vertices); err != nil {
		return nil, err
	}
	s := &Stream{src: src, vertices: vertices, o: o}
	if o.Noise != nil {
		s.noise = newNoise(o.Noise)
	}
	if err := s.count(ctx); err != nil {
		return nil, err
	}
	// Index numbers the slots of a batch in 31 bits. At worst each window has one pair.
	slots := 2 * int64(o.Window) * (1 + int64(o.Negatives))
	batch := int64(o.Batch)
	if o.Keep == nil { // else other passes may have more pairs than were counted
		batch = min(batch, s.most)
	}
	if batch > math.MaxInt32/slots {
		return nil, fmt.Errorf("walks: batches of %d pairs with window %d and %d negatives: expected at most %d pairs in a batch",
			o.Batch, o.Window, o.Negatives, math.MaxInt32/slots)
	}
	if o.Order == Grouped {
		if n := int64(src.Walks()) * int64(src.MaxLength()); n > math.MaxUint32 {
			return nil, fmt.Errorf("walks: order %q: %d windows: expected at most %d; use order %q", Grouped, n, uint32(math.MaxUint32), Shuffled)
		}
		if s.grouped = groupByCenter(ctx, src, vertices); s.grouped == nil {
			return nil, ctx.Err()
		}
	}
	return s, nil
}

// count counts the pairs of an epoch, with StreamOptions.Keep of one, and checks that walks stay within the network.
func (s *Stream) count(ctx context.Context) error {
	if e, ok := s.src.(even); ok && s.o.Types == nil && s.o.Keep == nil && e.vertices() <= s.vertices && e.sameLength() {
		s.addPairs(int64(e.Walks()), e.MaxLength())
		return ctx.Err()
	}
	var kept []int32
	for i, walk := range eachWalk(s.src, 0, s.src.Walks(), inCorpusOrder) {
		if i%blockWalks == 0 && ctx.Err() != nil {
			return ctx.Err()
		}
		for _, v := range walk {
			if v < 0 || int(v) >= s.vertices {
				return outsideNetwork(i, v, s.vertices)
			}
		}
		if s.o.Keep != nil {
			kept = s.kept(kept[:0], walk, 0, uint64(i))
			walk = kept
		}
		if s.o.Types != nil {
			s.addCentered(walk)
		} else {
			s.addPairs(1, len(walk))
		}
	}
	return nil
}

// addCentered counts the pairs of a walk whose centres are of a type that the stream has windows of.
func (s *Stream) addCentered(walk []int32) {
	for i, v := range walk {
		if !s.o.Types.centered(v) {
			continue
		}
		s.most += int64(contextCount(len(walk), i, s.o.Window))
		for reach := 1; reach <= s.o.Window; reach++ {
			s.reaches += int64(contextCount(len(walk), i, reach))
		}
	}
}

// addPairs counts the pairs of walks of some length.
func (s *Stream) addPairs(walks int64, length int) {
	s.most += walks * pairs(length, s.o.Window)
	for reach := 1; reach <= s.o.Window; reach++ {
		s.reaches += walks * pairs(length, reach)
	}
}

// Pairs returns the number of (centre, context) pairs of an epoch. With StreamOptions.Shrink that is a matter of chance, and
// Pairs returns the expected number, rounded; with Keep that of what epoch 0 keeps.
func (s *Stream) Pairs() int64 {
	if s.o.Shrink {
		w := int64(s.o.Window)
		return (s.reaches + w/2) / w
	}
	return s.most
}

// Pass gives the batches of one epoch. Batches are consecutive slices of the order of windows, and are prepared while
// earlier ones are in use; a batch is good until the next one is asked for. Pass numbers name the epoch: the same number
// gives the same batches. The iteration ends early if ctx is cancelled.
func (s *Stream) Pass(ctx context.Context, pass uint64) iter.Seq[*Batch] {
	return s.PassFrom(ctx, pass, 0)
}

// PassFrom is Pass without its first batches, so many of them, which it goes over without making them. batches is at least 0.
func (s *Stream) PassFrom(ctx context.Context, pass uint64, batches int) iter.Seq[*Batch] {
	skip := int64(batches) * int64(s.o.Batch) // pairs: only the last batch of a pass has fewer
	return func(yield func(*Batch) bool) {
		room := s.take()
		next, stop := iter.Pull(s.batches(ctx, pass, skip, room))
		var (
			b         *Batch
			ok        bool
			preparing *par.Task
		)
		prepare := func() { b, ok = next() }
		// However the pass ends, by a break or a panic too, its batches are free only when nobody fills them.
		defer func() {
			if preparing != nil {
				preparing.Drop()
			}
			stop()
			s.give(room)
		}()
		for prepare(); ok && ctx.Err() == nil; preparing.Wait() {
			ready := b
			preparing = par.Start(prepare)
			if !yield(ready) {
				return
			}
		}
	}
}

// take returns the batches that a pass turns over: one in use and one in the making. Earlier passes leave theirs.
func (s *Stream) take() []*Batch {
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.spare); n > 0 {
		batches := s.spare[n-1]
		s.spare = s.spare[:n-1]
		return batches
	}
	sorting := new(entries)
	batches := []*Batch{new(Batch), new(Batch)}
	for _, b := range batches {
		b.Index.entries = sorting
	}
	return batches
}

func (s *Stream) give(batches []*Batch) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.spare = append(s.spare, batches)
}

// batches cuts the epoch's windows into batches, but for so many of its pairs that come first. They are made in turns of room.
func (s *Stream) batches(ctx context.Context, pass uint64, skip int64, room []*Batch) iter.Seq[*Batch] {
	return func(yield func(*Batch) bool) {
		draw := &negatives{vertices: s.vertices, perPair: s.o.Negatives, noise: s.noise, types: s.o.Types, key: rng.NewKey(s.o.Seed, "negatives")}
		if s.o.Resample {
			draw.key = draw.key.With(pass + 1)
		}
		made := 0
		next := func() *Batch {
			b := room[made%len(room)]
			b.reset(2*s.o.Window, s.o.Negatives, pass)
			made++
			return b
		}
		b := next()
		each := s.shuffled
		if s.o.Order == Grouped {
			each = s.inGroups
		}
		shrink := rng.NewKey(s.o.Seed, "shrink").With(pass)
		ok := each(ctx, pass, func(walk []int32, id uint64, i int) bool {
			if !s.o.Types.centered(walk[i]) {
				return true
			}
			reach := s.o.Window
			if s.o.Shrink {
				stream := shrink.Stream(id)
				reach = 1 + stream.Intn(s.o.Window)
			}
			n := contextCount(len(walk), i, reach)
			if skip >= int64(n) {
				skip -= int64(n)
				return true
			}
			first := int(skip)
			for skip = 0; first < n; {
				last := min(n, first+s.o.Batch-b.Pairs)
				b.add(walk, i, reach, id, first, last, draw)
				if b.Pairs == s.o.Batch {
					b.Index.Build(b, s.vertices)
					if !yield(b) {
						return false
					}
					b = next()
				}
				first = last
			}
			return true
		})
		if ok && b.Pairs > 0 {
			b.Index.Build(b, s.vertices)
			yield(b)
		}
	}
}
