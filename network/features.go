package network

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"

	"github.com/asp2vec/asp2vec/internal/digest"
)

// Features are what is known of each of N vertices beside its links: N rows of F numbers, most of them 0, stored one after
// the other (compressed sparse rows). Vertex v has Value[j] of feature Index[j], for j from Offsets[v] to Offsets[v+1]-1.
type Features struct {
	Columns int       // F
	Offsets []int64   // (N+1)
	Index   []int32   // in [0,F), increasing within a row
	Value   []float32 // >= 0

	Missing int // vertices without any
	Unknown int // lines of the file that were of other vertices, and not taken
}

// maxFeature is the largest feature there may be: a model has a vector for each.
const maxFeature = 1<<24 - 1

// ReadFeatures reads the features of the named vertices from a file.
//
// The text is UTF-8, plain or gzip, which its first bytes tell. A line holds the id of a vertex and the numbers of its
// features, from 0 up, such as the words of a document: the id ends at the line's first tab, or without a tab at its first
// comma or space; tabs, commas or spaces separate the numbers, of which there may be none. A feature has the value 1, or as many as it
// is named times. There are as many columns as the largest number says, plus one. Blank lines do not count, nor do lines
// that start with # or %.
//
// Lines of vertices that are not named are counted and left out, because a network is often the largest component of what
// the file describes; a vertex without a line has no features, and is counted too. It returns an error, a
// *ParseError with file and line, for what is wrong with the file, a vertex given twice, a file without a feature for any of the
// vertices, and one that looks like a table with a value for each feature.
func ReadFeatures(path string, names []string) (*Features, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("network: %w", err)
	}
	defer file.Close()
	return readFeatures(file, path, names)
}

func readFeatures(r io.Reader, name string, names []string) (*Features, error) {
	l, err := newLines(r, name)
	if err != nil {
		return nil, err
	}
	f := &Features{Offsets: make([]int64, len(names)+1)}
	p := featureParser{lines: l, vertex: lazyIndex(names)(), rows: make([][]int32, len(names)), given: make([]int, len(names))}
	for err == nil {
		err = p.next(f)
	}
	if !errors.Is(err, io.EOF) {
		return nil, err
	}
	if p.dense() {
		return nil, &ParseError{name, 0, fmt.Errorf("each line has %d numbers, most of them 0 or all of them 0 or 1, as tables of values have: expected the numbers of the features that a vertex has, such as 0 2 4 for the values 1 0 1 0 1", p.same)}
	}
	for v, row := range p.rows {
		slices.Sort(row)
		for i, c := range row {
			if i > 0 && c == row[i-1] {
				f.Value[len(f.Value)-1]++
				continue
			}
			f.Index, f.Value = append(f.Index, c), append(f.Value, 1)
			f.Columns = max(f.Columns, int(c)+1)
		}
		f.Offsets[v+1] = int64(len(f.Index))
		if len(row) == 0 {
			f.Missing++
		}
	}
	if len(f.Index) == 0 {
		err := fmt.Errorf("no feature of any of the %d vertices in %d lines", len(names), l.line)
		if f.Unknown > 0 && len(names) > 0 {
			err = fmt.Errorf("%w, of which %d are of others, the first of %s: expected ids such as %s", err, f.Unknown,
				quote([]byte(p.firstUnknown)), quote([]byte(names[0])))
		} else {
			err = fmt.Errorf("%w: expected lines of an id and numbers from 0 up", err)
		}
		return nil, &ParseError{name, 0, err}
	}
	return f, nil
}

// featureParser collects the features of a file.
type featureParser struct {
	*lines
	vertex       map[string]int32
	rows         [][]int32 // of each vertex
	given        []int     // line of each vertex; 0 before
	firstUnknown string    // the first vertex that is not named

	entries, same      int // lines of vertices; how many numbers each has, -1 where they differ
	numbers, zero, one int // all numbers; those that are 0, and 1
}

// dense says whether the file looks like a table with a value for each feature: lines of as many numbers each, with feature 0, or 0 and 1, again and
// again.
func (p *featureParser) dense() bool {
	return p.entries > 1 && p.same > 2 && (2*p.zero > p.numbers || p.zero+p.one == p.numbers)
}

