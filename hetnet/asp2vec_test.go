package hetnet

import (
	"context"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/walks"
)

// preparedHet returns a model with parameters of some size, and a batch around authors and one around papers.
func preparedHet(t *testing.T, o graphs.Options, threads int) (m *asp2vecHet, a, p *walks.Batch) {
	t.Helper()
	in := topical(t, 40)
	c := call.Of(newCorpus(context.Background(), in, o, threads))(t)
	m = call.Of(newAsp2vecHet(in, o, threads))(t)
	call.OK(t, m.prepare(context.Background(), c))
	m.freeP.InitNormal(3, 0.5)
	m.freeQ.InitNormal(4, 0.5)
	if m.heads != nil {
		m.heads.InitNormal(5, 0.5)
	}
	for b := range together(context.Background(), 1, 0, m.streams...) {
		return m, b[0], b[1]
	}
	t.Fatal("no batch")
	return nil, nil, nil
}

// With the literal variant and contexts that are papers, all aspects have the same logit, and the choice is noise alone.
func TestLiteralVariantCannotTellAspects(t *testing.T) {
	for variant, same := range map[string]bool{VariantLiteral: true, VariantHeads: false} {
		o := walkedOptions(MethodAsp2vecHet)
		o.Selection = "softmax"
		graphs.Edit(&o, func(p *PaperOptions) { p.Variant = variant })
		m, a, p := preparedHet(t, o, 1)
		vectors, err := m.contents.encode(a, p)
		if err == nil {
			err = m.pass.(*hetPass).enter(vectors)
		}
		if err != nil {
			t.Fatal(err)
		}
		v := m.q.Row(int(m.contents.used[0]))
		if got := slices.Equal(v[:o.Dim], v[o.Dim:2*o.Dim]); got != same {
			t.Errorf("%s: aspects of a paper equal: %v, expected %v", variant, got, same)
		}
	}
}

// A warm-up hands its vectors on: P and all aspects of an author begin as its vector, and the encoder as it was.
func TestHetFollows(t *testing.T) {
	o := walkedOptions(MethodAsp2vecHet)
	in := topical(t, 40)
	warm, c, err := prepareM2V(context.Background(), graphs.Input{Typed: in}, o, 1)
	if err != nil {
		t.Fatal(err)
	}
	warm.free.InitNormal(9, 1)
	m := call.Of(newAsp2vecHet(in, o, 1))(t)
	call.OK(t, m.prepare(context.Background(), c))
	m.follow(warm)
	questions := []typed.Question{{Text: of(in).Texts()[0], Among: []int32{0, 1, 2, 3}}}
	want := call.Of(typed.Scores(t.Context(), warm, questions, 1))(t)
	for _, scoring := range []string{graphs.ScoringDot, graphs.ScoringMax} {
		m.o.Scoring = scoring
		got := call.Of(typed.Scores(t.Context(), m, questions, 1))(t)
		close32(t, scoring, got[0], want[0])
	}
}

// Meta-paths with venues give them vectors, and several paths are walked over the same vertices.
func TestSeveralMetaPaths(t *testing.T) {
	in := topical(t, 40)
	b := of(in)
	o := walkedOptions(MethodM2V)
	graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = "APA,APVPA" })
	c := call.Of(newCorpus(context.Background(), OfPapers(b.Network, nil), o, 1))(t)
	if !slices.Equal(c.Types, []int{papers.Author, papers.Venue, papers.Trained}) || int(c.Start[3]) != b.Vertices(papers.Author)+b.Vertices(papers.Venue)+b.Vertices(papers.Trained) {
		t.Fatalf("types %v from %v", c.Types, c.Start)
	}
	venues := 0
	for i := range c.Walks() {
		walk := c.Walk(i, nil)
		for at, v := range walk {
			paper := v >= c.Start[2]
			if isVenue := !paper && v >= c.Start[1]; isVenue {
				venues++
			}
			if at > 0 && paper == (walk[at-1] >= c.Start[2]) {
				t.Fatalf("walk %v: two steps among papers, or none", walk)
			}
			if at > 0 && paper && walk[at-1] < c.Start[1] && !slices.Contains(b.AuthorsOf[v-c.Start[2]], walk[at-1]) {
				t.Fatalf("walk %v: %d is no author of paper %d", walk, walk[at-1], v)
			}
		}
	}
	if venues == 0 {
		t.Error("no walk meets a venue")
	}
	res := call.Of(graphs.Train(context.Background(), graphs.Input{Typed: in}, o, 1, graphs.Monitor{}))(t)
	if got := len(res.Embedding.Final); got != len(b.PapersOf)*o.Dim {
		t.Errorf("%d numbers of authors, expected %d", got, len(b.PapersOf)*o.Dim)
	}
	graphs.Edit(&o, func(p *PaperOptions) { p.MetaPaths = "APA,AVA" })
	call.Refused(t)(newCorpus(context.Background(), OfPapers(b.Network, nil), o, 1))
}

// Aspects that are the same everywhere have no spread, with the paper's literal variant whatever their vectors; others have.
func TestAspectSpread(t *testing.T) {
	for variant, chosen := range map[string]string{VariantLiteral: ContextPaper, VariantHeads: ContextPaper} {
		o := walkedOptions(MethodAsp2vecHet)
		graphs.Edit(&o, func(p *PaperOptions) { p.Variant, p.Context = variant, chosen })
		m, _, _ := preparedHet(t, o, 2)
		spread, err := m.AspectSpread(context.Background())
		if err != nil || (spread > 1e-6) == (variant == VariantLiteral) {
			t.Errorf("%s: spread %v, %v", variant, spread, err)
		}
	}
}
