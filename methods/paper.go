package methods

import (
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
)

// OfPaper are those of the paper's Tables 1 and 5. Another method that is registered is no part of a published table.
var OfPaper = []string{
	graphs.MethodDeepWalk, graphs.MethodNode2vec, graphs.MethodDGI, graphs.MethodPolyDW, graphs.MethodSplitter, graphs.MethodAsp2vec,
	hetnet.MethodM2V, hetnet.MethodCamel, hetnet.MethodTaPEm, hetnet.MethodAsp2vecHet,
}
