package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// recommendation is what predict prints with --json of what is ranked for a vertex.
type recommendation struct {
	Model    string              `json:"model"`
	Method   string              `json:"method"` // or the baseline
	Source   string              `json:"source"`
	Known    int                 `json:"known"` // targets that training and validation links join the source with
	Targets  []recommendedTarget `json:"targets"`
	Expected *rankedBefore       `json:"expected,omitempty"`
}

// rankedBefore is what the record of a model says of how good its rankings are.
type rankedBefore struct {
	First  int     `json:"n"`
	Recall float64 `json:"recall"` // the share of those that are right which is among the first
	On     string  `json:"on"`     // "validation" or "test"
}

// expectedOf returns what a record says of the first that a model ranks, by validation pairs or, where there are none, by test pairs; nil for one that says nothing.
func expectedOf(r *results.Record) *rankedBefore {
	if r == nil {
		return nil
	}
	for _, on := range []struct{ prefix, name string }{{run.ValidationPrefix, "validation"}, {"", "test"}} {
		for _, n := range []int{20, 10} {
			if x, ok := r.Metrics[fmt.Sprintf("%srecall@%d", on.prefix, n)]; ok {
				return &rankedBefore{n, x, on.name}
			}
		}
	}
	return nil
}

// write says it in a line.
func (e *rankedBefore) write(b *printout, among string) {
	if e != nil {
		b.printf("\nWhen it was trained, %.0f %% of those that are right were among the first %d%s (recall on %s pairs).\n", 100*e.Recall, e.First, among, e.On)
	}
}

type recommendedTarget struct {
	Rank   int     `json:"rank"`
	Target string  `json:"target"`
	Score  float32 `json:"score"`
	Known  *bool   `json:"known,omitempty"` // with --all
}

// predictTargets ranks the vertices of one type for a vertex of another, such as artists for a user.
func (p *program) predictTargets(c *cli.Context, known *vectors.Known) error {
	if c.String("vertex") == "" {
		return badf("no vertex given: expected --vertex NAME of the type %s to rank for, or --pairs FILE", known.Source)
	}
	e, err := p.embedding(c)
	if err != nil {
		return err
	}
	u, err := e.vertex(typed.VertexName(known.Source, c.String("vertex")))
	if err != nil {
		if plain, ok := e.at[c.String("vertex")]; ok { // with its type already
			u, err = plain, nil
		}
	}
	if err != nil {
		return err
	}
	has := map[string]bool{}
	for _, l := range known.Links {
		if l[0] == e.Names[u] {
			has[l[1]] = true
		}
	}
	recommend, err := recommender(e)
	if err != nil {
		return err
	}
	ofModel := c.String("baseline") == ""
	doc := recommendation{Model: e.path, Method: e.method, Source: e.Names[u], Known: len(has), Targets: []recommendedTarget{}}
	prefix := typed.VertexName(known.Target, "")
	if !slices.ContainsFunc(e.Names, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		return badf("%s has no vectors of type %s, which its %s ranks: expected the complete folder that train wrote", e.path, known.Target, vectors.KnownFile)
	}
	var targets []int
	for v, name := range e.Names {
		if strings.HasPrefix(name, prefix) && (!has[name] || c.Bool("all")) && v != int(u) {
			targets = append(targets, v)
		}
	}
	scores := make([]float32, len(targets))
	if !ofModel {
		doc.Method = c.String("baseline")
		recommend = func(u int, targets []int, dst []float32) error {
			return p.byBaseline(c, known, e.Names, u, targets, dst)
		}
	}
	if err := recommend(int(u), targets, scores); err != nil {
		return err
	}
	for i, v := range targets {
		t := recommendedTarget{Target: strings.TrimPrefix(e.Names[v], prefix), Score: scores[i]}
		if c.Bool("all") {
			t.Known = new(has[e.Names[v]])
		}
		doc.Targets = append(doc.Targets, t)
	}
	slices.SortStableFunc(doc.Targets, func(a, b recommendedTarget) int { return cmp.Compare(b.Score, a.Score) })
	doc.Targets = doc.Targets[:min(len(doc.Targets), c.Int("top"))]
	for i := range doc.Targets {
		doc.Targets[i].Rank = i + 1
	}
	header := []string{"rank", known.Target, "score"}
	if c.Bool("all") {
		header = append(header, "known")
	}
	var rows [][]string
	for _, t := range doc.Targets {
		row := []string{strconv.Itoa(t.Rank), render.Printable(t.Target), fmt.Sprintf("%.4f", t.Score)}
		if t.Known != nil {
			row = append(row, yesNo(*t.Known))
		}
		rows = append(rows, row)
	}
	if ofModel {
		doc.Expected = expectedOf(e.Record)
	}
	return p.emit(doc, func(b *printout) {
		b.table(2, header, rows)
		doc.Expected.write(b, "")
	})
}

