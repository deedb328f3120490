package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/internal/seq"
)

func (p *program) aspectsCommand() *cli.Command {
	return &cli.Command{
		ArgsUsage: modelAndVertexArgument,
		Description: "The links of a vertex fall into groups, its aspects, by the final vectors of the other ends and of the neighbours that both ends share.\n" +
			"Any embedding will do; the training links are needed, from --network, --split or the place named in the run's record. A vertex has one\n" +
			"aspect where nothing speaks for more. Aspects of all vertices that belong together have the same group.\n\n" +
			example("asp2vec aspects links.asp2vec 17", "asp2vec aspects links.asp2vec 17 --labels communities.tsv --top 8"),
		Flags: append(append(embeddingFlags(), sourceFlags()...),
			labelsFlag("; shows the most frequent labels near each aspect"), labelsFromFlag(), topFlag(6, "show `N` vertices per aspect"), learnedFlag(),
		),
		Action: p.aspects,
	}
}

func learnedFlag() cli.Flag {
	return &cli.BoolFlag{Name: "learned", Usage: "show the aspects that the model has learned, or PolyDW's facets, or Splitter's personas"}
}

// wantLinks returns an error where links are not known.
func (e *embedding) wantLinks(links *linked) error {
	if links != nil {
		return nil
	}
	more := ""
	if e.MultiVectors != nil {
		more = ", or the command aspects with --learned for those of the model"
	}
	return badf("%s: aspects are groups of links, which are not known: expected --network or --split%s", e.path, more)
}

// findAspects returns the aspects that the links fall into by the final vectors.
func (p *program) findAspects(ctx context.Context, e *embedding, links *linked) (*aspects.Aspects, error) {
	if err := e.wantLinks(links); err != nil {
		return nil, err
	}
	final, err := e.table("final")
	if err != nil {
		return nil, err
	}
	a, err := aspects.Find(ctx, links.net, final, p.threads)
	if err != nil && ctx.Err() == nil {
		err = bad(fmt.Errorf("%s: %w", e.path, err))
	}
	return a, err
}

// learned returns the several vectors of each vertex that a model has learned, or an error where there is one.
func (e *embedding) learned() (*aspects.Learned, error) {
	s, err := e.multiEmbedding()
	x := &aspects.Learned{MultiEmbedding: s, Numbers: e.Aspects() > 0}
	if e.Center != nil && e.D == s.D {
		x.Center = &eval.Embedding{N: len(e.Names), D: e.D, Data: e.Center}
	}
	return x, err
}

// named returns neighbours by their names.
func (e *embedding) named(near []eval.Neighbor) []nearVertex {
	return seq.Map(near, func(n eval.Neighbor) nearVertex { return nearVertex{Vertex: e.Names[n.Row], Cosine: n.Cosine} })
}

// aspectView is one aspect of a vertex.
type aspectView struct {
	Aspect  int          `json:"aspect"`           // from 1
	Links   *int         `json:"links,omitempty"`  // that it has; of those that were not learned
	Group   *int         `json:"group,omitempty"`  // from 1, of aspects of all vertices
	Share   *float64     `json:"share,omitempty"`  // of learned ones of a method with weights
	Nearest []nearVertex `json:"nearest"`          //
	Labels  []labelCount `json:"labels,omitempty"` // of those, the most frequent first
}

// labelCount is how many vertices have a label.
type labelCount struct {
	Label    string `json:"label"`
	Vertices int    `json:"vertices"`
}

// aspectsDoc is what aspects prints with --json.
type aspectsDoc struct {
	Model   string       `json:"model"`
	Method  string       `json:"method,omitempty"`
	Vertex  string       `json:"vertex"`
	Learned bool         `json:"learned"`
	Links   *int         `json:"links,omitempty"`  // of the vertex, where they are known
	Groups  int          `json:"groups,omitempty"` // of aspects of all vertices
	Aspects []aspectView `json:"aspects"`
}

