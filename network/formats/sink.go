package formats

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

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
	ctx       context.Context
	direction Direction
	said      [3]bool  // which ways there are
	lists     bool     // the format lists its vertices
	missing   []int    // of each vertex the line of its first link, 0 once the list has it
	kind      string   // of labels, as the format calls them
	labels    []string // of the vertices by their numbers; "" for one without
	padded    int      // labels that had spaces at their ends
	want      *Attribute
	known     map[string]bool    // names of attributes
	values    map[int32][]string // of the one that is wanted
}

func newSink(ctx context.Context, o Options) *sink {
	s := &sink{ctx: ctx, Builder: network.NewBuilder(), direction: o.Direction, want: o.Attribute, known: map[string]bool{}, values: map[int32][]string{}}
	s.Memory = o.Memory
	return s
}

// vertex returns the vertex of an id that stands on a line. Spaces at its ends do not count, as in tables.
func (s *sink) vertex(id []byte, line int) (v int32, err error) {
	short := bytes.Trim(id, " ")
	v, isNew, err := s.Vertex(short)
	if err == nil {
		err = s.Spaced(v, isNew, len(short) < len(id))
	}
	if err != nil {
		return 0, fmt.Errorf("id %.60q %w", id, err)
	}
	if isNew {
		s.missing = append(s.missing, line)
	}
	return v, nil
}

// declare adds a vertex that a list of vertices has.
func (s *sink) declare(id []byte) (int32, error) {
	s.lists = true
	before := s.Vertices()
	v, err := s.vertex(id, 0)
	if err != nil {
		return 0, err
	}
	if s.missing[v] == 0 && int(v) < before {
		return 0, fmt.Errorf("vertex %.60q again: expected each id once", id)
	}
	s.missing[v] = 0
	return v, nil
}

// square returns an error for a matrix of another number of rows than columns.
func square(rows, columns uint64) error {
	if rows != columns {
		return fmt.Errorf("a matrix of %d rows and %d columns: expected as many of both, of links among the same vertices", rows, columns)
	}
	return nil
}

// entry adds the link of an entry of a matrix.
func (s *sink) entry(row, column uint64, weight float64, w way) error {
	var ends [2]int32
	for i, x := range []uint64{row, column} {
		v, _, err := s.Integer(x)
		if err != nil {
			return fmt.Errorf("vertex %d %w", x, err)
		}
		ends[i] = v
	}
	return s.link(ends[0], ends[1], weight, w)
}

// label gives a vertex a name beside its id; kind is what the format calls it.
func (s *sink) label(v int32, kind, name string) {
	for int(v) >= len(s.labels) {
		s.labels = append(s.labels, "")
	}
	short := strings.TrimSpace(name)
	if len(short) < len(name) && !strings.Contains(name, "\n") { // of a text that is only set on lines of its own
		s.padded++
	}
	s.kind, s.labels[v] = kind, short
}

// attribute takes a value of a vertex. Empty ones are none.
func (s *sink) attribute(v int32, name, value string) {
	if value = strings.TrimSpace(value); s.want == nil || value == "" {
		return
	}
	s.known[name] = true
	if strings.EqualFold(name, s.want.Name) && !slices.Contains(s.values[v], value) {
		s.values[v] = append(s.values[v], value)
	}
}

// join adds the link on a line between two ids, whose list may come later. weight is "" for 1.
func (s *sink) join(source, target, weight string, w way, line int) error {
	from, err := s.vertex([]byte(source), line)
	if err != nil {
		return err
	}
	to, err := s.vertex([]byte(target), line)
	if err != nil {
		return err
	}
	x := 1.0
	if weight != "" {
		if x, err = network.ParseWeight(weight); err != nil {
			return err
		}
	}
	return s.link(from, to, x, w)
}

// link adds a link. Every few thousand of them it looks whether to stop.
func (s *sink) link(from, to int32, weight float64, w way) error {
	if s.Links()%4096 == 0 {
		if err := s.ctx.Err(); err != nil {
			return err
		}
	}
	s.said[w] = true
	if err := s.AddWeighted(from, to, weight); err != nil {
		return err
	}
	if w == bothWays && s.direction == Directed && from != to {
		return s.AddWeighted(to, from, weight)
	}
	return nil
}

// finish returns the network; name is that of the file.
func (s *sink) finish(name string) (*network.Network, network.Notes, error) {
	if v := s.firstMissing(); v >= 0 {
		return nil, nil, &network.ParseError{File: name, Line: s.missing[v], Err: fmt.Errorf("a link of vertex %.60q, which is not among the vertices: expected it there", s.Name(int32(v)))}
	}
	directed := s.direction == Directed
	if s.direction == AsSaid {
		if s.said[oneWay] && s.said[bothWays] {
			return nil, nil, errors.New("has links with a direction and without one: expected --directed, where the latter point both ways, or --directed=false")
		}
		directed = s.said[oneWay]
	}
	var notes network.Notes
	switch {
	case s.distinctLabels():
		for v, label := range s.labels {
			if label != s.Name(int32(v)) {
				notes = network.Notes{{Name: namedBy, First: s.kind}}
			}
			if err := s.Rename(int32(v), label); err != nil {
				return nil, nil, fmt.Errorf("%s %.60q %w", s.kind, label, err)
			}
		}
		if notes != nil {
			notes.Add("names_without_their_outer_spaces", s.padded, "")
		}
	case s.kind != "":
		notes.Add(namedBy, 0, fmt.Sprintf("id, as not every vertex has a %s of its own", s.kind))
	}
	if s.want != nil {
		s.want.Known, s.want.Of = slices.Sorted(maps.Keys(s.known)), map[string][]string{}
		for v, values := range s.values {
			s.want.Of[s.Name(v)] = values
		}
	}
	n, built, err := s.Build(directed)
	if errors.Is(err, network.ErrNoLink) {
		err = fmt.Errorf("no link between %d vertices: expected at least one", s.Vertices())
	}
	return n, append(built, notes...), err
}

// namedBy notes by what vertices are named: a kind of labels, or ids.
const namedBy = "vertices_named_by"

// firstMissing returns the vertex that a list of vertices lacks and whose link comes first, -1 for none.
func (s *sink) firstMissing() int {
	first := -1
	for v, line := range s.missing {
		if s.lists && line > 0 && (first < 0 || line < s.missing[first]) {
			first = v
		}
	}
	return first
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
