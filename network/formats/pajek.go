package formats

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// readPajek reads *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist and *Matrix, whose entries are arcs from their row to their column
// where they are not 0. Vertices are named by their labels if all have one of their own, else by their numbers.
func readPajek(t *text, s *sink) error {
	p := pajek{text: t, sink: s}
	for {
		line, err := t.nextLine()
		if err == io.EOF {
			break
		}
		if err != nil {
			return err
		}
		line = bytes.TrimSpace(line)
		switch {
		case len(line) == 0 || line[0] == '%':
		case line[0] == '*':
			err = p.head(string(line))
		default:
			err = p.entry(string(line))
		}
		if err != nil {
			return err
		}
	}
	if p.vertices == 0 {
		return t.errorf("has no line *Vertices N: want it")
	}
	return p.wholeMatrix()
}

type pajek struct {
	*text
	*sink
	section  string
	vertices uint64
	rows     uint64 // of the matrix that were read
}

func (p *pajek) head(line string) error {
	if err := p.wholeMatrix(); err != nil {
		return err
	}
	words := strings.Fields(line)
	section := strings.ToLower(words[0])
	switch section {
	case "*network", "*vertices", "*arcs", "*edges", "*arcslist", "*edgeslist", "*matrix":
	default:
		return p.errorf("%.40s: want only *Vertices, *Arcs, *Edges, *Arcslist, *Edgeslist and *Matrix", words[0])
	}
	p.section, p.rows = section, 0
	if section != "*vertices" {
		return nil
	}
	if p.vertices > 0 {
		return p.errorf("*Vertices again: want one network in a file")
	}
	if len(words) > 2 {
		return p.errorf("%.60q has two kinds of vertices: want one", line)
	}
	var err error
	if len(words) == 2 {
		p.vertices, err = strconv.ParseUint(words[1], 10, 31)
	}
	if err != nil || p.vertices == 0 {
		return p.errorf("%.60q: want *Vertices and their number", line)
	}
	return nil
}

// number returns the vertex of a number.
func (p *pajek) number(word string) (int32, error) {
	x, err := strconv.ParseUint(word, 10, 63)
	if err != nil || x == 0 || x > p.vertices {
		return 0, p.errorf("vertex %.40q: want a number from 1 to %d", word, p.vertices)
	}
	v, _, err := p.Integer(x)
	return v, err
}

func (p *pajek) entry(line string) error {
	switch p.section {
	case "*vertices":
		word, rest, _ := strings.Cut(line, " ")
		if tab := strings.IndexByte(word, '\t'); tab >= 0 {
			word, rest = line[:tab], line[tab+1:]
		}
		v, err := p.number(word)
		if err != nil {
			return err
		}
		if int(v) < len(p.labels) && p.labels[v] != "" {
			return p.errorf("vertex %s again: want each number once", word)
		}
		label, err := p.labelOf(strings.TrimSpace(rest))
		p.label(v, label)
		return err
	case "*arcs", "*edges":
		f := strings.Fields(line)
		if len(f) < 2 {
			return p.errorf("%.60q: want two vertices, then maybe a weight", line)
		}
		weight, err := 1.0, error(nil)
		if len(f) > 2 {
			if weight, err = p.text.number(f[2]); err != nil {
				return err
			}
		}
		return p.links(f[:2], weight, map[string]way{"*arcs": oneWay, "*edges": bothWays}[p.section])
	case "*arcslist", "*edgeslist":
		return p.links(strings.Fields(line), 1, map[string]way{"*arcslist": oneWay, "*edgeslist": bothWays}[p.section])
	case "*matrix":
		return p.row(strings.Fields(line))
	}
	return p.errorf("%.60q before *Vertices: want that first", line)
}

// links adds links from the first vertex to each of the others.
func (p *pajek) links(words []string, weight float64, w way) error {
	from, err := p.number(words[0])
	if err != nil {
		return err
	}
	for _, word := range words[1:] {
		to, err := p.number(word)
		if err != nil {
			return err
		}
		if err := p.link(from, to, weight, w); err != nil {
			return err
		}
	}
	return nil
}

// row adds the links of the next row of a matrix.
func (p *pajek) row(entries []string) error {
	if p.rows++; uint64(len(entries)) != p.vertices || p.rows > p.vertices {
		return p.errorf("row %d of the matrix with %d numbers: want %d rows of as many numbers, as *Vertices says", p.rows, len(entries), p.vertices)
	}
	from, _, err := p.Integer(p.rows)
	if err != nil {
		return err
	}
	for i, entry := range entries {
		if x, err := strconv.ParseFloat(entry, 64); err == nil && x == 0 {
			continue
		}
		weight, err := p.text.number(entry)
		if err != nil {
			return err
		}
		to, _, err := p.Integer(uint64(i + 1))
		if err != nil {
			return err
		}
		if err := p.link(from, to, weight, oneWay); err != nil {
			return err
		}
	}
	return nil
}

// wholeMatrix returns an error if a matrix ends before its last row.
func (p *pajek) wholeMatrix() error {
	if p.section == "*matrix" && p.rows < p.vertices {
		return p.errorf("the matrix ends after %d rows: want %d, as *Vertices says; was the file cut off?", p.rows, p.vertices)
	}
	return nil
}

// labelOf returns the label at the beginning of what follows a vertex's number, in quotes or one word.
func (p *pajek) labelOf(rest string) (string, error) {
	if rest == "" || rest[0] != '"' {
		word, _, _ := strings.Cut(rest, " ")
		return word, nil
	}
	end := strings.IndexByte(rest[1:], '"')
	if end < 0 {
		return "", p.errorf("label %.60s: want a closing quote", rest)
	}
	return rest[1 : 1+end], nil
}
