package shell

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/results/render"
)

// Emit prints what scripts read of a command's result, at once.
func (p *Program) Emit(doc any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	p.ClearBar()
	_, err := p.Out.Write(render.SafeJSON(b.Bytes()))
	return err
}

// printout is the text of a command's result, with the first error of what wrote it.
type printout struct {
	bytes.Buffer
	err   error
	width int // of help, in letters
}

// printf writes a text in a format of fmt.Printf.
func (b *printout) printf(format string, args ...any) { fmt.Fprintf(b, format, args...) }

// JSONLine writes a document as a line of JSON.
func (p *Program) JSONLine(doc any) error {
	line, err := json.Marshal(doc)
	if err == nil {
		_, err = p.Out.Write(render.SafeJSON(append(line, '\n')))
	}
	return err
}

// print writes text to standard output, whatever names are in it.
func (p *Program) print(text string) error {
	p.ClearBar()
	if p.BreakAt > 0 { // notes are paragraphs; tables begin with a space
		text = longNote.ReplaceAllStringFunc(text, func(line string) string { return strings.Join(wrapped(line, min(p.BreakAt, helpWidth)), "\n") })
	}
	_, err := io.WriteString(p.Out, render.Safe(text))
	return err
}

var longNote = regexp.MustCompile(`(?m)^[^\s].{60,}$`)

// PrintTables prints tables in one of render.Formats.
func (p *Program) PrintTables(format string, tables ...render.Table) error {
	for i := range tables {
		tables[i].Width = p.BreakAt
	}
	var b bytes.Buffer
	if err := render.WriteAll(&b, tables, format); err != nil {
		return Bad(err)
	}
	if format != "json" {
		return p.print(b.String())
	}
	_, err := p.Out.Write(render.SafeJSON(b.Bytes()))
	return err
}

// Numbers that read well in text and stay numbers in JSON.
type (
	Rate float64 // things per second, with three digits
	Size int64   // bytes
	AUC  float64 // an AUC, or a loss in nats
)

// Count writes a number of things.
func Count[T ~int | ~int64 | ~uint64](n T) string { return render.Grouped(int64(n)) }

// String returns the rate in thousands or millions.
func (x Rate) String() string {
	switch {
	case x != x || math.IsInf(float64(x), 0):
		return "-"
	case x >= 999_500: // what would be 1000k
		return fmt.Sprintf("%.2fM", x/1e6)
	case x >= 1e4:
		return fmt.Sprintf("%.0fk", x/1e3)
	}
	return fmt.Sprintf("%.0f", x)
}

// MarshalJSON writes null for what is no number: the rate of an epoch that took no time.
func (x Rate) MarshalJSON() ([]byte, error) {
	if x != x || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, math.Round(float64(x)), 'f', -1, 64), nil
}

// String returns the size in KiB, MiB or GiB, the first two rounded up.
func (n Size) String() string {
	switch {
	case n <= 0:
		return "unknown"
	case n >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(n)/(1<<30))
	}
	unit, bytes := "MiB", float64(1<<20)
	if n < 1<<20 {
		unit, bytes = "KiB", 1<<10
	}
	return fmt.Sprintf("%.0f %s", math.Ceil(float64(n)/bytes), unit)
}

// String returns four decimals.
func (x AUC) String() string { return fmt.Sprintf("%.4f", float64(x)) }

// Seconds writes a duration of so many seconds.
func Seconds(s float64) string {
	if s < 60 {
		return fmt.Sprintf("%.1f s", s)
	}
	return time.Duration(s * 1e9).Round(time.Second).String()
}

// Many writes a number of things.
func Many(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return Count(n) + " " + strings.Replace(thing+"s", "vertexs", "vertices", 1)
}

// About writes a duration that is only estimated, 0 for one that is not known.
func About(s float64) string {
	d := time.Duration(s * float64(time.Second))
	switch {
	case s == 0:
		return "unknown"
	case d < time.Minute:
		return fmt.Sprintf("%.0fs", s)
	case d < time.Hour:
		return fmt.Sprintf("%.0fm", d.Minutes())
	}
	return fmt.Sprintf("%.1fh", d.Hours())
}
