package eval

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/internal/registry"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/network"
)

// Metric is a number that a ranking comes to: an entry of Metrics. It has one of the functions.
type Metric struct {
	Help   string
	Source string
	Of     func(pos, neg []float64) float64 // of ascending scores of test links and negatives, at least one of each and none NaN
	Rank   func(above, level int) float64   // of how many negatives are above a test link and how many tie with it; the metric is the mean over links
	At     func(n int) Metric               // of a metric that counts to some n, which is written behind its name: hits@50
}

// Metrics of link prediction by name.
var Metrics = registry.New[Metric]("metric")

func init() {
	Metrics.Add("auc", Metric{
		Help: "area under the ROC curve, in [0,1]; chance is 0.5", Source: "Hanley and McNeil, Radiology 143 (1982)", Of: aucSorted,
	})
	Metrics.Add("ap", Metric{
		Help: "average precision, in [0,1]; chance is the share of links among all", Source: "Manning et al., Introduction to Information Retrieval (2008), section 8.4, with ties as scikit-learn has them",
		Of: averagePrecision,
	})
	Metrics.Add("mrr", Metric{
		Help: "mean of 1/rank of a test link among its negatives, in (0,1]", Source: "Hu et al., NeurIPS 2020 (Open Graph Benchmark)", Rank: func(above, level int) float64 { return 1 / (1 + float64(above) + float64(level)/2) },
	})
	Metrics.Add("hits", Metric{
		Help: "hits@N: share of test links above the N-th negative, in [0,1]; those that tie with it are not", Source: "Hu et al., NeurIPS 2020 (Open Graph Benchmark)",
		At: func(n int) Metric {
			return Metric{Rank: func(above, level int) float64 {
				if above+level < n {
					return 1
				}
				return 0
			}}
		},
	})
	Metrics.Add("precision", Metric{
		Help: "precision@N: share of test links among the first N of all test links and negatives, in [0,1]", Source: "Lü and Zhou, Physica A 390 (2011)",
		At: func(n int) Metric {
			return Metric{Of: func(pos, neg []float64) float64 { return precision(pos, neg, n) }}
		},
	})
}

