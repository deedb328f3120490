package render

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"
)

// terminal writes a table for a screen: our numbers in one line, the paper's under them.
func terminal(b *bytes.Buffer, t Table) error { return terminalWithin(b, t, 0) }

// terminalWithin is terminal for a screen of so many columns, 0 for any.
func terminalWithin(b *bytes.Buffer, t Table, columns int) error {
	fmt.Fprintf(b, "%s: %s\n\n", oneLine(t.Name), oneLine(t.Title))
	align := make(tw.Alignment, len(t.Columns)+1)
	align[0] = tw.AlignLeft
	header := []string{oneLine(t.Corner)}
	for j, column := range t.Columns {
		align[j+1] = tw.AlignRight
		for _, row := range t.Rows {
			if row.Values[j].Text != "" {
				align[j+1] = tw.AlignLeft
			}
		}
		header = append(header, strings.Replace(oneLine(column), "/", "\n", 1)) // "dim=100" over "DW"
	}
	var lines [][]string
	usual := t.Seeds()
	for _, row := range t.Rows {
		own, paper := []string{oneLine(row.Label)}, []string{"  paper"}
		for j, v := range row.Values {
			own = append(own, oneLine(v.own(t.Columns[j], usual)))
			number, difference := v.published(t.Columns[j])
			if difference != "" {
				number += " (" + difference + ")"
			}
			if v.Outside {
				number += " !"
			}
			paper = append(paper, oneLine(number))
		}
		lines = append(lines, own)
		if strings.Join(paper[1:], "") != "" {
			lines = append(lines, paper)
		}
	}
	var under []string // each line
	if folded := t.folded(header, lines, columns); len(folded) > 0 {
		for _, line := range lines {
			under = append(under, strings.Join(wrapped(below(header, line, folded), columns, underIndent), "\n"))
		}
		align, header = without(align, folded), without(header, folded)
		for i := range lines {
			lines[i] = without(lines[i], folded)
		}
	}
	var body bytes.Buffer
	if err := grid(&body, align, header, lines, tablewriter.WithTrimSpace(tw.Off)); err != nil {
		return fmt.Errorf("render: %s: %w", t.Name, err)
	}
	text := slices.Collect(strings.Lines(body.String()))
	for i, line := range text {
		b.WriteString(line)
		if row := i - (len(text) - len(lines)); row >= 0 && row < len(under) && under[row] != "" {
			b.WriteString(under[row] + "\n")
		}
	}
	if len(t.Notes) > 0 {
		b.WriteByte('\n')
	}
	for _, note := range t.Notes {
		if columns > 0 {
			note = strings.Join(wrapped(oneLine(note), columns, ""), "\n")
		} else {
			note = oneLine(note)
		}
		b.WriteString(note + "\n")
	}
	return nil
}

// underIndent stands before what is under a row.
const underIndent = "    "

// folded returns which columns, in ascending order, go under their rows so that the rest fits: those without any value first, which are not seen
// then, and of texts the widest. Those of numbers stay, and that of the labels.
func (t Table) folded(header []string, lines [][]string, columns int) (folded []int) {
	if columns <= 0 {
		return nil
	}
	all := 0
	var empty []int
	widths := make([]int, len(header))
	for j := range header {
		for part := range strings.SplitSeq(header[j], "\n") {
			widths[j] = max(widths[j], twwidth.Width(part))
		}
		for _, line := range lines {
			widths[j] = max(widths[j], twwidth.Width(line[j]))
		}
		all += widths[j] + 2
		if !slices.ContainsFunc(lines, func(line []string) bool { return line[j] != "" && line[j] != missing }) {
			empty = append(empty, j)
		}
	}
	for all > columns {
		if len(empty) > 0 {
			folded = append(folded, empty[0])
			all -= widths[empty[0]] + 2
			empty = empty[1:]
			continue
		}
		widest := -1
		for j := range t.Columns {
			text := !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Values[j].N > 0 || r.Values[j].Paper != nil })
			if text && !slices.Contains(folded, j+1) && (widest < 0 || widths[j+1] > widths[widest]) {
				widest = j + 1
			}
		}
		if widest < 0 {
			break
		}
		folded = append(folded, widest)
		all -= widths[widest] + 2
	}
	slices.Sort(folded)
	return folded
}

// below writes what some columns of a line hold, each text after its column's name.
func below(header, line []string, columns []int) string {
	var parts []string
	for _, j := range columns {
		if line[j] != "" && line[j] != missing {
			parts = append(parts, strings.ReplaceAll(header[j], "\n", "/")+": "+line[j])
		}
	}
	return strings.Join(parts, "; ")
}

func without[T any, S ~[]T](all S, places []int) S {
	var left S
	for j, x := range all {
		if !slices.Contains(places, j) {
			left = append(left, x)
		}
	}
	return left
}

// wrapped breaks a text between words into lines of so many columns, each after the indent. A longer word has a line of its own.
func wrapped(text string, columns int, indent string) (lines []string) {
	for _, word := range strings.Fields(text) {
		if n := len(lines); n > 0 && twwidth.Width(lines[n-1])+1+twwidth.Width(word) <= columns {
			lines[n-1] += " " + word
		} else {
			lines = append(lines, indent+word)
		}
	}
	return lines
}

// Grid writes rows of texts under a header, for a screen; all columns but the first left ones are flushed right. It returns an error for
// rows that are not as long as the header.
func Grid(b *bytes.Buffer, left int, header []string, rows [][]string) error {
	align := make(tw.Alignment, len(header))
	for i := range align {
		if align[i] = tw.AlignRight; i < left {
			align[i] = tw.AlignLeft
		}
	}
	return grid(b, align, header, rows)
}

func grid(b *bytes.Buffer, align tw.Alignment, header []string, rows [][]string, options ...tablewriter.Option) error {
	var out bytes.Buffer
	w := tablewriter.NewTable(&out, append(options,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders: tw.BorderNone, Symbols: tw.NewSymbols(tw.StyleLight),
			Settings: tw.Settings{Separators: tw.Separators{BetweenColumns: tw.Off, BetweenRows: tw.Off}},
		})),
		tablewriter.WithHeaderAutoFormat(tw.Off), tablewriter.WithHeaderAutoWrap(tw.WrapNone), tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithAlignment(align),
	)...)
	w.Header(header)
	if err := errors.Join(w.Bulk(rows), w.Render()); err != nil {
		return err
	}
	for line := range strings.Lines(out.String()) {
		b.WriteString(strings.TrimRight(line, " \n") + "\n")
	}
	return nil
}
