package compare

import (
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/results"
)

// scored returns records of a side under a protocol, one a score, with seeds from 1. Of a side that is the best of several runs by held-out
// links it is the last, and the others, with a better score, do not count.
func scored(t *testing.T, dataset, protocol string, s side, scores ...float64) (all []results.Record) {
	t.Helper()
	if s.column != "" {
		for seed, score := range scores {
			jobs := s.jobs(dataset, protocol, uint64(seed+1))
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
			for i, j := range store.Trials(jobs) {
				r := recordtest.Of(t, dataset, protocol, j.Options, 0, 0)
				r.Metrics = results.Metrics{run.ValidationAUC: .5 + float64(i)/10}
				all = append(all, r)
			}
		}
		return all
	}
	return recordtest.Scored(t, dataset, protocol, s.method, run.Protocols[protocol], s.change, scores...)
}

func find(t *testing.T, claims []Claim, name string) Claim {
	t.Helper()
	i := slices.IndexFunc(claims, func(c Claim) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no claim %s", name)
	}
	return claims[i]
}

// sided is a network with scores of the two sides of a comparison.
type sided struct {
	network      string
	above, below []float64
}

// Every verdict that VerdictRule knows, on the claim of Table 3.
func TestVerdicts(t *testing.T) {
	up := func(name string) sided { return sided{name, []float64{.8, .81, .82}, []float64{.7, .71, .72}} }
	down := func(name string) sided { return sided{name, up(name).below, up(name).above} }
	tests := []struct {
		name     string
		networks []sided
		want     string
	}{
		{"nothing", nil, TooFewRuns},
		{"one network", []sided{up("Cora")}, TooFewRuns},
		{"three networks of one seed", []sided{{"Cora", []float64{.8}, []float64{.7}}, {"PPI", []float64{.8}, []float64{.7}}, {"4area", []float64{.8}, []float64{.7}}}, TooFewRuns},
		{"three networks, one side each", []sided{{"Cora", []float64{.8, .8}, nil}, {"PPI", nil, []float64{.8, .8}}, {"Filmtrust", []float64{.8}, nil}}, TooFewRuns},
		{"two networks, four pairs", []sided{{"Cora", []float64{.8, .81}, []float64{.7, .71}}, {"PPI", []float64{.8, .81}, []float64{.7, .71}}}, TooFewRuns},
		{"two networks, six pairs", []sided{up("Cora"), up("PPI")}, Supported},
		{"three means above, a pair below", []sided{up("Cora"), up("PPI"), {"Filmtrust", []float64{.8, .70}, []float64{.7, .71}}}, Supported},
		{"sign test, a mean below", []sided{up("Cora"), up("PPI"), up("4area"), {"Filmtrust", []float64{.70, .71}, []float64{.60, .90}}}, Supported},
		{"sign test not passed", []sided{up("Cora"), {"PPI", []float64{.8, .7}, []float64{.7, .9}}, {"4area", []float64{.8, .7}, []float64{.7, .9}}}, NotSupported},
		{"a network clearly against", []sided{up("Cora"), up("PPI"), up("4area"), up("Wikipedia"), up("ca-HepTh"), down("Filmtrust")}, NotSupported},
		{"the other way", []sided{down("Cora"), down("PPI"), down("Filmtrust")}, NotSupported},
		{"no difference", []sided{{"Cora", []float64{.7, .8}, []float64{.7, .8}}, {"PPI", []float64{.7, .8}, []float64{.7, .8}}, {"4area", []float64{.7, .8}, []float64{.7, .8}}}, NotSupported},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var records []results.Record
			for _, n := range test.networks {
				records = append(records, scored(t, n.network, "validated", asp2vecSide, n.above...)...)
				records = append(records, scored(t, n.network, "validated", softmaxSide, n.below...)...)
			}
			claims := Claims(store.NewRuns(records))
			c := find(t, claims, "gumbel-over-softmax/validated")
			if c.Verdict != test.want {
				t.Errorf("%s: want %s\n%s", c.Verdict, test.want, strings.Join(c.Evidence, "\n"))
			}
			if other := find(t, claims, "gumbel-over-softmax/paper"); other.Verdict != TooFewRuns || len(other.Evidence) > 0 {
				t.Errorf("runs of one protocol are evidence under another: %+v", other)
			}
		})
	}
}

