package vectors

import (
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

// Labels are the labels of named vertices, each with at least one.
type Labels struct {
	Names  []string // (L) of the labels, distinct, sorted
	Vertex []string // (N) distinct, in the order in which the file has them first
	Of     [][]int32
	// Of[v] are the labels of Vertex[v], as places in Names: sorted, each once
	Column string // that they were read from, where it has a name
}

// parts are the words for parts of a split.
var parts = strings.Fields("train training val valid validation dev test testing")

// Doubt returns what speaks against it that the labels are labels; "" where nothing does.
func (l *Labels) Doubt() string {
	list := slices.IndexFunc(l.Names, func(name string) bool {
		return strings.ContainsAny(name, ";|") || strings.HasPrefix(name, "[") && strings.HasSuffix(name, "]")
	})
	have := make([]int, len(l.Names))
	for _, i := range slices.Concat(l.Of...) {
		have[i]++
	}
	all := slices.Index(have, len(l.Vertex))
	switch n := len(l.Names); {
	case list >= 0:
		return fmt.Sprintf("%q is one label: expected several in columns, or on lines, of their own", l.Names[list])
	case n > 1 && !slices.ContainsFunc(l.Names, func(name string) bool { return !slices.Contains(parts, strings.ToLower(name)) }):
		return fmt.Sprintf("labels are %s, as the parts of a split are called", strings.Join(l.Names, ", "))
	case n > 2 && l.Names[0] == "-1" && !slices.ContainsFunc(l.Names[1:], func(name string) bool { _, err := strconv.ParseUint(name, 10, 64); return err != nil }):
		return fmt.Sprintf(`the label -1 of %d vertices may say that they have none: expected it empty or "NA" then`, have[0])
	case n > 9 && 2*n > len(l.Vertex):
		return "labels are nearly as many as vertices, as names or numbers of each would be"
	case all >= 0 && n > 1:
		return fmt.Sprintf("all vertices have the label %q", l.Names[all])
	}
	return ""
}

// ReadLabels reads labels of vertices, also compressed; name is what errors call the file.
//
// A line holds a vertex and a label, in a table as network.TableReader reads it. More columns are more
// labels, and a vertex may have several lines; who has nothing, NA, NaN, null or None there has no label. A
// first line with a column that is called id, node or the like, and whose labels no other line has, has the
// names of the columns. Below several names, columns of 0 and 1 say who has the label of that name. It
// returns an error for other tables with several names, for a column of several with another value on each
// line, for columns of 0 and 1 without names, for text that is not UTF-8, and for a file without a label.
func ReadLabels(r io.Reader, name string) (*Labels, error) {
	p := newLabelParser()
	var names []string // the first line, if it may be so
	var rows [][]string
	of := 0 // column of the vertices
	known := map[string]bool{}
	lines, err := eachRow(r, name, "a vertex and a label", func(row []string, first bool) error {
		if len(row) < 2 {
			return fmt.Errorf("%.60q: expected a vertex and a label", row)
		}
		if first && slices.ContainsFunc(row, isVertexColumn) {
			names, of = row, slices.IndexFunc(row, isVertexColumn)
			return nil
		}
		for _, label := range row[1:] {
			known[label] = true
		}
		rows = append(rows, row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	if names != nil && (len(rows) == 0 || slices.ContainsFunc(names[1:], func(s string) bool { return known[s] })) {
		rows, names, of = append(rows, names), nil, 0
	}
	if of > 0 { // to the front
		for _, row := range append(rows, names) {
			if of < len(row) {
				row[0], row[of] = row[of], row[0]
			}
		}
	}
	binary := len(rows) > 0 && !slices.ContainsFunc(rows, func(row []string) bool {
		return len(row) < 3 || slices.ContainsFunc(row[1:], func(s string) bool { return s != "0" && s != "1" })
	})
	switch at := distinctColumn(rows); {
	case binary && names == nil:
		return nil, fmt.Errorf("vectors: %s: columns of 0 and 1: expected the names of labels in a first line that begins with id", name)
	case binary:
		for _, row := range rows {
			for i, x := range row[1:] {
				if row[i+1] = ""; x == "1" && i+1 < len(names) {
					row[i+1] = names[i+1]
				}
			}
		}
	case len(names) > 2:
		return nil, fmt.Errorf("vectors: %s: columns %s: expected --labels-from with the name of one", name, strings.Join(names[1:], ", "))
	case at > 0:
		return nil, fmt.Errorf("vectors: %s: column %d has another value on each line, as names of vertices have: expected labels, or a first line of names and --labels-from", name, at+1)
	}
	if names == nil && areMembers(rows, known) {
		return nil, fmt.Errorf("vectors: %s: lines look like lists of members, a community each, as their vertices are labels too: expected a vertex and its labels on each line; "+
			`awk '{for (i = 1; i <= NF; i++) print $i "\tc" NR}' FILE makes that of communities`, name)
	}
	for _, row := range rows {
		p.add(row[0], row[1:])
	}
	if len(p.vertex) == 0 {
		return nil, fmt.Errorf("vectors: %s: no labels in %d lines: expected lines of a vertex and a label", name, lines)
	}
	l := p.done()
	if len(names) == 2 {
		l.Column = names[1]
	}
	return l, nil
}

// areMembers reports whether lines look like lists of the members of communities, in place of a vertex and
// its labels: most of what comes first is a label on other lines, and labels are as many as these lines have
// vertices.
func areMembers(rows [][]string, labels map[string]bool) bool {
	first, both, longer := map[string]bool{}, 0, 0
	for _, row := range rows {
		if len(row) > 2 {
			longer++
		}
		if !first[row[0]] && labels[row[0]] {
			both++
		}
		first[row[0]] = true
	}
	return len(rows) > 9 && 2*longer > len(rows) && 2*both > len(first) && len(labels) > len(first)
}

// distinctColumn returns the place of the first column, of several of labels, that has another value on each of five lines or more; 0 where none has.
func distinctColumn(rows [][]string) int {
	if len(rows) < 5 {
		return 0
	}
	for at := 1; len(rows[0]) > 2 && at < len(rows[0]); at++ {
		seen := map[string]bool{}
		if !slices.ContainsFunc(rows, func(row []string) bool {
			twice := len(row) <= at || seen[row[at]]
			if !twice {
				seen[row[at]] = true
			}
			return twice
		}) {
			return at
		}
	}
	return 0
}

// ReadLabelsOf returns a function that reads labels from one column of a table, called in upper or lower case as the first line has it. Vertices
// are in the column that is called id, node or the like, or else in the first. Who has nothing there has no label. It returns an error where there
// is no such column, and where it is empty.
func ReadLabelsOf(column string) func(r io.Reader, name string) (*Labels, error) {
	return func(r io.Reader, name string) (*Labels, error) {
		p := newLabelParser()
		var names []string
		at, of, n := -1, 0, 0
		_, err := eachRow(r, name, "a vertex and its attributes", func(row []string, first bool) error {
			if first {
				names = row
				if at = slices.IndexFunc(row, func(s string) bool { return strings.EqualFold(s, column) }); at < 0 {
					return fmt.Errorf("no column %q: expected one of %s", column, strings.Join(row, ", "))
				}
				of = max(0, slices.IndexFunc(row, isVertexColumn))
				return nil
			}
			if n++; len(row) == len(names)+1 && row[0] == strconv.Itoa(n) { // R's write.table names rows by their numbers, and not their column
				row = row[1:]
			}
			if len(row) != len(names) {
				return fmt.Errorf("%d columns: expected %d, as the first line has", len(row), len(names))
			}
			p.add(row[of], row[at:at+1])
			return nil
		})
		if err == nil && len(p.vertex) == 0 {
			err = fmt.Errorf("vectors: %s: nothing in the column %q: expected labels", name, column)
		}
		if err != nil {
			return nil, err
		}
		l := p.done()
		l.Column = column
		return l, nil
	}
}

// LabelsOf returns labels of vertices by their names.
func LabelsOf(of map[string][]string) *Labels {
	p := newLabelParser()
	for _, vertex := range slices.Sorted(maps.Keys(of)) {
		p.add(vertex, of[vertex])
	}
	return p.done()
}

// isVertexColumn says whether a column is named as those of vertices are.
func isVertexColumn(name string) bool {
	return slices.Contains([]string{"id", "node", "vertex", "node_id", "vertex_id", "nodeid"}, strings.ToLower(name))
}

// EachPair calls do with the two names of each line of a table, as network.TableReader reads it; name is what errors call the file. More columns
// are not looked at. It returns an error for a line of one name, and those of do.
func EachPair(r io.Reader, name string, do func(a, b string) error) error {
	_, err := eachRow(r, name, "two vertex ids", func(row []string, _ bool) error {
		if len(row) < 2 {
			return fmt.Errorf("%.60q: expected two vertex ids", row)
		}
		return do(row[0], row[1])
	})
	return err
}

// eachRow calls do with the columns of each line of data, and returns the number of the last line.
func eachRow(r io.Reader, name, want string, do func(row []string, first bool) error) (lines int, err error) {
	table, err := network.NewTable(r, name, network.TableOptions{Want: want})
	if err != nil {
		return 0, err
	}
	for first := true; ; first = false {
		columns, err := table.Next()
		if err == io.EOF {
			return table.Line(), nil
		}
		if err != nil {
			return 0, err
		}
		row := make([]string, len(columns))
		for i, c := range columns {
			if !utf8.Valid(c) {
				return 0, table.Errorf("not UTF-8: expected text")
			}
			row[i] = string(c)
		}
		if err := do(row, first); err != nil {
			return 0, table.Errorf("%w", err)
		}
	}
}

// labelParser collects the labels of vertices, in the order in which these come.
type labelParser struct {
	vertex []string
	of     [][]string
	place  map[string]int // of a vertex
}

func newLabelParser() *labelParser { return &labelParser{place: map[string]int{}} }

// unlabelled is what tables have for a vertex without a label.
var unlabelled = []string{"", "NA", "NaN", "nan", "NULL", "null", "None"}

func (p *labelParser) add(vertex string, labels []string) {
	labels = slices.DeleteFunc(slices.Clone(labels), func(f string) bool { return slices.Contains(unlabelled, f) })
	if len(labels) == 0 {
		return
	}
	v, ok := p.place[vertex]
	if !ok {
		v = len(p.vertex)
		p.place[vertex] = v
		p.vertex, p.of = append(p.vertex, vertex), append(p.of, nil)
	}
	p.of[v] = append(p.of[v], labels...)
}

func (p *labelParser) done() *Labels {
	names, of := numbered(p.of)
	return &Labels{Names: names, Vertex: p.vertex, Of: of}
}

// numbered returns the distinct ones of lists of names, sorted, and the lists as places among these: sorted, each once.
func numbered(lists [][]string) (names []string, of [][]int32) {
	names = slices.Compact(slices.Sorted(slices.Values(slices.Concat(lists...))))
	place := seq.Places[string, int32](names)
	for _, list := range lists {
		places := seq.Map(list, func(name string) int32 { return place[name] })
		slices.Sort(places)
		of = append(of, slices.Compact(places))
	}
	return names, of
}

// Align returns the labels of names, in their order, nil for one without, as places among the labels that one of them has, and how many
// vertices with labels are not among names. A network is often the largest component of what the labels are of.
func (l *Labels) Align(names []string) (of [][]int32, labels []string, others int) {
	at := seq.Places[string, int](l.Vertex)
	lists := make([][]string, len(names))
	others = len(l.Vertex)
	for i, name := range names {
		if v, ok := at[name]; ok {
			lists[i] = seq.Map(l.Of[v], func(label int32) string { return l.Names[label] })
			others--
		}
	}
	labels, of = numbered(lists)
	return of, labels, others
}
