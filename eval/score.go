package eval

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/registry"
	"github.com/asp2vec/asp2vec/network"
)

// Vectors are what a method gives N vertices. A score reads one of the two.
type Vectors struct {
	One     Embedding      // one vector for each vertex; zero where a file has none
	Several MultiEmbedding // several vectors for each vertex; zero where there is but one
	Sides   *Sides         // those of either end of a link, for a score that asks for them; nil where there are none
	Held    []Held         // those of trainings with links held out, for a score that asks for them
}

// Sides are vectors of N vertices as sources of links and as targets.
type Sides struct {
	Source Embedding
	Target MultiEmbedding // one or several for each vertex
}

// Held are vectors of a training with links held out.
type Held struct {
	Vectors
	Split *network.Split // what Split.HoldOut or HoldOutAlike returned: its training links, and those held out as its test links
}

// Scorer is a way to score links by vectors: an entry of Scorers. It trains no vectors.
type Scorer struct {
	Help       string         // what the score is
	Source     string         // where it is published
	Parameters []option.Param // whose values Fit gets; their keys start with score-
	Several    bool           // it reads several vectors of each vertex
	Untrained  bool           // it reads the training links of a split, and no vectors
	Classifier bool           // Fit needs the training links and negatives of a split
	Links      bool           // Fit needs the training links of a split
	Fitted     bool           // Fit reads ScoreOptions.Against
	Kinds      bool           // and Kind: it is fitted anew against published negatives of a directed network too
	Sides      bool           // it reads the vectors of both sides
	Held       bool           // it reads vectors of a training with links held out, or coefficients that were fitted to these

	// Fit returns what scores links. The vectors that it reads are finite and, for a classifier, those of the split's vertices in their order;
	// else the split may be nil. It returns an error for vectors that it cannot score by, and the context's.
	Fit func(ctx context.Context, v Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error)
}

// ScoreOptions say how a score is fitted; the zero value is the usual way.
type ScoreOptions struct {
	Threads int           // goroutines; 0 means all. Scores are the same bits for any number
	Values  option.Values // of the scorer's parameters; the defaults where nil
	Start   []float64     // LinkScorer.Weights of earlier, similar vectors: saves time, moves scores within the tolerance
	Seed    uint64        // of what a score draws

	Coefficients map[string]*Coefficients // of the score fitted, by the kind of negatives that it was fitted against; Measure adds those that it fits
	Kind         string                   // of Against: a name of NegativesKinds; "" for those that splits are published with
	Joined       bool                     // the score fitted learns from pairs of one component alone, and nothing of ends without links

	// Against, unless nil, draws the negatives that a classifier is fitted against: those of the test links of a split. Else they are random pairs.
	Against func(s *network.Split) []network.Link
}

// Scorers are the scores of links by name. The file of each adds it.
var Scorers = registry.New[Scorer]("score")

// Fit returns what scores links by the scorer of a name. It returns an error for an unknown name, for vectors that the scorer has not or that
// are not finite, for a classifier where the training links or negatives of the split are missing or of other vertices, for values that are out
// of range, and where ctx is done.
func Fit(ctx context.Context, name string, v Vectors, s *network.Split, o ScoreOptions) (*LinkScorer, error) {
	scorer, err := Scorers.Find(name)
	if err != nil {
		return nil, fmt.Errorf("eval: %w", err)
	}
	n := v.One.N
	switch {
	case (scorer.Untrained || scorer.Links || scorer.Classifier) && s == nil:
		return nil, fmt.Errorf("eval: score %s: no split: expected one, whose training links it reads", name)
	case scorer.Untrained:
		n = len(s.Names)
		err = checkLinks("train", s.Train, n)
	case scorer.Several:
		n, err = v.Several.N(), v.Several.Validate()
	case scorer.Sides:
		if v.Sides == nil {
			return nil, fmt.Errorf("eval: score %s of vectors of one side: expected those of links' sources and targets, as asp2vec, deepwalk and ppr leave them", name)
		}
		if n, err = v.Sides.Source.N, v.Sides.Source.Validate(); err == nil {
			err = v.Sides.Target.Validate()
		}
		if err == nil && (v.Sides.Target.N() != n || v.Sides.Target.D != v.Sides.Source.D) {
			err = fmt.Errorf("sources of shape (%d,%d) and targets of %d vertices with %d numbers: expected the same", n, v.Sides.Source.D, v.Sides.Target.N(), v.Sides.Target.D)
		}
	case n == 0 && v.Several.First != nil:
		err = errors.New("an embedding with several vectors for each vertex, and no final one: expected shape (N,D)")
	default:
		err = v.One.Validate()
	}
	if err != nil {
		return nil, fmt.Errorf("score %s: %w", name, err)
	}
	if scorer.Held && len(v.Held) == 0 && len(o.Coefficients) == 0 {
		return nil, fmt.Errorf("eval: score %s: expected vectors of a training with links held out", name)
	}
	if scorer.Links || scorer.Classifier {
		lists := []list{{"train", s.Train}, {"train_neg", s.TrainNeg}}
		if scorer.Links {
			lists = lists[:1]
		}
		if err := checkSplit("score "+name, n, s, lists); err != nil {
			return nil, err
		}
	}
	values := option.Usual(scorer.Parameters)
	maps.Copy(values, o.Values)
	for _, p := range option.Declares(Scorers, name) {
		if err := p.Check(values[p.Key]); err != nil {
			return nil, fmt.Errorf("eval: score %s: %w", name, err)
		}
	}
	o.Values = values
	out, err := scorer.Fit(ctx, v, s, o)
	if err != nil {
		return nil, err
	}
	out.Scorer, out.N = name, n
	return out, nil
}

// LinkScorer gives links scores: a larger one is a likelier link.
type LinkScorer struct {
	Scorer     string    // its name
	N          int       // vertices
	Weights    []float64 // of a classifier: those of the features, then the intercept; nil for others
	Iterations int       // of its solver
	Directed   bool      // it tells a link from its reverse
	sources    *sourced  // of a score by walks; nil for others

	Coefficients *Coefficients // of the score fitted; nil for others

	// Links returns a score for each link of vertices that are there: log odds in nats of a classifier.
	Links func(links []network.Link) ([]float64, error)
	// Rows sets out (len(us),N) to the scores of (u,v) for all v from first on, up to float32's rounding; nil where there is no shorter way than Links. It gets 32
	// vertices or fewer at a time. Both are safe for several goroutines.
	Rows func(us []int32, first int, out []float64)
	// Near returns, for one goroutine, what hands use each vertex whose score with u is not 0, with that score, up to rounding. No score is negative. It is nil
	// where most pairs have a score.
	Near func() func(u int32, use func(v int32, score float64))
}

// Score returns a score for each link. It returns an error for a link of other vertices, and when the scorer's context has ended.
func (s *LinkScorer) Score(links []network.Link) ([]float64, error) {
	if err := checkLinks("links", links, s.N); err != nil {
		return nil, err
	}
	return s.Links(links)
}

// ScoreText names a scorer with those of its values that are not the defaults, as records do: "lr score-c=10".
func ScoreText(name string, values option.Values) string {
	words := []string{name}
	for _, p := range option.Declares(Scorers, name) {
		if v, given := values[p.Key]; given && v != p.Default {
			words = append(words, fmt.Sprintf("%s=%v", p.Key, v))
		}
	}
	return strings.Join(words, " ")
}
