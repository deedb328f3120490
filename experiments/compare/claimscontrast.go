package compare

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/combin"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// What a verdict needs; see VerdictRule.
const (
	enoughSeeds    = 2    // pairs of a network that is judged
	enoughNetworks = 3    // that all lie on one side, for a verdict without a test
	fewestNetworks = 2    // for any verdict
	fewestPairs    = 5    // of two networks: below, no sign test can fall under level, as (1/2)^4 > .05
	level          = 0.05 // of the sign test
)

// VerdictRule says in words how a comparison gets its verdict. It was written before any of the comparisons was made.
const VerdictRule = "Runs are paired by network, split and seed; a network is judged if it has at least two such pairs. " +
	"Supported: the mean difference agrees with the claim on every judged network, of at least three; or an exact one-sided " +
	"sign test over all pairs gives p < .05 and no network is clearly against the claim, that is, has all of its pairs on the " +
	"other side. Too few runs: fewer than two judged networks, or two with fewer than five pairs. Not supported: anything " +
	"else. Every protocol is judged separately, with options fixed in advance (epsilon .5, lambda .01), never the best of several; " +
	"only node2vec's p and q, under standard how PolyDW and Splitter rank links, and DeepWalk's rate where stated, are chosen, on the validation set or, " +
	"under standard, on held-out training links."

// side is one half of a comparison: a method with its options, or a column of Table 1, which may be the best of several runs.
type side struct {
	name   string
	method string
	change func(*graphs.Options) // from the protocol's defaults; nil for none
	column string                // instead of the two; "" for none
}

// jobs returns the runs of the side under a seed, as tables have them: one, or the candidates of its choice.
func (s side) jobs(dataset, protocol string, seed uint64) []store.Job {
	if s.column != "" {
		return sweep.TableOneJobs(s.column, dataset, protocol, seed)
	}
	o, err := methods.Options(s.method, run.Protocols[protocol])
	if err != nil {
		return nil
	}
	o.Seed = seed
	if s.change != nil {
		s.change(&o)
	}
	return []store.Job{{Dataset: dataset, Protocol: protocol, Options: o}}
}

// protocolRuns finds the runs under one protocol.
type protocolRuns struct {
	runs     *store.Runs
	protocol string
}

// scores returns a metric in [0,1] of a side on a network, by the checksum of the split and the seed.
func (p protocolRuns) scores(dataset, metric string, s side) map[string]float64 {
	out := map[string]float64{}
	for _, r := range p.records(dataset, s) {
		if x, ok := r.Metrics[metric]; ok && x >= 0 && x <= 1 {
			out[fmt.Sprintf("%s %020d", r.Dataset.SHA256, r.Seed)] = x
		}
	}
	return out
}

// records returns the runs of a side on a network, in the order of seeds.
func (p protocolRuns) records(dataset string, s side) (all []results.Record) {
	first := s.jobs(dataset, p.protocol, store.FirstSeed)
	for _, candidate := range first {
		for _, r := range p.runs.Seeds(candidate) {
			if j, ok := p.runs.Pick(s.jobs(dataset, p.protocol, r.Seed), first); ok {
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
	above, below side
	a, b, diff   []float64
}

// contrasts compares two sides on every network of the groups that has runs of both. The claim is that above scores higher.
func (p protocolRuns) contrasts(groups func(group string) bool, above, below side) []contrast {
	var out []contrast
	for _, name := range networksOf(groups) {
		if c, ok := p.contrast(name, "auc", above, below); ok {
			out = append(out, c)
		}
	}
	return out
}

// contrast compares two sides on one network, and says whether it has runs of both.
func (p protocolRuns) contrast(name, metric string, above, below side) (contrast, bool) {
	first, second := p.scores(name, metric, above), p.scores(name, metric, below)
	c := contrast{network: name, above: above, below: below}
	var seeds []string
	for seed := range first {
		if _, ok := second[seed]; ok {
			seeds = append(seeds, seed)
		}
	}
	slices.Sort(seeds)
	for _, seed := range seeds {
		c.a, c.b, c.diff = append(c.a, first[seed]), append(c.b, second[seed]), append(c.diff, first[seed]-second[seed])
	}
	return c, len(seeds) > 0
}

// networksOf returns the names of the paper's homogeneous networks of some groups, in its order.
func networksOf(groups func(group string) bool) []string {
	var names []string
	for _, d := range network.Datasets() {
		if d.InPaper && !d.Typed && groups(d.Group) {
			names = append(names, d.Name)
		}
	}
	return names
}

func academic(group string) bool    { return group == "academic" }
func notAcademic(group string) bool { return group != "academic" }
func anyGroup(string) bool          { return true }

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

// judge returns the verdict of VerdictRule on contrasts, and the evidence.
func judge(list []contrast) (verdict string, evidence []string) {
	var pairs []float64
	networks := 0
	allAbove, against := true, false
	for _, c := range list {
		evidence = append(evidence, c.line())
		if !c.judged() {
			continue
		}
		networks++
		pairs = append(pairs, c.diff...)
		allAbove = allAbove && stat.Mean(c.diff, nil) > 0
		against = against || slices.Max(c.diff) < 0
	}
	if networks < fewestNetworks || networks < enoughNetworks && len(pairs) < fewestPairs {
		return TooFewRuns, evidence
	}
	chance := signTest(pairs)
	evidence = append(evidence, fmt.Sprintf("%d pairs on %d networks: exact one-sided sign test p = %.2g", len(pairs), networks, chance))
	if allAbove && networks >= enoughNetworks || chance < level && !against {
		return Supported, evidence
	}
	return NotSupported, evidence
}

// signTest returns the probability, if either sign is as likely as the other, of at least as many differences above 0 as
// there are. Differences of 0 are left out, as is usual.
//
// Source: Dixon and Mood, The Statistical Sign Test, JASA 41 (1946).
func signTest(diff []float64) float64 {
	n := seq.Count(diff, func(d float64) bool { return d != 0 })
	var p float64
	for k := seq.Count(diff, func(d float64) bool { return d > 0 }); k <= n; k++ {
		p += math.Exp(combin.LogGeneralizedBinomial(float64(n), float64(k)) - float64(n)*math.Ln2)
	}
	return min(p, 1)
}
