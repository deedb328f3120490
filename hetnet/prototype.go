package hetnet

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// prototype represents an author by the papers that they wrote: it learns how much each word counts and which directions of the word
// vectors tell authors apart, and no vector of an author.
//
//	x_p = the unit vector of Σ_w (1 + log count) t_w v_w/|v_w|   over the words w of paper p
//	f(p) = M x_p / |M x_p|,   a = M S_a / |M S_a|,   S_a = Σ_q x_q   over a's n_a training papers
//	score(p,a) = <f(p), a> + b log(1+n_a) + κ cos(t_p, T_a)
//
// t (V), M (D,W), b and κ are learnt, v are the word vectors; the cosine is of the words that a paper shares with an author's others, see exactWords. A step
// draws papers with one of their authors, and others to tell them from; the paper itself is left out of S_a, n_a and T_a, so that nothing is learnt that holds only for papers that are known. S_a is that of the epoch's beginning. At first
// t is log(N/df) over its mean and M the principal axes of training papers: WordMeans.
//
// Source: ours. Classes as means of their examples are those of prototypical networks (Snell et al., NIPS 2017), weighted means of word
// vectors as texts those of Arora et al., ICLR 2017.
type prototype struct {
	paperModel               // authors (A,D) are a at the end of the last epoch
	words      *encode.Words // of length 1

	weights *graphs.Table // t
	matrix  *graphs.Table // M
	bias    *graphs.Table // b
	kappa   *graphs.Table // κ
	exact   *exactWords
	begun   *graphs.Table // t at the epoch's beginning, which S_a depends on

	texts []encode.Counted // of training papers; nil before prepare, as the rest
	pairs []triple         // without other authors, of authors with two papers
	graph *prototypeGraph
}

// prototypeGraph is the graph of a batch with the memory that its inputs are bound to.
type prototypeGraph struct {
	program                        *graphs.Program
	papers                         *wordCounts
	own, ownPapers, ownWords       []float32
	others, othersPapers, excluded []float32
	othersWords                    []float32
	weight                         []float32
}

// farBelow is added to scores that are not to count.
const farBelow = -1e4

// newPrototype returns a model without authors: prepare or load fills in the parameters. Epochs use up to threads goroutines, whose number does
// not change the result. It returns an error where the word vectors have fewer numbers than are asked for.
func newPrototype(in Input, o graphs.Options, threads int) (*prototype, error) {
	if o.Dim > in.Words.Dim {
		return nil, fmt.Errorf("hetnet: dim = %d of %s over word vectors of %d numbers: expected at most as many", o.Dim, MethodPrototype, in.Words.Dim)
	}
	base, err := newPaperModel(in, o, threads)
	if err != nil {
		return nil, err
	}
	m := &prototype{
		paperModel: base, words: in.Words.Units(threads),
		weights: graphs.NewTable("word_weights", len(in.Words.Vectors)/in.Words.Dim),
		matrix:  graphs.NewTable("matrix", o.Dim, in.Words.Dim),
		bias:    graphs.NewTable("bias", 1, 1),
		kappa:   graphs.NewTable("exact_words", 1, 1),
		exact:   newExactWords(len(in.Words.Vectors)/in.Words.Dim, base.authors.Rows),
		begun:   graphs.NewTable("word_weights_begun", len(in.Words.Vectors)/in.Words.Dim),
	}
	m.encoder, m.fixed = m, true
	return m, nil
}

// prepare counts words, sets the parameters to those of WordMeans, and makes the graph. It returns an error if no author has two training
// papers, or ctx's.
func (m *prototype) prepare(ctx context.Context) error {
	if m.graph != nil {
		return nil
	}
	longest := 1
	m.texts = make([]encode.Counted, len(m.b.AuthorsOf))
	for p, authors := range m.b.AuthorsOf {
		m.texts[p] = m.counted(m.b.Texts()[p])
		longest = max(longest, len(m.texts[p].Words))
		for _, a := range authors {
			if len(m.b.PapersOf[a]) > 1 {
				m.pairs = append(m.pairs, triple{paper: int32(p), own: a})
			}
		}
	}
	if len(m.pairs) == 0 {
		return fmt.Errorf("hetnet: no author of %q has two training papers: expected some, for %s to tell one by the other", m.b.Name, MethodPrototype)
	}
	if err := m.begin(ctx); err != nil {
		return err
	}
	graph, err := m.newGraph(m.batch(len(m.pairs)), longest)
	m.graph = graph
	return err
}

// counted counts those words of a text that are read.
func (m *prototype) counted(tokens []int32) encode.Counted {
	return encode.Count(tokens[:min(len(tokens), Own(m.o).TextLength)])
}

