package run

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Parent is vectors that vertices which came later are put next to.
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

// ReadParent reads the vectors in the folder of a run, or in a file. It returns an error for files that
// cannot be read or do not fit one another.
func ReadParent(path string) (*Parent, error) {
	e, err := vectors.ReadWhole(path, "")
	if err != nil {
		return nil, err
	}
	p := &Parent{Dim: e.D, names: e.Names, vectors: e}
	if e.Record != nil {
		p.Record = *e.Record
	}
	if p.whole(p.Record.Method) {
		p.Aspects = e.Aspects()
	}
	several := e.MultiVectors
	if several == nil {
		several = &vectors.MultiVectors{}
	}
	p.sum = sumOf([]byte(strings.Join(e.Names, "\n")), several.First, e.Final, e.Center, several.Data)
	return p, nil
}

// whole reports whether the vectors are all that training of a method moves, and not its final vectors alone.
func (p *Parent) whole(method string) bool {
	e := p.vectors
	return slices.Contains(parents, method) && p.Record.Method == method && e.Center != nil && e.Aspects() > 0 && e.MultiVectors.D == e.D
}

// named is what a record says of the model.
func (p *Parent) named() *results.Parent {
	return &results.Parent{SHA256: p.sum, Started: p.Record.Started, Method: p.Record.Method, Parent: p.Record.Parent}
}