// linkBaselines are the baselines that need no more than known links.
var linkBaselines = []string{run.BaselinePopularity, run.BaselineNeighbours, run.BaselineLowPass}

// byBaseline sets dst to what a baseline scores some vertices by for a vertex u, by the links that are known.
func (p *program) byBaseline(c *cli.Context, known *vectors.Known, names []string, u int, vertices []int, dst []float32) error {
	n := &typed.Network{Schema: typed.Schema{Links: []typed.LinkType{{Directed: true}}}, Links: make([]typed.Links, 1)} // either way round in known
	place, at := make([]int32, len(names)), map[string]int32{}                                                          // within types
	for t, of := range slices.Compact([]string{known.Source, known.Target}) {
		n.Types, n.Names = append(n.Types, typed.Type{Name: of}), append(n.Names, nil)
		n.Schema.Links[0].To = t
		for v, name := range names {
			if strings.HasPrefix(name, typed.VertexName(of, "")) {
				place[v] = int32(len(n.Names[t]))
				at[name], n.Names[t] = place[v], append(n.Names[t], name)
			}
		}
	}
	for _, l := range known.Links {
		n.Links[0].From, n.Links[0].To = append(n.Links[0].From, at[l[0]]), append(n.Links[0].To, at[l[1]])
	}
	score, err := run.RankingBaseline(c.Context, c.String("baseline"), n, &typed.Task{}, p.threads)
	if err != nil {
		return bad(err)
	}
	all := make([]float32, n.Vertices(n.Schema.Links[0].To))
	if err := score(place[u], all); err != nil {
		return err
	}
	for i, v := range vertices {
		dst[i] = all[place[v]]
	}
	return nil
}

// recommender returns how an embedding ranks some vertices for a vertex u, as its run did: it sets dst to their scores.
func recommender(e *embedding) (func(u int, vertices []int, dst []float32) error, error) {
	scoring := graphs.ScoringDot
	if e.Record != nil {
		scoring = e.Record.Scoring
	}
	score := hetnet.LargestProduct
	from, to := func(u int) []float32 { return e.Final[u*e.D:][:e.D] }, func(v int) []float32 { return e.Final[v*e.D:][:e.D] }
	switch scoring {
	case graphs.ScoringPair:
		return pairScores(e)
	case graphs.ScoringDistance:
		score = hetnet.MinusDistance
	case graphs.ScoringMax:
		if e.Center == nil || e.MultiVectors == nil {
			return nil, badf("%s ranks by its aspects, and lacks %s or %s: expected the folder of the run", e.path, vectors.CenterFile, vectors.AspectsFile)
		}
		from = func(u int) []float32 { return e.Center[u*e.D:][:e.D] }
		to = func(v int) []float32 {
			return e.MultiVectors.Data[int(e.MultiVectors.First[v])*e.D : int(e.MultiVectors.First[v+1])*e.D]
		}
	}
	return func(u int, vertices []int, dst []float32) error {
		for i, v := range vertices {
			dst[i] = score(from(u), to(v))
		}
		return nil
	}, nil
}

// pairScores is recommender for a model that scores pairs by a classifier of its own: the text of one and the vector of the other.
func pairScores(e *embedding) (func(u int, vertices []int, dst []float32) error, error) {
	saved, err := hetnet.Load(e.path, 1)
	if err != nil {
		return nil, bad(err)
	}
	return func(u int, vertices []int, dst []float32) error {
		others := make([]float32, 0, len(vertices)*e.D)
		for _, v := range vertices {
			others = append(others, e.Final[v*e.D:][:e.D]...)
		}
		_, ofAuthor := saved.Author(e.Names[u])
		return bad(saved.PairScores(dst, e.Final[u*e.D:][:e.D], others, ofAuthor))
	}, nil
}
