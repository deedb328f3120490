package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/mattn/go-runewidth"
)

// terminal writes a table for a screen: our numbers in one line, the paper's under them.
func terminal(b *bytes.Buffer, t Table) error {
	fmt.Fprintf(b, "%s: %s\n\n", oneLine(t.Name), oneLine(t.Title))
	right := make([]bool, len(t.Columns)+1)
	header := []string{oneLine(t.Corner)}
	for j, column := range t.Columns {
		right[j+1] = !slices.ContainsFunc(t.Rows, func(r Row) bool { return r.Values[j].Text != "" })
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
	if err := grid(b, right, header, lines); err != nil {
		return fmt.Errorf("render: %s: %w", t.Name, err)
	}
	if len(t.Notes) > 0 {
		b.WriteByte('\n')
	}
	for _, note := range t.Notes {
		b.WriteString(oneLine(note) + "\n")
	}
	return nil
}

// Grid writes rows of texts under a header, for a screen; all columns but the first left ones are flushed right. A text may have several
// lines. It returns an error for rows that are not as long as the header.
func Grid(b *bytes.Buffer, left int, header []string, rows [][]string) error {
	right := make([]bool, len(header))
	for i := range right {
		right[i] = i >= left
	}
	return grid(b, right, header, rows)
}

func grid(b *bytes.Buffer, right []bool, header []string, rows [][]string) error {
	widths := make([]int, len(header))
	all := append([][]string{header}, rows...)
	for i, row := range all {
		if len(row) != len(header) {
			return fmt.Errorf("row %d has %d texts: want %d, one for each column", i, len(row), len(header))
		}
		for j, text := range row {
			for line := range strings.SplitSeq(text, "\n") {
				widths[j] = max(widths[j], runewidth.StringWidth(line))
			}
		}
	}
	for i, row := range all {
		gridRow(b, right, widths, row)
		if i == 0 {
			for _, width := range widths {
				b.WriteString(strings.Repeat("─", width+2))
			}
			b.WriteByte('\n')
		}
	}
	return nil
}

// gridRow writes a row in as many lines as its longest text has.
func gridRow(b *bytes.Buffer, right []bool, widths []int, row []string) {
	texts, height := make([][]string, len(row)), 1
	for j, text := range row {
		texts[j] = strings.Split(text, "\n")
		height = max(height, len(texts[j]))
	}
	for k := range height {
		var line strings.Builder
		for j, lines := range texts {
			text := ""
			if k < len(lines) {
				text = lines[k]
			}
			if blank := strings.Repeat(" ", widths[j]-runewidth.StringWidth(text)); right[j] {
				text = blank + text
			} else {
				text += blank
			}
			line.WriteString(" " + text + " ")
		}
		b.WriteString(strings.TrimRight(line.String(), " ") + "\n")
	}
}
