package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
)

func (p *program) aspectsCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: "VERTEX",
		Description: "The vertices near an aspect are those that nearest --aspect lists. The use of an aspect is its mean probability over windows of random\n" +
			"walks around the vertex; it needs the training links, from --network, --split or the place named in the run's record. For PolyDW it\n" +
			"is the share of the facet in the factorisation.\n\n" +
			example("asp2vec aspects 17 --model runs/mine", "asp2vec aspects 17 --model runs/mine --labels communities.tsv --top 8"),
		Flags: append(append(embeddingFlags(), sourceFlags()...),
			labelsFlag("; shows the most frequent labels near each aspect"), topFlag(6, "show `N` vertices per aspect"),
		),
		Action: p.aspects,
	}
}

// aspectView is one aspect of a vertex.
type aspectView struct {
	Aspect  int          `json:"aspect"` // from 1
	Use     *float64     `json:"use,omitempty"`
	Nearest []nearVertex `json:"nearest"`
	Labels  []labelCount `json:"labels,omitempty"` // of those, the most frequent first
}

// labelCount is how many vertices have a label.
type labelCount struct {
	Label    string `json:"label"`
	Vertices int    `json:"vertices"`
}

// useWindows is over how many windows the use of aspects is a mean: its error is below .02.
const useWindows = 1000

func (p *program) aspects(c *cli.Context) error {
	e, v, err := p.asked(c)
	if err != nil {
		return err
	}
	s, err := e.multiEmbedding()
	if err != nil {
		return err
	}
	links, err := p.links(c, e)
	if err != nil {
		return err
	}
	uses, err := p.use(c.Context, e, s, links, []int32{v}, useWindows)
	if err != nil {
		return err
	}
	use := slices.Concat(uses...) // of one vertex; nil where it is not known
	var labels [][]int32
	var names []string
	if c.IsSet("labels") {
		if labels, names, err = p.labelsOf(e, c.String("labels")); err != nil {
			return err
		}
	}
	doc := struct {
		Model   string       `json:"model"`
		Method  string       `json:"method,omitempty"`
		Vertex  string       `json:"vertex"`
		Links   *int         `json:"links,omitempty"` // of the vertex, where they are known
		Aspects []aspectView `json:"aspects"`
		Least   float64      `json:"least_cosine_of_aspects"`
		Most    float64      `json:"most_cosine_of_aspects"`
	}{Model: e.path, Method: e.method, Vertex: e.Names[v]}
	if links != nil {
		n := linksAt(links.net, v)
		doc.Links = &n
	}
	for row := s.First[v]; row < s.First[v+1]; row++ {
		a := aspectView{Aspect: int(row-s.First[v]) + 1}
		if a.Nearest, err = p.nearIn(c.Context, e, s, row, c.Int("top")); err != nil {
			return err
		}
		if use != nil {
			a.Use = &use[row-s.First[v]]
		}
		if labels != nil {
			a.Labels = countLabels(e, a.Nearest, labels, names)
		}
		for i, n := range a.Nearest {
			if links != nil {
				a.Nearest[i].Linked = new(links.has(v, e.at[n.Vertex]))
			}
		}
		doc.Aspects = append(doc.Aspects, a)
	}
	doc.Least, doc.Most = cosineRange(s, v)
	if o := optionsOf(e.Record); e.method == graphs.MethodAsp2vec && o.WarmUp && o.AspectStart == graphs.StartAlike {
		p.log.Info("the aspects of this model began alike, and may say little about links: train with --aspect-start neighbors to see roles")
	}
	return p.emit(doc, func(b *printout) {
		header := []string{"aspect", "near " + e.show(v) + " in it (cosine)"}
		if use != nil {
			header = []string{"aspect", "used", header[1]}
		}
		if labels != nil {
			header = append(header, "their labels")
		}
		var rows [][]string
		for _, a := range doc.Aspects {
			row := []string{count(a.Aspect)}
			if a.Use != nil {
				row = append(row, fmt.Sprintf("%.0f %%", 100**a.Use))
			}
			row = append(row, nearList(a.Nearest))
			if labels != nil {
				row = append(row, labelList(a.Labels))
			}
			rows = append(rows, row)
		}
		b.table(len(header), header, rows)
		if labels != nil {
			b.printf("\nLabels of %s: %s.", e.show(v), cmp.Or(printable(joined(names, labels[v])), "none"))
		}
		if links != nil {
			b.printf("\n* linked with %s, which has %s.", e.show(v), many(linksAt(links.net, v), "link"))
		}
		if len(doc.Aspects) > 1 {
			b.printf("\nCosines between its aspects: %.2f to %.2f; aspects with a cosine near 1 are alike.\n", doc.Least, doc.Most)
		}
	})
}

// linksAt counts the links of a vertex, in both directions.
func linksAt(net *network.Network, v int32) int {
	if !net.Directed() {
		return net.Degree(v)
	}
	n := 0
	for _, l := range net.List() {
		if l.From == v || l.To == v {
			n++
		}
	}
	return n
}

// nearList lists vertices with their cosines.
func nearList(near []nearVertex) string {
	return strings.Join(seq.Map(near, func(n nearVertex) string {
		mark := ""
		if n.Linked != nil && *n.Linked {
			mark = "*"
		}
		return fmt.Sprintf("%s%s (%s)", printable(n.Vertex), mark, twoDigits(n.Cosine))
	}), "  ")
}

// countLabels counts the labels of vertices.
func countLabels(e *embedding, near []nearVertex, labels [][]int32, names []string) []labelCount {
	counts := map[int32]int{}
	for _, n := range near {
		for _, l := range labels[e.at[n.Vertex]] {
			counts[l]++
		}
	}
	out := seq.Map(slices.Sorted(maps.Keys(counts)), func(l int32) labelCount { return labelCount{names[l], counts[l]} })
	slices.SortStableFunc(out, func(a, b labelCount) int { return cmp.Compare(b.Vertices, a.Vertices) })
	return out
}

func labelList(counts []labelCount) string {
	const shown = 2
	return strings.Join(seq.Map(counts[:min(shown, len(counts))], func(l labelCount) string { return fmt.Sprintf("%s ×%d", printable(l.Label), l.Vertices) }), "  ")
}

// cosineRange returns the least and the largest cosine of two aspects of a vertex, 1 where it has fewer.
func cosineRange(s eval.MultiEmbedding, v int32) (least, most float64) {
	least, most = math.Inf(1), math.Inf(-1)
	for r := int(s.First[v]); r < int(s.First[v+1]); r++ {
		for q := int(s.First[v]); q < r; q++ {
			x := eval.Cosine(s.Data[r*s.D:(r+1)*s.D], s.Data[q*s.D:(q+1)*s.D])
			least, most = min(least, x), max(most, x)
		}
	}
	if least > most {
		return 1, 1
	}
	return least, most
}

// twoDigits writes a cosine, and 0 without a sign.
func twoDigits(x float64) string {
	if s := fmt.Sprintf("%.2f", x); s != "-0.00" {
		return s
	}
	return "0.00"
}
