package graphs

import (
	"context"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	"github.com/asp2vec/asp2vec/network"
	G "gorgonia.org/gorgonia"
)

func splitterMethod() *Method {
	return &Method{
		Name: MethodSplitter, Title: "Splitter",
		Source: "Epasto, Perozzi, WWW 2019 (Is a single embedding enough? Learning node representations that capture multiple social contexts)",
		Differs: "negative sampling where the published code uses hierarchical softmax, in steps of many pairs; every pair is " +
			"constrained, with noise drawn once per window, where the published code draws .2 constraints per token at .1 of the " +
			"learning rate: this amounts to a weight of .0042 per pair, which the protocol standard uses, while the others use the " +
			"paper's .1; a persona is tied to DeepWalk's context vector of its vertex, which is frozen, where the published code " +
			"ties it to output vectors that are trained too; directed networks are made undirected; vectors of d = 20 are inferred " +
			"from the number of parameters in the paper of asp2vec",
		Scorings:  []string{ScoringMax, ScoringSum, ScoringLR},
		Options:   []string{"corpus", "pairs", "lambda", "warm-up-epochs", "warm-up-share"},
		Own:       option.Defaults[PersonaOptions](),
		Formula:   "n·d·(K+2)",
		Published: func(n int64, o Options) int64 { return n * int64(o.Dim) * int64(PaperAspects+2) },
		Stages:    splitterStages,
		Models:    func(o Options) []Options { return []Options{o, flatOptions(o)} },
	}
}

// PersonaOptions are Splitter's own.
type PersonaOptions struct {
	Clustering string `json:"clustering" default:"labels" of:"labels,components" group:"Model" help:"clustering of ego-networks, by labels or components"`
}

// PaperAspects is how many vectors the paper parts the numbers of a vertex into: its K, also in the count of Splitter's
// parameters, where it is no choice but the mean number of personas.
const PaperAspects = 5

// splitterPairs returns the loss of Splitter, and what it is made of, on a batch of windows over personas, a scalar in nats: DeepWalk's, and that of
// each centre predicting the vertex that it is a persona of,
//
//	L = DeepWalkLoss + Σ_w λ weight_w [ -log σ(<Φ_p,B_o(p)>) - Σ_m log σ(-<Φ_p,B_m>) ]
//
// p (N,D) is the persona table and c (N,1,D) its context table; B, the context vectors of DeepWalk on the network itself, are
// frozen, and given as rows in in.Anchor and in.AnchorNegative. It returns an error for an unknown pair loss, or if the shapes or types
// disagree.
//
// Source: Epasto, Perozzi, WWW 2019, Eq. 5. Differs: negative samples for the full softmax in both terms.
func splitterPairs(o Options, p, c *G.Node, in engine.Inputs) (loss *G.Node, s losses.State, err error) {
	defer op.Recover(&err, "graphs: splitter")
	pairs, s, err := deepWalkPairs(o, p, c, in)
	if err != nil {
		return nil, s, err
	}
	persona := G.Must(layers.Lookup(p, in.Center))           // (W,D)
	pos := G.Must(layers.Scores(persona, in.Anchor))         // (W,1)
	neg := G.Must(layers.Scores(persona, in.AnchorNegative)) // (W*M,1)
	w := pos.Shape()[0]                                      //
	neg = G.Must(op.Reshape(neg, w, neg.Shape()[0]/w, 1))    // (W,M,1)
	learned := in.LearnedBy(losses.Pairs.Get(o.PairLoss).Learned, 1)
	owner := G.Must(PairLoss(o, losses.State{Pos: pos, Neg: neg, Weight: in.AnchorWeight, Step: in.StepOfWindow, Learned: learned})) // (W,1)
	constraint := G.Must(losses.Weighted(owner, in.AnchorWeight))                                                                    // scalar
	return G.Must(G.Add(pairs, constraint)), s, nil
}

// splitterStages trains DeepWalk on the network, and a skip-gram on the network of its personas from there.
func splitterStages(ctx context.Context, in Input, o Options, threads int) ([]Stage, error) {
	net := in.Network.Simple()
	whole := o.budget(in.Network)
	baseOptions, basePairs := whole.stage(o, o.WarmUpShare, net.Vertices())
	base, err := newWord2vec(ctx, net, flatOptions(baseOptions), o.WarmUpEpochs, basePairs, nil, threads)
	if err != nil {
		return nil, err
	}
	split, err := net.Personas(ctx, Own[PersonaOptions](o).Clustering, threads)
	if err != nil {
		return nil, err
	}
	tie := &engine.Anchor{Base: base.Q, Owner: split.Owner, Lambda: o.Lambda}
	mainOptions, pairs := whole.stage(o, 1-o.WarmUpShare, split.Network.Vertices())
	main, err := newWord2vec(ctx, split.Network, mainOptions, o.Epochs, pairs, tie, threads)
	if err != nil {
		return nil, err
	}
	follow := func() {
		for persona, owner := range split.Owner {
			copy(main.P.Row(persona), base.P.Row(int(owner)))
		}
	}
	first := base.stage(StageWarmUp, base, SelectLast)
	second := main.stage(StageMain, &several{main, split.First, nil, base.Parameters()}, o.Select)
	second.Follow = follow
	return []Stage{first, second}, nil
}

// newWord2vec returns a skip-gram on the uniform walks of a simple network, with noise by degree.
func newWord2vec(ctx context.Context, net *network.Network, o Options, epochs int, pairs float64, a *engine.Anchor, threads int) (*skipGramLearner, error) {
	src, err := uniformWalks(net, o)
	if err != nil {
		return nil, err
	}
	degrees := make([]int64, net.Vertices()) // walks of an undirected network visit vertices in about this proportion
	for v := range degrees {
		degrees[v] = int64(len(net.Out(int32(v))))
	}
	c, err := newCorpus(ctx, src, net.Vertices(), degrees, noiseOf(degrees, o), nil, o, threads)
	if err != nil {
		return nil, err
	}
	m, err := newSkipGram(o, net.Vertices(), a, threads)
	if err != nil {
		return nil, err
	}
	m.terms.Facts = factsOf(net)
	m.startAsWord2vec()
	return newSkipGramLearner(m, c, epochs, pairs), nil
}
