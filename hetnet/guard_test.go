package hetnet

import (
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/guard"
	"github.com/asp2vec/asp2vec/internal/test/call"
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
			graphs.Edit(o, func(p *PaperOptions) { p.MetaPaths, p.Cell = "APA, APVPA", CellResetBefore })
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
			graphs.Edit(o, func(p *PaperOptions) { p.Authors, p.Encoder = AuthorsPapers, EncoderMean })
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
		o := graphs.OptionsOf(MethodOf(c.method), graphs.Validated)
		c.change(&o)
		models := call.Of(graphs.GuardModels(o))(t)
		var names []string
		for _, m := range models {
			names = append(names, m.Name)
			if report := guard.Check(m); report.Err() != nil {
				t.Errorf("%s, %+v:\n%s", c.method, o, report)
			}
		}
		if got := strings.Join(names, " "); got != c.models {
			t.Errorf("%s: models %s, expected %s", c.method, got, c.models)
		}
	}
}
