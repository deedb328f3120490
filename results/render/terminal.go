package render

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// terminal writes a table for a screen: our numbers in one line, the paper's under them.
func terminal(b *bytes.Buffer, t Table) error {
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
	for i, columns := range fold(t.Width, header, lines) {
		if i > 0 {
			b.WriteByte('\n')
		}
		pick := func(all []string) []string { return seq.Map(columns, func(j int) string { return all[j] }) }
		of := seq.Map(columns, func(j int) tw.Align { return align[j] })
		rows := seq.Filter(seq.Map(lines, pick), func(row []string) bool { return strings.Join(row[1:], "") != "" || len(row) == 1 })
		if err := grid(b, of, pick(header), rows, tablewriter.WithTrimSpace(tw.Off)); err != nil {
			return fmt.Errorf("render: %s: %w", t.Name, err)
		}
	}
	if len(t.Notes) > 0 {
		b.WriteByte('\n')
	}
	for _, note := range t.Notes {
		b.WriteString(oneLine(note) + "\n")
	}
	return nil
}

// fold returns the columns of the parts that a table falls into to be no wider than some letters, each with the first column; one part for a width of 0.
func fold(width int, header []string, lines [][]string) (parts [][]int) {
	const between = 2
	widths := make([]int, len(header))
	for j, name := range header {
		cells := append(strings.Split(name, "\n"), seq.Map(lines, func(line []string) string { return line[j] })...)
		for _, text := range cells {
			widths[j] = max(widths[j], between+utf8.RuneCountInString(text))
		}
	}
	parts, used := [][]int{{0}}, widths[0]
	for j := 1; j < len(header); j++ {
		last := len(parts) - 1
		if used += widths[j]; width > 0 && used > width && len(parts[last]) > 1 {
			parts, used = append(parts, []int{0}), widths[0]+widths[j]
			last++
		}
		parts[last] = append(parts[last], j)
	}
	return parts
}

// Grid writes rows of texts under a header, for a screen; right says which columns are flushed right. It returns an error for rows that are not
// as long as the header.
func Grid(b *bytes.Buffer, right []bool, header []string, rows [][]string) error {
	align := make(tw.Alignment, len(right))
	for i := range align {
		if align[i] = tw.AlignLeft; right[i] {
			align[i] = tw.AlignRight
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
