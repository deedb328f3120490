// Package render writes tables: cells become text once, and thin writers make of it what a terminal, Markdown, CSV, LaTeX and JSON want.
// Text of others never carries control sequences, formulas, markup or commands into them.
package render

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// form is a way to write tables.
type form struct {
	name, ending string
	write        func(b *bytes.Buffer, tables []Table) error // nil for JSON
}

func forms() []form {
	return []form{
		{"terminal", ".txt", eachTable(terminal)}, {"markdown", ".md", eachTable(markdown)}, {"csv", ".csv", commas},
		{"latex", ".tex", eachTable(latex)}, {"json", ".json", nil},
	}
}

// Formats returns the names of the formats that Render knows.
func Formats() []string {
	return seq.Map(forms(), func(r form) string { return r.name })
}

// Ending returns how the names of files of a format end: ".md"; "" for a format that there is not.
func Ending(format string) string {
	for _, r := range forms() {
		if r.name == format {
			return r.ending
		}
	}
	return ""
}

// Write writes a table in one of Formats.
//
// A cell is "mean ± standard deviation", with the number of seeds in brackets where it is not the table's Seeds, or only
// one. The paper's number and the difference from it stand under it, marked where that is outside of the acceptance band. A
// cell that was never run is a dash. An AUC has four decimals and no zero before the point; numbers of a column whose name
// ends in % have two decimals; whole numbers from 2 up are counts.
//
// CSV has a line for each cell, with a heading, and numbers to six decimals; columns mean, sd and difference are empty where
// there is no such number. LaTeX needs the packages array, booktabs and graphicx. Whatever labels and texts hold is escaped; line ends
// in them become spaces,
// but in CSV and JSON.
//
// Each row has a value for each column. It returns an error for an unknown format, and from w.
func Write(w io.Writer, t Table, format string) error { return render(w, []Table{t}, format, t) }

// WriteAll writes several tables one after the other: under one heading in CSV, and in JSON as a list. It returns an error for an
// unknown format, and where w fails.
func WriteAll(w io.Writer, tables []Table, format string) error {
	if tables == nil {
		tables = []Table{} // a list in JSON too
	}
	return render(w, tables, format, tables)
}

// render writes tables; doc is what they are in JSON.
func render(w io.Writer, tables []Table, format string, doc any) error {
	at := slices.Index(Formats(), format)
	if at < 0 {
		return fmt.Errorf("render: format %q: expected one of %s", format, strings.Join(Formats(), ", "))
	}
	var b bytes.Buffer
	write := forms()[at].write
	if write == nil {
		write = func(b *bytes.Buffer, _ []Table) error { return inJSON(b, doc) }
	}
	if err := write(&b, tables); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

func eachTable(write func(*bytes.Buffer, Table) error) func(*bytes.Buffer, []Table) error {
	return func(b *bytes.Buffer, tables []Table) error {
		for i, t := range tables {
			if i > 0 {
				b.WriteByte('\n')
			}
			if err := write(b, t); err != nil {
				return err
			}
		}
		return nil
	}
}

func inJSON(b *bytes.Buffer, doc any) error {
	enc := json.NewEncoder(b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return fmt.Errorf("render: tables: %w", err) // a number that is not finite
	}
	return nil
}

const (
	missing = "–" // of a cell that was never run
	minus   = "−"
)

// Seeds returns the largest number of seeds that a cell has.
func (t Table) Seeds() int {
	most := 0
	for _, row := range t.Rows {
		for _, v := range row.Values {
			most = max(most, v.N)
		}
	}
	return most
}

// numbers writes the numbers of one column.
type numbers struct{ percent bool }

func numbersOf(column string) numbers { return numbers{strings.HasSuffix(column, "%")} }

// text writes a number as Render says.
func (f numbers) text(x float64) string {
	switch {
	case x < 0:
		return minus + f.text(-x)
	case f.percent:
		return strconv.FormatFloat(x, 'f', 2, 64)
	case isCount(x):
		return Grouped(int64(x))
	}
	return strings.TrimPrefix(strconv.FormatFloat(x, 'f', 4, 64), "0")
}

// difference writes how far a number is from another one.
func (f numbers) difference(x, from float64) string {
	d := x - from
	sign := "+"
	if d < 0 {
		sign, d = minus, -d
	}
	if !f.percent && isCount(x) && isCount(from) {
		return sign + Grouped(int64(d))
	}
	return sign + f.text(d)
}

func isCount(x float64) bool { return x == math.Trunc(x) && math.Abs(x) >= 2 && math.Abs(x) < 1e15 }

// Grouped writes a whole number with its digits in groups.
func Grouped(n int64) string {
	s := strconv.FormatInt(n, 10)
	for i := len(s) - 3; i > 0 && s[i-1] != '-'; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// own returns what a cell shows of our runs, in plain text.
func (v Value) own(column string, usual int) string {
	switch {
	case v.Text != "":
		return v.Text
	case v.N == 0:
		return missing
	}
	f := numbersOf(column)
	s := f.text(v.Mean)
	if v.N > 1 && v.SD > 0 { // what no seed moves has no spread
		s += " ± " + f.text(v.SD)
	}
	if v.N != usual || v.N == 1 && !isCount(v.Mean) {
		s += fmt.Sprintf(" (%d)", v.N)
	}
	return s
}

// published returns what a cell shows of the paper, and the difference from it; "" for what there is not.
func (v Value) published(column string) (paper, difference string) {
	f := numbersOf(column)
	switch {
	case v.Printed != v.Text:
		paper = strings.TrimPrefix(v.Printed, "0") // as ours are written
		if !strings.HasPrefix(paper, ".") {
			paper = v.Printed
		}
	case v.Paper != nil:
		paper = f.text(*v.Paper)
	}
	if v.Paper != nil && v.N > 0 && v.Text == "" {
		difference = f.difference(v.Mean, *v.Paper)
	}
	return paper, difference
}

// oneLine replaces line ends and other control characters, which no label of a table can hold.
func oneLine(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == '\u2028' || r == '\u2029' {
			return ' '
		}
		return r
	}, s)
}
