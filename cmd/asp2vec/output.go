package main

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

// emit prints what scripts read of a command's result, at once.
func (p *program) emit(doc any) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetIndent("", "  ")
	if err := enc.Encode(doc); err != nil {
		return err
	}
	p.clearBar()
	_, err := p.out.Write(render.SafeJSON(b.Bytes()))
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

// jsonLine writes a document as a line of JSON.
func (p *program) jsonLine(doc any) error {
	line, err := json.Marshal(doc)
	if err == nil {
		_, err = p.out.Write(render.SafeJSON(append(line, '\n')))
	}
	return err
}

// print writes text to standard output, whatever names are in it.
func (p *program) print(text string) error {
	p.clearBar()
	if p.breakAt > 0 { // notes are paragraphs; tables begin with a space
		text = longNote.ReplaceAllStringFunc(text, func(line string) string { return strings.Join(wrapped(line, min(p.breakAt, helpWidth)), "\n") })
	}
	_, err := io.WriteString(p.out, render.Safe(text))
	return err
}

var longNote = regexp.MustCompile(`(?m)^[^\s].{60,}$`)

// printTables prints tables in one of render.Formats.
func (p *program) printTables(format string, tables ...render.Table) error {
	for i := range tables {
		tables[i].Width = p.breakAt
	}
	var b bytes.Buffer
	if err := render.WriteAll(&b, tables, format); err != nil {
		return bad(err)
	}
	return p.printAs(format, b.Bytes())
}

// printAs writes what a table was rendered to, in one of render.Formats.
func (p *program) printAs(format string, text []byte) error {
	if format != "json" {
		return p.print(string(text))
	}
	_, err := p.out.Write(render.SafeJSON(text))
	return err
}

// Numbers that read well in text and stay numbers in JSON.
type (
	whole int64   // with its digits in groups
	rate  float64 // things per second, with three digits
	size  int64   // bytes
	auc   float64 // an AUC, or a loss in nats
)

// String returns the number with its digits in groups.
func (n whole) String() string {
	return render.Grouped(int64(n))
}

// count writes a number of things.
func count[T ~int | ~int64 | ~uint64](n T) string { return whole(n).String() }

// String returns the rate in thousands or millions.
func (x rate) String() string {
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
func (x rate) MarshalJSON() ([]byte, error) {
	if x != x || math.IsInf(float64(x), 0) {
		return []byte("null"), nil
	}
	return strconv.AppendFloat(nil, math.Round(float64(x)), 'f', -1, 64), nil
}

// String returns the size in KiB, MiB or GiB, the first two rounded up.
func (n size) String() string {
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
func (x auc) String() string { return fmt.Sprintf("%.4f", float64(x)) }

// seconds writes a duration of so many seconds.
func seconds(s float64) string {
	if s < 60 {
		return fmt.Sprintf("%.1f s", s)
	}
	return time.Duration(s * 1e9).Round(time.Second).String()
}

func yesNo(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

// many writes a number of things.
func many(n int, thing string) string {
	if n == 1 {
		return "1 " + thing
	}
	return count(n) + " " + strings.Replace(thing+"s", "vertexs", "vertices", 1)
}

// about writes a duration that is only estimated, 0 for one that is not known.
func about(s float64) string {
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
