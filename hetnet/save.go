package hetnet

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Keep returns what Load needs of a trained model, for the folder of its run (vectors.Run): the names of the authors, the words
// with their vectors, and the model's parameters, in their memory; nil where it learnt from a network that it did not see as papers and authors.
func Keep(in Input, model graphs.Learner) *vectors.Model {
	m := &vectors.Model{}
	if of, ok := model.(interface{ authorNames() []string }); ok {
		m.Authors = of.authorNames()
	} else if len(in.Types) == 1 {
		m.Authors = in.VertexNames()
	} else {
		return nil
	}
	m.Words, m.WordDim, m.WordVectors = in.Network.Words, in.Words.Dim, in.Words.Vectors
	for _, t := range kept(model) {
		m.Parameters = append(m.Parameters, vectors.Array{Name: t.Name, Shape: t.Shape(), Data: t.X})
	}
	return m
}

// kept returns the parameters that a model's scores depend on: all, unless the model says otherwise.
func kept(model graphs.Learner) []*graphs.Table {
	if k, ok := model.(interface{ kept() []*graphs.Table }); ok {
		return k.kept()
	}
	return model.Parameters()
}

// Saved is a trained model that was loaded from the folder of its run: without the papers that it learnt from.
type Saved struct {
	Authors []string // names, which the model's authors are places in
	Words   []string // and its words
	Ranker  papers.Ranker
	Record  results.Record // of the run

	vectors *Words // of its words; nil where they were not given
	words   map[string]int32
	authors map[string]int32
}

// WordsOf returns the model's word vectors for the words of a network, zeros for those that it does not have; nil where the
// model has none.
func (s *Saved) WordsOf(n *typed.Network) *Words {
	if s.vectors == nil {
		return nil
	}
	w, _ := s.vectors.ofVocabulary(n.Words, s.words)
	return w
}

// NewSaved returns a model with the names of its authors and words.
func NewSaved(authors, words []string, r papers.Ranker, record results.Record) *Saved {
	return &Saved{Authors: authors, Words: words, Ranker: r, Record: record, authors: nameIndex(authors), words: nameIndex(words)}
}

// nameIndex returns where each name stands.
func nameIndex(names []string) map[string]int32 {
	at := make(map[string]int32, len(names))
	for i, name := range names {
		at[name] = int32(i)
	}
	return at
}

// placesOf returns where each name stands, -1 for one that is not there.
func placesOf(names []string, at map[string]int32) []int32 {
	places := make([]int32, len(names))
	for i, name := range names {
		place, there := at[name]
		if !there {
			place = -1
		}
		places[i] = place
	}
	return places
}

// build makes a model with parameters that will be replaced. The network of in has only authors and words.
type build func(in Input, o graphs.Options, threads int) (Model, error)

// load reads the folder of a run: the model that make makes of its options, with the parameters of the folder.
func load(dir string, threads int, make build) (*Saved, error) {
	m, record, err := vectors.ReadModel(dir)
	if err != nil {
		return nil, err
	}
	method := slices.IndexFunc(Methods(), func(m *graphs.Method) bool { return m.Name == record.Method })
	if method < 0 {
		return nil, fmt.Errorf("hetnet: %s: method %q has no authors: want one of %s", dir, record.Method, strings.Join(identifying, ", "))
	}
	o := graphs.OptionsOf(Methods()[method], graphs.Validated)
	if err := json.Unmarshal(record.Options, &o); err != nil {
		return nil, fmt.Errorf("hetnet: %s: options of the run's record: %w", dir, err)
	}
	if o, err = o.Resolve(); err != nil {
		return nil, fmt.Errorf("hetnet: %s: options of the run's record: %w", dir, err)
	}
	in := OfPapers(papers.NewNetwork(record.Dataset.Name, m.Authors, nil, m.Words), &Words{Dim: m.WordDim, Vectors: m.WordVectors})
	if err := fits(m, o); err != nil {
		return nil, fmt.Errorf("hetnet: %s: %w", dir, err)
	}
	model, err := make(in, o, threads)
	if err != nil {
		return nil, fmt.Errorf("hetnet: %s: %w", dir, err)
	}
	if err := fill(kept(model), m.Parameters); err != nil {
		return nil, fmt.Errorf("hetnet: %s: %w", dir, err)
	}
	s := NewSaved(m.Authors, m.Words, model, record)
	s.vectors = in.Words
	return s, nil
}

// fits returns an error for options that the parameters of a model are too small for, before anybody makes room for larger ones.
func fits(m *vectors.Model, o graphs.Options) error {
	most, vectors := 0, false
	for _, a := range m.Parameters {
		most = max(most, len(a.Data))
		vectors = vectors || len(a.Shape) > 0 && a.Shape[len(a.Shape)-1] == o.Dim
	}
	if !vectors || o.Method.Reads("aspects") && o.Aspects > most {
		return fmt.Errorf("dim = %d and aspects = %d in the run's record, and no parameter of that size: want the record of this model", o.Dim, o.Aspects)
	}
	return nil
}

// fill copies arrays to the tables of the same names. Each must have its own, of its shape.
func fill(tables []*graphs.Table, arrays []vectors.Array) error {
	left := make(map[string]vectors.Array, len(arrays))
	for _, a := range arrays {
		left[a.Name] = a
	}
	for _, t := range tables {
		a, ok := left[t.Name]
		switch {
		case !ok:
			return fmt.Errorf("parameter %q is missing: want the folder of a run of this version", t.Name)
		case !slices.Equal(a.Shape, []int(t.Shape())):
			return fmt.Errorf("parameter %q of shape %v: want %v", t.Name, a.Shape, t.Shape())
		}
		copy(t.X, a.Data)
		delete(left, t.Name)
	}
	for _, a := range arrays {
		if _, there := left[a.Name]; there {
			return fmt.Errorf("unknown parameter %q: want the folder of a run of this version", a.Name)
		}
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
	everyone := [][]int32{upTo(len(s.Authors))}
	var out [][]Ranked
	for batch := range slices.Chunk(texts, rankBatch) {
		scores, err := s.Ranker.Scores(ctx, batch, slices.Repeat(everyone, len(batch)), threads)
		if err != nil {
			return nil, err
		}
		for _, row := range scores {
			ranked := make([]Ranked, len(row))
			for a, x := range row {
				if x != x {
					return nil, fmt.Errorf("hetnet: the score of author %q is NaN: want a number", s.Authors[a])
				}
				ranked[a] = Ranked{int32(a), x}
			}
			slices.SortFunc(ranked, func(a, b Ranked) int { return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.Author, b.Author)) })
			out = append(out, slices.Clone(ranked[:min(top, len(ranked))]))
		}
	}
	return out, nil
}
