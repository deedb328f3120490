package hetnet

import "github.com/asp2vec/asp2vec/graphs"

// metapath2vecMethod is M2V++ where no vertex has contents.
func metapath2vecMethod() *graphs.Method {
	m := m2vMethod()
	m.Name, m.Title = MethodMetapath2vec, "metapath2vec"
	m.Source = "Dong, Chawla, Swami, KDD 2017 (metapath2vec++)"
	m.Differs = "one vector for both roles of a vertex; steps of many pairs; negatives uniform among the vertices of the context's type"
	m.Options = []string{"walked", "pair-loss"}
	m.Formula = "n·d"
	return m
}
