package run

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Parent is a finished model that another run trains further.
type Parent struct {
	Record  results.Record
	Dim     int
	Aspects int // 1 of a method with one vector for each vertex

	names      []string
	parameters [][]float32 // as graphs.Input.Begin
	sum        string
	vectors    *vectors.Embedding // of ReadInit, in place of parameters
}

// parents are the methods whose folders hold all that training moves.
var parents = []string{graphs.MethodAsp2vec, graphs.MethodDeepWalk, graphs.MethodNode2vec}

// ReadParent reads the folder of a finished run. It returns an error for one that does not hold all that training moves: of the other
// methods it has the vectors that are of use, and not those that were only trained along.
func ReadParent(dir string) (*Parent, error) {
	r, err := vectors.ReadRecord(dir)
	if err != nil {
		return nil, err
	}
	if !slices.Contains(parents, r.Method) {
		return nil, fmt.Errorf("experiments: %s contains a model of %s, which does not store all that training changes: want one of %s", dir, r.Method, strings.Join(parents, ", "))
	}
	p := &Parent{Record: r}
	if p.names, err = vectors.ReadFile(filepath.Join(dir, vectors.VerticesFile), vectors.ReadVertices); err != nil {
		return nil, err
	}
	center, err := vectors.ReadArray(filepath.Join(dir, vectors.CenterFile))
	if err != nil {
		return nil, err
	}
	aspects, err := vectors.ReadArray(filepath.Join(dir, vectors.AspectsFile))
	if err != nil {
		return nil, err
	}
	shape, wide := center.Shape, aspects.Shape
	if n := len(p.names); len(shape) != 2 || len(wide) != 3 || shape[0] != n || wide[0] != n || shape[1] != wide[2] {
		return nil, fmt.Errorf("experiments: %s: centres %v and aspects %v of %d vertices: want (N,D) and (N,K,D)", dir, shape, wide, n)
	}
	p.Dim, p.Aspects, p.parameters = shape[1], wide[1], [][]float32{center.Data, aspects.Data}
	p.sum = sumOf(center.Data, aspects.Data)
	return p, nil
}

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

// begin sets what a run on the vertices of some names begins with, and names its parent in the record. Without a parent it does nothing.
func (p *Parent) begin(in *graphs.Input, names []string, o graphs.Options, r *results.Record) (err error) {
	if p == nil {
		return nil
	}
	if p.vectors != nil {
		in.Begin, in.Begun, err = p.beginWithVectors(names, o, r)
		return err
	}
	if p.Record.Method != o.Method.Name {
		return fmt.Errorf("experiments: a model of %s to train further as %s: want one method", p.Record.Method, o.Method.Name)
	}
	if !slices.Equal(p.names, names) {
		return fmt.Errorf("experiments: a model of %d vertices to train further on %d, or on others: want the same, in the same order",
			len(p.names), len(names))
	}
	r.Parent = p.named()
	in.Begin = p.parameters
	return nil
}