// Evidence has the numbers: means, standard deviations and differences worked out by hand.
func TestEvidence(t *testing.T) {
	records := append(scored(t, "Cora", "paper", asp2vecSide, .80, .82, .90), scored(t, "Cora", "paper", deepWalkSide, .81, .85)...)
	c := find(t, Claims(store.NewRuns(records)), "deepwalk-on-academic/paper")
	want := "Cora: DeepWalk 0.8300 ± 0.0283, asp2vec 0.8100 ± 0.0141, difference +0.0200 ± 0.0141, 2 of 2 seeds higher"
	if len(c.Evidence) != 1 || c.Evidence[0] != want {
		t.Errorf("evidence %q: want %q", c.Evidence, want)
	}
}

// Runs on other splits under one name and seed are no pair.
func TestPairsNeedOneSplit(t *testing.T) {
	other := scored(t, "Cora", "paper", deepWalkSide, .81, .85)
	for i := range other {
		other[i].Dataset.SHA256 = "another split"
	}
	c := find(t, Claims(store.NewRuns(append(other, scored(t, "Cora", "paper", asp2vecSide, .8, .8)...))), "deepwalk-on-academic/paper")
	if len(c.Evidence) != 0 {
		t.Errorf("evidence %q: want none", c.Evidence)
	}
}

// Discreteness is supported only against both controls.
func TestDiscreteness(t *testing.T) {
	tests := []struct {
		cold, perturbed float64
		want            string
	}{{.7, .7, Supported}, {.9, .7, NotSupported}, {.7, .9, NotSupported}, {.7, 0, TooFewRuns}, {0, .9, NotSupported}}
	for _, test := range tests {
		var records []results.Record
		for _, name := range []string{"Filmtrust", "PPI", "Cora"} {
			records = append(records, scored(t, name, "paper", asp2vecSide, .8, .81)...)
			if test.cold > 0 {
				records = append(records, scored(t, name, "paper", coldSide, test.cold, test.cold)...)
			}
			if test.perturbed > 0 {
				records = append(records, scored(t, name, "paper", perturbedSide, test.perturbed, test.perturbed)...)
			}
		}
		if c := find(t, Claims(store.NewRuns(records)), "discreteness-over-symmetry/paper"); c.Verdict != test.want {
			t.Errorf("%+v: %s: want %s", test, c.Verdict, test.want)
		}
	}
}

func TestRegularizerLess(t *testing.T) {
	claim := func(onAcademic, onOthers float64) Claim {
		var records []results.Record
		for name, with := range map[string]float64{"Cora": onAcademic, "4area": onAcademic, "PPI": onOthers, "Filmtrust": onOthers} {
			records = append(records, scored(t, name, "paper", asp2vecSide, with, with)...)
			records = append(records, scored(t, name, "paper", freeSide, .5, .5)...)
		}
		return find(t, Claims(store.NewRuns(records)), "regularizer-less-on-academic/paper")
	}
	if c := claim(.51, .6); c.Verdict != Supported || !strings.Contains(c.Evidence[4], "+2.00% on 2 academic networks, +20.00% on 2 others") {
		t.Errorf("%+v: want %s", c, Supported)
	}
	if c := claim(.6, .6); c.Verdict != NotSupported {
		t.Errorf("%+v: want %s", c, NotSupported)
	}
}

// Each method that asp2vec is to be above has a verdict of its own, under each protocol, on the networks of the claim.
func TestHeadline(t *testing.T) {
	networks := []string{"PPI", "Filmtrust", "Wiki-vote", "Cora"}
	for name, c := range map[string]struct {
		below  side
		judged int
	}{
		"asp2vec-over-polydw": {polyDWSide, 4}, "asp2vec-over-splitter": {splitterSide, 4}, "asp2vec-over-dgi": {dgiSide, 4},
		"asp2vec-over-deepwalk": {deepWalkSide, 3},
	} {
		for _, protocol := range slices.Sorted(maps.Keys(run.Protocols)) {
			var records []results.Record
			for _, dataset := range networks {
				records = append(records, scored(t, dataset, protocol, asp2vecSide, .8, .81)...)
				records = append(records, scored(t, dataset, protocol, c.below, .7, .72)...)
			}
			claims := Claims(store.NewRuns(records))
			got := find(t, claims, name+"/"+protocol)
			if got.Verdict != Supported || len(got.Evidence) != c.judged+1 || !strings.Contains(got.Evidence[0], c.below.name+" 0.7100") {
				t.Errorf("%s under %s: %+v: want %s by %d networks", name, protocol, got, Supported, c.judged)
			}
			for other := range claims {
				o := claims[other]
				if base, _, _ := strings.Cut(o.Name, "/"); strings.HasPrefix(o.Name, "asp2vec-over-") && base != name && len(o.Evidence) > 0 {
					t.Errorf("runs of %s are evidence for %s", c.below.name, o.Name)
				}
			}
		}
	}
}

