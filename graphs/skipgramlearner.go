package graphs

import (
	"context"
	"encoding/json"
	"iter"
	"math"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/walks"
)

// corpus is a stream of batches, and how many epochs have been drawn from it: stages that share one go on where the last one
// stopped.
type corpus struct {
	*walks.Stream
	passes uint64
}

// passesOn are the batches of one pass after the other, without an end but that of ctx, or of a pass that has none.
func (c *corpus) passesOn(ctx context.Context) iter.Seq[*walks.Batch] {
	return func(yield func(*walks.Batch) bool) {
		for pass, some := uint64(1), true; some && ctx.Err() == nil; pass++ {
			some = false
			for b := range c.Pass(ctx, pass) {
				if some = true; !yield(b) {
					return
				}
			}
		}
	}
}

// skipGramLearner trains a model on the pairs of a corpus.
type skipGramLearner struct {
	*SkipGram
	corpus  *corpus
	epochs  int     // over which the learning rate falls, if it does
	pairs   float64 // instead of epochs, the number of pairs after which training ends; 0 for none
	trained float64 // pairs so far
	skip    int     // steps that the next epoch has had already
}

// newSkipGramLearner returns the learner of a stage of training on a corpus.
func newSkipGramLearner(m *SkipGram, c *corpus, epochs int, pairs float64) *skipGramLearner {
	if pairs > 0 {
		epochs = max(1, int(math.Ceil(pairs/float64(max(c.Pairs(), 1)))))
	}
	return &skipGramLearner{SkipGram: m, corpus: c, epochs: epochs, pairs: pairs}
}

// stage returns the stage that trains the learner; l may be what a method has made of it.
func (s *skipGramLearner) stage(name string, l Learner, choose string) Stage {
	return Stage{Name: name, Learner: l, Epochs: s.epochs, Pairs: s.pairs, Choose: choose}
}

// Embedding is that of the model.
func (l *skipGramLearner) Embedding() (Embedding, error) { return l.SkipGram.Embedding(), nil }

// Pairs returns the number of pairs of an epoch.
func (l *skipGramLearner) Pairs() int64 { return l.corpus.Pairs() }

// Epoch trains one epoch of the corpus, or what is left of the pairs after which training ends.
func (l *skipGramLearner) Epoch(ctx context.Context, number int, step func(pairs int64, loss engine.Loss)) error {
	skip, pass := l.skip, l.corpus.passes
	if l.skip = 0; skip == 0 {
		pass++
	}
	done, all := float64(number-1)*float64(l.Pairs()), float64(l.epochs)*float64(l.Pairs())
	if l.pairs > 0 || skip > 0 {
		done = l.trained
	}
	if l.pairs > 0 {
		all = l.pairs
	}
	asked, begun := askedToLeave(ctx), skip > 0
	if l.pairs == 0 || done < l.pairs { // else an epoch that had its last step before it was taken up again
		for b := range l.corpus.PassFrom(asked, pass, skip) {
			l.setRate(done / all)
			l.terms.SetStep(min(done/all, 1))
			loss, err := l.step(asked, b)
			if err != nil && err == asked.Err() {
				break
			}
			if err != nil {
				return err
			}
			l.corpus.passes, begun = pass, true
			done += float64(b.Pairs)
			l.trained = done
			step(int64(b.Pairs), loss)
			if ctx.Err() != nil || l.pairs > 0 && done >= l.pairs {
				break
			}
		}
	}
	if asked.Err() != nil && ctx.Err() == nil {
		step(0, engine.Loss{})
	}
	if ctx.Err() == nil {
		l.corpus.passes, begun = pass, true
	}
	if begun {
		l.capNorms()
	}
	return nil
}

// skipGramState is what a skipGramLearner's State returns.
type skipGramState struct {
	Passes    uint64
	Trained   float64
	Optimizer engine.OptimizerState
}

// State returns the place in the corpus, and the optimizer's.
func (l *skipGramLearner) State() any {
	return skipGramState{l.corpus.passes, l.trained, l.move.State()}
}

// Resume takes over a state.
func (l *skipGramLearner) Resume(state []byte, steps int) error {
	var s skipGramState
	if err := json.Unmarshal(state, &s); err != nil {
		return err
	}
	l.corpus.passes, l.trained, l.skip = s.Passes, s.Trained, steps
	l.move.Resume(s.Optimizer)
	return nil
}

// several is a skip-gram over tokens in training, of which each vertex has some: its facets, or its personas.
type several struct {
	*skipGramLearner
	first  []int32         // token of each vertex, and the number of all
	share  []float32       // of tokens; nil where they have none
	frozen []*engine.Table // that the tokens started from and are tied to; nil for none
}

// Frozen returns such tables.
func (s *several) Frozen() []*engine.Table { return s.frozen }

