package compare

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"
)

// Claims on author identification are of one data set, where VerdictRule has nothing to say. Their rule, as old as the claims:
// each step of an order is a paired one-sided t test over seeds, at level, of at least stepSeeds. The order is supported if
// every step is. Seeds tell how much training differs, not how much other papers would.
const (
	stepMetric = "recall@10" // of both tables
	stepSeeds  = 3
	stepRule   = "Recall@10 on DBLP, from titles, where the paper uses abstracts; supported if each step of the order is supported by a paired one-sided t test over three or more seeds (p < .05)"
)

// authorSides are the methods of Table 5 at 200 dimensions an author, in the paper's order from the best.
func authorSides() []side {
	const dim = 200
	return []side{
		{name: "asp2vec-het", method: hetnet.MethodAsp2vecHet, change: func(o *graphs.Options) { o.Dim, o.Aspects = dim/graphs.PaperAspects, graphs.PaperAspects }},
		oneVectorSide("TaPEm", hetnet.MethodTaPEm, dim), oneVectorSide("Camel", hetnet.MethodCamel, dim), oneVectorSide("M2V++", hetnet.MethodM2V, dim),
	}
}

// methodsInOrder is about Table 5.
func methodsInOrder(p protocolRuns) Claim {
	return p.order("authors-by-method", "asp2vec-het identifies authors better than TaPEm, TaPEm better than Camel, and Camel better than M2V++, with 200 dimensions per author (Table 5)",
		authorSides()...)
}

// allAboveChance asks of every run, of at least stepSeeds of each method, twice the score of a random order: with a
// thousand papers that is ten of its standard errors above it, so that no test is needed.
func allAboveChance(p protocolRuns) Claim {
	const chance, clear = 0.10, 0.20 // Recall@10 among 100 candidates
	claim := Claim{Name: "authors-above-chance", Verdict: Supported, Text: fmt.Sprintf("Every method of Table 5 identifies authors clearly better than chance, with 200 dimensions an author. "+
		"Recall@10 on DBLP, from titles, where the paper uses abstracts; supported if it is above %.2f, twice that of a random order, in each of three or more runs of every method.", clear)}
	few := false
	for _, s := range authorSides() {
		scores := slices.Sorted(maps.Values(p.scores(sweep.PaperBibliography, stepMetric, s)))
		few = few || len(scores) < stepSeeds
		if len(scores) == 0 {
			continue
		}
		if scores[0] <= clear {
			claim.Verdict = NotSupported
		}
		claim.Evidence = append(claim.Evidence, fmt.Sprintf("%s: %s, %.1f times that of chance; lowest of %d seeds %.4f",
			s.name, spread("%.4f", scores), stat.Mean(scores, nil)/chance, len(scores), scores[0]))
	}
	if few && claim.Verdict == Supported { // one run at chance is enough to deny it
		claim.Verdict = TooFewRuns
	}
	return claim
}

// contextsInOrder is about Table 6. Where aspects have not come apart there is nothing to pick, and the claim is not tested.
func contextsInOrder(p protocolRuns) Claim {
	from := func(name, context string) side {
		return side{name: name, method: hetnet.MethodAsp2vecHet, change: func(o *graphs.Options) {
			o.Dim, o.Aspects = 200/graphs.PaperAspects, graphs.PaperAspects
			graphs.Edit(o, func(p *hetnet.PaperOptions) { p.Context = context })
		}}
	}
	sides := []side{from("Paper", hetnet.ContextPaper), from("Author+Paper", hetnet.ContextBoth), from("Author", hetnet.ContextAuthor)}
	claim := p.order("authors-by-context", "asp2vec-het identifies authors best if aspects are selected from papers, then from papers and authors, then from authors (Table 6)",
		sides...)
	claim.Text += fmt.Sprintf(" Not tested: contexts make no difference above %.0e, or the scores that select aspects vary between aspects by less than %.2f, a tenth of the standard deviation of the Gumbel noise.", sameScore, leastSpread)
	if why := p.untested(sides); why != "" && claim.Verdict != TooFewRuns {
		claim.Verdict = NotTested
		claim.Evidence = append(claim.Evidence, why)
	}
	return claim
}

// What tells that the choice of an aspect is noise.
const (
	sameScore   = 1e-6
	leastSpread = 0.128 // see results.Record.AspectSpread
)

// untested returns why runs that differ in what aspects are picked from say nothing of it; "" where they may.
func (p protocolRuns) untested(sides []side) string {
	least, counted := math.Inf(1), 0
	same := true
	first := p.scores(sweep.PaperBibliography, stepMetric, sides[0])
	for _, s := range sides {
		for seed, x := range p.scores(sweep.PaperBibliography, stepMetric, s) {
			if y, both := first[seed]; both && math.Abs(x-y) > sameScore {
				same = false
			}
		}
		for _, r := range p.records(sweep.PaperBibliography, s) {
			if r.AspectSpread != nil {
				least, counted = min(least, float64(*r.AspectSpread)), counted+1
			}
		}
	}
	switch {
	case same:
		return "the scores of all contexts are the same: the aspects are all alike"
	case counted > 0 && least < leastSpread:
		return fmt.Sprintf("the scores that select aspects have a standard deviation of %.2g between aspects in one of %d runs, compared with 1.28 of the noise", least, counted)
	}
	return ""
}

// order judges whether each side scores above the next.
func (p protocolRuns) order(name, text string, sides ...side) Claim {
	claim := Claim{Name: name, Text: text + ". " + stepRule + ".", Verdict: Supported}
	few := false
	for i, above := range sides[:len(sides)-1] {
		c, ok := p.contrast(sweep.PaperBibliography, stepMetric, above, sides[i+1])
		if !ok {
			few = true
			continue
		}
		line := c.line()
		if len(c.diff) < stepSeeds {
			few = true
		} else {
			chance := pairedT(c.diff)
			line += fmt.Sprintf(", p = %.2g", chance)
			if !(chance < level) {
				claim.Verdict = NotSupported
			}
		}
		claim.Evidence = append(claim.Evidence, line)
	}
	if few {
		claim.Verdict = TooFewRuns
	}
	return claim
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
