package graphs

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/op"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func asp2vecMethod() *Method {
	return &Method{
		Name: MethodAsp2vec, Title: "asp2vec",
		Source: "Park, Yang, Zhu, Kim, Yu, Han, KDD 2020",
		Differs: "negative sampling instead of the softmax over vertices, a mean over pairs and aspects, inner products as logits, a " +
			"mask of > epsilon and half the final vector, all as in the authors' code; under the protocol standard, the " +
			"regularizer is a mean over vertices and the final vectors are scaled",
		Scorings: []string{ScoringLR, ScoringSum, ScoringMax},
		Options: concat(corpusOptions, pairOptions, vectorOptions, []string{"warm-up-share", "aspects", "selection", "noise", "tau", "readout", "regularizer", "lambda",
			"lambda-mean", "epsilon", "warm-up", "warm-up-epochs", "warm-up-pair-loss", "aspect-start", "aspect-noise"}),
		Formula:   "n·d·(K+1)",
		Published: func(n int64, o Options) int64 { return n * int64(o.Dim) * int64(o.Aspects+1) },
		Standard: func(o *Options) {
			o.Lambda, o.MeanPenalty = 20, true
			o.RateSum, o.RateEnd, o.MaxNorm, o.WarmUpShare, o.Vectors, o.Scale = 10, 1, 1, 0.4, EmbeddingMean, 0.5
		},
		Valid: func(o Options) error {
			if o.AspectStart == StartNeighbors && !o.WarmUp {
				return fmt.Errorf("aspect-start = %s: want warm-up = true, since the neighbors are grouped by its vectors", o.AspectStart)
			}
			return nil
		},
		Stages: asp2vecStages,
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
	in.hold(m)
	l := newSkipGramLearner(m, c, o.Epochs, pairs)
	main := l.stage(StageMain, l, o.Select)
	if !o.WarmUp {
		return []Stage{main}, nil
	}
	warm, err := newDeepWalk(warmUpOptions(warmOptions), n, threads)
	if err != nil {
		return nil, err
	}
	in.hold(warm)
	main.Follow = func() {
		u := warm.means()
		m.warmStart(u)
		if o.AspectStart == StartNeighbors {
			m.startByNeighbors(in.Network, u, threads)
		}
		m.Q.Disturb(o.Seed, o.AspectNoise)
		in.hold(m)
	}
	first := newSkipGramLearner(warm, c, o.WarmUpEpochs, warmPairs)
	warmUp := first.stage(StageWarmUp, first, o.Select)
	warmUp.share(o, c)
	return []Stage{warmUp, main}, nil
}

// Inputs are the nodes that a batch of W windows with C context slots is bound to. Unused slots hold a valid vertex and
// weigh nothing. B = W*C pairs, M negatives for each.
type Inputs struct {
	Center   *G.Node // (W) vertices
	Context  *G.Node // (B) vertices, window by window
	Negative *G.Node // (B*M) vertices, pair by pair
	Bag      *G.Node // (W,C): one over the number of the window's distinct contexts, at the first slot of each; else 0
	Weight   *G.Node // (B): one over the number of the batch's pairs; 0 for a slot without a pair in the batch
	Noise    *G.Node // (W,K) or (B,K) Gumbel draws; nil where the selection uses none

	// Of Splitter's constraint; nil without. Frozen rows, not vertices.
	Anchor         *G.Node // (W,1,D) the vector of each centre's owner
	AnchorNegative *G.Node // (W*M,1,D) vectors that are noise for it, window by window
	AnchorWeight   *G.Node // (W): lambda times the window's share of the batch's pairs
}

// Asp2vecLoss returns the asp2vec loss of a batch, a scalar in nats: the skip-gram loss of each pair under each aspect,
// weighted by the probability of the aspect, averaged over pairs and aspects.
//
//	L = Σ_b weight_b (1/K) Σ_s p_bs [ -log σ(<P_i,Q_j^(s)>) - Σ_m log σ(-<P_i,Q_m^(s)>) ]
//
// and, of a regularizer that looks at batches, lambda times its penalty of this one. p (N,D) and q (N,K,D) are the centre and aspect
// tables, of one float type. It returns an error if an option names no layer or loss, or the shapes or types disagree.
//
// Source: Park et al., KDD 2020, arXiv:2006.04239, Eq. 2, 7 and 9. Differs: negative samples for the full softmax, a mean
// over pairs and aspects for the sum, and <P,R> for log <P,R> as the logit, as in the authors' code (a logarithm of an
// inner product is not defined below 0, and softmax(<P,R>) of Eq. 3 makes the inner product itself the log-probability).
func Asp2vecLoss(o Options, p, q *G.Node, in Inputs) (loss *G.Node, err error) {
	defer op.Recover(&err, "graphs: Asp2vecLoss")
	center := G.Must(layers.Lookup(p, in.Center))              // (W,D)
	context := G.Must(layers.Lookup(q, in.Context))            // (B,K,D)
	logits := G.Must(AspectLogits(o, center, context, in.Bag)) // (W,K)
	slots := in.Bag.Shape()[1]
	perPair := in.Noise != nil && o.Noise == NoisePair
	if perPair {
		logits = G.Must(layers.Expand(logits, slots)) // (B,K)
	}
	prob := G.Must(AspectProbabilities(o, logits, in.Noise)) // Eq. 7
	if !perPair {
		prob = G.Must(layers.Expand(prob, slots)) // (B,K)
	}
	pairs := G.Must(skipGram(o, center, context, q, in)) // (B,K)
	loss = G.Must(losses.AspectWeighted(pairs, prob, in.Weight))
	if penalty := losses.Regularizers[o.Regularizer]; penalty.Batch != nil && o.regularized() {
		if !perPair {
			logits = G.Must(layers.Expand(logits, slots)) // (B,K)
		}
		s := losses.State{Logits: logits, Prob: prob, Weight: in.Weight}
		ofBatch := G.Must(penalty.Batch(s, o.values(penalty.Parameters)))
		loss = G.Must(G.Add(loss, G.Must(op.Scale(ofBatch, o.Lambda))))
	}
	return loss, nil
}

