package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// page is aspects.md.
func (doc *document) page() string {
	var b strings.Builder
	b.WriteString(`# Do aspects stand for anything?

The links of a vertex belong to different parts of its life. Do its aspects tell them apart? That can be measured where the truth is known:

- **planted** networks have overlapping communities, and each link was made by one of them (links made at random do not count);
- **merged** networks are real ones in which 30 % of the vertices with at least five links are joined in pairs, so that a merged vertex has two roles, and each of its links
  belongs to one of them, as pseudowords are a test for senses of words.

Each method has its defaults (` + "`--protocol standard`" + `) and is trained on the whole network without this knowledge. The links of a vertex are grouped by the aspect of the vertex
that is nearest to the other end, or, as what can be done with one vector for each vertex, by k-means of the final vectors of the other ends (with as many clusters as
aspects, five for DeepWalk). The tables have the normalised mutual information of the groups of a vertex with the truth, beyond chance (0 as by chance, 1 if equal), averaged over the
vertices whose links have several origins: mean ± standard deviation over the seeds, which also draw networks and pairs.

`)
	networks := distinct(doc.Runs, func(m measured) string { return m.Network })
	names := distinct(doc.Runs, measured.contestant)
	table := func(title string, of func(aspects.LabelMatch) *aspects.Agreement) {
		fmt.Fprintf(&b, "**%s**\n\n| | %s |\n|:--|%s\n", title, strings.Join(networks, " | "), strings.Repeat("--:|", len(networks)))
		for _, name := range names {
			cells, some := []string{name}, false
			for _, net := range networks {
				var x []float64
				for _, m := range doc.Runs {
					if a := of(m.Match); m.Network == net && m.contestant() == name && a != nil {
						x = append(x, a.Adjusted())
					}
				}
				cell := ""
				if len(x) > 0 {
					cell, some = number(render.ValueOf(x)), true
				}
				cells = append(cells, cell)
			}
			if some {
				fmt.Fprintf(&b, "| %s |\n", strings.Join(cells, " | "))
			}
		}
		b.WriteString("\n")
	}
	table("Links of a vertex grouped by aspects", func(m aspects.LabelMatch) *aspects.Agreement { return m.Aspects })
	table("Grouped by k-means of the final vectors of their other ends", func(m aspects.LabelMatch) *aspects.Agreement { return &m.Groups })
	fmt.Fprintf(&b, "Seconds of training, mean over networks and seeds: %s.\n\n", strings.Join(seq.Map(names, func(name string) string {
		var x []float64
		for _, m := range doc.Runs {
			if m.contestant() == name {
				x = append(x, m.Seconds)
			}
		}
		return fmt.Sprintf("%s %.0f", name, render.ValueOf(x).Mean)
	}), ", "))
	fmt.Fprintf(&b, "`%s`, %s, %s, %s.\n", doc.Command, doc.Date.Format("2006-01-02"), doc.Host.CPU, strings.Join(slices.DeleteFunc([]string{doc.Code.Go, doc.Code.Commit}, func(s string) bool { return s == "" }), ", commit "))
	return b.String()
}

func number(v render.Value) string {
	return strings.Replace(fmt.Sprintf("%.3f ± %.3f", v.Mean, v.SD), "0.", ".", 2)
}

// distinct returns what of has for each run, each once, in the order of the runs.
func distinct(runs []measured, of func(measured) string) (all []string) {
	for _, m := range runs {
		if x := of(m); !slices.Contains(all, x) {
			all = append(all, x)
		}
	}
	return all
}
