package shell

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

// Doc is the answer of a command, said once: facts, and tables with columns. With --json it is an object of their names, else a text, where a name
// has spaces for underscores. docs/json.md lists the names.
type Doc struct {
	keys  Fields
	text  printout
	lines [][]string // of facts that are still to be written, under the first of them
	width int        // of the text, in letters; 0 for any
}

// Answer returns a document without anything.
func (p *Program) Answer() *Doc { return &Doc{width: p.BreakAt} }

// Notice adds a line to the answer of the command, below all else: what a reader must know of its numbers.
func (p *Program) Notice(format string, args ...any) {
	if text := fmt.Sprintf(format, args...); !slices.Contains(p.notices, text) {
		p.notices = append(p.notices, text)
	}
}

// Show prints a document, and the notices of the command.
func (p *Program) Show(d *Doc) error {
	if len(p.notices) > 0 {
		d.Data("notices", p.notices)
	}
	for _, text := range p.notices {
		d.Say("%s", text)
	}
	if d.flush(); p.JSON {
		return p.Emit(d.keys)
	}
	return cmp.Or(d.text.err, p.print(d.text.String()))
}

// Fold breaks a document's text at the width of help where nothing says how wide a terminal is.
func (d *Doc) Fold() { d.width = cmp.Or(d.width, helpWidth) }

// ShowFacts prints a document of facts alone.
func (p *Program) ShowFacts(pairs ...any) error {
	d := p.Answer()
	d.Facts(pairs...)
	return p.Show(d)
}

// Facts adds names and values in turn. There is no fact where the value is nil or "".
func (d *Doc) Facts(pairs ...any) {
	d.Data(pairs...)
	for pair := range slices.Chunk(pairs, 2) {
		d.Line(title(pair[0].(string)), pair[1])
	}
}

// Data adds facts for scripts alone.
func (d *Doc) Data(pairs ...any) {
	for pair := range slices.Chunk(pairs, 2) {
		if pair[1] != nil && pair[1] != "" {
			d.keys = append(d.keys, pair...)
		}
	}
}

// Line adds a fact for people alone. Of what has no text, such as a list of objects, there is none.
func (d *Doc) Line(name string, value any) {
	if text := cell(value); text != "" {
		d.lines = append(d.lines, []string{name, text})
	}
}

func title(name string) string { return strings.ReplaceAll(name, "_", " ") }

// Table adds rows of values, one for each column; nil is none. Columns without any text are not shown, and numbers are flushed right.
func (d *Doc) Table(name string, rows [][]any, columns ...string) {
	d.Objects(name, rows, columns...)
	d.Rows(rows, seq.Map(columns, title)...)
}

// Insert adds a table for people as it was rendered.
func (d *Doc) Insert(t render.Table) { d.text.err = render.Write(&d.text.Buffer, t, "terminal") }

// Objects adds a table for scripts alone.
func (d *Doc) Objects(name string, rows [][]any, columns ...string) {
	list := make([]Fields, len(rows))
	for r, row := range rows {
		list[r] = Fields{}
		for i, c := range columns {
			if row[i] != nil && row[i] != "" {
				list[r] = append(list[r], c, row[i])
			}
		}
	}
	d.keys = append(d.keys, name, list)
}

// Rows adds a table for people alone.
func (d *Doc) Rows(rows [][]any, header ...string) {
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

// Say adds a paragraph for people.
func (d *Doc) Say(format string, args ...any) {
	d.flush()
	d.gap()
	d.text.printf(format+"\n", args...)
}

// gap adds an empty line, but no first one.
func (d *Doc) gap() {
	if d.text.Len() > 0 {
		d.text.WriteByte('\n')
	}
}

// flush writes the facts that there are.
func (d *Doc) flush() {
	if lines := d.lines; len(lines) > 0 {
		d.lines = nil
		d.grid(make([]bool, 2), lines[0], lines[1:])
	}
}

// grid writes rows of texts under a header.
func (d *Doc) grid(right []bool, header []string, rows [][]string) {
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
		return map[bool]string{true: "yes", false: "no"}[v]
	case int:
		return Count(v)
	case []int:
		return strings.Join(seq.Map(v, Count[int]), ", ")
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
	_, mean := value.(Spread)
	return value != nil && !mean && !isNumber(reflect.TypeOf(value).Kind())
}

// Spread is a mean with a standard deviation.
type Spread struct {
	Mean float64 `json:"mean"`
	SD   float64 `json:"sd"`
}

// String returns both with four decimals.
func (x Spread) String() string { return AUC(x.Mean).String() + " ± " + AUC(x.SD).String() }

// Fields is a JSON object: names and their values in turn, which are written in this order.
type Fields []any

// MarshalJSON writes the object. It returns an error for a value that JSON cannot hold.
func (f Fields) MarshalJSON() ([]byte, error) {
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

// Known is a size; nil for 0, which says that it is not known.
func Known[T int | float64 | Size](n T) any {
	if n == 0 {
		return nil
	}
	return n
}
