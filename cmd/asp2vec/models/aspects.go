package models

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/asp2vec/asp2vec/cmd/asp2vec/shell"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/render"
)

// Aspects is the command aspects, which shows the aspects of a vertex, and who is near in each.
func Aspects(p *shell.Program) *cli.Command {
	return &cli.Command{
		ArgsUsage: shell.ModelAndVertexArgument,
		Description: "The links of a vertex fall into groups, its aspects, by the final vectors of the other ends and of the neighbours that both ends share.\n" +
			"Any embedding will do; the training links are needed, from --network, --split or the place named in the run's record. A vertex has one\n" +
			"aspect where nothing speaks for more. Aspects of all vertices that belong together have the same group.\n\n" +
			shell.Example("asp2vec aspects links.asp2vec 17", "asp2vec aspects links.asp2vec 17 --labels communities.tsv --top 8"),
		Flags: append(append(linkedFlags(), labelsFlags("; shows the most frequent labels near each aspect", "")...),
			shell.CountFlag("top", 6, "show `N` vertices per aspect"), learnedFlag(),
		),
		Action: program{p}.aspects,
	}
}

func learnedFlag() cli.Flag {
	return shell.NewFlag("learned", false, "show the aspects that the model has learned, or PolyDW's facets, or Splitter's personas")
}

// wantLinks returns an error where links are not known.
func (e *embedding) wantLinks() error {
	if e.links != nil {
		return nil
	}
	more := ""
	if e.MultiVectors != nil {
		more = ", or the command aspects with --learned for those of the model"
	}
	return shell.Badf("%s: aspects are groups of links, which are not known: expected --network or --split%s", e.path, more)
}

