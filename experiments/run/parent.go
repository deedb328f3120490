package run

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
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

// ReadInit reads vectors that a run may begin with: of the folder of a run, or of a file that results.ReadWhole reads. Unlike
// those of ReadParent they may be of other vertices: those of the run that have none there begin at random. It returns an error for
// files that cannot be read or do not fit one another.
func ReadInit(path string) (*Parent, error) {
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

// whole says whether the vectors are all that training of a method moves, and not its final vectors alone.
func (p *Parent) whole(method string) bool {
	e := p.vectors
	return slices.Contains(parents, method) && p.Record.Method == method && e.Center != nil && e.Aspects() > 0 && e.MultiVectors.D == e.D
}

// beginWithVectors is begin for vectors of ReadInit. Where they are one for each vertex, or of another method or another number of
// aspects, that one is the centre and all aspects, as after a warm-up.
func (p *Parent) beginWithVectors(names []string, o graphs.Options, r *results.Record) (tables [][]float32, begun []bool, err error) {
	e := p.vectors
	if !slices.Contains(parents, o.Method.Name) {
		return nil, nil, fmt.Errorf("experiments: %s cannot start from vectors: want one of %s", o.Method.Name, strings.Join(parents, ", "))
	}
	if e.D != o.Dim {
		return nil, nil, fmt.Errorf("experiments: initial vectors of dimension %d, and dim = %d: want the same", e.D, o.Dim)
	}
	at := make(map[string]int, len(names))
	for v, name := range e.Names {
		at[name] = v
	}
	k, d := o.Aspects, o.Dim
	center, aspects := graphs.NewTable("P", len(names), d), graphs.NewTable("Q", len(names), k, d)
	begun = make([]bool, len(names))
	known, whole := 0, p.whole(o.Method.Name) && e.Aspects() == k
	for v, name := range names {
		u, ok := at[name]
		if !ok {
			continue
		}
		begun[v], known = true, known+1
		from := e.Final[u*d : (u+1)*d]
		if whole {
			copy(center.Row(v), e.Center[u*d:(u+1)*d])
			copy(aspects.Row(v), e.MultiVectors.Data[u*k*d:(u+1)*k*d])
			continue
		}
		copy(center.Row(v), from)
		for row := aspects.Row(v); len(row) > 0; row = row[d:] {
			copy(row, from)
		}
	}
	if known == 0 {
		return nil, nil, fmt.Errorf("experiments: none of the %d vertices has an initial vector: want the same ids, such as %q for %q", len(names), names[0], e.Names[0])
	}
	if !whole {
		aspects.Disturb(o.Seed, o.AspectNoise)
	}
	r.Parent = p.named()
	return [][]float32{center.X, aspects.X}, begun, nil
}

// Grown is a network with vertices that came later.
type Grown struct {
	Network *network.Network // first the vertices that were there, in their order, and then the new ones in the order of their links
	Old     int              // how many were there
	Links   int              // new ones
	Inner   int              // of them, between vertices that were there
	Known   int              // links given that were there already
}

// Grow joins the links of a network, whose vertices have vectors, and further ones. It returns an error where these have no new
// vertex, and for networks of which one alone is directed.
func Grow(old, later *network.Network) (*Grown, error) {
	if old.Directed() != later.Directed() {
		return nil, fmt.Errorf("experiments: directed and undirected links: want both directed or both undirected")
	}
	g := &Grown{Old: old.Vertices()}
	names := append([]string(nil), old.Names()...)
	place := make([]int32, later.Vertices())
	for v, name := range later.Names() {
		at, ok := old.Index(name)
		if !ok {
			at = int32(len(names))
			names = append(names, name)
		}
		place[v] = at
	}
	if len(names) == g.Old {
		return nil, fmt.Errorf("experiments: all %d vertices of the links have vectors already: want links of new vertices; train --init trains old ones further", later.Vertices())
	}
	links := old.List()
	for _, l := range later.List() {
		l = network.Link{From: place[l.From], To: place[l.To]}
		inner := int(l.From) < g.Old && int(l.To) < g.Old
		if inner && old.Has(l.From, l.To) {
			g.Known++
			continue
		}
		if g.Links++; inner {
			g.Inner++
		}
		links = append(links, l)
	}
	var err error
	g.Network, err = network.New(names, links, nil, old.Directed())
	return g, err
}

// Extend learns vectors of the new vertices of a grown network, by the method and the options of the model that the old ones'
// are of; see graphs.Extend. final are the model's final vectors. It returns what WriteRun writes, with a record that names the
// model as its parent. It returns an error for a record whose method is not known, for a grown network without new vertices, and where
// ctx is done.
func (p *Parent) Extend(ctx context.Context, g *Grown, final []float32, name string, threads int, step func(done, all int64)) (vectors.Run, error) {
	o, err := methods.Decode(p.Record.Method, p.Record.Options)
	if err != nil {
		return vectors.Run{}, err
	}
	o.Dim, o.Aspects = p.Dim, p.Aspects
	r := results.NewRecord(p.Record.Method)
	e, err := graphs.Extend(ctx, g.Network, o, p.parameters, final, threads, step)
	if err != nil {
		return vectors.Run{}, err
	}
	n := g.Network
	r.Protocol, r.Seed, r.Options, r.Scoring, r.Definition = p.Record.Protocol, p.Record.Seed, p.Record.Options, p.Record.Scoring, p.Record.Definition
	r.Host.Threads = threads
	r.Dataset = results.Dataset{Name: name, SHA256: n.Checksum(), Vertices: n.Vertices(), Links: n.Links(), Train: n.Links(), Directed: n.Directed()}
	r.Parent = p.named()
	r.Finish(nil)
	return vectors.Run{Names: n.Names(), D: e.D, K: p.Aspects, Center: e.Center, Aspects: e.Vectors, Final: e.Final, Record: r}, nil
}
