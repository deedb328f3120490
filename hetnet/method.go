package hetnet

import (
	"context"
	_ "embed"
	"fmt"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/option"
)

// Names of the methods, in the order of the paper's Table 5.
const (
	MethodM2V        = "m2v++"
	MethodCamel      = "camel"
	MethodTaPEm      = "tapem"
	MethodAsp2vecHet = "asp2vec-het"

	MethodMetapath2vec = "metapath2vec" // sees no contents; see OfNetwork
)

//go:embed protocols.yaml
var protocolsFile []byte

// registry is made when it is first asked for: methods find one another in it.
var registry struct {
	once sync.Once
	list []*graphs.Method
}

// Methods returns the methods on heterogeneous networks: those on papers and authors in the order of the paper's Table 5, and then the
// others.
func Methods() []*graphs.Method {
	registry.once.Do(func() {
		registry.list = graphs.Described(protocolsFile, listed()...)
		for _, m := range registry.list {
			m.Own = option.Defaults[PaperOptions]()
			if m.Reads("word-epochs") {
				m.Before = wordModel
			}
		}
	})
	return registry.list
}

// Names returns the names of all these methods.
func Names() (names []string) {
	for _, m := range Methods() {
		names = append(names, m.Name)
	}
	return names
}

// MethodOf returns the method of this package of a name, which there must be.
func MethodOf(name string) *graphs.Method {
	all := Methods()
	return all[slices.IndexFunc(all, func(m *graphs.Method) bool { return m.Name == name })]
}

// wordModel is the skip-gram of the words, where none are given.
func wordModel(o graphs.Options) []graphs.Options {
	if Own(o).WordVectors != "" {
		return nil
	}
	words := graphs.TokenOptions()
	words.Window, words.Negatives, words.Seed = o.Window, o.Negatives, o.Seed
	return []graphs.Options{words}
}

// choose returns the rule that ends a stage: the development papers' score also where the paper's protocol looks at test papers.
func choose(o graphs.Options) string {
	if o.Select == graphs.SelectTest {
		return graphs.SelectValidation
	}
	return o.Select
}

// fair is what standard does for all methods that rank authors of papers, as for the rankings without training that they are compared with.
const fair = "; under the protocol standard texts are read to the end (text-length), and authors of many papers are likelier (author-prior)"

func camelMethod() *graphs.Method {
	return &graphs.Method{
		Name: MethodCamel, Title: "Camel", Typed: true,
		Source: "Zhang, Huang, Yu, Zhang, Chawla, WWW 2018, and its re-implementation in the code of TaPEm",
		Differs: "triples are shuffled, not sorted by length, which the encoder does not need; word vectors are trained on the training " +
			"papers only" + fair,
		Scorings: []string{graphs.ScoringDot, graphs.ScoringDistance},
		Options:  []string{"text", "triples", "meta-paths", "walks", "walk-length", "window", "batch", "l2", "final-learning-rate"},
		Formula:  "nA·d + 3d(w+d) + 6d + 1",
		Valid:    validPaths,
		Guard:    guards(MethodCamel, buildCamel, "", nil),
		Stages:   paperStages,
	}
}

// paperStages is the only stage of a method that knows papers and authors.
func paperStages(ctx context.Context, in graphs.Input, o graphs.Options, threads int) ([]graphs.Stage, error) {
	papers, err := inputOf(in)
	if err != nil {
		return nil, err
	}
	m, err := newModel(papers, o, threads)
	if err != nil {
		return nil, err
	}
	return []graphs.Stage{mainStage(o, m)}, m.(interface{ prepare(context.Context) error }).prepare(ctx)
}

func mainStage(o graphs.Options, l graphs.Learner) graphs.Stage {
	return graphs.Stage{Name: graphs.StageMain, Learner: l, Epochs: o.Epochs, Choose: choose(o)}
}

// warmed returns a warm-up and the main stage, which follow sets the parameters of.
func warmed(warm, main graphs.Stage, follow func()) []graphs.Stage {
	warm.Name, main.Follow = graphs.StageWarmUp, follow
	return []graphs.Stage{warm, main}
}

// warmUpOptions are those of a warm-up by another method.
func warmUpOptions(o graphs.Options, method string) graphs.Options {
	o = o.As(MethodOf(method))
	o.Epochs = o.WarmUpEpochs
	return o
}

func tapemMethod() *graphs.Method {
	base := camelMethod()
	return &graphs.Method{
		Name: MethodTaPEm, Title: "TaPEm", Typed: true,
		Source: "Park, Shin, Kim, Yu, CIKM 2019, and the authors' code",
		Differs: "starts from a Camel that is trained in the same run; triples are shuffled, not sorted by length; the last batch of an " +
			"epoch is not dropped; the context paths of an epoch are drawn one from each section of the corpus; a pair is embedded " +
			"once for its path and for the other one; authors are ranked by the classifier before its sigmoid, which would tie in " +
			"float32" + fair,
		Scorings: []string{graphs.ScoringPair},
		Options:  append(base.Options, "pair", "warm-up", "warm-up-epochs"),
		Formula:  "nA·d + 3d(w+d) + 6d + 1000d + 112202",
		Valid:    validPaths,
		Guard:    guards(MethodTaPEm, buildTaPEm, MethodCamel, buildCamel),
		Stages: func(ctx context.Context, in graphs.Input, o graphs.Options, threads int) ([]graphs.Stage, error) {
			main, err := paperStages(ctx, in, o, threads)
			if err != nil || !o.WarmUp {
				return main, err
			}
			warm, err := paperStages(ctx, in, warmUpOptions(o, MethodCamel), threads)
			if err != nil {
				return nil, err
			}
			follow := func() { main[0].Learner.(*tapem).follow(warm[0].Learner.(*camel)) }
			return warmed(warm[0], main[0], follow), nil
		},
	}
}

