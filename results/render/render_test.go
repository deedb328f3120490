package render

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"flag"
	"math"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

var updateRendered = flag.Bool("update", false, "write testdata anew")

func number(x float64) *float64 { return &x }

// shown has every kind of cell, and labels that mean something in every format.
func shown() []Table {
	return []Table{
		{
			Name: "table1-paper", Title: "Every kind of cell", Corner: "test AUC", Columns: []string{"dim=100/DW", "dim=100/asp2vec", "dim=200/asp2vec", "Improvement, %"},
			Rows: []Row{
				{"Filmtrust", []Value{
					{Mean: 0.70432, SD: 0.0334, N: 3, Paper: number(0.685), Printed: "0.6850"},
					{Mean: 0.7431, SD: 0.0033, N: 3, Paper: number(0.7426), Printed: ".7426"},
					{Mean: 0.62, N: 1, Paper: number(0.746), Printed: "0.7460", Outside: true},
					{Mean: 15.8, SD: 0.25, N: 2, Paper: number(15.65), Printed: "15.65%"},
				}},
				{"never run", []Value{{}, {Printed: "OOM"}, {Paper: number(0.5)}, {Mean: -0.25, SD: 1, N: 3}}},
			},
			Notes: []string{"Mean ± standard deviation."},
		},
		{
			Name: "odd_name&", Title: "100% of {hostile} ~labels~ \\ $x^2$ #1", Corner: "a|b", Columns: []string{"p & q", "x, \"y\"\nz", "<b>*bold*</b>", "Num. edges"},
			Rows: []Row{
				{"pipe | row", []Value{{Text: "https://a.b/c_d?e=f&g"}, {Text: "_a_ `code` [link](to)"}, {Text: "line\r\nend\ttab \x1b[31m"}, {Mean: 1853, N: 1, Paper: number(5899882), Printed: "5,899,882"}}},
				{"[0] % of \\ | a_b", []Value{{Text: "same", Printed: "same"}, {Text: "ours", Printed: "theirs"}, {}, {Mean: 2, N: 1}}},
			},
			Notes: []string{"note & 50% | more\nof it"},
		},
	}
}

func TestRenderGoldens(t *testing.T) {
	for _, format := range Formats() {
		var b bytes.Buffer
		call.OK(t, WriteAll(&b, shown(), format))
		call.Same(t, filepath.Join("testdata", "render"+Ending(format)), b.Bytes(), *updateRendered)
	}
}

func render1(t *testing.T, table Table, format string) string {
	t.Helper()
	var b bytes.Buffer
	call.OK(t, Write(&b, table, format))
	return b.String()
}

// Whatever labels hold, each format has as many cells in a line as there are columns.
func TestRenderEscapes(t *testing.T) {
	for _, table := range shown() {
		for line := range strings.Lines(render1(t, table, "markdown")) {
			bars := strings.Count(line, "|") - strings.Count(line, `\|`)
			if strings.HasPrefix(line, "|") && bars != len(table.Columns)+2 {
				t.Errorf("markdown: %d bars in %q", bars, line)
			}
			if strings.ContainsAny(line, "\x1b\r") || strings.Contains(line, "<b>") {
				t.Errorf("markdown: %q", line)
			}
		}
		for line := range strings.Lines(render1(t, table, "latex")) {
			if plain := strings.Count(line, "&") - strings.Count(line, `\&`); strings.HasSuffix(line, "\\\\\n") && !strings.Contains(line, "multicolumn") && plain != len(table.Columns) {
				t.Errorf("latex: %d separators in %q", plain, line)
			}
			if strings.ContainsAny(strings.NewReplacer(`\%`, "", `\#`, "").Replace(line), "%#~\x1b\r") {
				t.Errorf("latex: %q", line)
			}
		}
		records, err := csv.NewReader(strings.NewReader(render1(t, table, "csv"))).ReadAll()
		if err != nil || len(records) != 1+len(table.Rows)*len(table.Columns) {
			t.Errorf("csv: %d lines, %v", len(records), err)
			continue
		}
		for i, row := range table.Rows {
			for j, column := range table.Columns {
				got := records[1+i*len(table.Columns)+j]
				// encoding/csv reads a \r\n inside of a field as \n
				if text := strings.ReplaceAll(row.Values[j].Text, "\r\n", "\n"); got[0] != table.Name || got[1] != row.Label || got[2] != column || got[9] != text {
					t.Errorf("csv: %q", got)
				}
			}
		}
		var back Table
		if err := json.Unmarshal([]byte(render1(t, table, "json")), &back); err != nil || !reflect.DeepEqual(back, table) {
			t.Errorf("json: %v\ngot  %+v\nwant %+v", err, back, table)
		}
	}
}

func TestNumbers(t *testing.T) {
	auc, percent := numbers{}, numbers{percent: true}
	for _, c := range []struct{ got, want string }{
		{auc.text(0.74305), ".7430"}, {auc.text(1), "1.0000"}, {auc.text(0), ".0000"}, {auc.text(-0.0123), "−.0123"}, {auc.text(1234567), "1,234,567"},
		{auc.text(2.5), "2.5000"}, {percent.text(15.649), "15.65"}, {percent.text(-0.25), "−0.25"}, {percent.text(20), "20.00"},
		{auc.difference(0.7, 0.75), "−.0500"}, {auc.difference(0.75, 0.7), "+.0500"}, {auc.difference(0.7, 0.7), "+.0000"},
		{auc.difference(874, 1642), "−768"}, {auc.difference(5, 5), "+0"}, {percent.difference(15, 15.65), "−0.65"}, {percent.difference(30, 15), "+15.00"},
		{decimal(0.1234567), "0.123457"}, {decimal(1642), "1642"}, {decimal(math.MaxFloat64)[:5], "17976"},
	} {
		if c.got != c.want {
			t.Errorf("got %q, expected %q", c.got, c.want)
		}
	}
	one := Value{Mean: 0.5, N: 1}
	for seeds, want := range map[int]string{1: ".5000 (1)", 3: ".5000 (1)"} {
		if got := one.own("x", seeds); got != want {
			t.Errorf("got %q, expected %q", got, want)
		}
	}
	if got := (Value{Mean: 7, N: 1}).own("x", 1); got != "7" {
		t.Errorf("a count: %q", got)
	}
	if got := (Value{Mean: 0.5, SD: 0.25, N: 2}).own("x", 3); got != ".5000 ± .2500 (2)" {
		t.Errorf("fewer: %q", got)
	}
}
