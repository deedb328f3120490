package eval

import (
	"context"
	"fmt"

	"github.com/asp2vec/asp2vec/network"
)

// Hadamard is the feature matrix of links: row i is the elementwise product of the vectors of the link's two ends, in float32.
// It is computed when it is read. A link and its reverse have the same row, bit for bit.
type Hadamard struct {
	Embedding
	Pos, Neg []network.Link // the rows of Pos come first
}

// Rows returns the number of links.
func (h Hadamard) Rows() int { return len(h.Pos) + len(h.Neg) }

// Block fills buf with the products of links lo to hi.
func (h Hadamard) Block(lo, hi int, buf []float32) []float32 {
	buf = buf[:(hi-lo)*h.D]
	for i := lo; i < hi; i++ {
		l := h.link(i)
		product(buf[(i-lo)*h.D:(i-lo+1)*h.D], h.Row(int(l.From)), h.Row(int(l.To)))
	}
	return buf
}

func (h Hadamard) link(i int) network.Link {
	if i < len(h.Pos) {
		return h.Pos[i]
	}
	return h.Neg[i-len(h.Pos)]
}

func product(dst, u, v []float32) {
	u, v = u[:len(dst)], v[:len(dst)]
	for j := range dst {
		dst[j] = u[j] * v[j]
	}
}

// LinkOptions says how LinkPrediction fits its classifier; the zero value is the paper's way.
type LinkOptions struct {
	Threads int       // goroutines; 0 means all. The score is the same bits for any number
	Start   []float64 // Score.Weights of an earlier, similar embedding: saves time, moves the result within the tolerance
	C       float64   // as in LogisticOptions
	Solver  Solver    // as in LogisticOptions
}

// Score is how well an embedding predicts links. Areas under the ROC curve are in [0,1]; chance is 0.5.
type Score struct {
	// AUC is the paper's number. For a directed network the negatives are Split.TestNegDirected: random pairs together with
	// the reverse of every arc that is not there itself. A reversed test arc has the features of its arc and always ties with
	// it, so this AUC stays well below 1 for any embedding. For an undirected network it is AUCRandom.
	AUC float64
	// AUCRandom is the AUC against the random negatives Split.TestNeg only.
	AUCRandom float64

	Weights    []float64 // the classifier: D weights, then the intercept
	Iterations int       // steps of the solver
	Passes     int       // times the solver read the training links
}

// LinkPrediction scores an embedding by link prediction, as the paper does.
//
// A logistic regression is fitted to the elementwise products of the two vectors of each training link (label 1) and training
// negative (label 0), and ranks the test links among the test negatives by log odds. Vectors belong to the vertices of
// s.Names in order. Features are never stored, neither of training nor of test links.
//
// It returns an error for an embedding that is not finite or does not fit s, for a split in which one of the lists is empty,
// and when ctx ends.
//
// Source: Park et al., KDD 2020, section 4, and the authors' code for the negatives of directed networks.
func LinkPrediction(ctx context.Context, e Embedding, s *network.Split, o LinkOptions) (Score, error) {
	if err := e.Validate(); err != nil {
		return Score{}, err
	}
	if err := checkSplit("LinkPrediction", e.N, s, append([]list{{"train", s.Train}, {"train_neg", s.TrainNeg}}, testLists(s)...)); err != nil {
		return Score{}, err
	}
	fit, err := fitLinks(ctx, e, s, o)
	if err != nil {
		return Score{}, err
	}
	score, err := rank(s, func(links []network.Link) ([]float64, error) { return LogOdds(ctx, e, links, fit.Weights, o.Threads) })
	score.Weights, score.Iterations, score.Passes = fit.Weights, fit.Iterations, fit.Passes
	if err != nil {
		return Score{}, err
	}
	return score, nil
}

// fitLinks fits the classifier to the training links and negatives of a split.
func fitLinks(ctx context.Context, e Embedding, s *network.Split, o LinkOptions) (*LogisticFit, error) {
	label := make([]bool, len(s.Train)+len(s.TrainNeg))
	for i := range s.Train {
		label[i] = true
	}
	return Logistic(ctx, Hadamard{e, s.Train, s.TrainNeg}, label,
		LogisticOptions{C: o.C, Threads: o.Threads, Start: o.Start, Solver: o.Solver})
}

// list is one of the lists of links of a split.
type list struct {
	name  string
	links []network.Link
}

// testLists returns the test links, the random negatives, and for a directed network those with the reversed arcs.
func testLists(s *network.Split) []list {
	lists := []list{{"test", s.Test}, {"test_neg", s.TestNeg}}
	if s.Directed {
		lists = append(lists, list{"test_neg_directed", s.TestNegDirected})
	}
	return lists
}

// rank returns the areas under the curve of the scores that the test links and their negatives get.
func rank(s *network.Split, score linkScorer) (Score, error) {
	var sorted [][]float64
	for _, l := range testLists(s) {
		scores, err := score(l.links)
		if err != nil {
			return Score{}, err
		}
		if scores, err = sortedScores(l.name, scores); err != nil {
			return Score{}, err
		}
		sorted = append(sorted, scores)
	}
	return Score{AUC: aucSorted(sorted[0], sorted[len(sorted)-1]), AUCRandom: aucSorted(sorted[0], sorted[1])}, nil
}

// LogOdds returns w·(U_from ∘ U_to) + b in nats for each link, for weights w, b as in LogisticFit. Log odds rank links as
// probabilities do, but do not saturate at 0 and 1. It returns an error for vertices that are not of e, for other than D+1 weights, and
// where ctx is done.
func LogOdds(ctx context.Context, e Embedding, links []network.Link, weights []float64, workers int) ([]float64, error) {
	if err := checkLinks("links", links, e.N); err != nil {
		return nil, err
	}
	if len(weights) != e.D+1 {
		return nil, fmt.Errorf("eval: LogOdds: %d weights for dimension %d: want one for each dimension and the intercept", len(weights), e.D)
	}
	out := make([]float64, len(links))
	w, b := weights[:e.D], weights[e.D]
	err := forRows(ctx, len(links), workers, func(lo, hi int) {
		buf := make([]float32, e.D)
		for i := lo; i < hi; i++ {
			product(buf, e.Row(int(links[i].From)), e.Row(int(links[i].To)))
			out[i] = dot(w, buf) + b
		}
	})
	return out, err
}

// checkSplit reports what of a split does not fit the vectors of n vertices, and lists without links.
func checkSplit(caller string, n int, s *network.Split, lists []list) error {
	if len(s.Names) != 0 && len(s.Names) != n {
		return fmt.Errorf("eval: %s: vectors of %d vertices for a network of %d vertices: want those of the same", caller, n, len(s.Names))
	}
	for _, l := range lists {
		if len(l.links) == 0 {
			return fmt.Errorf("eval: %s: no links in %s: want at least one", caller, l.name)
		}
		if err := checkLinks(l.name, l.links, n); err != nil {
			return err
		}
	}
	return nil
}

func checkLinks(name string, links []network.Link, n int) error {
	for i, l := range links {
		if l.From < 0 || int(l.From) >= n || l.To < 0 || int(l.To) >= n {
			return fmt.Errorf("eval: link %d of %s is (%d,%d): want vertices from 0 to %d", i, name, l.From, l.To, n-1)
		}
	}
	return nil
}
