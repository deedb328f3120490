package render_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/experiments/tables"
	"github.com/asp2vec/asp2vec/results/render"
)

// Every table fits its page in LaTeX, the widest selection of the paper's among them, and hostile names, which stand there as they are.
func TestLatexFitsItsPage(t *testing.T) {
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no pdflatex here: apt-get install texlive-latex-recommended has it")
	}
	var all []render.Table
	for _, s := range tables.Specs() {
		all = append(all, s.Table(store.NewRuns(nil), sweep.Selection{Dims: []int{100, 200, 500}, Protocols: []string{"paper"}})...)
	}
	for _, table := range all { // as wide as they can be
		for _, row := range table.Rows {
			for i := range row.Values {
				if v := &row.Values[i]; v.Text == "" {
					v.Mean, v.SD, v.N = .1234, .0123, 2+i%2
				}
			}
		}
	}
	hostile := render.Table{Name: "own", Title: `50% of _all_ \input{x} & more`, Corner: "name", Columns: []string{"K=5, τ=3", "--try p=1", "options"}, Rows: []render.Row{
		{Label: `[a] $x^2$ {b} ~ # | <c> ε=.1`, Values: []render.Value{{Mean: .5, N: 1}, {Text: "--warm-up=false"}, {Text: "--method asp2vec --protocol validated --dim 8 --aspects 7 --tau 2.86665 --epochs 18 --warm-up-epochs 18"}}},
	}}
	var b bytes.Buffer
	b.WriteString("\\documentclass{article}\n\\usepackage{array,booktabs,graphicx}\n\\usepackage[T1]{fontenc}\n\\begin{document}\n")
	for _, table := range append(all, hostile) {
		if err := render.Write(&b, table, "latex"); err != nil {
			t.Fatal(err)
		}
		b.WriteString("\\clearpage\n")
	}
	b.WriteString("\\end{document}\n")
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "all.tex"), b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	tex := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "all.tex")
	tex.Dir = dir
	out, err := tex.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
	}
	log, err := os.ReadFile(filepath.Join(dir, "all.log"))
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range regexp.MustCompile(`(?m)^(Overfull \\hbox|LaTeX Warning: (Float too large|Missing character)|Missing character).*`).FindAllString(string(log), -1) {
		t.Error(strings.TrimSpace(line))
	}
	if keep := os.Getenv("ASP2VEC_LATEX"); keep != "" {
		_ = os.WriteFile(keep+".tex", b.Bytes(), 0o666)
		pdf, _ := os.ReadFile(filepath.Join(dir, "all.pdf"))
		_ = os.WriteFile(keep, pdf, 0o666)
	}
}
