package results

import (
	"testing"
)

// Values read off the printed tables of the paper, to hold the file and its keys in place.
func TestPaper(t *testing.T) {
	for _, c := range []struct {
		table       int
		row, column string
		printed     string
		value       float64
	}{
		{1, "Filmtrust", "dim=100/asp2vec", "0.7426", 0.7426},
		{1, "4area", "dim=500/asp2vec", "0.9627", 0.9627},
		{2, "Filmtrust (Dir.)", "Num. nodes", "1,642", 1642},
		{3, "Filmtrust", "Improvement", "15.65%", 15.65},
		{10, "4area", "K=10", "0.9438", 0.9438},
	} {
		got, ok := Paper(c.table, c.row, c.column)
		if !ok || got.Printed != c.printed || got.Value != c.value || !got.Numeric {
			t.Errorf("%+v: %+v, %v", c, got, ok)
		}
	}
	if _, ok := Paper(1, "Filmtrust", "dim=100/nothing"); ok {
		t.Error("a column that is not there was found")
	}
	seen := map[cellKey]bool{}
	total := 0
	for table := 1; table <= 10; table++ {
		cells := PaperTable(table)
		if len(cells) == 0 {
			t.Errorf("table %d is empty", table)
		}
		for _, c := range cells {
			total++
			k := cellKey{c.Table, c.Row, c.Column}
			if seen[k] || c.Row == "" || c.Column == "" || c.Printed == "" {
				t.Errorf("%+v: given twice, or a part is missing", c)
			}
			seen[k] = true
		}
	}
	if n := len(published().cells); n != total {
		t.Errorf("%d cells in tables 1 to 10, %d in all", total, n)
	}
}
