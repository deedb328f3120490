package compare

import (
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// scored returns records of a side of claims.yaml under a protocol, one a score, with seeds from 1. Of a side that is the best of several runs by
// held-out links it is the last, and the others, with a better score, do not count.
func scored(t *testing.T, dataset, protocol, name string, scores ...float64) (all []results.Record) {
	t.Helper()
	s := paperSides(t)[name]
	for seed, score := range scores {
		jobs := s.jobs(dataset, protocol, uint64(seed+1), "published")
		for i, j := range jobs {
			auc := .99
			if i == len(jobs)-1 {
				auc = score
			}
			all = append(all, recordtest.Of(t, dataset, protocol, j.Options, auc, 0))
		}
		if seed > 0 || len(jobs) == 1 {
			continue
		}
		for i, j := range store.Choosing(jobs) {
			r := recordtest.Of(t, dataset, protocol, j.Options, 0, 0)
			r.Metrics = results.Metrics{run.ValidationAUC: .5 + float64(i)/10}
			all = append(all, r)
		}
	}
	return all
}

func paperSides(t *testing.T) map[string]side {
	t.Helper()
	var f claimsFile
	call.OK(t, yamlfile.Read(PaperClaims, &f))
	return f.Sides
}

func judged(t *testing.T, runs *store.Runs) []Claim {
	t.Helper()
	return call.Of(Claims(runs, PaperClaims))(t)
}

// named is "gumbel-over-softmax/paper", or "gumbel-over-softmax-matched/paper".
func named(c Claim) string {
	return c.Name + map[string]string{"matched": "-matched"}[c.Negatives] + "/" + c.Protocol
}

func find(t *testing.T, claims []Claim, name string) Claim {
	t.Helper()
	i := slices.IndexFunc(claims, func(c Claim) bool { return named(c) == name })
	if i < 0 {
		t.Fatalf("no claim %s", name)
	}
	return claims[i]
}

// The verdicts on the records that come with the program.
func TestVerdictsOfMeasured(t *testing.T) {
	records := call.First(results.ReadStore("../../results/measured/runs.jsonl"))(t)
	runs := store.RunsOfAnyDefinition(records)
	var lines []string
	for _, c := range judged(t, runs) {
		lines = append(lines, named(c)+": "+c.Verdict+"\n")
	}
	want, err := os.ReadFile("testdata/verdicts.txt")
	if got := strings.Join(lines, ""); err != nil || got != string(want) {
		t.Errorf("%v, verdicts\n%s", err, got)
	}
}

// Every verdict that VerdictRule knows, on the claim of Table 3.
func TestVerdicts(t *testing.T) {
	type sided struct {
		network      string
		above, below []float64
	}
	up := func(name string) sided { return sided{name, []float64{.8, .81, .82}, []float64{.7, .71, .72}} }
	down := func(name string) sided { return sided{name, up(name).below, up(name).above} }
	for _, test := range []struct {
		name     string
		networks []sided
		want     string
	}{
		{"nothing", nil, TooFewRuns},
		{"one network", []sided{up("Cora")}, TooFewRuns},
		{"three networks of one seed", []sided{{"Cora", []float64{.8}, []float64{.7}}, {"PPI", []float64{.8}, []float64{.7}}, {"4area", []float64{.8}, []float64{.7}}}, TooFewRuns},
		{"three networks, one side each", []sided{{"Cora", []float64{.8, .8}, nil}, {"PPI", nil, []float64{.8, .8}}, {"Filmtrust", []float64{.8}, nil}}, TooFewRuns},
		{"two networks", []sided{up("Cora"), up("PPI")}, Agrees},
		{"three means above, a pair below", []sided{up("Cora"), up("PPI"), {"Filmtrust", []float64{.8, .70}, []float64{.7, .71}}}, Agrees},
		{"a mean below", []sided{up("Cora"), up("PPI"), up("4area"), {"Filmtrust", []float64{.70, .71}, []float64{.60, .90}}}, NotSupported},
		{"five of five", []sided{up("Cora"), up("PPI"), up("4area"), up("Wikipedia"), up("ca-HepTh")}, Supported},
		{"seven of eight", []sided{up("Cora"), up("PPI"), up("4area"), up("Wikipedia"), up("ca-HepTh"), up("Wiki-vote"), up("CiaoDVD"), down("Filmtrust")}, Supported},
		{"sign test not passed", []sided{up("Cora"), {"PPI", []float64{.8, .7}, []float64{.7, .9}}, {"4area", []float64{.8, .7}, []float64{.7, .9}}}, NotSupported},
		{"five of six", []sided{up("Cora"), up("PPI"), up("4area"), up("Wikipedia"), up("ca-HepTh"), down("Filmtrust")}, NotSupported},
		{"the other way", []sided{down("Cora"), down("PPI"), down("Filmtrust")}, NotSupported},
		{"no difference", []sided{{"Cora", []float64{.7, .8}, []float64{.7, .8}}, {"PPI", []float64{.7, .8}, []float64{.7, .8}}, {"4area", []float64{.7, .8}, []float64{.7, .8}}}, NotSupported},
	} {
		t.Run(test.name, func(t *testing.T) {
			var records []results.Record
			for _, n := range test.networks {
				records = append(records, scored(t, n.network, "validated", "Gumbel-Softmax", n.above...)...)
				records = append(records, scored(t, n.network, "validated", "softmax", n.below...)...)
			}
			claims := judged(t, store.NewRuns(records))
			c := find(t, claims, "gumbel-over-softmax/validated")
			if c.Verdict != test.want {
				t.Errorf("%s: expected %s\n%s", c.Verdict, test.want, strings.Join(c.Evidence, "\n"))
			}
			if other := find(t, claims, "gumbel-over-softmax/paper"); other.Verdict != TooFewRuns || len(other.Evidence) > 0 {
				t.Errorf("runs of one protocol are evidence under another: %+v", other)
			}
		})
	}
}

// Evidence has the numbers: means, standard deviations and differences worked out by hand. Runs on other splits under one name and seed are
// no pair.
func TestEvidence(t *testing.T) {
	deepWalk := scored(t, "Cora", "paper", "DeepWalk", .81, .85)
	records := append(scored(t, "Cora", "paper", "asp2vec", .80, .82, .90), deepWalk...)
	c := find(t, judged(t, store.NewRuns(records)), "deepwalk-on-academic/paper")
	want := "Cora: DeepWalk 0.8300 ± 0.0283, asp2vec 0.8100 ± 0.0141, difference +0.0200 ± 0.0141, 2 of 2 seeds higher"
	if len(c.Evidence) != 1 || c.Evidence[0] != want {
		t.Errorf("evidence %q: expected %q", c.Evidence, want)
	}
	for i := range records[3:] {
		records[3+i].Dataset.SHA256 = "another split"
	}
	if c = find(t, judged(t, store.NewRuns(records)), "deepwalk-on-academic/paper"); len(c.Evidence) != 0 {
		t.Errorf("evidence %q: expected none", c.Evidence)
	}
}

// A claim of two pairs is supported only by both.
func TestDiscreteness(t *testing.T) {
	for _, test := range []struct {
		cold, perturbed float64
		want            string
	}{{.7, .7, Agrees}, {.9, .7, NotSupported}, {.7, .9, NotSupported}, {.7, 0, TooFewRuns}, {0, .9, NotSupported}} {
		var records []results.Record
		for _, name := range []string{"Filmtrust", "PPI", "Cora"} {
			records = append(records, scored(t, name, "paper", "asp2vec", .8, .81)...)
			if test.cold > 0 {
				records = append(records, scored(t, name, "paper", "softmax without warm-up", test.cold, test.cold)...)
			}
			if test.perturbed > 0 {
				records = append(records, scored(t, name, "paper", "softmax with perturbed aspects", test.perturbed, test.perturbed)...)
			}
		}
		if c := find(t, judged(t, store.NewRuns(records)), "discreteness-over-symmetry/paper"); c.Verdict != test.want {
			t.Errorf("%+v: %s: expected %s", test, c.Verdict, test.want)
		}
	}
}

// The vectors of methods that are compared have as many numbers, all in all, and a column of Table 1 counts as what was chosen.
func TestSides(t *testing.T) {
	for _, name := range []string{"asp2vec", "DeepWalk", "node2vec", "DGI", "PolyDW", "Splitter"} {
		o := paperSides(t)[name].jobs("PPI", run.StandardProtocol, 1, "published")[0].Options
		numbers := o.Dim
		if o.Method.MultiVector() {
			numbers *= graphs.PaperAspects
		} else if o.Is(graphs.MethodAsp2vec) {
			numbers *= o.Aspects
		}
		if numbers != 100 {
			t.Errorf("%s: %d numbers, expected 100", name, numbers)
		}
	}
	var records []results.Record
	for _, dataset := range []string{"PPI", "Filmtrust", "Wiki-vote", "Cora"} {
		records = append(records, scored(t, dataset, run.StandardProtocol, "asp2vec", .8, .81)...)
		records = append(records, scored(t, dataset, run.StandardProtocol, "PolyDW", .7, .72)...)
	}
	c := find(t, judged(t, store.NewRuns(records)), "asp2vec-over-polydw/standard")
	if c.Verdict != Agrees || len(c.Evidence) != 5 || c.Agree != 4 || !slices.Equal(c.Networks, []string{"Filmtrust", "Wiki-vote", "PPI", "Cora"}) || !strings.Contains(c.Evidence[0], "PolyDW 0.7100") {
		t.Errorf("%+v", c)
	}
}

// Values of scipy.stats.binomtest(k, n, alternative="greater").pvalue.
func TestSignTest(t *testing.T) {
	for _, test := range []struct {
		higher, lower, equal int
		want                 float64
	}{{5, 0, 0, 0.03125}, {4, 1, 3, 0.1875}, {30, 10, 0, 0.0011107168866146822}, {0, 3, 0, 1}, {0, 0, 2, 1}} {
		diff := slices.Concat(slices.Repeat([]float64{1}, test.higher), slices.Repeat([]float64{-2}, test.lower), make([]float64, test.equal))
		if got := signTest(diff); math.Abs(got-test.want) > 1e-12 {
			t.Errorf("%d above, %d below: p = %v: expected %v", test.higher, test.lower, got, test.want)
		}
	}
}

// A claim of one data set needs five pairs, and names of sides that are there.
func TestOneNetwork(t *testing.T) {
	naming := func(dim int, scores ...float64) (records []results.Record) {
		o := call.Of(methods.Options(hetnet.MethodAsp2vecHet, graphs.Validated))(t)
		o.Dim = dim
		for i, x := range scores {
			o.Seed = uint64(i + 1)
			r := recordtest.Of(t, "DBLP", "validated", o, .5, .5)
			r.Metrics["recall@10"] = x
			records = append(records, r)
		}
		return records
	}
	file := func(below string) []byte {
		return []byte("sides: {a: {method: asp2vec-het, options: {dim: 8}}, b: {method: asp2vec-het, options: {dim: 4}}}\n" +
			"claims: [{name: wide, networks: [DBLP], metric: recall@10, pairs: [{above: a, below: " + below + "}]}]\n")
	}
	for seeds, want := range map[int]string{4: TooFewRuns, 5: Supported} {
		records := slices.Concat(naming(8, []float64{.5, .6, .5, .6, .5}[:seeds]...), naming(4, .4, .5, .4, .5, .4))
		claims, err := Claims(store.NewRuns(records), file("b"))
		if err != nil || find(t, claims, "wide/validated").Verdict != want {
			t.Errorf("%d seeds: %+v, %v: expected %s", seeds, claims, err, want)
		}
	}
	call.Refused(t, `side "c"`)(Claims(store.NewRuns(nil), file("c")))
}
