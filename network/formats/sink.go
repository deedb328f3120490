package formats

import (
	"context"
	"errors"
	"fmt"

	"github.com/asp2vec/asp2vec/network"
)

// way is what a file says of a link's direction.
type way int

const (
	unsaid way = iota
	oneWay
	bothWays
)

// sink takes what a reader finds.
type sink struct {
	*network.Builder
	ctx        context.Context
	added      int // calls of link
	direction  Direction
	said       [3]bool // which ways there are
	declared   []bool  // of each vertex, in formats that list them
	lists      bool    // the format lists its vertices
	undeclared map[int32]int
	labels     []string // of the vertices by their numbers; "" for one without
}

func newSink(ctx context.Context, o Options) *sink {
	s := &sink{ctx: ctx, Builder: network.NewBuilder(), direction: o.Direction, undeclared: map[int32]int{}}
	s.Memory = o.Memory
	return s
}

// vertex returns the vertex of an id.
func (s *sink) vertex(id []byte) (int32, error) {
	v, _, err := s.Vertex(id)
	if err != nil {
		return 0, fmt.Errorf("id %.60q %w", id, err)
	}
	return v, nil
}

// declare adds a vertex that a list of vertices has.
func (s *sink) declare(id []byte) (int32, error) {
	s.lists = true
	v, err := s.vertex(id)
	if err != nil {
		return 0, err
	}
	for int(v) >= len(s.declared) {
		s.declared = append(s.declared, false)
	}
	if s.declared[v] {
		return 0, fmt.Errorf("vertex %.60q again: want each id once", id)
	}
	s.declared[v] = true
	delete(s.undeclared, v)
	return v, nil
}

// end returns the vertex at the end of a link, of which the list of vertices may come later.
func (s *sink) end(id []byte, line int) (int32, error) {
	v, err := s.vertex(id)
	if err == nil && (int(v) >= len(s.declared) || !s.declared[v]) {
		if _, known := s.undeclared[v]; !known {
			s.undeclared[v] = line
		}
	}
	return v, err
}

// label gives a vertex a name beside its id.
func (s *sink) label(v int32, name string) {
	for int(v) >= len(s.labels) {
		s.labels = append(s.labels, "")
	}
	s.labels[v] = name
}

// link adds a link. Every few thousand of them it looks whether to stop.
func (s *sink) link(from, to int32, weight float64, w way) error {
	if s.added%4096 == 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
	}
	s.added++
	s.said[w] = true
	if err := s.AddWeighted(from, to, weight); err != nil {
		return err
	}
	if w == bothWays && s.direction == Directed && from != to {
		return s.AddWeighted(to, from, weight)
	}
	return nil
}

// finish returns the network.
func (s *sink) finish(name string) (*network.Network, network.Report, error) {
	fail := func(line int, err error) (*network.Network, network.Report, error) {
		return nil, network.Report{}, &network.ParseError{File: name, Line: line, Err: err}
	}
	if s.lists && len(s.undeclared) > 0 {
		first := int32(-1)
		for v, line := range s.undeclared {
			if first < 0 || line < s.undeclared[first] || line == s.undeclared[first] && v < first {
				first = v
			}
		}
		return fail(s.undeclared[first], fmt.Errorf("a link of vertex %.60q, which is not among the vertices: want it there", s.Name(first)))
	}
	directed := s.direction == Directed
	if s.direction == AsSaid {
		if s.said[oneWay] && s.said[bothWays] {
			return fail(0, errors.New("has links with a direction and without one: want --directed, where the latter point both ways, or --directed=false"))
		}
		directed = s.said[oneWay]
	}
	if s.distinctLabels() {
		for v, label := range s.labels {
			if err := s.Rename(int32(v), label); err != nil {
				return fail(0, fmt.Errorf("label %.60q %w", label, err))
			}
		}
	}
	n, built, err := s.Build(directed)
	if errors.Is(err, network.ErrNoLink) {
		err = fmt.Errorf("no link between %d vertices: want at least one", s.Vertices())
	}
	if err != nil {
		return fail(0, err)
	}
	var r network.Report
	r.Take(built)
	return n, r, nil
}

// distinctLabels says whether every vertex has a label of its own.
func (s *sink) distinctLabels() bool {
	if len(s.labels) != s.Vertices() {
		return false
	}
	seen := make(map[string]bool, len(s.labels))
	for _, label := range s.labels {
		if label == "" || seen[label] {
			return false
		}
		seen[label] = true
	}
	return true
}
