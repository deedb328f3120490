package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results/render"
	"github.com/asp2vec/asp2vec/results/vectors"
	"github.com/urfave/cli/v2"
)

// recommendation is what predict prints with --json of what is ranked for a vertex.
type recommendation struct {
	Model   string              `json:"model"`
	Method  string              `json:"method"`
	Source  string              `json:"source"`
	Known   int                 `json:"known"` // targets that training and validation links join the source with
	Targets []recommendedTarget `json:"targets"`
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
		return badf("no vertex given: want --vertex NAME of the type %s to rank for, or --pairs FILE", known.Source)
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
	score, err := recommend(int(u))
	if err != nil {
		return err
	}
	doc := recommendation{Model: e.path, Method: e.method, Source: e.Names[u], Known: len(has), Targets: []recommendedTarget{}}
	prefix := typed.VertexName(known.Target, "")
	if !slices.ContainsFunc(e.Names, func(name string) bool { return strings.HasPrefix(name, prefix) }) {
		return badf("%s has no vectors of type %s, which its %s ranks: want the complete folder that train --out wrote", e.path, known.Target, vectors.KnownFile)
	}
	for v, name := range e.Names {
		if !strings.HasPrefix(name, prefix) || has[name] && !c.Bool("all") || v == int(u) {
			continue
		}
		t := recommendedTarget{Target: strings.TrimPrefix(name, prefix), Score: score(v)}
		if c.Bool("all") {
			t.Known = new(has[name])
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
	return p.emitTable(doc, 2, header, rows)
}

// recommender returns how an embedding ranks vertices v for a vertex u, as its run did.
func recommender(e *embedding) (func(u int) (func(v int) float32, error), error) {
	row := func(x []float32, v int) []float32 { return x[v*e.D:][:e.D] }
	each := func(score func(u, v int) float32) func(u int) (func(v int) float32, error) {
		return func(u int) (func(v int) float32, error) { return func(v int) float32 { return score(u, v) }, nil }
	}
	switch {
	case e.Record != nil && e.Record.Scoring == graphs.ScoringDistance:
		return each(func(u, v int) float32 { return hetnet.MinusDistance(row(e.Final, u), row(e.Final, v)) }), nil
	case e.Record != nil && e.Record.Scoring == graphs.ScoringPair:
		return pairScores(e)
	}
	if e.Record == nil || e.Record.Scoring != graphs.ScoringMax {
		return each(func(u, v int) float32 { return hetnet.LargestProduct(row(e.Final, u), row(e.Final, v)) }), nil
	}
	if e.Center == nil || e.MultiVectors == nil {
		return nil, badf("%s ranks by its aspects, and lacks %s or %s: want the folder of the run", e.path, vectors.CenterFile, vectors.AspectsFile)
	}
	return each(func(u, v int) float32 {
		return hetnet.LargestProduct(row(e.Center, u), e.MultiVectors.Data[int(e.MultiVectors.First[v])*e.D:int(e.MultiVectors.First[v+1])*e.D])
	}), nil
}

// pairScores is recommender for a model that scores pairs by a classifier of its own: the text of one and the vector of the other.
func pairScores(e *embedding) (func(u int) (func(v int) float32, error), error) {
	saved, err := hetnet.Load(e.path, 1)
	if err != nil {
		return nil, bad(err)
	}
	return func(u int) (func(v int) float32, error) {
		scores := make([]float32, len(e.Names))
		_, ofAuthor := saved.Author(e.Names[u])
		if err := saved.PairScores(scores, e.Final[u*e.D:][:e.D], e.Final, ofAuthor); err != nil {
			return nil, bad(err)
		}
		return func(v int) float32 { return scores[v] }, nil
	}, nil
}
