package network

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
)

// ReadOptions says how to take a file of links.
type ReadOptions struct {
	Directed      bool // each line is a link from its first vertex to its second
	IgnoreWeights bool // take no notice of the third column, which may then be anything
}

// Report says what a file of links held.
type Report struct {
	Lines       int    `json:"lines"`
	Links       int    `json:"links"`       // lines with a link
	Repeated    int    `json:"repeated"`    // links given again, which are dropped; undirected ones in either order
	Conflicting int    `json:"conflicting"` // repeated links with another weight than the first
	SelfLoops   int    `json:"self_loops"`  // different links from a vertex to itself, which are kept
	Separator   string `json:"separator"`   // tab, comma or space
	Columns     int    `json:"columns"`
	Header      bool   `json:"header"` // the first line was taken for column names
	Gzip        bool   `json:"gzip"`
}

// Read reads a network from a file of links; see ReadFrom.
func Read(path string, o ReadOptions) (*Network, Report, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, Report{}, fmt.Errorf("network: %w", err)
	}
	defer f.Close()
	return ReadFrom(f, path, o)
}

// ReadFrom reads a network from lines of links; name is what errors call the input.
//
// The text is UTF-8, plain or gzip, which its first bytes tell. A line holds two vertex ids and, where wanted, a weight and
// a time, separated by tabs, commas or spaces: the first line of data decides, and all others have the same separator and
// number of columns. Spaces around columns do not count. An id is any text without control characters. A weight is a finite
// number > 0; a fourth column, as in the files of KONECT, must be a number and is not used. (In the temporal files of SNAP the
// third column is a time: IgnoreWeights.) Blank lines do not count, nor do lines that start with # or %. A first line such as
// "source,target" or "from to weight" is taken for column names if neither name is a vertex further down.
//
// Vertices are numbered by the rank of their ids, as integers if all are decimal integers, else by their bytes. Everything
// else is a *ParseError with file and line; so is a file without a link.
func ReadFrom(r io.Reader, name string, o ReadOptions) (*Network, Report, error) {
	l, err := newLines(r, name)
	if err != nil {
		return nil, Report{}, err
	}
	p := linkParser{columns: columns{lines: l}, options: o, ids: newInterner()}
	err = p.next(maxColumns)
	if err == nil && l.line == 1 && isHeader(p.field[0], p.field[1]) {
		err = p.afterHeader()
	}
	for ; err == nil; err = p.next(maxColumns) {
		if err = p.link(p.field[0], p.field[1], p.field[2], p.field[3]); err != nil {
			break
		}
	}
	if !errors.Is(err, io.EOF) {
		return nil, Report{}, err
	}
	if p.header.ids[0] != "" {
		if err := p.resolveHeader(); err != nil {
			return nil, Report{}, err
		}
	}
	if len(p.links) == 0 {
		return nil, Report{}, &ParseError{name, 0, fmt.Errorf("no link in %d lines: want lines of two vertex ids", l.line)}
	}
	names, rank := p.ids.ranked()
	for i, l := range p.links {
		p.links[i] = Link{rank[l.From], rank[l.To]}
	}
	net, dropped := build(names, p.links, p.weights, o.Directed)
	net.index = lazyIndex(names)
	return net, Report{
		Lines: l.line, Links: len(p.links), Repeated: dropped.repeated, Conflicting: dropped.conflicting, SelfLoops: net.loops,
		Separator: p.name(), Columns: p.count, Header: p.header.used, Gzip: l.gzip,
	}, nil
}

// linkParser collects the links of a file.
type linkParser struct {
	columns
	options ReadOptions
	ids     *interner
	links   []Link
	weights []float32
	header  struct {
		ids    [2]string // the first line, while it may be column names or a link
		weight string
		time   string
		used   bool
	}
}

// link adds the link of the current line.
func (p *linkParser) link(from, to, weight, time []byte) error {
	u, err := p.vertex(from)
	if err != nil {
		return err
	}
	p.ids.last = u
	v, err := p.vertex(to)
	if err != nil {
		return err
	}
	if len(p.links) == math.MaxInt32 {
		return p.errorf("more than %d links: want fewer", math.MaxInt32)
	}
	p.links = append(p.links, Link{u, v})
	if p.options.IgnoreWeights {
		return nil
	}
	if p.count > 2 {
		w, err := p.parseWeight(weight)
		if err != nil {
			return err
		}
		p.weights = append(p.weights, w)
	}
	if p.count > 3 {
		if t, err := strconv.ParseFloat(string(time), 64); err != nil || math.IsNaN(t) || math.IsInf(t, 0) {
			return p.errorf("time %s: want a number in the fourth column, or no such column", quote(time))
		}
	}
	return nil
}

// parseWeight returns the weight in the third column.
func (c *columns) parseWeight(text []byte) (float32, error) {
	w, err := strconv.ParseFloat(string(text), 32)
	if err != nil || !validWeight(float32(w)) {
		return 0, c.errorf("weight %s: want a finite number > 0 in the third column", quote(text))
	}
	return float32(w), nil
}

// check returns an error if id cannot be the id of a vertex.
func (p *columns) check(id []byte) error {
	if err := checkID(id); err != nil {
		return p.errorf("id %s %w: want UTF-8 text", quote(id), err)
	}
	if p.sep == ',' && id[0] == '"' {
		return p.errorf("id %s has quotes: want columns without quotes, or separated by tabs", quote(id))
	}
	return nil
}

// vertex returns the number of an id, which it checks when it is new.
func (p *linkParser) vertex(id []byte) (int32, error) {
	v, isNew := p.ids.intern(id)
	if isNew {
		if err := p.check(id); err != nil {
			return 0, err
		}
		if p.ids.full() {
			return 0, p.errorf("more than %d vertices: want fewer", math.MaxInt32-1)
		}
	}
	return v, nil
}

// headers are the column names that are known.
var headers = []string{"source target", "src dst", "from to", "u v", "node1 node2", "node_1 node_2", "id_1 id_2", "fromnodeid tonodeid",
	"start end", "user1 user2", "vertex1 vertex2"}

func isHeader(from, to []byte) bool {
	pair := strings.ToLower(string(from) + " " + string(to))
	for _, h := range headers {
		if pair == h {
			return true
		}
	}
	return false
}

// afterHeader sets the first line aside until it is known whether its names are vertices, and reads on.
func (p *linkParser) afterHeader() error {
	p.header.ids = [2]string{string(p.field[0]), string(p.field[1])}
	p.header.weight, p.header.time = string(p.field[2]), string(p.field[3])
	return p.next(maxColumns)
}

// resolveHeader decides what the first line was: column names, unless one of them is a vertex of another line.
func (p *linkParser) resolveHeader() error {
	_, from := p.ids.number[p.header.ids[0]]
	_, to := p.ids.number[p.header.ids[1]]
	if !from && !to {
		p.header.used = true
		return nil
	}
	end := p.line
	p.line = 1 // for errors
	err := p.link([]byte(p.header.ids[0]), []byte(p.header.ids[1]), []byte(p.header.weight), []byte(p.header.time))
	p.line = end
	if err != nil {
		return err
	}
	rotate(p.links) // it came first, so its weight is the one that counts
	rotate(p.weights)
	return nil
}

// rotate moves the last element to the front.
func rotate[T any](s []T) {
	if len(s) > 0 {
		last := s[len(s)-1]
		copy(s[1:], s)
		s[0] = last
	}
}
