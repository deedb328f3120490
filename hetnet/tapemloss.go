package hetnet

import (
	"math"

	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/layers"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

// pairDim is H, how many numbers the embedding of a pair and that of a context path have; as published.
const pairDim = 100

// What TaPEm learns beside authors and encoder, by place in a list of tables or nodes. Weights have a row for each output.
const (
	pairWeight1 = iota // (H,4D), with the columns of the author, the paper, their product and their difference
	pairBias1
	pairGain1 // of the layer normalisation
	pairShift1
	pairWeight2 // (H,H)
	pairBias2
	pairGain2
	pairShift2
	validWeight1 // (H,H)
	validBias1
	validWeight2 // (1,H)
	validBias2
	forwardIH // (3H,D)
	forwardHH // (3H,H)
	forwardBiasIH
	forwardBiasHH
	backwardIH
	backwardHH
	backwardBiasIH
	backwardBiasHH
	projectWeight // (H,2H)
	projectBias
	attendKey // (1,H)
	attendOffset
	attendMatrix // (H,H)
	tapemTables
)

// newTapemTables returns the tables for authors of dim numbers and pairs of h, with random numbers. Linear layers of the pair and of the classifier are N(0, 0.1²), those
// of the context N(0, 0.01²), the recurrent units and all biases uniform within 1/√(numbers that go in), as in PyTorch.
func newTapemTables(dim, h int, seed uint64) []*engine.Table {
	tables := make([]*engine.Table, tapemTables)
	normal := func(place int, name string, std float64, rows, columns int) {
		tables[place] = engine.NewTable(name+" weight", rows, columns)
		tables[place].InitNormal(seed, std)
	}
	uniform := func(place int, name string, in int, rows int, columns ...int) {
		tables[place] = engine.NewTable(name, rows, columns...)
		tables[place].InitUniform(seed, 1/math.Sqrt(float64(in)))
	}
	linear := func(place int, name string, std float64, out, in int) {
		normal(place, name, std, out, in)
		uniform(place+1, name+" bias", in, out)
	}
	norm := func(place int, name string) {
		tables[place], tables[place+1] = engine.NewTable(name+" gain", h), engine.NewTable(name+" shift", h)
		for i := range h {
			tables[place].X[i] = 1
		}
	}
	gru := func(place int, name string) {
		uniform(place, name+" weight_ih", h, 3*h, dim)
		uniform(place+1, name+" weight_hh", h, 3*h, h)
		uniform(place+2, name+" bias_ih", h, 3*h)
		uniform(place+3, name+" bias_hh", h, 3*h)
	}
	linear(pairWeight1, "pair 1", 0.1, h, 4*dim)
	norm(pairGain1, "pair 1")
	linear(pairWeight2, "pair 2", 0.1, h, h)
	norm(pairGain2, "pair 2")
	linear(validWeight1, "classifier 1", 0.1, h, h)
	linear(validWeight2, "classifier 2", 0.1, 1, h)
	gru(forwardIH, "forward")
	gru(backwardIH, "backward")
	linear(projectWeight, "projection", 0.01, h, 2*h)
	linear(attendKey, "attention", 0.01, 1, h)
	normal(attendMatrix, "context", 0.01, h, h)
	return tables
}

// tapemInputs are the nodes of a batch of B triples and C context paths of T vertices. Places are those in the batch.
type tapemInputs struct {
	direct tripleNodes // (B)
	// The pairs (2B+C): triples with their own authors, triples with the others, and the ends of the paths.
	pairAuthor, pairPaper *G.Node
	mask1, mask2          *G.Node   // of dropout, (2B+C,4D) and (2B+C,H); nil for none
	steps                 []*G.Node // T of (2C): the t-th vertices of the paths and then of the others; authors, papers, authors, ...
	weight                *G.Node   // (C)
}

// tapemLoss returns the loss of TaPEm, a scalar, where z is the embedding of a pair, s what the classifier makes of it, and c
// the embedding of a path:
//
//	Σ max(0, |f_p-a_own|² - |f_p-a_other|² + margin)
//	+ Σ [ -log σ(s(p,own)) - log σ(-s(p,other)) ]                    over triples
//	+ Σ [ -log σ(<z,c_path>) - log σ(-<z,c_other>) ]                 over paths, z of their ends
//
// papers f (P,D), authors a (R,D), w in the order of the constants above. It returns an error if the shapes or types disagree.
//
// Source: Park et al., CIKM 2019 (TaPEm), and the authors' code. Differs: a pair is embedded once for its path and the other
// one; the code does it twice, under two masks.
func tapemLoss(papers, authors *G.Node, w []*G.Node, in tapemInputs, margin float64) (loss *G.Node, err error) {
	defer op.Recover(&err, "hetnet: tapemLoss")
	b, n := in.direct.weight.Shape()[0], in.pairAuthor.Shape()[0]
	a, f := G.Must(layers.Lookup(authors, in.pairAuthor)), G.Must(layers.Lookup(papers, in.pairPaper))
	z := G.Must(pairEmbedding(a, f, w, in.mask1, in.mask2))                 // (2B+C,H)
	s := G.Must(pairValidity(G.Must(op.Rows(z, 0, 2*b)), w))                // (2B,1)
	valid := contrast(G.Must(op.Rows(s, 0, b)), G.Must(op.Rows(s, b, 2*b))) // (B,1)

	context := G.Must(contextEmbedding(papers, authors, in.steps, w)) // (2C,H)
	c := n - 2*b
	ends := G.Must(op.Rows(z, 2*b, n))
	score := func(lo int) *G.Node { // (C,1)
		return G.Must(layers.Scores(ends, G.Must(op.Reshape(G.Must(op.Rows(context, lo, lo+c)), c, 1, context.Shape()[1]))))
	}
	fits := contrast(score(0), score(c)) // (C,1)

	near := G.Must(marginLoss(papers, authors, in.direct, margin))
	return G.Add(G.Must(G.Add(near, G.Must(losses.Weighted(valid, in.direct.weight)))), G.Must(losses.Weighted(fits, in.weight)))
}

// contrast returns -log σ(pos) - log σ(-neg) of columns (N,1) of scores.
func contrast(pos, neg *G.Node) *G.Node {
	return G.Must(losses.SkipGram(pos, G.Must(op.Reshape(neg, neg.Shape()[0], 1, 1))))
}

// pairEmbedding returns the embeddings (N,H) of pairs of an author and a paper, a and f (N,D).
//
//	z = norm(W2 drop(relu(norm(W1 drop([a; f; a∘f; a-f]) + b1))) + b2)
func pairEmbedding(a, f *G.Node, w []*G.Node, mask1, mask2 *G.Node) (z *G.Node, err error) {
	defer op.Recover(&err, "hetnet: pairEmbedding")
	drop := func(x, mask *G.Node) *G.Node {
		if mask == nil {
			return x
		}
		return G.Must(layers.Dropout(x, mask))
	}
	x := G.Must(layers.Join(a, f, G.Must(G.HadamardProd(a, f)), G.Must(G.Sub(a, f)))) // (N,4D)
	x = G.Must(layers.Linear(drop(x, mask1), w[pairWeight1], w[pairBias1]))
	x = G.Must(G.Rectify(G.Must(layers.LayerNorm(x, w[pairGain1], w[pairShift1])))) // (N,H)
	x = G.Must(layers.Linear(drop(x, mask2), w[pairWeight2], w[pairBias2]))
	return layers.LayerNorm(x, w[pairGain2], w[pairShift2])
}

// pairValidity returns what the classifier makes of pairs z (N,H), as logits (N,1).
func pairValidity(z *G.Node, w []*G.Node) (s *G.Node, err error) {
	defer op.Recover(&err, "hetnet: pairValidity")
	x := G.Must(G.Rectify(G.Must(layers.Linear(z, w[validWeight1], w[validBias1]))))
	return layers.Linear(x, w[validWeight2], w[validBias2])
}

// pairScores returns the logits (N,1) of pairs of an author and a paper, a and f (N,D), as authors are ranked by: without dropout.
func pairScores(a, f *G.Node, w []*G.Node) (*G.Node, error) {
	z, err := pairEmbedding(a, f, w, nil, nil)
	if err != nil {
		return nil, err
	}
	return pairValidity(z, w)
}

// contextEmbedding returns the embeddings (N,H) of paths, given the places of their vertices, step by step.
func contextEmbedding(papers, authors *G.Node, steps []*G.Node, w []*G.Node) (c *G.Node, err error) {
	defer op.Recover(&err, "hetnet: contextEmbedding")
	var xs []*G.Node // (N,D)
	for t, index := range steps {
		table := authors
		if t%2 == 1 {
			table = papers
		}
		xs = append(xs, G.Must(layers.Lookup(table, index)))
	}
	gru := func(place int) layers.GRUWeights {
		return layers.GRUWeights{IH: w[place], HH: w[place+1], BiasIH: w[place+2], BiasHH: w[place+3]}
	}
	states, err := layers.BiGRU(xs, gru(forwardIH), gru(backwardIH)) // (N,2H)
	if err != nil {
		return nil, err
	}
	for t, h := range states {
		states[t] = G.Must(layers.Linear(h, w[projectWeight], w[projectBias])) // (N,H)
	}
	c, _, err = layers.Attention(states, w[attendKey], w[attendOffset], w[attendMatrix])
	return c, err
}