func (p *program) aspects(c *cli.Context) error {
	e, v, err := p.asked(c)
	if err != nil {
		return err
	}
	links, err := p.links(c, e)
	if err != nil {
		return err
	}
	doc := aspectsDoc{Model: e.path, Method: e.method, Vertex: e.Names[v], Learned: c.Bool("learned")}
	var labels [][]int32
	var names []string
	if wantsLabels(c) {
		if labels, names, _, err = p.labelsOf(c, e); err != nil {
			return err
		}
	}
	if doc.Learned {
		err = p.viewLearned(c, e, v, &doc)
	} else {
		err = p.viewFound(c, e, v, links, &doc)
	}
	if err != nil {
		return err
	}
	if links != nil {
		doc.Links = new(links.net.Simple().Degree(v))
	}
	for i, a := range doc.Aspects {
		if labels != nil {
			doc.Aspects[i].Labels = countLabels(e, a.Nearest, labels, names)
		}
		for j, n := range a.Nearest {
			if links != nil {
				a.Nearest[j].Linked = new(links.has(v, e.at[n.Vertex]))
			}
		}
	}
	return p.emit(doc, func(b *printout) {
		doc.write(b, e.show(v), labels != nil)
		if labels != nil {
			b.printf("\nLabels of %s: %s.", e.show(v), cmp.Or(printable(joined(names, labels[v])), "none"))
		}
		if links != nil {
			b.printf("\n* linked with %s, which has %s.\n", e.show(v), many(*doc.Links, "link"))
		}
	})
}

// viewFound fills in the aspects that the links of a vertex fall into.
func (p *program) viewFound(c *cli.Context, e *embedding, v int32, links *linked, doc *aspectsDoc) error {
	a, err := p.findAspects(c.Context, e, links)
	if err != nil {
		return err
	}
	doc.Groups = a.Groups
	first, end := a.Vectors.First[v], a.Vectors.First[v+1]
	near, err := a.Near(c.Context, first, end, c.Int("top"), p.threads)
	for i, n := range near {
		row := first + int32(i)
		doc.Aspects = append(doc.Aspects, aspectView{Aspect: i + 1, Links: new(int(a.Links[row])), Group: new(int(a.Group[row]) + 1), Nearest: e.named(n)})
	}
	return err
}

// viewLearned fills in the several vectors of a vertex that the model has learned.
func (p *program) viewLearned(c *cli.Context, e *embedding, v int32, doc *aspectsDoc) error {
	x, err := e.learned()
	if err != nil {
		return err
	}
	var sum float64 // of the weights
	if x.Share != nil {
		for _, w := range x.Share[x.First[v]:x.First[v+1]] {
			sum += float64(w)
		}
	}
	for k := range x.First[v+1] - x.First[v] {
		near, err := x.Near(c.Context, v, k, c.Int("top"), p.threads)
		if err != nil {
			return err
		}
		a := aspectView{Aspect: int(k) + 1, Nearest: e.named(near)}
		if sum > 0 {
			a.Share = new(float64(x.Share[x.First[v]+k]) / sum)
		}
		doc.Aspects = append(doc.Aspects, a)
	}
	return nil
}

func (d aspectsDoc) write(b *printout, vertex string, labels bool) {
	header := []string{"aspect", "links", "group", "near " + vertex + " in it (cosine)"}
	weighted := d.Learned && len(d.Aspects) > 0 && d.Aspects[0].Share != nil
	switch {
	case weighted:
		header = []string{"learned aspect", "share", header[3]}
	case d.Learned:
		header = []string{"learned aspect", header[3]}
	}
	if labels {
		header = append(header, "their labels")
	}
	var rows [][]string
	for _, a := range d.Aspects {
		row := []string{count(a.Aspect)}
		switch {
		case weighted:
			row = append(row, fmt.Sprintf("%.0f %%", 100**a.Share))
		case !d.Learned:
			row = append(row, count(*a.Links), count(*a.Group))
		}
		row = append(row, nearList(a.Nearest))
		if labels {
			row = append(row, labelList(a.Labels))
		}
		rows = append(rows, row)
	}
	b.table(len(header), header, rows)
	switch {
	case len(d.Aspects) == 0:
		b.printf("\n%s has no links, so it has no aspects.\n", vertex)
	case !d.Learned:
		b.printf("\nIts links fall into %s. Aspects of all vertices make %s; those of one group belong together.", many(len(d.Aspects), "group"), many(d.Groups, "group"))
	}
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

// twoDigits writes a cosine, and 0 without a sign.
func twoDigits(x float64) string {
	if s := fmt.Sprintf("%.2f", x); s != "-0.00" {
		return s
	}
	return "0.00"
}
