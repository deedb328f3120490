package compare

import (
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/stat"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// protocolRuns finds the runs under one protocol that claims are about.
type protocolRuns struct {
	claimsFile
	runs      *store.Runs
	protocol  string
	negatives string // of links
}

// scores returns a metric in [0,1] of a contender on a network, by the checksum of the split and the seed.
func (p protocolRuns) scores(dataset, metric string, s contender) map[string]float64 {
	out := map[string]float64{}
	for _, r := range p.records(dataset, s) {
		if x, ok := r.Metrics[metric]; ok && x >= 0 && x <= 1 {
			out[fmt.Sprintf("%s %020d", r.Dataset.SHA256, r.Seed)] = x
		}
	}
	return out
}

// records returns the runs of a contender on a network, in the order of seeds.
func (p protocolRuns) records(dataset string, s contender) (all []results.Record) {
	first := s.jobs(dataset, p.protocol, store.FirstSeed, p.negatives)
	best := p.runs.BestOf(first)
	for _, candidate := range first {
		for _, r := range p.runs.Seeds(candidate) {
			if j, ok := p.runs.Pick(s.jobs(dataset, p.protocol, r.Seed, p.negatives), best); ok {
				record, _ := p.runs.Find(j)
				all = append(all, record)
			}
		}
	}
	return all
}

// contrast is two sides on one network, by the seeds that both have.
type contrast struct {
	network      string
	above, below contender
	a, b, diff   []float64
}

// contrasts compares two sides on every network of a kind that has runs of both. The claim is that the one scores higher.
func (p protocolRuns) contrasts(kind string, of contest) (out []contrast) {
	for _, name := range networksOf(kind) {
		var c contrast
		for _, above := range of.Above.Values() {
			if next := p.contrast(name, "auc"+eval.NegativesKinds.Get(p.negatives).Suffix, p.contender(above), p.contender(of.Below)); len(next.diff) > 0 && !c.judged() {
				c = next
			}
		}
		if len(c.diff) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// contrast compares two sides on one network.
func (p protocolRuns) contrast(name, metric string, above, below contender) contrast {
	first, second := p.scores(name, metric, above), p.scores(name, metric, below)
	c := contrast{network: name, above: above, below: below}
	for _, seed := range slices.Sorted(maps.Keys(first)) {
		if x, both := second[seed]; both {
			c.a, c.b, c.diff = append(c.a, first[seed]), append(c.b, x), append(c.diff, first[seed]-x)
		}
	}
	return c
}

// Kinds of networks.
const academic, other = "academic", "other"

// networksOf returns the names of the paper's homogeneous networks of a kind, of both for "", in its order.
func networksOf(kind string) (names []string) {
	for _, d := range network.Datasets() {
		if d.InPaper && !d.Typed && (kind == "" || (kind == academic) == (d.Group == academic)) {
			names = append(names, d.Name)
		}
	}
	return names
}

func (c contrast) judged() bool { return len(c.diff) >= enoughSeeds }

// line is the evidence of one network.
func (c contrast) line() string {
	higher := seq.Count(c.diff, func(d float64) bool { return d > 0 })
	text := fmt.Sprintf("%s: %s %s, %s %s, difference %s, %d of %d seeds higher", c.network, c.above.name, spread("%.4f", c.a),
		c.below.name, spread("%.4f", c.b), spread("%+.4f", c.diff), higher, len(c.diff))
	if !c.judged() {
		text += "; not judged"
	}
	return text
}

// spread writes a mean and the standard deviation of a sample.
func spread(format string, x []float64) string {
	text := fmt.Sprintf(format, stat.Mean(x, nil))
	if len(x) > 1 {
		text += fmt.Sprintf(" ± %.4f", stat.StdDev(x, nil))
	}
	return text
}