// begin sets the parameters to those that training begins with.
func (m *prototype) begin(ctx context.Context) error {
	idf, err := m.b.IDF()
	if err != nil {
		return err
	}
	var sum float64
	used := 0
	for _, x := range idf {
		if x > 0 {
			sum += x
			used++
		}
	}
	for w, x := range idf {
		m.weights.X[w] = float32(x * float64(max(used, 1)) / max(sum, math.SmallestNonzeroFloat64))
	}
	m.bias.X[0], m.kappa.X[0] = 0.05, 0.1
	if err := m.exact.count(m.b, m.texts); err != nil {
		return err
	}
	copy(m.begun.X, m.weights.X)
	x, err := m.directions(ctx, m.texts, m.begun, m.threads)
	if err != nil {
		return err
	}
	if err := principalAxes(m.matrix, x); err != nil {
		return err
	}
	return m.conclude(ctx)
}

// newGraph returns the graph of batches of n pairs, of texts of up to so many distinct words.
func (m *prototype) newGraph(n, length int) (*prototypeGraph, error) {
	w, others := m.words.Dim, m.o.Negatives
	b := &prototypeGraph{
		papers: newWordCounts(n, length), own: make([]float32, n*w), ownPapers: make([]float32, n), weight: make([]float32, n),
		others: make([]float32, others*w), othersPapers: make([]float32, others), excluded: make([]float32, n*others),
		ownWords: make([]float32, n), othersWords: make([]float32, n*others),
	}
	g, dt := G.NewGraph(), tensor.Float32
	words := graphs.FloatNode(g, dt, "word vectors", m.words.Vectors, len(m.weights.X), w)
	params := []*G.Node{m.weights.Node(g, dt), m.matrix.Node(g, dt), m.bias.Node(g, dt), m.kappa.Node(g, dt)}
	loss, err := prototypeLoss(m.o, words, params, prototypeInputs{
		papers: b.papers.nodes(g, dt),
		own:    graphs.FloatNode(g, dt, "own authors", b.own, n, w), ownPapers: graphs.FloatNode(g, dt, "papers of own authors", b.ownPapers, n, 1),
		others: graphs.FloatNode(g, dt, "other authors", b.others, others, w), othersPapers: graphs.FloatNode(g, dt, "papers of other authors", b.othersPapers, others, 1),
		excluded: graphs.FloatNode(g, dt, "excluded", b.excluded, n, others), weight: graphs.FloatNode(g, dt, "weights", b.weight, n),
		ownWords: graphs.FloatNode(g, dt, "words shared with own authors", b.ownWords, n, 1), othersWords: graphs.FloatNode(g, dt, "words shared with other authors", b.othersWords, n*others, 1),
	}, m.threads)
	if err == nil {
		b.program, err = graphs.Compile(loss, nil, params...)
	}
	return b, err
}

// Pairs returns how many pairs of a paper and an author an epoch trains; 0 before prepare.
func (m *prototype) Pairs() int64 { return int64(len(m.pairs)) }

// Parameters returns what is learnt, and what follows from it for authors.
func (m *prototype) Parameters() []*graphs.Table {
	return []*graphs.Table{m.weights, m.matrix, m.bias, m.kappa, m.begun, m.authors, m.known}
}

// kept returns what Scores depends on.
func (m *prototype) kept() []*graphs.Table {
	return append(m.exact.kept(), m.weights, m.matrix, m.kappa, m.authors, m.known)
}

// Epoch takes a step for each batch of pairs, in random order.
func (m *prototype) Epoch(ctx context.Context, number int, step func(pairs int64, l graphs.Loss)) error {
	err := m.prepare(ctx)
	var x []float32 // (P,W): of the papers
	if err == nil {
		x, err = m.directions(ctx, m.texts, m.begun, m.threads)
	}
	if err != nil {
		if ctx.Err() != nil {
			return nil
		}
		return err
	}
	sums := m.sums(x)
	order := rng.New(m.o.Seed, "prototype pairs", uint64(number)).Perm(len(m.pairs))
	n := len(m.graph.weight)
	ended, err := m.steps(ctx, (len(order)+n-1)/n, step, func(i int) (pairs int64, l graphs.Loss, err error) {
		batch := order[i*n : min((i+1)*n, len(order))]
		m.fill(batch, rng.New(m.o.Seed, "prototype others", uint64(number), uint64(i*n)), x, sums)
		fallingRate(m.adam, m.o, number, int64(i*n), m.Pairs())
		l, err = m.move(m.graph.program, func() (penalty float64, err error) {
			for i, t := range []*graphs.Table{m.weights, m.matrix, m.bias, m.kappa} {
				m.adam.MoveWhole(t, 0, m.graph.program.Gradient(i))
			}
			return 0, nil
		})
		return int64(len(batch)), l, err
	})
	if err != nil || !ended {
		return err
	}
	copy(m.begun.X, m.weights.X)
	return m.conclude(context.WithoutCancel(ctx))
}

