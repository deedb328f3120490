package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// doc is the answer of a command, said once: facts, and tables with columns. With --json it is an object of their names, else a text, where a name
// has spaces for underscores. docs/json.md lists the names.
type doc struct {
	keys  fields
	text  printout
	lines [][]string // of facts that are still to be written, under the first of them
	width int        // of the text, in letters; 0 for any
}

// answer returns a document without anything.
func (p *program) answer() *doc { return &doc{width: p.breakAt} }

// show prints a document.
func (p *program) show(d *doc) error {
	if d.flush(); p.json {
		return p.emit(d.keys)
	}
	return cmp.Or(d.text.err, p.print(d.text.String()))
}

// fold breaks a document's text at the width of help where nothing says how wide a terminal is.
func (d *doc) fold() { d.width = cmp.Or(d.width, helpWidth) }

// showFacts prints a document of facts alone.
func (p *program) showFacts(pairs ...any) error {
	d := p.answer()
	d.facts(pairs...)
	return p.show(d)
}

// facts adds names and values in turn. There is no fact where the value is nil or "".
func (d *doc) facts(pairs ...any) {
	d.data(pairs...)
	for pair := range slices.Chunk(pairs, 2) {
		d.line(title(pair[0].(string)), pair[1])
	}
}

// data adds facts for scripts alone.
func (d *doc) data(pairs ...any) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != nil && pair[1] != "" {
			d.keys = append(d.keys, pair...)
		}
	}
}

// line adds a fact for people alone. Of what has no text, such as a list of objects, there is none.
func (d *doc) line(name string, value any) {
	if text := cell(value); text != "" {
		d.lines = append(d.lines, []string{name, text})
	}
}

func title(name string) string { return strings.ReplaceAll(name, "_", " ") }

// table adds rows of values, one for each column; nil is none. Columns without any text are not shown, and numbers are flushed right.
func (d *doc) table(name string, rows [][]any, columns ...string) {
	d.objects(name, rows, columns...)
	d.rows(rows, seq.Map(columns, title)...)
}

// insert adds a table for people as it was rendered.
func (d *doc) insert(t render.Table) { d.text.err = render.Write(&d.text.Buffer, t, "terminal") }

// objects adds a table for scripts alone.
func (d *doc) objects(name string, rows [][]any, columns ...string) {
	list := make([]fields, len(rows))
	for r, row := range rows {
		list[r] = fields{}
		for i, c := range columns {
			if row[i] != nil && row[i] != "" {
				list[r] = append(list[r], c, row[i])
			}
		}
	}
	d.keys = append(d.keys, name, list)
}

// rows adds a table for people alone.
func (d *doc) rows(rows [][]any, header ...string) {
	texts := make([][]string, len(rows))
	var shown []string
	var right []bool
	for i, name := range header {
		column := seq.Map(rows, func(row []any) string { return cell(row[i]) })
		if strings.Join(column, "") == "" {
			continue
		}
		shown, right = append(shown, name), append(right, !slices.ContainsFunc(rows, func(row []any) bool { return isText(row[i]) }))
		for r, text := range column {
			texts[r] = append(texts[r], text)
		}
	}
	if shown != nil {
		d.grid(right, shown, texts)
	}
}

// say adds a paragraph for people.
func (d *doc) say(format string, args ...any) {
	d.flush()
	d.gap()
	d.text.printf(format+"\n", args...)
}

// gap adds an empty line, but no first one.
func (d *doc) gap() {
	if d.text.Len() > 0 {
		d.text.WriteByte('\n')
	}
}

// flush writes the facts that there are.
func (d *doc) flush() {
	if lines := d.lines; len(lines) > 0 {
		d.lines = nil
		d.grid(make([]bool, 2), lines[0], lines[1:])
	}
}

// grid writes rows of texts under a header.
func (d *doc) grid(right []bool, header []string, rows [][]string) {
	d.flush()
	d.gap()
	if d.text.err == nil {
		d.text.err = render.Grid(&d.text.Buffer, right, header, narrow(d.width, header, rows))
	}
}

// padding is how many letters a column of a grid has beside its text.
const padding = 2

// narrow breaks the texts of the widest column between words where rows are wider than a number of letters; 0 is for any. The lines after the
// first of a row have nothing else.
func narrow(width int, header []string, rows [][]string) (all [][]string) {
	widths := make([]int, len(header))
	total := 0
	for i := range header {
		for _, row := range append([][]string{header}, rows...) {
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
		total += widths[i] + padding
	}
	widest := slices.Index(widths, slices.Max(widths))
	if width == 0 || total <= width {
		return rows
	}
	const least = 20 // letters of a column
	for _, row := range rows {
		for i, line := range wrapped(row[widest], max(least, widths[widest]-(total-width))) {
			next := make([]string, len(row))
			if i == 0 {
				copy(next, row)
			}
			next[widest] = line
			all = append(all, next)
		}
	}
	return all
}

// cell writes a value for people; "" for one that has no text.
func cell(value any) string {
	switch v := value.(type) {
	case nil:
		return ""
	case string:
		return render.Printable(v)
	case bool:
		return yesNo(v)
	case int:
		return count(v)
	case []int:
		return strings.Join(seq.Map(v, count[int]), ", ")
	case []string:
		return strings.Join(seq.Map(v, render.Printable), ", ")
	case fmt.Stringer:
		return v.String()
	}
	switch v := reflect.ValueOf(value); {
	case v.CanFloat():
		return strconv.FormatFloat(v.Float(), 'g', 4, 64)
	case v.Kind() == reflect.String, isNumber(v.Kind()):
		return fmt.Sprint(value)
	}
	return ""
}

func isNumber(kind reflect.Kind) bool { return kind >= reflect.Int && kind <= reflect.Float64 }

// isText says whether a value is there that is neither a number nor a mean.
func isText(value any) bool {
	_, mean := value.(spread)
	return value != nil && !mean && !isNumber(reflect.TypeOf(value).Kind())
}

// given returns what a pointer points at; nil for none.
func given[T any](p *T) any {
	if p == nil {
		return nil
	}
	return *p
}

// spread is a mean with a standard deviation.
type spread struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

// String returns both with four decimals.
func (x spread) String() string { return auc(x.Mean).String() + " ± " + auc(x.SD).String() }

// fields is a JSON object: names and their values in turn, which are written in this order.
type fields []any

// MarshalJSON writes the object. It returns an error for a value that JSON cannot hold.
func (f fields) MarshalJSON() ([]byte, error) {
	b := []byte{'{'}
	for pair := range slices.Chunk(f, 2) {
		value, err := json.Marshal(pair[1])
		if err != nil {
			return nil, err
		}
		if len(b) > 1 {
			b = append(b, ',')
		}
		b = append(fmt.Appendf(b, "%q:", pair[0]), value...)
	}
	return append(b, '}'), nil
}

// known is a size; nil for 0, which says that it is not known.
func known[T int | float64 | size](n T) any {
	if n == 0 {
		return nil
	}
	return n
}
