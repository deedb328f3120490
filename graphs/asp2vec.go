package graphs

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func asp2vecMethod() *Method {
	return &Method{
		Name: MethodAsp2vec, Title: "asp2vec", Sides: true,
		Source: "Park, Yang, Zhu, Kim, Yu, Han, KDD 2020",
		Differs: "negative sampling instead of the softmax over vertices, a mean over pairs and aspects, inner products as logits, a " +
			"mask of > epsilon and half the final vector, all as in the authors' code; under the protocol standard, the " +
			"regularizer is a mean over vertices and the final vectors are scaled",
		Scorings:  []string{ScoringLR, ScoringSum, ScoringMax},
		Options:   []string{"corpus", "pairs", "vectors", "several", "warm-up-share", "warm-up-pair-loss"},
		Formula:   "n·d·(K+1)",
		Published: func(n int64, o Options) int64 { return n * int64(o.Dim) * int64(o.Aspects+1) },
		Stages:    asp2vecStages,
		Models: func(o Options) []Options {
			if o.WarmUp {
				return []Options{o, warmUpOptions(o)}
			}
			return []Options{o}
		},
	}
}

// asp2vecStages is a warm-up by DeepWalk, where the options ask for one, and asp2vec on the same walks.
func asp2vecStages(ctx context.Context, in Input, o Options, threads int) ([]Stage, error) {
	n, share := in.Network.Vertices(), 0.
	if o.WarmUp {
		share = o.WarmUpShare
	}
	whole, err := in.budget(ctx, o, threads)
	if err != nil {
		return nil, err
	}
	warmOptions, warmPairs := whole.stage(o, share, in.moving())
	o, pairs := whole.stage(o, 1-share, in.moving())
	src, err := uniformWalks(in.Network, o)
	if err != nil {
		return nil, err
	}
	c, err := in.corpus(ctx, src, o, threads)
	if err != nil {
		return nil, err
	}
	m, err := NewSkipGram(o, n, threads)
	if err != nil {
		return nil, err
	}
	in.enter(m)
	l := newSkipGramLearner(m, c, o.Epochs, pairs)
	main := l.stage(StageMain, l, o.Select)
	if !o.WarmUp {
		return []Stage{main}, nil
	}
	warm, err := newDeepWalk(warmUpOptions(warmOptions), n, threads)
	if err != nil {
		return nil, err
	}
	in.enter(warm)
	main.Follow = func() {
		u := warm.means()
		m.warmStart(u)
		m.Q.Disturb(o.Seed, o.AspectNoise)
		in.enter(m)
	}
	first := newSkipGramLearner(warm, c, o.WarmUpEpochs, warmPairs)
	warmUp := first.stage(StageWarmUp, first, o.Select)
	return []Stage{warmUp, main}, nil
}

// Asp2vecLoss returns the asp2vec loss of a batch, a scalar in nats: the skip-gram loss of each pair under each aspect,
// weighted by the probability of the aspect, averaged over pairs and aspects.
//
//	L = Σ_b weight_b (1/K) Σ_s p_bs [ -log σ(<P_i,Q_j^(s)>) - Σ_m log σ(-<P_i,Q_m^(s)>) ]
//
// and, of a regularizer that looks at batches, BatchPenalty. p (N,D) and q (N,K,D) are the centre and aspect tables, of one float type. It
// returns an error if an option names no layer or loss, or the shapes or types disagree.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eq. 2, 7 and 9. Differs: negative samples for the full softmax, a mean
// over pairs and aspects for the sum, and <P,R> for log <P,R> as the logit, as in the authors' code (a logarithm of an
// inner product is not defined below 0, and softmax(<P,R>) of Eq. 3 makes the inner product itself the log-probability).
func Asp2vecLoss(o Options, p, q *G.Node, in engine.Inputs) (*G.Node, error) {
	return ModelOf(o, engine.Model{}).Whole(p, q, in)
}

// ModelOf returns what the engine trains: a model with the loss that the options name, and with the shape of its windows.
func ModelOf(o Options, m engine.Model) engine.Model {
	term := asp2vecPairs
	switch {
	case m.Anchor != nil:
		term = splitterPairs
	case o.flat():
		term = deepWalkPairs
	}
	m.Pairs = func(p, q *G.Node, in engine.Inputs) (*G.Node, losses.State, error) { return term(o, p, q, in) }
	regularizer := losses.Regularizers.Get(o.Regularizer)
	if o.regularized() && regularizer.Batch != nil {
		m.Batch = func(s losses.State) (*G.Node, error) { return BatchPenalty(o, s) }
	}
	if o.regularized() && regularizer.Table != nil {
		m.Table = func(a losses.Aspects, vertices int) (*G.Node, error) { return AspectPenalty(o, a, vertices) }
	}
	m.Shape = ShapeOf(o)
	return m
}