func m2vMethod() *graphs.Method {
	return &graphs.Method{
		Name: MethodM2V, Title: "M2V++", Typed: true,
		Source: "Dong, Chawla, Swami, KDD 2017 (metapath2vec++), with papers encoded as by Park et al., KDD 2020",
		Differs: "no code of the comparison is published; one vector for both roles of an author, and pairs of two papers and of two " +
			"authors, are inferred; steps of many pairs, so that a paper's text is encoded once for many of them; learning rate and" +
			" walks per epoch are chosen on development papers with seed 1, where Camel and TaPEm use the published ones; under the protocol " +
			"standard a paper is encoded by the mean of its word vectors (encoder gru is that of the comparison)" + fair,
		Scorings: []string{graphs.ScoringDot},
		Options:  []string{"text", "walked", "features", "pair-loss"},
		Formula:  "nA·d + 3d(w+d) + 6d",
		Valid:    validPaths,
		Guard:    guards(MethodM2V, buildM2V, "", nil),
		Stages: func(ctx context.Context, in graphs.Input, o graphs.Options, threads int) ([]graphs.Stage, error) {
			m, _, err := prepareM2V(ctx, in, o, threads)
			if err != nil {
				return nil, err
			}
			return []graphs.Stage{mainStage(o, m)}, nil
		},
	}
}

// prepareM2V returns a model that is ready to be trained, and its walks.
func prepareM2V(ctx context.Context, in graphs.Input, o graphs.Options, threads int) (*m2v, *corpus, error) {
	typed, err := inputOf(in)
	if err != nil {
		return nil, nil, err
	}
	if n := typed.Network; o.Is(MethodMetapath2vec) && n != n.WithoutContents() {
		return nil, nil, fmt.Errorf("hetnet: %s does not read texts or features, and %s has some: expected the network as OfNetwork has it, or %s or %s", o.Method.Name, n.Name, MethodM2V, MethodAsp2vecHet)
	}
	c, err := newCorpus(ctx, typed, o, threads)
	if err != nil {
		return nil, nil, err
	}
	m, err := newM2V(typed, o, threads)
	if err != nil {
		return nil, nil, err
	}
	return m, c, m.prepare(ctx, c)
}

func asp2vecHetMethod() *graphs.Method {
	return &graphs.Method{
		Name: MethodAsp2vecHet, Title: "asp2vec-het", Typed: true,
		Source: "Park, Yang, Zhu, Kim, Yu, Han, KDD 2020, section 4.4",
		Differs: "no code is published; in the paper a paper has a single vector, so that its best choice of contexts could not " +
			"distinguish aspects: here V_p^(s) = W_s f(p) (aspect-variant heads; literal is the paper's); the context vector of an " +
			"author for a paper is its final vector; negatives have the context's type; means instead of sums, for windows around " +
			"authors also over aspects, so that those pairs have a weight of 1/K (author-weight); under the protocol standard the " +
			"regularizer is a mean over authors and a paper is encoded by the mean of its word vectors (encoder gru is the paper's); a " +
			"paper is f(p) both as centre and as context, and W_s starts near the identity; " +
			"learning rate, walks per epoch, batches of 50,000 pairs, a patience of 5 and no warm-up by M2V++ (warm-up) are chosen " +
			"on development papers with seed 1" + fair,
		Scorings: []string{graphs.ScoringDot, graphs.ScoringMax},
		Options:  []string{"text", "walked", "features", "pair-loss", "several"},
		Formula:  "nA·d·(K+1) + 3d(w+d) + 6d + K·d²",
		Valid:    validPaths,
		Guard:    guards(MethodAsp2vecHet, buildAsp2vecHet, MethodM2V, buildM2V),
		Stages: func(ctx context.Context, in graphs.Input, o graphs.Options, threads int) ([]graphs.Stage, error) {
			typed, err := inputOf(in)
			if err != nil {
				return nil, err
			}
			m, err := newAsp2vecHet(typed, o, threads)
			if err != nil {
				return nil, err
			}
			if !o.WarmUp {
				c, err := newCorpus(ctx, typed, o, threads)
				if err != nil {
					return nil, err
				}
				return []graphs.Stage{mainStage(o, m)}, m.prepare(ctx, c)
			}
			flat := warmUpOptions(o, MethodM2V)
			warm, c, err := prepareM2V(ctx, in, flat, threads)
			if err != nil {
				return nil, err
			}
			follow := func() {
				m.follow(warm)
				m.freeQ.Disturb(o.Seed, o.AspectNoise)
			}
			return warmed(mainStage(flat, warm), mainStage(o, m), follow), m.prepare(ctx, c)
		},
	}
}