// Embedding returns the tokens' vectors with their shares, and the mean over those of a vertex as its final vector.
func (s *several) Embedding() (Embedding, error) {
	d := s.o.Dim
	e := Embedding{D: d, Final: make([]float32, (len(s.first)-1)*d), Vectors: s.P.X, First: s.first, Share: s.share, Learned: s.learned}
	for v := range len(s.first) - 1 {
		final, rows := e.Final[v*d:][:d], e.Vectors[int(s.first[v])*d:int(s.first[v+1])*d]
		for i := range final {
			var sum float64
			for j := i; j < len(rows); j += d {
				sum += float64(rows[j])
			}
			final[i] = float32(sum / float64(len(rows)/d))
		}
	}
	return e, nil
}

// setRate sets the learning rate at a fraction of the training, from 0 to 1.
func (m *SkipGram) setRate(fraction float64) {
	if m.o.FinalRate > 0 || m.o.budgeted() && m.o.RateSum > 0 {
		m.move.SetRate(m.o.LearningRate + (m.o.FinalRate-m.o.LearningRate)*min(fraction, 1))
	}
}

// noiseOf returns the weights of negatives; nil for all vertices alike.
func noiseOf(counts []int64, o Options) []float64 {
	if o.NoisePower == 0 {
		return nil
	}
	return walks.NoiseWeights(counts, o.NoisePower)
}

// newCorpus makes the stream of batches of a source's walks over vertices. counts says how often these occur in the walks, or in proportion to it; it
// may be nil where neither noise nor the optimizer asks for it, see newCountedCorpus. Negatives are drawn in proportion to noise, nil for all vertices
// alike, and vertices in walks kept with the probabilities of keep, nil for all.
func newCorpus(ctx context.Context, src walks.Source, vertices int, counts []int64, noise, keep []float64, o Options, threads int) (*corpus, error) {
	if o.perPair() {
		o.Batch = min(o.Batch, staleBatch(counts, noise, o.Negatives))
	}
	if keepWalks(src, o) {
		stored, err := walks.Store(ctx, src, threads)
		if err != nil {
			return nil, err
		}
		src = stored
	}
	stream, err := walks.NewStream(ctx, src, vertices, walks.StreamOptions{
		Window: o.Window, Shrink: o.Shrink, Negatives: o.Negatives, Noise: noise, Keep: keep, Batch: o.Batch, Order: o.Order,
		Resample: o.Resample, Seed: o.Seed,
	})
	if err != nil {
		return nil, err
	}
	return &corpus{Stream: stream}, nil
}

// uniformWalks returns the uniform walks of a network that the options ask for.
func uniformWalks(net *network.Network, o Options) (*walks.Uniform, error) {
	return walks.NewUniform(net, walks.Options{PerVertex: o.Walks, Length: o.Length, Seed: o.Seed})
}

// newCountedCorpus is newCorpus with the vertices of the walks counted, where the options need to know it.
func newCountedCorpus(ctx context.Context, src walks.Source, vertices int, o Options, threads int) (*corpus, error) {
	var counts []int64
	if o.NoisePower > 0 || o.perPair() {
		var err error
		if counts, err = walks.Frequencies(ctx, src, vertices, threads); err != nil {
			return nil, err
		}
	}
	return newCorpus(ctx, src, vertices, counts, noiseOf(counts, o), nil, o, threads)
}

// maxStale is how often a batch may be expected to move a vertex under SGD. Training with word2vec's rate of .025 was stable
// at 200 and diverged at 380, on cliques, grids, stars and real networks.
const maxStale = 128

// staleBatch returns the pairs of the largest batch in which no vertex is expected more than maxStale times, as context or as
// one of m negatives. SGD's learning rate is that of one pair, and the steps of a batch's pairs add up without seeing one
// another: a vertex that comes up hundreds of times would overshoot, and its neighbours after it. noise is nil for uniform.
func staleBatch(counts []int64, noise []float64, m int) int {
	var visits, weights float64
	for v, c := range counts {
		visits += float64(c)
		if noise != nil {
			weights += noise[v]
		}
	}
	var most float64 // of a pair
	for v, c := range counts {
		share := 1 / float64(len(counts))
		if noise != nil {
			share = noise[v] / weights
		}
		most = max(most, float64(c)/visits+float64(m)*share)
	}
	if !(most > 0) {
		return 1
	}
	return max(1, int(maxStale/most))
}

// keepWalks says whether walks are kept in memory rather than drawn anew for each epoch. By default they are where the
// published order comes back to each walk at random, and where the corpus is small.
func keepWalks(src walks.Source, o Options) bool {
	const small = 64 << 20 // bytes
	switch o.WalksInMemory {
	case "true":
		return true
	case "false":
		return false
	}
	return o.Order == walks.Grouped || src.Walks() <= small/4/max(src.MaxLength(), 1) // a product might leave int
}
