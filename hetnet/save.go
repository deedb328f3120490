package hetnet

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Keep returns what Load needs of a trained model, for the folder of its run (vectors.Run): the names of the authors, the words
// with their vectors, and the model's parameters, in their memory; nil where it learnt from a network that it did not see as papers and authors.
func Keep(in Input, model graphs.Learner) *vectors.Model {
	of, ok := model.(Model)
	if !ok || of.authorNames() == nil {
		return nil
	}
	m := &vectors.Model{Authors: of.authorNames(), Words: in.Network.Words, WordDim: in.Words.Dim, WordVectors: in.Words.Vectors}
	for _, t := range of.kept() {
		m.Parameters = append(m.Parameters, vectors.Array{Name: t.Name, Shape: t.Shape(), Data: t.X})
	}
	return m
}

// Saved is a trained model that was loaded from the folder of its run: without the papers that it learnt from.
type Saved struct {
	Authors []string // names, which the model's authors are places in
	Words   []string // and its words
	Ranker  typed.Ranker
	Record  results.Record // of the run

	vectors *encode.Words // of its words; nil where they were not given
	words   map[string]int32
	authors map[string]int32
}

// WordsOf returns the model's word vectors for the words of a network, zeros for those that it does not have; nil where the
// model has none.
func (s *Saved) WordsOf(n *typed.Network) *encode.Words {
	if s.vectors == nil {
		return nil
	}
	w, _ := s.vectors.OfVocabulary(n.Words, s.words)
	return w
}

// identifying are the methods that rank the authors of papers.
var identifying = []string{MethodM2V, MethodCamel, MethodTaPEm, MethodAsp2vecHet}

// newModel returns an untrained model of the method that the options name.
func newModel(in Input, o graphs.Options, threads int) (Model, error) {
	switch o.Method.Name {
	case MethodM2V:
		return newM2V(in, o, threads)
	case MethodCamel:
		return newCamel(in, o, threads)
	case MethodTaPEm:
		return newTaPEm(in, o, threads)
	case MethodAsp2vecHet:
		return newAsp2vecHet(in, o, threads)
	}
	return nil, fmt.Errorf("hetnet: method %q does not identify authors: expected one of %s", o.Method.Name, strings.Join(identifying, ", "))
}

// Load reads the trained model that the folder of a run holds. Its scores are those that it gave at the end of the run, bit for
// bit on one kind of processor. threads is for what is made ready. It returns an error that wraps results.ErrNoModel for a folder
// without such a model, and errors for files that are missing, broken, or of another version.
func Load(dir string, threads int) (*Saved, error) {
	m, record, err := vectors.ReadModel(dir)
	if err != nil {
		return nil, err
	}
	fail := func(err error) (*Saved, error) { return nil, fmt.Errorf("hetnet: %s: %w", dir, err) }
	if !slices.Contains(identifying, record.Method) {
		return fail(fmt.Errorf("method %q has no authors: expected one of %s", record.Method, strings.Join(identifying, ", ")))
	}
	o := graphs.OptionsOf(MethodOf(record.Method), graphs.Validated)
	if err = json.Unmarshal(record.Options, &o); err == nil {
		o, err = o.Resolve()
	}
	if err != nil {
		return fail(fmt.Errorf("options of the run's record: %w", err))
	}
	if err := fits(m, o); err != nil {
		return fail(err)
	}
	in := OfPapers(papers.NewNetwork(record.Dataset.Name, m.Authors, nil, m.Words), &encode.Words{Dim: m.WordDim, Vectors: m.WordVectors})
	model, err := newModel(in, o, threads)
	if err != nil {
		return fail(err)
	}
	if err := fill(model.kept(), m.Parameters); err != nil {
		return fail(err)
	}
	return &Saved{
		Authors: m.Authors, Words: m.Words, Ranker: model, Record: record,
		vectors: in.Words, authors: seq.Places[string, int32](m.Authors), words: seq.Places[string, int32](m.Words),
	}, nil
}

// fits returns an error for options that the parameters of a model are too small for, before anybody makes room for larger ones.
func fits(m *vectors.Model, o graphs.Options) error {
	most, vectors := 0, false
	for _, a := range m.Parameters {
		most = max(most, len(a.Data))
		vectors = vectors || len(a.Shape) > 0 && a.Shape[len(a.Shape)-1] == o.Dim
	}
	if !vectors || o.Method.Reads("aspects") && o.Aspects > most {
		return fmt.Errorf("dim = %d and aspects = %d in the run's record, and no parameter of that size: expected the record of this model", o.Dim, o.Aspects)
	}
	return nil
}

// fill copies arrays to the tables of the same names. Each must have its own, of its shape.
func fill(tables []*engine.Table, arrays []vectors.Array) error {
	left := make(map[string]vectors.Array, len(arrays))
	for _, a := range arrays {
		left[a.Name] = a
	}
	for _, t := range tables {
		a, ok := left[t.Name]
		switch {
		case !ok:
			return fmt.Errorf("parameter %q is missing: expected the folder of a run of this version", t.Name)
		case !slices.Equal(a.Shape, []int(t.Shape())):
			return fmt.Errorf("parameter %q of shape %v: expected %v", t.Name, a.Shape, t.Shape())
		}
		copy(t.X, a.Data)
		delete(left, t.Name)
	}
	for name := range left {
		return fmt.Errorf("unknown parameter %q: expected the folder of a run of this version", name)
	}
	return nil
}

// Ranked is an author with the score that a model gives.
type Ranked struct {
	Author int32
	Score  float32
}

// rankBatch is how many papers all authors are scored for at a time.
const rankBatch = 64

// Rank returns, for each paper, given by its tokens, up to top authors of all that the model knows, likeliest first and those of
// equal scores in the model's order. Uses up to threads goroutines, whose number does not change the result. It returns an error
// for a score that is NaN, what the model returns, and ctx's error when that is cancelled. top is at least 1.
func (s *Saved) Rank(ctx context.Context, texts [][]int32, top, threads int) ([][]Ranked, error) {
	everyone := seq.Upto(int32(len(s.Authors)))
	var out [][]Ranked
	for batch := range slices.Chunk(texts, rankBatch) {
		questions := make([]typed.Question, len(batch))
		for i, text := range batch {
			questions[i] = typed.Question{Text: text, Among: everyone}
		}
		scores, err := typed.Scores(ctx, s.Ranker, questions, threads)
		if err != nil {
			return nil, err
		}
		for _, row := range scores {
			ranked := make([]Ranked, len(row))
			for a, x := range row {
				if x != x {
					return nil, fmt.Errorf("hetnet: the score of author %q is NaN: expected a number", s.Authors[a])
				}
				ranked[a] = Ranked{int32(a), x}
			}
			slices.SortFunc(ranked, func(a, b Ranked) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Author, b.Author)) })
			out = append(out, slices.Clone(ranked[:min(top, len(ranked))]))
		}
	}
	return out, nil
}