// findAspects returns the aspects that the links fall into by the final vectors.
func (p program) findAspects(ctx context.Context, e *embedding) (*aspects.Aspects, error) {
	if err := e.wantLinks(); err != nil {
		return nil, err
	}
	final, err := e.table("final")
	if err != nil {
		return nil, err
	}
	a, err := aspects.Find(ctx, e.links.net, final, p.Threads, shell.ShowSteps[int](p.Program, "finding aspects"))
	p.ClearBar()
	if err != nil && ctx.Err() == nil {
		err = shell.Badf("%s: %w", e.path, err)
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

// nearVertex is a vertex that is near another.
type nearVertex struct {
	Vertex string  `json:"vertex"`
	Cosine float64 `json:"cosine"`
	Linked *bool   `json:"linked,omitempty"` // where the training links are known
}

type nearList []nearVertex

// String lists vertices with their cosines, and marks those that are linked.
func (list nearList) String() string {
	return strings.Join(seq.Map(list, func(n nearVertex) string {
		mark := ""
		if n.Linked != nil && *n.Linked {
			mark = "*"
		}
		return fmt.Sprintf("%s%s (%s)", render.Printable(n.Vertex), mark, twoDigits(n.Cosine))
	}), "  ")
}

// labelCount is how many vertices have a label.
type labelCount struct {
	Label    string `json:"label"`
	Vertices int    `json:"vertices"`
}

type labelCounts []labelCount // the most frequent first

// String lists the first of them.
func (counts labelCounts) String() string {
	const shown = 2
	return strings.Join(seq.Map(counts[:min(shown, len(counts))], func(l labelCount) string { return fmt.Sprintf("%s ×%d", render.Printable(l.Label), l.Vertices) }), "  ")
}

// aspect is one of a vertex: what is known of it, and who is near.
type aspect struct {
	links, group, share any // nil where there is none: learned ones have no links, found ones no share
	near                []eval.Neighbor
}

func (p program) aspects(c *cli.Context) error {
	e, v, err := p.asked(c)
	if err != nil {
		return err
	}
	var labels [][]int32
	var names []string
	if wantsLabels(c) {
		if labels, names, _, err = p.labelsOf(c, e); err != nil {
			return err
		}
	}
	all, groups, err := p.vertexAspects(c, e, v)
	if err != nil {
		return err
	}
	links := e.links
	d := p.Answer()
	d.Facts("model", e.path, "method", e.method, "vertex", e.Names[v], "learned", c.Bool("learned"), "groups", shell.Known(groups))
	if labels != nil {
		d.Line("labels", cmp.Or(joined(names, labels[v]), "none"))
	}
	if links != nil {
		d.Facts("links", links.net.Simple().Degree(v))
	}
	var rows [][]any
	for i, a := range all {
		near := seq.Map(a.near, func(n eval.Neighbor) nearVertex {
			x := nearVertex{Vertex: e.Names[n.Row], Cosine: n.Cosine}
			if links != nil {
				x.Linked = new(links.has(v, n.Row))
			}
			return x
		})
		row := []any{i + 1, a.links, a.group, a.share, nearList(near), nil}
		if labels != nil {
			row[5] = countLabels(a.near, labels, names)
		}
		rows = append(rows, row)
	}
	d.Table("aspects", rows, "aspect", "links", "group", "share", "nearest", "labels")
	switch {
	case len(rows) == 0:
		d.Say("%s has no links, so it has no aspects.", e.show(v))
	case groups > 0:
		d.Say("Its links fall into %s. Aspects of all vertices make %s; those of one group belong together.", shell.Many(len(rows), "group"), shell.Many(groups, "group"))
	}
	if links != nil {
		d.Say("* linked with %s; in brackets the cosine.", e.show(v))
	}
	return p.Show(d)
}

// vertexAspects returns the aspects of a vertex, and how many groups those of all vertices make: the ones that its links fall into or, with
// --learned, those that the model has learned.
func (p program) vertexAspects(c *cli.Context, e *embedding, v int32) (all []aspect, groups int, err error) {
	if err := p.readLinks(c, e); err != nil {
		return nil, 0, err
	}
	if c.Bool("learned") {
		all, err = p.learnedAspects(c, e, v)
		return all, 0, err
	}
	a, err := p.findAspects(c.Context, e)
	if err != nil {
		return nil, 0, err
	}
	first, end := a.Vectors.First[v], a.Vectors.First[v+1]
	near, err := a.Near(c.Context, first, end, c.Int("top"), p.Threads)
	for i, n := range near {
		row := first + int32(i)
		all = append(all, aspect{int(a.Links[row]), int(a.Group[row]) + 1, nil, n})
	}
	return all, a.Groups, err
}

// learnedAspects returns the several vectors of a vertex that the model has learned.
func (p program) learnedAspects(c *cli.Context, e *embedding, v int32) (all []aspect, err error) {
	x, err := e.learned()
	if err != nil {
		return nil, err
	}
	var weights []float32
	var sum float64
	if x.Share != nil {
		weights = x.Share[x.First[v]:x.First[v+1]]
	}
	for _, w := range weights {
		sum += float64(w)
	}
	for k := range x.First[v+1] - x.First[v] {
		a := aspect{}
		if a.near, err = x.Near(c.Context, v, k, c.Int("top"), p.Threads); err != nil {
			return nil, err
		}
		if sum > 0 {
			a.share = float64(weights[k]) / sum
		}
		all = append(all, a)
	}
	return all, nil
}

// countLabels counts the labels of vertices.
func countLabels(near []eval.Neighbor, labels [][]int32, names []string) labelCounts {
	counts := map[int32]int{}
	for _, n := range near {
		for _, l := range labels[n.Row] {
			counts[l]++
		}
	}
	out := seq.Map(slices.Sorted(maps.Keys(counts)), func(l int32) labelCount { return labelCount{names[l], counts[l]} })
	slices.SortStableFunc(out, func(a, b labelCount) int { return cmp.Compare(b.Vertices, a.Vertices) })
	return out
}

// twoDigits writes a cosine, and 0 without a sign.
func twoDigits(x float64) string {
	if s := fmt.Sprintf("%.2f", x); s != "-0.00" {
		return s
	}
	return "0.00"
}
