package hetnet

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/typed"
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

// withoutContents is inputOf for methods all of whose vertices have vectors of their own.
func withoutContents(in graphs.Input, method string) (Input, error) {
	i, err := inputOf(in)
	if err == nil && (i.Network.Has(typed.Text) || i.Network.Has(typed.Features)) {
		return i, fmt.Errorf("hetnet: %s does not read texts or features, and %s has some: expected the network as OfNetwork has it, or %s or %s", method, i.Network.Name, MethodM2V, MethodAsp2vecHet)
	}
	return i, err
}
