package vectors

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// Labels are the labels of named vertices, each with at least one.
type Labels struct {
	Names  []string // (L) of the labels, distinct, sorted
	Vertex []string // (N) distinct, in the order in which the file has them first
	Of     [][]int32
	// Of[v] are the labels of Vertex[v], as places in Names: sorted, each once
}

// ReadLabels reads labels of vertices, also compressed; name is what errors call the file.
//
// A line holds a vertex and a label, separated by a tab, or in a file without tabs by a comma, or else by spaces: the first
// line of data decides. More columns are more labels, and a vertex may have several lines. Blank lines do not count, nor do
// lines that start with #. It returns an error for a line without a label or an empty one, text that is not UTF-8, and a file
// without a label.
func ReadLabels(r io.Reader, name string) (*Labels, error) {
	p := labelParser{vertex: map[string]int{}, label: map[string]int32{}}
	lines, err := EachLine(r, name, func(_ int, line []byte) error { return p.line(line) })
	if err != nil {
		return nil, err
	}
	if len(p.out.Vertex) == 0 {
		return nil, fmt.Errorf("vectors: %s: no labels in %d lines: want lines of a vertex and a label", name, lines)
	}
	return p.done(), nil
}

// Fields cuts the lines of a text into fields: at tabs, in a text without tabs at commas, or else at spaces, as the first line decides.
type Fields struct {
	separator string // "" for spaces
	decided   bool
}

// Cut returns the fields of the next line, without the spaces around them. Between commas a field may stand in quotes.
func (f *Fields) Cut(line string) (fields []string) {
	for _, s := range []string{"\t", ","} {
		if !f.decided && f.separator == "" && strings.Contains(line, s) {
			f.separator = s
		}
	}
	if f.decided = true; f.separator == "" {
		return strings.Fields(line)
	}
	line = strings.TrimRight(line, "\r")
	if f.separator == "," && strings.Contains(line, `"`) {
		r := csv.NewReader(strings.NewReader(line))
		r.TrimLeadingSpace = true
		if row, err := r.Read(); err == nil { // else the quotes are part of the fields
			for _, field := range row {
				fields = append(fields, strings.TrimSpace(field))
			}
			return fields
		}
	}
	for field := range strings.SplitSeq(line, f.separator) {
		fields = append(fields, strings.TrimSpace(field))
	}
	return fields
}

// EachPair calls do with the two names of each line of a text, cut as Fields says, also compressed; name is what errors call the
// file. More columns are not looked at, nor are blank lines and those that start with # or %. It returns an error for a line of one name,
// and those of do.
func EachPair(r io.Reader, name string, do func(a, b string) error) error {
	var fields Fields
	_, err := EachLine(r, name, func(_ int, line []byte) error {
		if len(bytes.TrimSpace(line)) == 0 || line[0] == '#' || line[0] == '%' {
			return nil
		}
		names := fields.Cut(string(line))
		if len(names) < 2 {
			return fmt.Errorf("%.60q: want two vertex ids", line)
		}
		return do(names[0], names[1])
	})
	return err
}

type labelParser struct {
	out    Labels
	fields Fields
	vertex map[string]int
	label  map[string]int32
}

func (p *labelParser) line(b []byte) error {
	if t := bytes.TrimSpace(b); len(t) == 0 || t[0] == '#' {
		return nil
	}
	if !utf8.Valid(b) {
		return errors.New("not UTF-8: want text")
	}
	text := string(b)
	fields := p.fields.Cut(text)
	if len(fields) < 2 {
		return fmt.Errorf("%.60q: want a vertex and a label", text)
	}
	v, ok := p.vertex[fields[0]]
	if !ok {
		v = len(p.out.Vertex)
		p.vertex[fields[0]] = v
		p.out.Vertex, p.out.Of = append(p.out.Vertex, fields[0]), append(p.out.Of, nil)
	}
	for _, f := range fields[1:] {
		if f == "" {
			return fmt.Errorf("%.60q: an empty label: want a name or a number", text)
		}
		l, ok := p.label[f]
		if !ok {
			l = int32(len(p.out.Names))
			p.label[f] = l
			p.out.Names = append(p.out.Names, f)
		}
		p.out.Of[v] = append(p.out.Of[v], l)
	}
	return nil
}

// done sorts the labels.
func (p *labelParser) done() *Labels {
	sorted := slices.Sorted(slices.Values(p.out.Names))
	place := make([]int32, len(sorted))
	for i, l := range sorted {
		place[p.label[l]] = int32(i)
	}
	for v, of := range p.out.Of {
		for i, l := range of {
			of[i] = place[l]
		}
		slices.Sort(of)
		p.out.Of[v] = slices.Compact(of)
	}
	p.out.Names = sorted
	return &p.out
}

// Align returns the labels of names, in their order, nil for one without, as places among the labels that one of them has, and how many
// vertices with labels are not among names. A network is often the largest component of what the labels are of.
func (l *Labels) Align(names []string) (of [][]int32, labels []string, others int) {
	at := seq.Places[string, int](l.Vertex)
	of, others = make([][]int32, len(names)), len(l.Vertex)
	used := make([]bool, len(l.Names))
	for i, name := range names {
		if v, ok := at[name]; ok {
			of[i] = slices.Clone(l.Of[v])
			others--
			for _, label := range of[i] {
				used[label] = true
			}
		}
	}
	place := make([]int32, len(l.Names))
	for label, name := range l.Names {
		if place[label] = int32(len(labels)); used[label] {
			labels = append(labels, name)
		}
	}
	for _, list := range of {
		for j, label := range list {
			list[j] = place[label]
		}
	}
	return of, labels, others
}