// ShapeOf returns the shape of a model's windows.
func ShapeOf(o Options) engine.Shape {
	s := engine.Shape{Window: o.Window, Negatives: o.Negatives, Seed: o.Seed}
	switch {
	case o.flat() || !layers.Selections.Get(o.Selection).Noise:
	case o.Noise == NoisePair:
		s.Draws = 2 * o.Window
	default:
		s.Draws = 1
	}
	return s
}

func asp2vecPairs(o Options, p, q *G.Node, in engine.Inputs) (loss *G.Node, s losses.State, err error) {
	defer op.Recover(&err, "graphs: Asp2vecLoss")
	center := G.Must(layers.Lookup(p, in.Center))   // (W,D)
	context := G.Must(layers.Lookup(q, in.Context)) // (B,K,D)
	if s, err = scoresOf(o, center, context, q, in); err != nil {
		return nil, s, err
	}
	readout, selection := layers.Readouts.Get(o.Readout).Learned, layers.Selections.Get(o.Selection).Learned
	logits := G.Must(AspectLogits(o, center, layers.Contexts{Rows: context, Weight: in.Bag, Offset: in.Offset, Learned: in.LearnedBy(readout, 1)})) // (W,K)
	s.Logits = G.Must(layers.Expand(logits, in.Bag.Shape()[1]))                                                                                     // (B,K)
	slots, perPair := in.Bag.Shape()[1], in.Noise != nil && o.Noise == NoisePair
	if perPair || layers.Selections.Get(o.Selection).Offset {
		noise := in.Noise
		if noise != nil && !perPair {
			noise = G.Must(layers.Expand(noise, slots))
		}
		s.Prob = G.Must(AspectProbabilities(o, layers.Choice{Logits: s.Logits, Noise: noise, Step: s.Step, Offset: s.Offset, Learned: in.LearnedBy(selection, slots)})) // Eq. 7
	} else {
		s.Prob = G.Must(layers.Expand(G.Must(AspectProbabilities(o, layers.Choice{Logits: logits, Noise: in.Noise, Step: in.StepOfWindow, Learned: in.LearnedBy(selection, 1)})), slots))
	}
	return G.Must(losses.AspectWeighted(G.Must(PairLoss(o, s)), s.Prob, in.Weight)), s, nil
}

// AspectLogits returns how well each aspect fits each window (W,K), the inner products of centres (W,D) and what the readout of the options makes of
// the aspect vectors of their contexts (Eq. 9). It returns an error for an unknown readout, or if the shapes or types disagree.
func AspectLogits(o Options, center *G.Node, contexts layers.Contexts) (logits *G.Node, err error) {
	readout, err := layers.Readouts.Find(o.Readout)
	if err != nil {
		return nil, err
	}
	defer op.Recover(&err, "graphs: AspectLogits")
	rows := contexts.Rows.Shape()
	entry := op.Entry{Name: fmt.Sprintf("layers: readout %q", o.Readout), In: contexts.Rows, Want: tensor.Shape{contexts.Weight.Shape()[0], rows[1], rows[2]}, As: "(W,K,D)"}
	summary := G.Must(entry.Call(func() (*G.Node, error) { return readout.Read(contexts, o.values(readout.Parameters)) })) // Eq. 9
	return layers.Scores(center, summary)
}

// AspectProbabilities returns what the selection of the options makes of pairs, or of windows (Eq. 7). It returns an error for an unknown selection,
// for windows where it reads offsets, or if the shapes or types disagree.
func AspectProbabilities(o Options, c layers.Choice) (*G.Node, error) {
	selection, err := layers.Selections.Find(o.Selection)
	if err != nil {
		return nil, err
	}
	if selection.Offset && c.Offset == nil {
		return nil, fmt.Errorf("graphs: selection %q reads offsets, which windows have not: expected one that needs none", o.Selection)
	}
	entry := op.Entry{Name: fmt.Sprintf("layers: selection %q", o.Selection), In: c.Logits, Want: c.Logits.Shape(), As: "as logits"}
	return entry.Call(func() (*G.Node, error) { return selection.Prob(c, o.values(selection.Parameters)) })
}

// DeepWalkLoss returns the loss of DeepWalk with negative samples on a batch, a scalar in nats: the mean over pairs of
//
//	-log σ(<P_i,C_j>) - Σ_m log σ(-<P_i,C_m>)
//
// p (N,D) is the centre table and c (N,1,D) the context table, of one float type. It returns an error for an unknown pair loss, or if
// the shapes or types disagree.
//
// Source: Perozzi et al., KDD 2014, as Eq. 1 of Park et al. Differs: negative samples for the full softmax.
func DeepWalkLoss(o Options, p, c *G.Node, in engine.Inputs) (*G.Node, error) {
	loss, _, err := deepWalkPairs(o, p, c, in)
	return loss, err
}

