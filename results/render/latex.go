package render

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// latex writes a table as the paper has them: booktabs, columns that share what is before a slash under one heading, and no
// rule between columns. The paper's numbers are in a smaller line under ours; one outside of the band has a dagger. Many
// columns are parted into several tables, and what of it is too wide is made smaller.
func latex(b *bytes.Buffer, t Table) error {
	parts := latexParts(t)
	for i, part := range parts {
		caption := inLatex(t.Title)
		if i > 0 {
			caption += ", continued"
		}
		fmt.Fprintf(b, "\\begin{table}\n\\centering\n\\caption{%s.}\n", caption)
		if i == 0 {
			fmt.Fprintf(b, "\\label{tab:%s}\n", latexLabel(t.Name))
		}
		part.latexTabular(b, t.Seeds())
		if i == len(parts)-1 {
			for _, note := range t.Notes {
				b.WriteString("\n\\footnotesize " + inLatex(note) + "\n")
			}
		}
		b.WriteString("\\end{table}\n")
	}
	return nil
}

// latexTabular writes columns that stand beside each other, in a box no wider than the text.
func (t Table) latexTabular(b *bytes.Buffer, usual int) {
	kinds := ""
	for j := range t.Columns {
		if t.wordy(j) {
			kinds += fmt.Sprintf(`>{\raggedright\arraybackslash}p{%.2f\linewidth}`, wordyShare)
		} else {
			kinds += "r"
		}
	}
	fmt.Fprintf(b, "\\resizebox{\\ifdim\\width>\\linewidth\\linewidth\\else\\width\\fi}{!}{\\begin{tabular}{l%s}\n\\toprule\n", kinds)
	b.WriteString(latexHeader(t))
	b.WriteString("\\midrule\n")
	for _, row := range t.Rows {
		own, paper, any := inLatex(row.Label), `\footnotesize\quad paper`, false
		for j, v := range row.Values {
			number, difference := v.published(t.Columns[j])
			text := inLatex(v.own(t.Columns[j], usual))
			if v.Best {
				text = `\textbf{` + text + "}"
			}
			own += " & " + text
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
	b.WriteString("\\bottomrule\n\\end{tabular}}\n")
}

const (
	latexColumns = 6   // of a part of a table
	longWord     = 20  // letters, from which a word may be broken
	wordyText    = 30  // letters of a cell, from which its text is broken into lines
	wordyShare   = 0.4 // of the line, of such a column
)

// wordy says whether a column has texts that are broken into lines.
func (t Table) wordy(column int) bool {
	return slices.ContainsFunc(t.Rows, func(r Row) bool {
		v := r.Values[column]
		return len(v.Text) > wordyText || v.Text == "" && v.N == 0 && len(v.Printed) > wordyText
	})
}

// latexParts parts a table into pieces of about as many columns each, which fit a page in a smaller size.
func latexParts(t Table) (parts []Table) {
	n := max(1, len(t.Columns))
	size := (n-1)/((n-1)/latexColumns+1) + 1
	for first := 0; first < n; first += size {
		last := min(first+size, len(t.Columns))
		part := t
		part.Columns = t.Columns[first:last]
		part.Rows = seq.Map(t.Rows, func(row Row) Row { return Row{row.Label, row.Values[first:last]} })
		parts = append(parts, part)
	}
	return parts
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
	"±", `$\pm$`, "−", `$-$`, "–", "{--}", "--", "-{}-", "²", `$^2$`, "[", "{[}", "]", "{]}", // after \\ a bracket would be an argument
	"×", `$\times$`, "·", `$\cdot$`, "≤", `$\le$`, "≥", `$\ge$`, "≈", `$\approx$`, "→", `$\to$`, "…", `\dots{}`, "“", "``", "”", "''", "’", "'",
	"α", `$\alpha$`, "β", `$\beta$`, "γ", `$\gamma$`, "δ", `$\delta$`, "ε", `$\varepsilon$`, "η", `$\eta$`, "θ", `$\theta$`, "κ", `$\kappa$`,
	"λ", `$\lambda$`, "μ", `$\mu$`, "π", `$\pi$`, "ρ", `$\rho$`, "σ", `$\sigma$`, "τ", `$\tau$`, "φ", `$\varphi$`, "χ", `$\chi$`, "ω", `$\omega$`)

// inLatex writes a text so that it reads as it is; long words, such as addresses, can be broken at their slashes and points.
func inLatex(s string) string {
	words := strings.Split(oneLine(s), " ")
	for i, w := range words {
		if len(w) <= longWord {
			words[i] = latexEscapes.Replace(w)
			continue
		}
		words[i] = ""
		for _, letter := range w {
			if words[i] += latexEscapes.Replace(string(letter)); strings.ContainsRune("/._?=&-", letter) {
				words[i] += `\allowbreak{}`
			}
		}
	}
	return strings.Join(words, " ")
}

// latexLabel returns what a label may hold of a name.
func latexLabel(name string) string {
	return strings.Map(func(r rune) rune {
		if r == '-' || r >= '0' && r <= '9' || r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' {
			return r
		}
		return '-'
	}, name)
}