// AspectLogits returns how well each aspect fits each window (W,K), the inner products of centres (W,D) and what the readout of the options makes of
// the aspect vectors (W*C,K,D) of their contexts (Eq. 9), of which bag (W,C) says which count; see Inputs. It returns an error for an unknown
// readout, or if the shapes or types disagree.
func AspectLogits(o Options, center, context, bag *G.Node) (logits *G.Node, err error) {
	readout, err := layers.FindReadout(o.Readout)
	if err != nil {
		return nil, err
	}
	defer op.Recover(&err, "graphs: AspectLogits")
	summary := G.Must(readout.Read(context, bag, o.values(readout.Parameters))) // (W,K,D) Eq. 9
	return layers.Scores(center, summary)
}

// AspectProbabilities returns what the selection of the options makes of logits (B,K), or (W,K), with Gumbel noise of their shape; nil where it uses
// none (Eq. 7). It returns an error for an unknown selection, or if the shapes or types disagree.
func AspectProbabilities(o Options, logits, noise *G.Node) (*G.Node, error) {
	selection, err := layers.FindSelection(o.Selection)
	if err != nil {
		return nil, err
	}
	return selection.Prob(logits, noise, o.values(selection.Parameters))
}

// DeepWalkLoss returns the loss of DeepWalk with negative samples on a batch, a scalar in nats: the mean over pairs of
//
//	-log σ(<P_i,C_j>) - Σ_m log σ(-<P_i,C_m>)
//
// p (N,D) is the centre table and c (N,1,D) the context table, of one float type. It returns an error for an unknown pair loss, or if
// the shapes or types disagree.
//
// Source: Perozzi et al., KDD 2014, as Eq. 1 of Park et al. Differs: negative samples for the full softmax.
func DeepWalkLoss(o Options, p, c *G.Node, in Inputs) (loss *G.Node, err error) {
	defer op.Recover(&err, "graphs: DeepWalkLoss")
	center := G.Must(layers.Lookup(p, in.Center))        // (W,D)
	context := G.Must(layers.Lookup(c, in.Context))      // (B,1,D)
	pairs := G.Must(skipGram(o, center, context, c, in)) // (B,1)
	return losses.Weighted(pairs, in.Weight)
}

// skipGram returns the loss (B,K) of every pair under every aspect, from the rows of its centre and its context.
func skipGram(o Options, center, context, table *G.Node, in Inputs) (loss *G.Node, err error) {
	defer op.Recover(&err, "graphs: pair loss")
	pos := G.Must(layers.Scores(center, context))         // (B,K)
	negative := G.Must(layers.Lookup(table, in.Negative)) // (B*M,K,D)
	neg := G.Must(layers.Scores(center, negative))        // (B*M,K)
	b, k := pos.Shape()[0], pos.Shape()[1]                //
	neg = G.Must(op.Reshape(neg, b, neg.Shape()[0]/b, k)) // (B,M,K)
	return PairLoss(o, pos, neg)
}

// PairLoss returns the loss (B,K) that the options' pair-loss makes of the scores of contexts, pos (B,K), and of negatives, neg (B,M,K). It
// returns an error for an unknown one, and what it returns.
func PairLoss(o Options, pos, neg *G.Node) (*G.Node, error) {
	pairLoss, err := losses.FindPair(o.PairLoss)
	if err != nil {
		return nil, err
	}
	return pairLoss.Loss(pos, neg, o.values(pairLoss.Parameters))
}

// AspectPenalty returns lambda times the aspect regularizer of the whole aspect table q (N,K,D), with lambda-mean weighted by N and K: a
// scalar, 0 for a regularizer that looks at batches alone. It returns an error for an unknown regularizer, another shape, and a hyperparameter out of its range.
//
// Source: Park et al., KDD 2020, Eq. 10 to 15.
func AspectPenalty(o Options, q *G.Node) (*G.Node, error) {
	regularizer, err := losses.FindRegularizer(o.Regularizer)
	if err != nil {
		return nil, err
	}
	if regularizer.Table == nil {
		return op.Zero(q)
	}
	reg, err := regularizer.Table(q, o.values(regularizer.Parameters))
	if err != nil {
		return nil, err
	}
	s := q.Shape()
	lambda := o.penaltyWeight(s[0], s[1])
	if q.Dtype() == tensor.Float64 {
		return G.Mul(reg, G.NewConstant(lambda))
	}
	return G.Mul(reg, G.NewConstant(float32(lambda)))
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
