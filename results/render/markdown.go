package render

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
)

// markdown writes a table in GitHub's Markdown, two lines to a cell; the best of a row is bold, and so is a difference outside of the band.
func markdown(b *bytes.Buffer, t Table) error {
	fmt.Fprintf(b, "### %s: %s\n\n| %s |", inMarkdown(t.Name), inMarkdown(t.Title), inMarkdown(t.Corner))
	rule := "|:--|"
	for _, column := range t.Columns {
		b.WriteString(" " + strings.Replace(inMarkdown(column), "/", "<br>", 1) + " |") // "dim=100" over "DW"
		rule += "--:|"
	}
	b.WriteString("\n" + rule + "\n")
	usual := t.Seeds()
	for _, row := range t.Rows {
		b.WriteString("| " + inMarkdown(row.Label) + " |")
		for j, v := range row.Values {
			paper, difference := v.published(t.Columns[j])
			under := inMarkdown(paper)
			switch {
			case v.Outside:
				under += " (**" + difference + "**)"
			case difference != "":
				under += " (" + difference + ")"
			}
			if under != "" {
				under = "<br>" + under
			}
			own := inMarkdown(v.own(t.Columns[j], usual))
			if v.Best {
				own = "**" + own + "**"
			}
			b.WriteString(" " + own + under + " |")
		}
		b.WriteByte('\n')
	}
	if len(t.Notes) > 0 {
		b.WriteByte('\n')
	}
	for _, note := range t.Notes {
		b.WriteString("- " + inMarkdown(note) + "\n")
	}
	return nil
}

var markdownEscapes = strings.NewReplacer(`\`, `\\`, "|", `\|`, "*", `\*`, "`", "\\`", "[", `\[`, "]", `\]`, "~", `\~`, "$", `\$`,
	"<", "&lt;", ">", "&gt;", "&", "&amp;")

// inMarkdown escapes a text. Underscores within a word mean nothing in Markdown, and addresses are to stay links.
func inMarkdown(s string) string {
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	runes := []rune(oneLine(s))
	var out strings.Builder
	for i, r := range runes {
		if r == '_' && !(i > 0 && i+1 < len(runes) && word(runes[i-1]) && word(runes[i+1])) {
			out.WriteByte('\\')
			out.WriteRune(r)
			continue
		}
		out.WriteString(markdownEscapes.Replace(string(r)))
	}
	return out.String()
}
