package network

import (
	"path/filepath"
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// tableFile writes a text into a new file.
func tableFile(t testing.TB, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "table")
	call.File(t, path, text)
	return path
}

// Links keep the order of the file, repetitions and directions; a first line that turns out to be a link comes first.
func TestReadLinksKeepsTheFile(t *testing.T) {
	timed := call.Of(ParseColumns("source,target,-,time"))(t)
	for name, c := range map[string]struct {
		text string
		o    ReadOptions
		want LinkList
	}{
		"order":         {"b a\n# c\n\nb a\na b\n", ReadOptions{}, LinkList{Names: []string{"b", "a"}, Links: []Link{{0, 1}, {0, 1}, {1, 0}}, Lines: []int{1, 4, 5}}},
		"integers":      {"7 3\n3 10\n", ReadOptions{}, LinkList{Names: []string{"7", "3", "10"}, Links: []Link{{0, 1}, {1, 2}}, Lines: []int{1, 2}}},
		"weights":       {"a,b,1\na,c,.5\n", ReadOptions{}, LinkList{Names: []string{"a", "b", "c"}, Links: []Link{{0, 1}, {0, 2}}, Weights: []float32{1, .5}, Lines: []int{1, 2}}},
		"times":         {"a,b,x,9\na,c,y,-4\n", ReadOptions{Columns: timed}, LinkList{Names: []string{"a", "b", "c"}, Links: []Link{{0, 1}, {0, 2}}, Times: []int64{9, -4}, Lines: []int{1, 2}}},
		"names":         {"source,target,time\na,b,3\n", ReadOptions{}, LinkList{Names: []string{"a", "b"}, Links: []Link{{0, 1}}, Times: []int64{3}, Lines: []int{2}}},
		"names, a link": {"from,to\na,b\nto,a\n", ReadOptions{}, LinkList{Names: []string{"a", "b", "to", "from"}, Links: []Link{{3, 2}, {0, 1}, {2, 0}}, Lines: []int{1, 2, 3}}},
		"nothing":       {"# none\n", ReadOptions{}, LinkList{}},
	} {
		got, err := ReadLinks(tableFile(t, c.text), c.o)
		if err != nil || !reflect.DeepEqual(*got, c.want) {
			t.Errorf("%s: %+v, %v\nwant %+v", name, got, err, c.want)
		}
	}
}

// The errors are those of a network's file, and of times.
func TestReadLinksErrors(t *testing.T) {
	call.Refused(t, "table:2: 3 columns: expected 2, as on line 1")(ReadLinks(tableFile(t, "a b\nc d e\n"), ReadOptions{}))
	call.Refused(t, `table:2: time "x": expected a whole number`)(ReadLinks(tableFile(t, "source,target,time\na,b,x\n"), ReadOptions{}))
	call.Refused(t)(ReadLinks(filepath.Join(t.TempDir(), "nowhere"), ReadOptions{}))
}

// rowsOf returns the columns of all lines of a table, or the error.
func rowsOf(t *testing.T, text string, o TableOptions) (rows [][]string, err error) {
	t.Helper()
	table, err := OpenTable(tableFile(t, text), o)
	if err != nil {
		return nil, err
	}
	defer table.Close()
	for {
		columns, err := table.Next()
		if err != nil {
			if err.Error() == "EOF" {
				err = nil
			}
			return rows, err
		}
		var row []string
		for _, c := range columns {
			row = append(row, string(c))
		}
		rows = append(rows, row)
	}
}

// A table that is no list of links may have empty columns, lines of any length, and any of the separators.
func TestTableReader(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		o    TableOptions
		want [][]string
	}{
		"tabs at the end": {"a\t\tb\t\n", TableOptions{Separator: '\t', Columns: 4}, [][]string{{"a", "", "b", ""}}},
		"comments":        {"\ufeff# x\n% y\n\na\tb\r\n", TableOptions{Separator: '\t', Columns: 2}, [][]string{{"a", "b"}}},
		"colons":          {"1:2,3\n4:\n", TableOptions{Separator: ':', Columns: 2}, [][]string{{"1", "2,3"}, {"4", ""}}},
		"any number":      {"a,b c,d\ne\n", TableOptions{}, [][]string{{"a", "b c", "d"}, {"e"}}},
		"spaces":          {"a  b c\nd\n", TableOptions{}, [][]string{{"a", "b", "c"}, {"d"}}},
		"quotes":          {"\"a, \"\"b\"\"\";c\n", TableOptions{}, [][]string{{"a, \"b\"", "c"}}},
	} {
		if got, err := rowsOf(t, c.text, c.o); err != nil || !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %q, %v: expected %q", name, got, err, c.want)
		}
	}
	for text, want := range map[string]string{
		"a\tb\nc\n": "table:2: 1 columns: expected 2, separated by tabs: two things",
		"a\tb\tc\n": "table:1: 3 columns: expected 2",
	} {
		call.Refused(t, want)(rowsOf(t, text, TableOptions{Separator: '\t', Columns: 2, Want: "two things"}))
	}
	table := call.Of(OpenTable(tableFile(t, "a\n"), TableOptions{}))(t)
	defer table.Close()
	if _, err := table.Next(); err != nil || table.Line() != 1 {
		t.Errorf("line %d, %v", table.Line(), err)
	}
	if name, err := table.Name([]byte(" x y "), "paper"); err != nil || name != "x y" {
		t.Errorf("%q, %v", name, err)
	}
	call.Refused(t, `table:1: paper "\x00" has a control character`)(table.Name([]byte("\x00"), "paper"))
}