// The vectors of methods that are compared have as many numbers, all in all.
func TestSidesAreOfOneSize(t *testing.T) {
	for _, s := range []side{asp2vecSide, deepWalkSide, node2vecSide, dgiSide, polyDWSide, splitterSide} {
		o := s.jobs("PPI", run.StandardProtocol, 1)[0].Options
		numbers := o.Dim
		if o.Method.MultiVector() {
			numbers *= graphs.PaperAspects
		} else if o.Is(graphs.MethodAsp2vec) {
			numbers *= o.Aspects
		}
		if numbers != claimedDim {
			t.Errorf("%s: %d numbers, want %d", s.name, numbers, claimedDim)
		}
	}
}

// Of node2vec's p and q, those count that the validation links like best under the first seed, not those with the best test AUC.
func TestNode2vecSide(t *testing.T) {
	var records []results.Record
	for i, j := range node2vecSide.jobs("PPI", "validated", 1) {
		s := side{name: "node2vec", method: graphs.MethodNode2vec, change: func(o *graphs.Options) { *o = j.Options }}
		scores := []float64{.5 + float64(i)/100} // the last has the best test AUC
		validation := .6
		if i == 3 {
			scores, validation = append(scores, .7, .9), .65
		}
		for _, r := range scored(t, "PPI", "validated", s, scores...) {
			r.BestStage, r.BestEpoch, r.Selection = r.Method, 1, results.ValidationBest
			r.Epochs = []results.Epoch{{Stage: r.Method, Epoch: 1, ValidationAUC: &validation}}
			records = append(records, r)
		}
	}
	records = append(records, scored(t, "PPI", "validated", asp2vecSide, .8, .8, .8)...)
	c := find(t, Claims(store.NewRuns(records)), "asp2vec-over-node2vec/validated")
	const want = "node2vec 0.7100 ± 0.1852, difference +0.0900 ± 0.1852, 2 of 3 seeds higher" // .53, .7 and .9
	if len(c.Evidence) != 1 || !strings.HasSuffix(c.Evidence[0], want) {
		t.Errorf("evidence %q: want %q", c.Evidence, want)
	}
	c = find(t, Claims(store.NewRuns(records[1:])), "asp2vec-over-node2vec/validated") // a choice is missing
	if len(c.Evidence) != 0 {
		t.Errorf("evidence of a choice that was not made: %q", c.Evidence)
	}
}

func TestGumbelLessOnAcademic(t *testing.T) {
	claim := func(onAcademic, onOthers float64) Claim {
		var records []results.Record
		for name, with := range map[string]float64{"Cora": onAcademic, "4area": onAcademic, "PPI": onOthers, "Filmtrust": onOthers} {
			records = append(records, scored(t, name, "paper", asp2vecSide, with, with)...)
			records = append(records, scored(t, name, "paper", softmaxSide, .5, .5)...)
		}
		return find(t, Claims(store.NewRuns(records)), "gumbel-less-on-academic/paper")
	}
	if c := claim(.51, .6); c.Verdict != Supported || !strings.Contains(c.Evidence[4], "+2.00% on 2 academic networks, +20.00% on 2 others") {
		t.Errorf("%+v: want %s", c, Supported)
	}
	if c := claim(.6, .51); c.Verdict != NotSupported {
		t.Errorf("%+v: want %s", c, NotSupported)
	}
}

