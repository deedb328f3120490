package hetnet

import "github.com/asp2vec/asp2vec/graphs"

// listed are the methods of this package: those on papers and authors in the order of the paper's Table 5, and then the others.
func listed() []func() *graphs.Method {
	return []func() *graphs.Method{m2vMethod, camelMethod, tapemMethod, asp2vecHetMethod, metapath2vecMethod}
}
