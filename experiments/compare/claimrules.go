package compare

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/asp2vec/asp2vec/experiments/sweep"
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

// rules judge claims: each returns the verdict and the evidence.
var rules = map[string]func(protocolRuns, claimSpec) (verdict string, evidence []string){
	"above": protocolRuns.above, "gains less on academic": protocolRuns.lessOnAcademic, "in order": protocolRuns.inOrder,
	"in order of contexts": protocolRuns.contextsInOrder,
}

// above is VerdictRule on each pair: supported if all are, not supported if one is not, and else of too few runs.
func (p protocolRuns) above(c claimSpec) (verdict string, evidence []string) {
	verdict = Supported
	for _, pair := range c.Pairs {
		own, lines := judge(p.contrasts(c.Networks, pair))
		evidence = append(evidence, lines...)
		if own == NotSupported || own == TooFewRuns && verdict == Supported {
			verdict = own
		}
	}
	for _, pair := range c.Controls {
		for _, x := range p.contrasts(c.Networks, pair) {
			evidence = append(evidence, "control, not part of the verdict: "+x.line())
		}
	}
	return verdict, evidence
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
	above, all := 0.0, 0.0
	for _, d := range diff {
		if d > 0 {
			above++
		}
		if d != 0 {
			all++
		}
	}
	if above == 0 {
		return 1
	}
	return distuv.Binomial{N: all, P: .5}.Survival(above - 1)
}

// lessOnAcademic compares gains of one side over another in percent, as Tables 3 and 4 have them: the mean over academic networks
// with the mean over the others, each network by the mean over its pairs. Supported if it is smaller, with at least two judged
// networks on each side.
func (p protocolRuns) lessOnAcademic(c claimSpec) (verdict string, evidence []string) {
	gains := map[string][]float64{}
	for _, kind := range []string{academic, other} {
		for _, x := range p.contrasts(kind, c.Pairs[0]) {
			gain := 100 * stat.Mean(x.diff, nil) / stat.Mean(x.b, nil)
			if !x.judged() || math.IsNaN(gain) {
				continue
			}
			gains[kind] = append(gains[kind], gain)
			evidence = append(evidence, fmt.Sprintf("%s (%s): %s %s, %s %s, gain %+.2f%%, %d seeds", x.network, kind, x.below.name,
				spread("%.4f", x.b), x.above.name, spread("%.4f", x.a), gain, len(x.diff)))
		}
	}
	few, most := gains[academic], gains[other]
	if len(few) < fewestNetworks || len(most) < fewestNetworks {
		return TooFewRuns, evidence
	}
	evidence = append(evidence, fmt.Sprintf("mean gain: %+.2f%% on %d academic networks, %+.2f%% on %d others; too few networks for a test",
		stat.Mean(few, nil), len(few), stat.Mean(most, nil), len(most)))
	if stat.Mean(few, nil) < stat.Mean(most, nil) {
		return Supported, evidence
	}
	return NotSupported, evidence
}

// Claims on author identification are of one data set, where VerdictRule has nothing to say: each step of an order is a paired one-sided t
// test over seeds, at level, of at least stepSeeds. Seeds tell how much training differs, not how much other papers would.
const (
	stepMetric = "recall@10" // of both tables
	stepSeeds  = 3
)

// inOrder is supported if each side scores above the next.
func (p protocolRuns) inOrder(c claimSpec) (verdict string, evidence []string) {
	verdict = Supported
	few := false
	for i, name := range c.Order[1:] {
		x := p.contrast(sweep.PaperBibliography, stepMetric, p.contender(c.Order[i]), p.contender(name))
		few = few || len(x.diff) < stepSeeds
		if len(x.diff) == 0 {
			continue
		}
		line := x.line()
		if len(x.diff) >= stepSeeds {
			chance := pairedT(x.diff)
			line += fmt.Sprintf(", p = %.2g", chance)
			if !(chance < level) {
				verdict = NotSupported
			}
		}
		evidence = append(evidence, line)
	}
	if few {
		verdict = TooFewRuns
	}
	return verdict, evidence
}

// pairedT returns the probability, if differences are normal about 0, of a mean as high in units of its standard error.
func pairedT(diff []float64) float64 {
	mean, sd := stat.MeanStdDev(diff, nil)
	if sd == 0 {
		if mean > 0 {
			return 0
		}
		return 1
	}
	n := float64(len(diff))
	return distuv.StudentsT{Mu: 0, Sigma: 1, Nu: n - 1}.Survival(mean / sd * math.Sqrt(n))
}

// contextsInOrder is inOrder of what aspects are picked from. Where they have not come apart there is nothing to pick, and the claim is not tested.
func (p protocolRuns) contextsInOrder(c claimSpec) (verdict string, evidence []string) {
	verdict, evidence = p.inOrder(c)
	if why := p.untested(c.Order); why != "" && verdict != TooFewRuns {
		return NotTested, append(evidence, why)
	}
	return verdict, evidence
}

// untested returns why runs that differ in what aspects are picked from say nothing of it; "" where they may.
func (p protocolRuns) untested(names []string) string {
	const sameScore = 1e-6
	least, counted, same := math.Inf(1), 0, true
	for _, name := range names[1:] {
		for _, d := range p.contrast(sweep.PaperBibliography, stepMetric, p.contender(names[0]), p.contender(name)).diff {
			same = same && math.Abs(d) <= sameScore
		}
	}
	for _, name := range names {
		for _, r := range p.records(sweep.PaperBibliography, p.contender(name)) {
			if r.AspectSpread != nil {
				least, counted = min(least, float64(*r.AspectSpread)), counted+1
			}
		}
	}
	switch {
	case same:
		return "the scores of all contexts are the same: the aspects are all alike"
	case counted > 0 && least < results.LeastSpread:
		return fmt.Sprintf("the scores that select aspects have a standard deviation of %.2g between aspects in one of %d runs, compared with 1.28 of the noise", least, counted)
	}
	return ""
}
