package results

import (
	"bytes"
	"fmt"
	"strings"
)

// latex writes a table as the paper has them: booktabs, columns that share what is before a slash under one heading, and no
// rule between columns. The paper's numbers are in a smaller line under ours; one outside of the band has a dagger.
func latex(b *bytes.Buffer, t Table) error {
	fmt.Fprintf(b, "\\begin{table}\n\\centering\n\\caption{%s.}\n\\label{tab:%s}\n\\begin{tabular}{l%s}\n\\toprule\n",
		inLatex(t.Title), latexLabel(t.Name), strings.Repeat("r", len(t.Columns)))
	b.WriteString(latexHeader(t))
	b.WriteString("\\midrule\n")
	usual := t.Seeds()
	for _, row := range t.Rows {
		own, paper, any := inLatex(row.Label), `\footnotesize\quad paper`, false
		for j, v := range row.Values {
			number, difference := v.published(t.Columns[j])
			own += " & " + inLatex(v.own(t.Columns[j], usual))
			paper += " &"
			if number == "" {
				continue
			}
			any = true
			paper += ` \footnotesize ` + inLatex(number)
			if difference != "" {
				paper += " (" + inLatex(difference) + ")"
			}
			if v.Outside {
				paper += `$^\dagger$`
			}
		}
		b.WriteString(own + " \\\\\n")
		if any {
			b.WriteString(paper + " \\\\\n")
		}
	}
	b.WriteString("\\bottomrule\n\\end{tabular}\n")
	for _, note := range t.Notes {
		b.WriteString("\n\\footnotesize " + inLatex(note) + "\n")
	}
	b.WriteString("\\end{table}\n")
	return nil
}

// latexHeader returns the lines over the columns: two where columns next to each other share what is before a slash.
func latexHeader(t Table) string {
	type group struct {
		name  string
		width int
	}
	var groups []group
	line, shared := inLatex(t.Corner), false
	for _, column := range t.Columns {
		before, name, ok := strings.Cut(column, "/")
		if !ok {
			before, name = "", column
		}
		shared = shared || ok
		if n := len(groups); n > 0 && groups[n-1].name == before {
			groups[n-1].width++
		} else {
			groups = append(groups, group{before, 1})
		}
		line += " & " + inLatex(name)
	}
	line += " \\\\\n"
	if !shared {
		return line
	}
	top, rules, at := "", "", 2
	for _, g := range groups {
		top += fmt.Sprintf(" & \\multicolumn{%d}{c}{%s}", g.width, inLatex(g.name))
		if g.name != "" {
			rules += fmt.Sprintf("\\cmidrule(lr){%d-%d}", at, at+g.width-1)
		}
		at += g.width
	}
	return strings.TrimPrefix(top, " ") + " \\\\\n" + rules + "\n" + line
}

var latexEscapes = strings.NewReplacer(`\`, `\textbackslash{}`, "&", `\&`, "%", `\%`, "$", `\$`, "#", `\#`, "_", `\_`, "{", `\{`, "}", `\}`,
	"~", `\textasciitilde{}`, "^", `\textasciicircum{}`, "<", `\textless{}`, ">", `\textgreater{}`, "|", `\textbar{}`,
	"±", `$\pm$`, "−", `$-$`, "–", "--", "²", `$^2$`, "[", "{[}", "]", "{]}") // after \\ a bracket would be an argument

func inLatex(s string) string { return latexEscapes.Replace(oneLine(s)) }

// latexLabel returns what a label may hold of a name.
func latexLabel(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
}
