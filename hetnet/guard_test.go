package hetnet

import (
	"errors"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Every method passes the checks that `asp2vec check` runs, with each choice that changes its graph.
func TestGuard(t *testing.T) {
	for _, c := range []struct {
		method string
		change func(*graphs.Options)
		models string
	}{
		{MethodM2V, func(*graphs.Options) {}, "m2v++ encoder"},
		{MethodM2V, func(o *graphs.Options) {
			graphs.Edit(o, func(p *PaperOptions) { p.MetaPaths, p.ShuffledLinks, p.Cell = "APA, APVPA", "friends", CellResetBefore })
		}, "m2v++ encoder"},
		{MethodCamel, func(*graphs.Options) {}, "camel encoder"},
		{MethodCamel, func(o *graphs.Options) { graphs.Edit(o, func(p *PaperOptions) { p.Indirect = 0 }) }, "camel encoder"},
		{MethodCamel, func(o *graphs.Options) { graphs.Edit(o, func(p *PaperOptions) { p.Encoder = EncoderMean }) }, "camel encoder"},
		{MethodTaPEm, func(*graphs.Options) {}, "tapem camel encoder"},
		{MethodTaPEm, func(o *graphs.Options) { o.WarmUp = false; graphs.Edit(o, func(p *PaperOptions) { p.Dropout = 0 }) }, "tapem encoder"},
		{MethodTaPEm, func(o *graphs.Options) { graphs.Edit(o, func(p *PaperOptions) { p.Dropout = 0.99 }) }, "tapem camel encoder"},
		{MethodAsp2vecHet, func(o *graphs.Options) { o.WarmUp = true }, "asp2vec-het m2v++ encoder"},
		{MethodAsp2vecHet, func(o *graphs.Options) {
			o.Seed = 7
			graphs.Edit(o, func(p *PaperOptions) { p.Variant, p.AuthorWeight = VariantLiteral, 3 })
		}, "asp2vec-het encoder"},
		{MethodAsp2vecHet, func(o *graphs.Options) {
			graphs.Edit(o, func(p *PaperOptions) { p.Variant, p.AuthorWeight = VariantTarget, 2 })
			o.MeanPenalty = true
		}, "asp2vec-het encoder"},
		{MethodAsp2vecHet, func(o *graphs.Options) {
			o.Noise = graphs.NoiseWindow
			graphs.Edit(o, func(p *PaperOptions) { p.Context = ContextAuthor })
		}, "asp2vec-het encoder"},
		{MethodAsp2vecHet, func(o *graphs.Options) {
			o.Selection, o.Epsilon = "hard", 0.1
			graphs.Edit(o, func(p *PaperOptions) { p.Context = ContextBoth })
		}, "asp2vec-het encoder"},
	} {
		o := graphs.OptionsOf(MethodOf(c.method), graphs.Default)
		c.change(&o)
		models, err := graphs.GuardModels(o)
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, m := range models {
			names = append(names, m.Name)
			if report := guard.Check(m); report.Err() != nil {
				t.Errorf("%s, %+v:\n%s", c.method, o, report)
			}
		}
		if got := strings.Join(names, " "); got != c.models {
			t.Errorf("%s: models %s, want %s", c.method, got, c.models)
		}
	}
}

// A model that an edit has broken is found: here by a step that works in place on the authors' vectors.
func TestGuardFindsFaults(t *testing.T) {
	o := graphs.OptionsOf(MethodOf(MethodCamel), graphs.Default)
	m := MethodOf(MethodCamel).Guard(o)[0]
	build := m.Build
	m.Build = func(g *G.ExprGraph, dt tensor.Dtype) (guard.Graph, error) {
		graph, err := build(g, dt)
		if err != nil {
			return graph, err
		}
		authors := graph.Params[1]
		shared := G.Must(G.Reshape(authors, tensor.Shape{authors.Shape().TotalSize()})) // stock Reshape copies nothing
		graph.Loss = G.Must(G.Add(graph.Loss, G.Must(G.Sum(G.Must(G.Square(shared))))))
		return graph, nil
	}
	if err := guard.Check(m).Err(); err == nil || !strings.Contains(err.Error(), "authors is overwritten") {
		t.Errorf("error %v: want one of the authors that are overwritten", err)
	}
}

func TestMetaPathsAreOptions(t *testing.T) {
	for paths, good := range map[string]bool{"APA": true, "APA, APPA,APVPA": true, "PAP": true, "AP": true, "AXA": false, "APP": false, "APA,": false, "": false, "AVA": false, "apa": false} {
		for _, method := range []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet} {
			o := graphs.OptionsOf(MethodOf(method), graphs.Default)
			graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = paths })
			if err := errors.Join(o.Validate(), CheckPaths(BibliographySchema(), o)); (err == nil) != good {
				t.Errorf("%s along %q: error %v", method, paths, err)
			}
		}
	}
}
