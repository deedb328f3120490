package render

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"math"
	"strconv"
	"strings"
)

// commas writes a line for each cell.
func commas(b *bytes.Buffer, tables []Table) error {
	w := csv.NewWriter(b)
	lines := [][]string{{"table", "row", "column", "mean", "sd", "n", "paper", "difference", "outside", "text"}}
	for _, t := range tables {
		for _, row := range t.Rows {
			for j, v := range row.Values {
				var mean, sd, paper, difference, outside string
				if v.N > 0 {
					mean = decimal(v.Mean)
				}
				if v.N > 1 {
					sd = decimal(v.SD)
				}
				if paper = v.Printed; v.Paper != nil {
					paper = decimal(*v.Paper)
				}
				if v.N > 0 && v.Paper != nil {
					difference = decimal(v.Mean - *v.Paper)
					outside = strconv.FormatBool(v.Outside)
				}
				lines = append(lines, []string{inCSV(t.Name), inCSV(row.Label), inCSV(t.Columns[j]), mean, sd, strconv.Itoa(v.N), inCSV(paper), difference, outside, inCSV(v.Text)})
			}
		}
	}
	if err := w.WriteAll(lines); err != nil {
		return fmt.Errorf("render: csv: %w", err)
	}
	return nil
}

// inCSV returns a text as a spreadsheet shows it, and does not reckon with it: one that begins as a formula does has an apostrophe
// before it, unless it is a number.
func inCSV(text string) string {
	if text == "" || !strings.ContainsRune("=+-@\t\r\n", rune(text[0])) {
		return text
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil || len(text) == 1 {
		return text
	}
	return "'" + text
}

// decimal writes a number to six decimals, without zeros at the end.
func decimal(x float64) string {
	if rounded := math.Round(x*1e6) / 1e6; !math.IsInf(rounded, 0) {
		x = rounded
	}
	return strconv.FormatFloat(x, 'f', -1, 64)
}
