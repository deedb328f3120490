package hetnet

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/walks"
)

// metapath2vecMethod is M2V++ where no vertex has contents.
func metapath2vecMethod() *graphs.Method {
	m := m2vMethod()
	m.Name, m.Title = MethodMetapath2vec, "metapath2vec"
	m.Source = "Dong, Chawla, Swami, KDD 2017 (metapath2vec++)"
	m.Differs = "one vector for both roles of a vertex; steps of many pairs; negatives uniform among the vertices of the context's type"
	m.Options = []string{"walked", "pair-loss"}
	m.Formula = "n·d"
	stages := m.Stages
	m.Stages = func(ctx context.Context, in graphs.Input, o graphs.Options, threads int) ([]graphs.Stage, error) {
		if _, err := withoutContents(in, MethodMetapath2vec); err != nil {
			return nil, err
		}
		return stages(ctx, in, o, threads)
	}
	return m
}

// bprMethod is matrix factorisation by Bayesian personalised ranking: M2V++ over single links of the type that is ranked, with the
// loss losses.BPR, Σ_j -log σ(<X_u,X_i> - <X_u,X_j>), each j being a target drawn at random.
func bprMethod() *graphs.Method {
	return &graphs.Method{
		Name: MethodBPR, Title: "BPR", Typed: true,
		Source: "Rendle, Freudenthaler, Gantner, Schmidt-Thieme, UAI 2009",
		Differs: "no biases; a sampled negative target may be linked to the source; the negatives of a link are as many triples with it; steps of " +
			"many triples with Adam; l2 applies to all vectors in each step",
		Scorings: []string{graphs.ScoringDot},
		Options:  []string{"pair-loss", "walks", "negatives", "resample-negatives", "order", "batch", "final-learning-rate", "l2", "l2-mean"},
		Formula:  "n·d", Published: func(int64, graphs.Options) int64 { return 0 },
		Guard: guards(MethodM2V, buildM2V, "", nil),
		Stages: func(ctx context.Context, in graphs.Input, o graphs.Options, threads int) ([]graphs.Stage, error) {
			typ, err := withoutContents(in, MethodBPR)
			if err != nil {
				return nil, err
			}
			n := typ.Network
			link := n.Link(n.Rank)
			if link < 0 {
				return nil, fmt.Errorf("hetnet: %s ranks targets of links, but the schema of %s ranks none: expected rank: in it", MethodBPR, n.Name)
			}
			m, err := newM2V(typ, o, threads)
			if err != nil {
				return nil, err
			}
			ends := n.Schema.Links[link]
			graphs.Edit(&o, func(p *PaperOptions) {
				p.MetaPaths = n.Types[ends.From].Name + "-" + ends.Name + "-" + n.Types[ends.To].Name
			})
			c, err := newCorpus(ctx, typ, o, threads)
			if err != nil {
				return nil, err
			}
			sources := c.of(func(t int) bool { return t == ends.From })
			if err := m.prepareAround(ctx, c, around{n.Types[ends.From].Name, walks.Types{Centers: sources}}); err != nil {
				return nil, err
			}
			return []graphs.Stage{mainStage(o, m)}, nil
		},
	}
}

// SeenBy returns a network as a method sees it: without contents for metapath2vec and BPR, whose vertices all have vectors of their own.
func SeenBy(m *graphs.Method, n *typed.Network) *typed.Network {
	if m.Name == MethodMetapath2vec || m.Name == MethodBPR {
		return n.WithoutContents()
	}
	return n
}

// withoutContents is inputOf for methods all of whose vertices have vectors of their own.
func withoutContents(in graphs.Input, method string) (Input, error) {
	i, err := inputOf(in)
	if err == nil && (i.Network.Has(typed.Text) || i.Network.Has(typed.Features)) {
		return i, fmt.Errorf("hetnet: %s does not read texts or features, and %s has some: expected the network as SeenBy has it, or %s or %s", method, i.Network.Name, MethodM2V, MethodAsp2vecHet)
	}
	return i, err
}