func TestWarmUpHelps(t *testing.T) {
	for want, without := range map[string]float64{Supported: .7, NotSupported: .9} {
		var records []results.Record
		for _, name := range []string{"Cora", "PPI", "Filmtrust"} {
			records = append(records, scored(t, name, "validated", asp2vecSide, .8, .8)...)
			records = append(records, scored(t, name, "validated", unwarmedSide, without, without)...)
		}
		if c := find(t, Claims(store.NewRuns(records)), "warm-up-helps/validated"); c.Verdict != want || len(c.Evidence) != 4 {
			t.Errorf("%v without warm-up: %+v: want %s", without, c, want)
		}
	}
}

func TestFiveAspects(t *testing.T) {
	claim := func(five float64, networks ...string) Claim {
		var records []results.Record
		for _, name := range networks {
			for _, k := range []int{2, 3, 4, 5, 6} {
				score := map[int]float64{5: five, 6: .8}[k]
				if score == 0 {
					score = .7
				}
				s := side{method: graphs.MethodAsp2vec, change: func(o *graphs.Options) { o.Aspects = k }}
				records = append(records, scored(t, name, "paper", s, score, score)...)
			}
		}
		return find(t, Claims(store.NewRuns(records)), "five-aspects/paper")
	}
	for want, c := range map[string]Claim{Supported: claim(.796, "Cora", "PPI"), NotSupported: claim(.79, "Cora", "PPI"), TooFewRuns: claim(.8, "Cora")} {
		if c.Verdict != want {
			t.Errorf("%+v: want %s", c, want)
		}
	}
}

func TestDGI(t *testing.T) {
	var records []results.Record
	for i, name := range []string{"Cora", "PPI", "Filmtrust"} {
		large := []int{200, 500, 200}[i]
		records = append(records, scored(t, name, "validated", oneVectorSide("", graphs.MethodDGI, 100), .7, .7)...)
		records = append(records, scored(t, name, "validated", oneVectorSide("", graphs.MethodDGI, large), .8, .8)...)
	}
	if c := find(t, Claims(store.NewRuns(records)), "dgi-improves-with-dim/validated"); c.Verdict != Supported || len(c.Evidence) != 4 {
		t.Errorf("%+v: want %s by three networks", c, Supported)
	}
}

func TestFigure4(t *testing.T) {
	claim := func(t2 Tendency) string {
		t1 := Tendency{Dataset: "Cora", Protocol: "paper", Noisy: -.9, NoiseFree: -.5, Null: -.8, PolyDW: .1}
		t2.Dataset, t2.Protocol = "PPI", "paper"
		return find(t, Claims(store.NewRuns(nil), t1, t2), "frequent-vertices-even/paper").Verdict
	}
	for _, test := range []struct {
		Tendency
		want string
	}{
		{Tendency{Noisy: -.9, NoiseFree: -.5, Null: -.8, PolyDW: .1}, Supported},
		{Tendency{Noisy: -.8, NoiseFree: -.5, Null: -.9, PolyDW: .1}, NotSupported}, // a random assigner does as much
		{Tendency{Noisy: -.9, NoiseFree: .1, Null: -.8, PolyDW: .2}, NotSupported},
		{Tendency{Noisy: -.9, NoiseFree: -.5, Null: -.8, PolyDW: -.6}, NotSupported},
		{Tendency{Noisy: math.NaN()}, TooFewRuns},
	} {
		if got := claim(test.Tendency); got != test.want {
			t.Errorf("%+v: %s: want %s", test.Tendency, got, test.want)
		}
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
			t.Errorf("%d above, %d below: p = %v: want %v", test.higher, test.lower, got, test.want)
		}
	}
}

// Records that say nonsense are no evidence, and do no harm.
func TestClaimsOnBadRecords(t *testing.T) {
	records := scored(t, "<script>", "paper", asp2vecSide, .8, .9)
	records = append(records, scored(t, "Cora", "paper", asp2vecSide, math.NaN(), 7, math.Inf(1))...)
	records = append(records, results.Record{Method: "nothing known", Options: []byte(`{`)}, results.Record{Method: "asp2vec"})
	for _, c := range Claims(store.NewRuns(records)) {
		if c.Verdict != TooFewRuns || len(c.Evidence) > 0 {
			t.Errorf("%+v: want no evidence", c)
		}
	}
}
