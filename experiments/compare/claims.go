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

// Verdicts on a claim, the worst last.
const (
	Supported    = "supported"
	Agrees       = "agrees" // on networks that are too few for a test
	TooFewRuns   = "too few runs"
	NotSupported = "not supported"
)

// VerdictRule says in words how a comparison gets its verdict.
const VerdictRule = "Runs are paired by network, split and seed. A network counts once, by its mean over two seeds or more, since these are of one split. " +
	"Supported: an exact one-sided sign test over networks gives p < .05, as five of five or seven of eight do. " +
	"Agrees: as claimed on all of two to four networks, which is no test. Too few runs: fewer than two networks. Not supported: anything else. " +
	"A claim of one network is tested over five seeds or more. Both kinds of negatives are judged on the same networks."

// Claim is what a file says of two methods, judged over records under one protocol and against one kind of negatives.
type Claim struct {
	Name      string   `json:"name"`
	Text      string   `json:"text"` // what is claimed, and where
	Protocol  string   `json:"protocol"`
	Negatives string   `json:"negatives,omitempty"` // "" where no links are ranked
	Verdict   string   `json:"verdict"`
	Agree     int      `json:"agree"`    // of the networks, those that are as claimed
	Networks  []string `json:"networks"` // that the verdict rests on
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
		for _, protocol := range run.Protocols {
			claims := seq.Map(kinds, func(kind string) Claim {
				return Claim{Name: c.Name, Text: c.Text, Protocol: protocol, Negatives: kind, Verdict: Supported}
			})
			for _, pair := range c.Pairs {
				lists := make([][]contrast, len(kinds))
				for i, kind := range kinds {
					of := under{runs, protocol, kind, cmp.Or(c.Metric, "auc"+eval.NegativesKinds.Get(kind).Suffix)}
					lists[i] = of.contrasts(networks, f.Sides, pair.Above.Values(), pair.Below)
				}
				for i, list := range lists {
					if other := lists[len(lists)-1-i]; len(other) > 0 { // of networks that both have
						list = seq.Filter(list, func(x contrast) bool {
							return slices.ContainsFunc(other, func(y contrast) bool { return x.network == y.network })
						})
					}
					claims[i].take(judge(list, len(networks)))
				}
			}
			all = append(all, claims...)
		}
	}
	return all, nil
}

// take makes the judgement of a pair of sides a part of the claim, which holds only if it holds of each.
func (c *Claim) take(j judgement) {
	worst := []string{Supported, Agrees, TooFewRuns, NotSupported}
	c.Evidence = append(c.Evidence, j.evidence...)
	if first := c.Networks == nil; first || slices.Index(worst, j.verdict) > slices.Index(worst, c.Verdict) {
		c.Verdict, c.Agree, c.Networks = j.verdict, j.agree, j.networks
	}
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
	network, line string
	diff          []float64
}

func (c contrast) judged() bool { return len(c.diff) > 1 }

// contrasts returns those of the networks on which there are any: of several sides above, by the first that
// is judged.
func (u under) contrasts(networks []string, sides map[string]side, above []string, below string) (list []contrast) {
	for _, name := range networks {
		var best contrast
		for _, side := range above {
			if next := u.contrast(name, sides, side, below); len(next.diff) > 0 && !best.judged() {
				best = next
			}
		}
		if len(best.diff) > 0 {
			list = append(list, best)
		}
	}
	return list
}

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
	c.network = dataset
	higher := seq.Count(c.diff, func(d float64) bool { return d > 0 })
	c.line = fmt.Sprintf("%s: %s %s, %s %s, difference %s, %d of %d seeds higher", dataset, above, spread("%.4f", a), below, spread("%.4f", b), spread("%+.4f", c.diff), higher, len(c.diff))
	return c
}

// judgement is what contrasts of a claim come to.
type judgement struct {
	verdict  string
	agree    int
	networks []string
	evidence []string
}

// judge returns the verdict of VerdictRule on contrasts of a claim on so many networks.
func judge(list []contrast, of int) judgement {
	j := judgement{verdict: NotSupported, networks: []string{}}
	var means []float64
	for _, c := range list {
		j.evidence = append(j.evidence, c.line)
		if !c.judged() {
			continue
		}
		j.networks, means = append(j.networks, c.network), append(means, stat.Mean(c.diff, nil))
		if means[len(means)-1] > 0 {
			j.agree++
		}
	}
	tested, what := means, "networks"
	if of == 1 && len(means) == 1 {
		tested, what = list[0].diff, "seeds of one network"
	}
	if len(tested) < 2 || of == 1 && len(tested) < 5 { // (1/2)^4 > .05
		j.verdict = TooFewRuns
		return j
	}
	chance := signTest(tested)
	j.evidence = append(j.evidence, fmt.Sprintf("%d %s: exact one-sided sign test p = %.2g", len(tested), what, chance))
	switch {
	case chance < 0.05:
		j.verdict = Supported
	case j.agree == len(means) && len(means) < 5 && of > 1:
		j.verdict = Agrees
	}
	return j
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
