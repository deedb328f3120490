package run

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Parent is vectors that a run begins with, or that vertices which came later are put next to.
type Parent struct {
	Record  results.Record // of their run; without a method where none is known
	Dim     int
	Aspects int // 1 of a method with one vector for each vertex; 0 where the vectors are not all that training moves

	names   []string
	sum     string
	vectors *vectors.Embedding
}

// parents are the methods whose folders hold all that training moves.
var parents = []string{graphs.MethodAsp2vec, graphs.MethodDeepWalk, graphs.MethodNode2vec}

// sumOf returns the checksum of slices of numbers.
func sumOf(tables ...any) string {
	sum := sha256.New()
	for _, x := range tables {
		_ = binary.Write(sum, binary.LittleEndian, x) // of numbers, to a sum, which takes all
	}
	return hex.EncodeToString(sum.Sum(nil))
}

// Names returns the names of the vertices that have vectors, in the order of the rows.
func (p *Parent) Names() []string { return p.names }

// named is what a record says of the model.
func (p *Parent) named() *results.Parent {
	return &results.Parent{SHA256: p.sum, Started: p.Record.Started, Method: p.Record.Method, Parent: p.Record.Parent}
}