// next reads one line.
func (p *featureParser) next(f *Features) error {
	line, err := p.lines.next()
	if err != nil {
		return err
	}
	if len(line) > 0 && (line[0] == '#' || line[0] == '%') {
		return nil
	}
	line = bytes.TrimSpace(line)
	if len(line) == 0 {
		return nil
	}
	id, rest := cutID(line)
	if err := CheckID(id); err != nil {
		return p.errorf("id %s %w", quote(id), err)
	}
	v, known := p.vertex[string(id)]
	if known && p.given[v] > 0 {
		return p.errorf("vertex %s again, after line %d: expected one line for each", quote(id), p.given[v])
	}
	var row []int32
	for field := range bytes.FieldsFuncSeq(rest, func(r rune) bool { return r == ' ' || r == '\t' || r == ',' }) {
		c, err := strconv.ParseUint(string(field), 10, 31)
		if err != nil || c > maxFeature {
			return p.errorf("feature %s: expected an integer from 0 to %d", quote(field), maxFeature)
		}
		row = append(row, int32(c))
		if p.numbers++; c == 0 {
			p.zero++
		} else if c == 1 {
			p.one++
		}
	}
	if p.entries++; p.entries == 1 {
		p.same = len(row)
	} else if p.same != len(row) {
		p.same = -1
	}
	if !known {
		if f.Unknown++; f.Unknown == 1 {
			p.firstUnknown = string(id)
		}
		return nil
	}
	p.rows[v], p.given[v] = row, p.line
	return nil
}

// cutID parts a line into the id and what follows it.
func cutID(line []byte) (id, rest []byte) {
	i := bytes.IndexByte(line, '\t')
	if i < 0 {
		i = bytes.IndexAny(line, ", ")
	}
	if i < 0 {
		return line, nil
	}
	return trimSpaces(line[:i]), line[i+1:]
}

// Adjacency returns the links of a network as features: vertex v has feature u if v points to u, another vertex. Each has the
// value 1, whatever the weight of the link. They share the network's memory where it has no self-loop. For a directed network,
// Simple gives them both ways.
func Adjacency(n *Network) *Features {
	f := &Features{Columns: n.Vertices(), Offsets: n.offsets, Index: n.targets}
	if n.loops > 0 {
		f.Offsets, f.Index = make([]int64, 1, len(n.offsets)), make([]int32, 0, len(n.targets))
		for v := range int32(n.Vertices()) {
			for _, u := range n.Out(v) {
				if u != v {
					f.Index = append(f.Index, u)
				}
			}
			f.Offsets = append(f.Offsets, int64(len(f.Index)))
		}
	}
	f.Value = make([]float32, len(f.Index))
	for i := range f.Value {
		f.Value[i] = 1
	}
	for v := range n.Vertices() {
		if f.Offsets[v] == f.Offsets[v+1] {
			f.Missing++
		}
	}
	return f
}

// Rows returns N, the number of vertices.
func (f *Features) Rows() int { return len(f.Offsets) - 1 }

// Check returns an error unless there are offsets from 0 up to the number of elements, which are in their columns, and
// finite and not negative.
func (f *Features) Check() error {
	n := len(f.Offsets)
	if n < 2 || f.Columns < 1 {
		return fmt.Errorf("network: features: %d rows of %d columns: expected at least one of both", n-1, f.Columns)
	}
	if f.Offsets[0] != 0 || f.Offsets[n-1] != int64(len(f.Index)) || len(f.Index) != len(f.Value) || !slices.IsSorted(f.Offsets) {
		return fmt.Errorf("network: features: offsets %d to %d, %d indices, %d values: expected offsets that rise from 0 to the number of both",
			f.Offsets[0], f.Offsets[n-1], len(f.Index), len(f.Value))
	}
	for j, c := range f.Index {
		if c < 0 || int(c) >= f.Columns {
			return fmt.Errorf("network: features: index %d is %d: expected 0 to %d", j, c, f.Columns-1)
		}
		if v := f.Value[j]; !(v >= 0 && v <= math.MaxFloat32) {
			return fmt.Errorf("network: features: value %d is %v: expected a finite number, not negative", j, v)
		}
	}
	return nil
}

// Normalized returns the features with each row divided by its sum; a row of zeros stays as it is. Features that do not
// pass Check are not for it.
func (f *Features) Normalized() *Features {
	g := *f
	g.Value = slices.Clone(f.Value)
	for v := range f.Rows() {
		row := g.Value[f.Offsets[v]:f.Offsets[v+1]]
		var sum float64
		for _, x := range row {
			sum += float64(x)
		}
		if sum == 0 {
			continue
		}
		for i, x := range row {
			row[i] = float32(float64(x) / sum)
		}
	}
	return &g
}

// Checksum returns the SHA-256, in hexadecimal, of the columns, rows and values.
func (f *Features) Checksum() string {
	d := digest.New()
	d.Text("features")
	d.Uint(uint64(f.Columns))
	d.Uint(uint64(len(f.Offsets)))
	for _, o := range f.Offsets {
		d.Uint(uint64(o))
	}
	d.Ints(f.Index)
	d.Floats(f.Value)
	return d.Sum()
}