func deepWalkPairs(o Options, p, c *G.Node, in engine.Inputs) (loss *G.Node, s losses.State, err error) {
	defer op.Recover(&err, "graphs: DeepWalkLoss")
	center := G.Must(layers.Lookup(p, in.Center))   // (W,D)
	context := G.Must(layers.Lookup(c, in.Context)) // (B,1,D)
	if s, err = scoresOf(o, center, context, c, in); err != nil {
		return nil, s, err
	}
	return G.Must(losses.Weighted(G.Must(PairLoss(o, s)), in.Weight)), s, nil
}

// scoresOf returns what there is of every pair before aspects are selected: scores under every aspect, and what is known of the pairs.
func scoresOf(o Options, center, context, table *G.Node, in engine.Inputs) (s losses.State, err error) {
	defer op.Recover(&err, "graphs: scores")
	s = losses.State{Weight: in.Weight, Step: in.Step, Center: in.OfCenter, Context: in.OfContext, Negative: in.OfNegative}
	s.Pos = G.Must(layers.Scores(center, context))                                  // (B,K)
	b, k := s.Pos.Shape()[0], s.Pos.Shape()[1]                                      //
	neg := G.Must(layers.Scores(center, G.Must(layers.Lookup(table, in.Negative)))) // (B*M,K)
	s.Neg = G.Must(op.Reshape(neg, b, neg.Shape()[0]/b, k))                         // (B,M,K)
	if in.Offset != nil {
		s.Offset = G.Must(op.Reshape(in.Offset, b))
		s.Learned = in.LearnedBy(losses.Pairs.Get(o.PairLoss).Learned, in.Bag.Shape()[1])
	}
	return s, nil
}

// PairLoss returns the loss (B,K) that the options' pair-loss makes of a State. It returns an error for an unknown one, and what it returns.
func PairLoss(o Options, s losses.State) (*G.Node, error) {
	pairLoss, err := losses.Pairs.Find(o.PairLoss)
	if err != nil {
		return nil, err
	}
	entry := op.Entry{Name: fmt.Sprintf("losses: pair loss %q", o.PairLoss), In: s.Pos, Want: s.Pos.Shape(), As: "as pos"}
	return entry.Call(func() (*G.Node, error) { return pairLoss.Loss(s, o.values(pairLoss.Parameters)) })
}

// BatchPenalty returns lambda times what the options' regularizer makes of a whole batch: a scalar. It returns what the regularizer returns.
func BatchPenalty(o Options, s losses.State) (*G.Node, error) {
	regularizer := losses.Regularizers.Get(o.Regularizer)
	entry := op.Entry{Name: fmt.Sprintf("losses: regularizer %q", o.Regularizer), In: s.Weight, Want: tensor.ScalarShape()}
	penalty, err := entry.Call(func() (*G.Node, error) { return regularizer.Batch(s, o.values(regularizer.Parameters)) })
	if err != nil {
		return nil, err
	}
	return op.Scale(penalty, o.Lambda)
}

// AspectPenalty returns lambda times the aspect regularizer of some rows of the aspect table, with lambda-mean weighted by the
// number of all vertices and K: a scalar, the rows' part of the sum over vertices. It returns an error for an unknown regularizer or one without
// a penalty of vectors, another shape, and a hyperparameter out of its range.
//
// Source: Park et al., KDD 2020, Eq. 10 to 15.
func AspectPenalty(o Options, a losses.Aspects, vertices int) (*G.Node, error) {
	regularizer, err := losses.Regularizers.Find(o.Regularizer)
	if err != nil {
		return nil, err
	}
	if regularizer.Table == nil {
		return nil, fmt.Errorf("graphs: regularizer %q looks at batches: expected one that looks at vectors", o.Regularizer)
	}
	entry := op.Entry{Name: fmt.Sprintf("losses: regularizer %q", o.Regularizer), In: a.Rows, Want: tensor.ScalarShape()}
	reg, err := entry.Call(func() (*G.Node, error) { return regularizer.Table(a, o.values(regularizer.Parameters)) })
	if err != nil {
		return nil, err
	}
	return op.Scale(reg, o.penaltyWeight(vertices, a.Rows.Shape()[1]))
}

// penaltyWeight is what the sum of the regularizer over n vertices with k aspects weighs: lambda or, with lambda-mean, as much next to the
// pairs as in a network of one vertex with PaperAspects aspects. An aspect is held apart from k-1 others, while the loss of its pairs is weighted
// by 1/k in the mean over aspects and by about 1/k as a probability: by k² (k-1), of which k³ is near enough.
func (o Options) penaltyWeight(n, k int) float64 {
	if !o.MeanPenalty {
		return o.Lambda
	}
	return o.Lambda * math.Pow(PaperAspects/float64(k), 3) / float64(n)
}
