package hetnet

import (
	"sync"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// normals returns n random numbers from N(0, std²).
func normals(n int, std float64, name string) []float32 {
	x, s := make([]float32, n), rng.New(1, name)
	for i := range x {
		x[i] = float32(std * s.Normal())
	}
	return x
}

// paper is one of a bibliography in a test: a training paper, or a test paper.
type paper struct {
	papers.Paper
	test bool
}

// bibliography makes one of papers, whose references are places among training papers.
func bibliography(t testing.TB, n *typed.Network, list ...paper) *papers.Bibliography {
	t.Helper()
	add := func(link int, from, to int32) {
		n.Links[link].From, n.Links[link].To = append(n.Links[link].From, from), append(n.Links[link].To, to)
	}
	b := &papers.Bibliography{}
	for _, p := range list {
		if p.test {
			b.Test = append(b.Test, p.Paper)
			continue
		}
		at := int32(len(n.Names[papers.Trained]))
		n.Names[papers.Trained] = append(n.Names[papers.Trained], p.Name)
		n.Contents[papers.Trained].Texts = append(n.Contents[papers.Trained].Texts, p.Text)
		for _, a := range p.Own {
			add(0, a, at)
		}
		if p.Venue >= 0 {
			add(1, at, p.Venue)
		}
		for _, q := range p.Cites {
			add(2, at, q)
		}
	}
	b.Authorship = call.Of(n.Authorship())(t)
	madeFrom.Store(n, b)
	return b
}

var madeFrom sync.Map // the bibliography of a network

// of returns the bibliography of an input.
func of(in Input) *papers.Bibliography {
	b, _ := madeFrom.Load(in.Network)
	return b.(*papers.Bibliography)
}

// written is a bibliography of training papers by their authors and tokens.
func written(t testing.TB, authors, words []string, list ...papers.Paper) *papers.Bibliography {
	t.Helper()
	var all []paper
	for _, p := range list {
		p.Venue = -1
		all = append(all, paper{Paper: p})
	}
	return bibliography(t, papers.NewNetwork("written", authors, nil, words), all...)
}

// questions returns those about the test papers.
func questions(b *papers.Bibliography) (all []typed.Question) {
	for _, p := range b.Test {
		all = append(all, p.Question)
	}
	return all
}

func task(t *testing.T, b *papers.Bibliography) *typed.Task {
	t.Helper()
	return call.Of(b.Task())(t)
}