// MetricNames returns the names of all metrics, sorted; of those that count to some n with it: hits@N.
func MetricNames() (names []string) {
	for name, m := range Metrics.All() {
		if m.At != nil {
			name += "@N"
		}
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// FindMetric returns the metric of a name, such as auc or hits@50, and an unknown.Name error where there is none.
func FindMetric(name string) (Metric, error) {
	word, at, counts := strings.Cut(name, "@")
	m, ok := Metrics.Get(word), Metrics.Has(word)
	n, err := strconv.Atoi(at)
	switch {
	case !ok || counts != (m.At != nil):
		return m, unknown.Name{What: "metric", Name: name, Known: MetricNames()}
	case counts && (err != nil || n < 1):
		return m, fmt.Errorf("metric %q: expected a whole number from 1 behind the @", name)
	case counts:
		return m.At(n), nil
	}
	return m, nil
}

// Measurement says what links are measured by. The zero value is the AUC against each kind of negatives of usualNegatives.
type Measurement struct {
	Metrics   []string // names of Metrics
	Negatives []string // names of NegativesKinds

	may bool // a kind that the split cannot have is left out
}

// Keys returns the names of what Measure returns; of the usual negatives, where a split can have them.
func (m Measurement) Keys() (keys []string) {
	for _, kind := range m.negatives() {
		for _, name := range m.metrics() {
			keys = append(keys, name+NegativesKinds.Get(kind).Suffix)
		}
	}
	return keys
}

func (m Measurement) metrics() []string {
	if len(m.Metrics) == 0 {
		return []string{"auc"}
	}
	return m.Metrics
}

func (m Measurement) negatives() []string {
	if len(m.Negatives) == 0 {
		return usualNegatives
	}
	return m.Negatives
}

// Measure returns the metrics that a score of some vectors has on the test links of a split: those of Fit and LinkScorer.Measure, but that a classifier is fitted
// anew against each kind of negatives that can be drawn for training links too. It returns the errors of both.
func Measure(ctx context.Context, name string, v Vectors, s *network.Split, o ScoreOptions, m Measurement) (map[string]float64, error) {
	out := map[string]float64{}
	by := func(o ScoreOptions, kinds []string) error {
		if len(kinds) == 0 {
			return nil
		}
		scorer, err := Fit(ctx, name, v, s, o)
		if err != nil {
			return err
		}
		if o.Coefficients != nil && scorer.Coefficients != nil {
			o.Coefficients[o.Kind] = scorer.Coefficients
		}
		found, err := scorer.Measure(ctx, s, Measurement{m.Metrics, kinds, m.may || len(m.Negatives) == 0})
		maps.Copy(out, found)
		return err
	}
	var usual []string
	for _, kind := range m.negatives() {
		k, scorer := NegativesKinds.Get(kind), Scorers.Get(name)
		fitting := k.fitting()
		if !(fitting != nil && scorer.Fitted || k.Held != nil && scorer.Kinds && s.Directed) {
			usual = append(usual, kind)
			continue
		}
		against := o
		against.Against, against.Kind = fitting, kind
		if err := by(against, []string{kind}); err != nil {
			return nil, err
		}
	}
	if err := by(o, usual); err != nil {
		return nil, err
	}
	return out, nil
}

// Measure returns metrics of link prediction by name: how a scorer ranks the test links of a split among negatives. Behind the name of a metric stands
// the suffix of the negatives: "auc" is against those that the split was published with, "auc_matched" against negatives of matched degrees.
// Beside the AUC stands JoinedAUC, where it may be another.
//
// Scores by walks are measured on some of the links where all would take longer than a training: SampleShare says so.
//
// It returns an error for a split of other vertices or in which a test list is empty, for scores that are NaN, for unknown metrics and negatives, and for
// negatives that the split cannot have.
//
// Source: Park et al., KDD 2020, section 4, and the authors' code for the negatives of directed networks.
func (s *LinkScorer) Measure(ctx context.Context, split *network.Split, m Measurement) (map[string]float64, error) {
	if err := checkSplit("score "+s.Scorer, s.N, split, testLists(split)); err != nil {
		return nil, err
	}
	metrics := map[string]Metric{}
	for _, name := range m.metrics() {
		metric, err := FindMetric(name)
		if err != nil {
			return nil, fmt.Errorf("eval: %w", err)
		}
		metrics[name] = metric
	}
	kinds, err := drawAll(ctx, split, m)
	if err != nil {
		return nil, err
	}
	test, share := s.sample(split.Test, kinds)
	links := slices.Clone(test)
	for _, k := range kinds {
		links = append(links, slices.Concat(k.draws...)...)
	}
	scores, err := s.Links(links) // at once, since scores of a network share what they find around a vertex
	if err != nil {
		return nil, err
	}
	pos, rest := scores[:len(test)], scores[len(test):]
	out := map[string]float64{}
	isJoined := func(network.Link) bool { return true }
	if _, auc := metrics["auc"]; auc && len(split.Train) > 0 && checkLinks("train", split.Train, s.N) == nil {
		isJoined = joinedPairs(s.N, split)
	}
	if share < 1 {
		out[SampleShare] = share
	}
	for _, k := range kinds {
		of := func(pass func(network.Link) bool) []float64 {
			return scoresThat(pos, test, func(l network.Link) bool { return pass(l) && !(k.Simple && l.From == l.To) })
		}
		pos, joinedPos := of(func(network.Link) bool { return true }), of(isJoined)
		sorted, err := sortedScores("test", pos)
		if err != nil {
			return nil, err
		}
		found := map[string][]float64{} // of each draw
		for _, links := range k.draws {
			neg, err := sortedScores(k.name, rest[:len(links)])
			if err != nil {
				return nil, err
			}
			joined := scoresThat(rest[:len(links)], links, isJoined)
			apart := len(pos) + len(links) - len(joinedPos) - len(joined)
			if apart > 0 && len(joinedPos) > 0 && len(joined) > 0 {
				found[JoinedAUC] = append(found[JoinedAUC],
					aucSorted(slices.Sorted(slices.Values(joinedPos)), slices.Sorted(slices.Values(joined))))
			}
			rest = rest[len(links):]
			for name, metric := range metrics {
				found[name] = append(found[name], metric.of(sorted, neg))
			}
		}
		for name, each := range found {
			mean, sd := spread(each)
			out[name+k.Suffix] = mean
			if k.Again != nil && name != "auc" && name != JoinedAUC {
				out[name+k.Suffix+SpreadSuffix] = sd
			}
		}
	}
	return out, nil
}

// JoinedAUC is the name under which Measure returns the AUC among pairs of one component of the training
// links, whose ends have some of these, where other pairs are among the test links or the negatives: what
// removal leaves behind tells those.
const JoinedAUC = "auc_joined"

// scoresThat returns the scores of the links that pass.
func scoresThat(scores []float64, links []network.Link, pass func(network.Link) bool) (out []float64) {
	for i, l := range links {
		if pass(l) {
			out = append(out, scores[i])
		}
	}
	return out
}

// SpreadSuffix stands behind the name of a metric that is a mean over draws of negatives, for their standard deviation.
const SpreadSuffix = "_spread"

// of returns the metric of ascending scores.
func (m Metric) of(pos, neg []float64) float64 {
	if m.Of != nil {
		return m.Of(pos, neg)
	}
	var sum float64
	for _, x := range pos {
		above, level := standing(x, neg)
		sum += m.Rank(above, level)
	}
	return sum / float64(len(pos))
}

// SampleShare is the name under which Measure returns the share of the vertices from which pairs were scored, where it was not all of them.
const SampleShare = "sample"

// sampleCost is how many additions scoring test links and negatives may cost: about half a minute of one processor. More are as many as a training has.
const sampleCost = 1e11

// sample leaves the test links and negatives whose source is one of some random vertices, where all would take long, and returns the share of the vertices.
func (s *LinkScorer) sample(test []network.Link, kinds []drawnKind) (some []network.Link, share float64) {
	if s.sources == nil {
		return test, 1
	}
	seen := make([]bool, s.N)
	count := 0.
	each := func(links []network.Link) {
		for _, l := range links {
			if u := s.sources.of(l); !seen[u] {
				seen[u] = true
				count++
			}
		}
	}
	each(test)
	for _, k := range kinds {
		each(slices.Concat(k.draws...))
	}
	if share = sampleCost / (count * s.sources.cost); !(share < 1) {
		return test, 1
	}
	r := rng.New(1, "sample-sources")
	taken := make([]bool, s.N)
	for v := range taken {
		taken[v] = r.Float64() < share
	}
	has := func(l network.Link) bool { return taken[s.sources.of(l)] }
	for _, k := range kinds {
		for i, links := range k.draws {
			k.draws[i] = seq.Filter(links, has)
		}
	}
	return seq.Filter(test, has), share
}

// standing returns how many of some ascending scores are above one, and how many are the same.
func standing(x float64, others []float64) (above, level int) {
	below := sort.SearchFloat64s(others, x)
	level = sort.Search(len(others)-below, func(i int) bool { return others[below+i] > x })
	return len(others) - below - level, level
}

// precision returns the share of pos among the n highest of all. Of those that tie for the last places, as many count as in the mean over their orders.
func precision(pos, neg []float64, n int) float64 {
	n = min(n, len(pos)+len(neg))
	p, q := len(pos), len(neg)
	var found float64
	for left := n; left > 0; {
		var at float64
		if q == 0 || p > 0 && pos[p-1] >= neg[q-1] {
			at = pos[p-1]
		} else {
			at = neg[q-1]
		}
		yes, no := p, q
		for p > 0 && pos[p-1] == at {
			p--
		}
		for q > 0 && neg[q-1] == at {
			q--
		}
		yes, no = yes-p, no-q
		taken := min(left, yes+no)
		found += float64(yes) * float64(taken) / float64(yes+no)
		left -= taken
	}
	return found / float64(n)
}

// averagePrecision returns the sum over thresholds of precision times the gain in recall. Scores that tie are one threshold.
func averagePrecision(pos, neg []float64) (sum float64) {
	p, n := len(pos), len(neg) // of those at or above the threshold, the lists' ends are left
	for p > 0 {
		at := pos[p-1]
		before := p
		for p > 0 && pos[p-1] == at {
			p--
		}
		for n > 0 && neg[n-1] >= at {
			n--
		}
		found, others := len(pos)-p, len(neg)-n
		sum += float64(before-p) / float64(len(pos)) * float64(found) / float64(found+others)
	}
	return sum
}