// fill sets the inputs of the graph to a batch of pairs and others drawn, given the papers' vectors (P,W) and the authors' sums (A,W).
func (m *prototype) fill(batch []int, s *rng.Stream, x, sums []float32) {
	g, w := m.graph, m.words.Dim
	clear(g.excluded)
	clear(g.weight)
	column := map[int32][]int{} // of each of the others
	others := make([]int32, len(g.othersPapers))
	for j := range others {
		a := int32(s.Intn(len(m.b.PapersOf)))
		others[j] = a
		column[a] = append(column[a], j)
		copy(g.others[j*w:][:w], sums[int(a)*w:])
		g.othersPapers[j] = float32(math.Log1p(float64(len(m.b.PapersOf[a]))))
	}
	texts := make([]encode.Counted, len(batch))
	for i, p := range batch {
		pair := m.pairs[p]
		texts[i] = m.texts[pair.paper]
		g.ownWords[i] = m.exact.without(texts[i], pair.own)
		g.papers.fill(i, m.texts[pair.paper])
		own := g.own[i*w:][:w]
		copy(own, sums[int(pair.own)*w:])
		kernel.Axpy(own, x[int(pair.paper)*w:][:w], -1)
		g.ownPapers[i] = float32(math.Log(float64(len(m.b.PapersOf[pair.own])))) // 1 + all but the paper
		g.weight[i] = 1 / float32(len(batch))
		for _, a := range m.b.AuthorsOf[pair.paper] {
			for _, j := range column[a] {
				g.excluded[i*len(g.othersPapers)+j] = farBelow
			}
		}
	}
	m.exact.ofAll(g.othersWords, texts, others, m.threads)
	for i := len(batch); i < len(g.weight); i++ {
		g.papers.fill(i, encode.Counted{})
		clear(g.own[i*w:][:w])
	}
}

// sums returns S_a (A,W), given the vectors of training papers.
func (m *prototype) sums(x []float32) []float32 {
	w := m.words.Dim
	sums := make([]float32, len(m.b.PapersOf)*w)
	par.Blocks(m.threads, len(m.b.PapersOf), func(_, a int) {
		for _, p := range m.b.PapersOf[a] {
			kernel.Axpy(sums[a*w:][:w], x[int(p)*w:][:w], 1)
		}
	})
	return sums
}

// conclude makes the authors' vectors of the parameters.
func (m *prototype) conclude(ctx context.Context) error {
	x, err := m.directions(ctx, m.texts, m.weights, m.threads)
	if err != nil {
		return err
	}
	m.set(float64(m.bias.X[0]), m.b.PapersOf)
	return m.mapped(m.authors.X, m.sums(x))
}

// Encode returns f (B,D) of texts. It uses up to threads goroutines, whose number does not change the result, and returns an error for a word
// that is not there, and ctx's when that is cancelled.
func (m *prototype) Encode(ctx context.Context, texts [][]int32, threads int) ([]float32, error) {
	if err := encode.CheckTexts(texts, m.words); err != nil {
		return nil, fmt.Errorf("hetnet: %w", err)
	}
	counted := make([]encode.Counted, len(texts))
	for i, t := range texts {
		counted[i] = m.counted(t)
	}
	x, err := m.directions(ctx, counted, m.weights, threads)
	if err != nil {
		return nil, err
	}
	f := make([]float32, len(texts)*m.o.Dim)
	return f, m.mapped(f, x)
}

// match ranks by the inner products of the vectors, the words that are shared and the authors' biases.
func (m *prototype) match(ctx context.Context, texts [][]int32, threads int) (match, error) {
	found, err := m.paperModel.match(ctx, texts, threads)
	counted, vectors := make([]encode.Counted, len(texts)), make([][]float64, len(texts))
	for i, t := range texts {
		counted[i] = m.counted(t)
		vectors[i] = m.exact.vector(counted[i])
	}
	found.extra = func(p, a int32) float32 { return m.kappa.X[0] * m.exact.cosine(counted[p], vectors[p], a) }
	return found, err
}

// Scores returns score(p,a). It returns an error if there are not as many lists of authors as papers, or if one is not in the bibliography.
func (m *prototype) Scores(ctx context.Context, papers, authors [][]int32, threads int) ([][]float32, error) {
	return m.scores(ctx, m, papers, authors, threads)
}
