package hetnet

import (
	"fmt"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/guard"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

func prototypeMethod() *graphs.Method {
	return &graphs.Method{
		Name: MethodPrototype, Title: "Prototypes", Typed: true,
		Source: "of this project: authors as means of their papers (Snell, Swersky, Zemel, NIPS 2017, prototypical networks), papers as weighted means of word vectors " +
			"(Arora, Liang, Ma, ICLR 2017)",
		Differs: "an author of a paper is told from others without that paper; an author has one vector, a bias by the number of papers and the words of these, none of which " +
			"is a parameter",
		Scorings: []string{graphs.ScoringDot},
		Options:  []string{"text-length", "word-vectors", "word-dim", "word-epochs", "batch", "negatives", "pair-loss", "final-learning-rate"},
		Formula:  "nW + d·w + 2", Published: func(int64, graphs.Options) int64 { return 0 },
		Valid: func(o graphs.Options) error {
			if w := Own(o).WordDim; Own(o).WordVectors == "" && o.Dim > w {
				return fmt.Errorf("hetnet: dim = %d of %s: expected at most word-dim = %d", o.Dim, MethodPrototype, w)
			}
			return nil
		},
		Guard: func(o graphs.Options) []guard.Model {
			return []guard.Model{guardModel(MethodPrototype, o, buildPrototype)}
		},
		Stages: paperStages,
	}
}

// buildPrototype is the graph of a batch, with random numbers for words and authors.
func buildPrototype(g *G.ExprGraph, dt tensor.Dtype, o graphs.Options, b *typed.Authorship) (guard.Graph, error) {
	const pairs, others = 3, 2
	counts := newWordCounts(pairs, guardSteps)
	for i := range pairs {
		counts.fill(i, encode.Count(b.Texts()[i][:min(len(b.Texts()[i]), guardSteps)]))
	}
	in := prototypeInputs{
		papers: counts.nodes(g, dt),
		own:    guardTable(g, dt, o, "own authors", pairs, guardHigh), ownPapers: guardFilled(g, dt, "papers of own authors", 0.7, pairs, 1),
		others: guardTable(g, dt, o, "other authors", others, guardHigh), othersPapers: guardFilled(g, dt, "papers of other authors", 1.1, others, 1),
		ownWords: guardFilled(g, dt, "words shared with own authors", 0.4, pairs, 1), othersWords: guardFilled(g, dt, "words shared with other authors", 0.2, pairs*others, 1),
		excluded: guardFilled(g, dt, "excluded", 0, pairs, others), weight: guardFilled(g, dt, "pair weights", 1, pairs),
	}
	words := guardTable(g, dt, o, "word vectors", len(b.Words), guardHigh)
	params := []*G.Node{
		guardTable(g, dt, o, "word_weights", len(b.Words)), guardTable(g, dt, o, "matrix", min(o.Dim, guardHigh), guardHigh), guardTable(g, dt, o, "bias", 1, 1), guardTable(g, dt, o, "exact_words", 1, 1),
	}
	graph := guard.Graph{Params: params, Inputs: append(in.list(), words)}
	var err error
	graph.Loss, err = prototypeLoss(o, words, params, in, 1)
	return graph, err
}
