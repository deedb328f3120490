package compare

import (
	"cmp"
	_ "embed"
	"fmt"
	"maps"
	"slices"

	"gonum.org/v1/gonum/stat"
	"gonum.org/v1/gonum/stat/distuv"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// Verdicts on a claim.
const (
	Supported    = "supported"
	NotSupported = "not supported"
	TooFewRuns   = "too few runs"
)

// VerdictRule says in words how a comparison gets its verdict. It was written before any of the comparisons was made.
const VerdictRule = "Runs are paired by network, split and seed; a network is judged if it has at least two such pairs. " +
	"Supported: the mean difference agrees with the claim on every judged network, of at least three; or an exact one-sided " +
	"sign test over all pairs gives p < .05 and no network is clearly against the claim, that is, has all of its pairs on the " +
	"other side. Too few runs: fewer than two judged networks, unless the claim is of one, or two with fewer than five pairs. Not supported: anything else."

// Claim is what a file says of two methods, judged over records under one protocol and against one kind of negatives.
type Claim struct {
	Name      string   `json:"name"`
	Text      string   `json:"text"` // what is claimed, and where
	Protocol  string   `json:"protocol"`
	Negatives string   `json:"negatives,omitempty"` // "" where no links are ranked
	Verdict   string   `json:"verdict"`
	Evidence  []string `json:"evidence"` // numbers behind the verdict, a line each
}

// PaperClaims are what the paper says of numbers, as Claims reads it.
//
//go:embed claims.yaml
var PaperClaims []byte

type claimsFile struct {
	Sides  map[string]side `yaml:"sides"`
	Claims []struct {
		Name     string   `yaml:"name"`
		Text     string   `yaml:"text"`
		Networks []string `yaml:"networks"` // names and groups of data sets; none for those of the paper with vertices of one type
		Metric   string   `yaml:"metric"`   // "" for the AUC, against both kinds of negatives
		Pairs    []struct {
			Above yamlfile.List[string] `yaml:"above"` // of sides; on each network the first that is judged
			Below string                `yaml:"below"`
		} `yaml:"pairs"` // a claim holds if it holds of each
	} `yaml:"claims"`
}

// side is a method with options other than the protocol's, or a column of a table, which may be the best of several runs.
type side struct {
	Method  string    `yaml:"method"`
	Options grid.Grid `yaml:"options"` // of one value each
	Table   string    `yaml:"table"`   // table1, if it has a column and no table
	Column  string    `yaml:"column"`
}

// jobs returns the runs of a side under a seed, as tables have them: one, or the candidates of its choice.
func (s side) jobs(dataset, protocol string, seed uint64, negatives string) []store.Job {
	if s.Column != "" {
		return sweep.PaperJobs(cmp.Or(s.Table, "table1"), s.Column, dataset, protocol, seed, negatives)
	}
	o, err := methods.Options(s.Method, graphs.Protocol(protocol))
	if err != nil {
		return nil
	}
	for values := range s.Options.All() {
		s.Options.Set(&o, values)
	}
	o.Seed = seed
	return []store.Job{{Dataset: dataset, Protocol: protocol, Options: o}}
}

// Claims judges what a file claims over records, under each protocol, of AUC against the published negatives and against those of matched degrees. It returns an error for a file of another kind.
func Claims(runs *store.Runs, file []byte) (all []Claim, err error) {
	var f claimsFile
	if err := yamlfile.Read(file, &f); err != nil {
		return nil, err
	}
	for name, s := range f.Sides {
		if _, err := methods.Options(s.Method, graphs.Standard); s.Column == "" && err != nil {
			return nil, fmt.Errorf("side %s: %w", name, err)
		}
	}
	for _, c := range f.Claims {
		var networks []string
		for _, d := range network.Datasets() {
			if slices.Contains(c.Networks, d.Name) || d.InPaper && !d.Typed && (len(c.Networks) == 0 || slices.Contains(c.Networks, d.Group)) {
				networks = append(networks, d.Name)
			}
		}
		for _, pair := range c.Pairs {
			for _, name := range append(pair.Above.Values(), pair.Below) {
				if _, known := f.Sides[name]; !known {
					return nil, unknown.Name{What: fmt.Sprintf("claim %s: side", c.Name), Name: name, Known: slices.Collect(maps.Keys(f.Sides))}
				}
			}
		}
		kinds := []string{"published", "matched"}
		if c.Metric != "" {
			kinds = []string{""}
		}
		for _, kind := range kinds {
			suffix := eval.NegativesKinds.Get(kind).Suffix
			for _, protocol := range run.Protocols {
				of := under{runs, protocol, kind, cmp.Or(c.Metric, "auc"+suffix)}
				claim := Claim{Name: c.Name, Text: c.Text, Protocol: protocol, Negatives: kind, Verdict: Supported}
				for _, pair := range c.Pairs {
					var list []contrast
					for _, name := range networks {
						var best contrast
						for _, above := range pair.Above.Values() {
							if next := of.contrast(name, f.Sides, above, pair.Below); len(next.diff) > 0 && !best.judged() {
								best = next
							}
						}
						if len(best.diff) > 0 {
							list = append(list, best)
						}
					}
					verdict, lines := judge(list, len(networks))
					claim.Evidence = append(claim.Evidence, lines...)
					if verdict == NotSupported || verdict == TooFewRuns && claim.Verdict == Supported {
						claim.Verdict = verdict
					}
				}
				all = append(all, claim)
			}
		}
	}
	return all, nil
}

// under finds a metric of runs under one protocol.
type under struct {
	runs                        *store.Runs
	protocol, negatives, metric string
}

// scores returns the metric, if it is in [0,1], of a side on a network, by the checksum of the split and the seed.
func (u under) scores(dataset string, s side) map[string]float64 {
	out := map[string]float64{}
	for _, candidate := range s.jobs(dataset, u.protocol, store.FirstSeed, u.negatives) {
		for _, known := range u.runs.Seeds(candidate) {
			_, r, ok := u.runs.Shown(s.jobs(dataset, u.protocol, known.Seed, u.negatives))
			if x, has := r.Metrics[u.metric]; ok && has && x >= 0 && x <= 1 {
				out[fmt.Sprintf("%s %020d", r.Dataset.SHA256, r.Seed)] = x
			}
		}
	}
	return out
}

// contrast is two sides on one network, by the seeds that both have.
type contrast struct {
	line string
	diff []float64
}

func (c contrast) judged() bool { return len(c.diff) > 1 }

func (u under) contrast(dataset string, sides map[string]side, above, below string) (c contrast) {
	first, second := u.scores(dataset, sides[above]), u.scores(dataset, sides[below])
	var a, b []float64
	for _, seed := range slices.Sorted(maps.Keys(first)) {
		if x, both := second[seed]; both {
			a, b, c.diff = append(a, first[seed]), append(b, x), append(c.diff, first[seed]-x)
		}
	}
	spread := func(format string, x []float64) string {
		text := fmt.Sprintf(format, stat.Mean(x, nil))
		if len(x) > 1 {
			text += fmt.Sprintf(" ± %.4f", stat.StdDev(x, nil))
		}
		return text
	}
	higher := seq.Count(c.diff, func(d float64) bool { return d > 0 })
	c.line = fmt.Sprintf("%s: %s %s, %s %s, difference %s, %d of %d seeds higher", dataset, above, spread("%.4f", a), below, spread("%.4f", b), spread("%+.4f", c.diff), higher, len(c.diff))
	return c
}

// judge returns the verdict of VerdictRule on contrasts of a claim on so many networks, and the evidence.
func judge(list []contrast, of int) (verdict string, evidence []string) {
	var pairs []float64
	networks := 0
	allAbove, against := true, false
	for _, c := range list {
		evidence = append(evidence, c.line)
		if !c.judged() {
			continue
		}
		networks++
		pairs = append(pairs, c.diff...)
		allAbove = allAbove && stat.Mean(c.diff, nil) > 0
		against = against || slices.Max(c.diff) < 0
	}
	if networks < min(2, of) || networks < 3 && len(pairs) < 5 { // (1/2)^4 > .05
		return TooFewRuns, evidence
	}
	chance := signTest(pairs)
	evidence = append(evidence, fmt.Sprintf("%d pairs on %d networks: exact one-sided sign test p = %.2g", len(pairs), networks, chance))
	if allAbove && networks > 2 || chance < 0.05 && !against {
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
