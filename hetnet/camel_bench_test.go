package hetnet

import (
	"context"
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// benchInput is a bibliography of about the size of dblp, with texts of about so many tokens.
func benchInput(b *testing.B, tokens int) Input {
	o := DefaultPlanted()
	o.Authors, o.Papers, o.Topics, o.Vocabulary, o.Tokens, o.CoAuthors = 25000, 20000, 50, 10000, tokens, 4
	p, err := o.Generate()
	if err != nil {
		b.Fatal(err)
	}
	s := rng.New(1, "words")
	w := &Words{Dim: 128, Vectors: make([]float32, len(p.Bibliography.Words)*128)}
	for i := range w.Vectors {
		w.Vectors[i] = float32(0.3 * s.Normal())
	}
	return Input{Bibliography: p.Bibliography, Words: w}
}

func benchOptions(dim int) graphs.Options {
	o := paperOptions()
	o.Dim, o.Batch, o.Walks, o.Length, o.LearningRate = dim, 500, 5, 20, 0.001
	return o
}

// BenchmarkCamelStep is a step of 500 direct and 500 indirect triples: dblp has 117 in an epoch.
func BenchmarkCamelStep(b *testing.B) {
	for _, tokens := range []int{6, 100} {
		in := benchInput(b, tokens)
		for _, dim := range []int{40, 200} {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("tokens=%d/dim=%d/threads=%d", tokens, dim, threads), func(b *testing.B) {
					c, err := newCamel(in, benchOptions(dim), threads)
					if err == nil {
						err = c.prepare(context.Background())
					}
					if err != nil {
						b.Fatal(err)
					}
					direct, indirect := c.pairs.epoch(1), c.indirect.epoch(1)
					b.ReportAllocs()
					for i := 0; b.Loop(); i++ {
						lo := i % (len(direct) / 500) * 500
						if _, err := c.step(direct[lo:lo+500], indirect[lo:lo+500]); err != nil {
							b.Fatal(err)
						}
					}
				})
			}
		}
	}
}

// BenchmarkTapemStep is a step of 500 triples with its share of paths of a length.
func BenchmarkTapemStep(b *testing.B) {
	in := benchInput(b, 6)
	for _, dim := range []int{40, 200} {
		for turn, length := range []int{4, 6} {
			b.Run(fmt.Sprintf("dim=%d/path=%d", dim, length), func(b *testing.B) {
				m, err := newTaPEm(in, benchOptions(dim), 2)
				if err == nil {
					err = m.prepare(context.Background())
				}
				if err != nil {
					b.Fatal(err)
				}
				direct, paths := m.pairs.epoch(1), m.contexts.epoch(1+turn, Own(m.o).ContextRatio)
				_, steps := m.sizes()
				paths = paths[:len(paths)/steps]
				b.ReportAllocs()
				for b.Loop() {
					if _, err := m.step(m.graphs[turn], direct[:500], paths); err != nil {
						b.Fatal(err)
					}
				}
			})
		}
	}
}

// BenchmarkTapemScores ranks all authors for one paper, and a hundred for many.
func BenchmarkTapemScores(b *testing.B) {
	in := benchInput(b, 6)
	m, err := newTaPEm(in, benchOptions(40), 2)
	if err != nil {
		b.Fatal(err)
	}
	for _, z := range []struct{ papers, authors int }{{1, len(in.Bibliography.Authors)}, {2302, 100}} {
		b.Run(fmt.Sprintf("papers=%d/authors=%d", z.papers, z.authors), func(b *testing.B) {
			var texts, authors [][]int32
			for p := range z.papers {
				list := make([]int32, z.authors)
				for i := range list {
					list[i] = int32((p + i) % len(in.Bibliography.Authors))
				}
				texts, authors = append(texts, in.Bibliography.Papers[p].Tokens), append(authors, list)
			}
			for b.Loop() {
				if _, err := m.Scores(context.Background(), texts, authors, 2); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
