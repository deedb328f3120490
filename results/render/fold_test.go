package render

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// A table that is wider than the terminal goes on below, each part with the labels; nothing is lost, and without a width nothing changes.
func TestFold(t *testing.T) {
	table := Table{Name: "t", Title: "title", Corner: "data", Columns: []string{"one/first", "two", "three", "four"}}
	for _, label := range []string{"A", "Longer"} {
		row := Row{Label: label}
		for i := range table.Columns {
			row.Values = append(row.Values, Value{Mean: 0.1 + float64(i)/10, SD: 0.01, N: 3})
		}
		table.Rows = append(table.Rows, row)
	}
	var whole bytes.Buffer
	call.OK(t, Write(&whole, table, "terminal"))
	for _, width := range []int{1, 30, 45, 1000} {
		table.Width = width
		var b bytes.Buffer
		call.OK(t, Write(&b, table, "terminal"))
		if width == 1000 && b.String() != whole.String() {
			t.Errorf("wide enough, and yet\n%s", b.String())
		}
		for line := range strings.Lines(b.String()) {
			if n := utf8.RuneCountInString(strings.TrimSpace(line)); n > width && width > 20 {
				t.Errorf("width %d: %d letters in %q", width, n, line)
			}
		}
		for _, want := range []string{"first", "two", "three", "four", ".1000 ± .0100", ".4000 ± .0100"} {
			if got := strings.Count(b.String(), want); got != strings.Count(whole.String(), want) {
				t.Errorf("width %d: %q is there %d times", width, want, got)
			}
		}
	}
}
