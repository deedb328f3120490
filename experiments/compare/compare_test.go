package compare

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/paired"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// runOf returns a record of asp2vec, changed.
func runOf(t *testing.T, dataset string, seed uint64, auc float64, change func(*graphs.Options)) results.Record {
	t.Helper()
	o := graphs.Default()
	o.Seed = seed
	if change != nil {
		change(&o)
	}
	return recordtest.Of(t, dataset, "validated", o, auc, 0.5)
}

func softmax(o *graphs.Options) { o.Selection = "softmax" }

func filterOf(t *testing.T, text string) store.Filter {
	t.Helper()
	return call.Of(store.ParseFilter(text))(t)
}

// compared compares two filters of one store.
func compared(t *testing.T, records []results.Record, a, b string, o Options) (*Comparison, error) {
	t.Helper()
	return Compare(Side{Filter: filterOf(t, a), Records: records}, Side{Filter: filterOf(t, b), Records: records}, o)
}

// gumbelAndSoftmax are runs whose differences are .02, .01 and .03 on Cora, and .1 and -.05 on PPI.
func gumbelAndSoftmax(t *testing.T) []results.Record {
	var records []results.Record
	for _, r := range []struct {
		dataset string
		a, b    []float64
	}{{"PPI", []float64{.9, .8}, []float64{.8, .85}}, {"Cora", []float64{.82, .83, .84}, []float64{.8, .82, .81}}} {
		for i := range r.a {
			records = append(records, runOf(t, r.dataset, uint64(i+1), r.a[i], nil), runOf(t, r.dataset, uint64(i+1), r.b[i], softmax))
		}
	}
	return records
}

func TestCompareKnownDifferences(t *testing.T) {
	records := gumbelAndSoftmax(t)
	records = append(records, runOf(t, "Cora", 4, .9, nil)) // without a partner
	c := call.Of(compared(t, records, "method=asp2vec,selection=gumbel", "selection=softmax", Options{}))(t)
	if len(c.Networks) != 2 || c.Networks[0].Dataset != "PPI" || c.Networks[1].Dataset != "Cora" || c.Pairs != 5 || c.Overall.N != 2 {
		t.Fatalf("%+v", c)
	}
	// By hand: means .025 and .02, whose mean is .0225; the standard deviation of .02, .01, .03 is .01.
	ppi, cora := c.Networks[0], c.Networks[1]
	for what, pair := range map[string][2]float64{
		"PPI": {ppi.Difference.Mean, .025}, "Cora": {cora.Difference.Mean, .02}, "spread on Cora": {cora.Difference.SD, .01}, "overall": {c.Overall.Mean, .0225},
		"mean of A on Cora": {cora.A.Mean, .83}, "mean of B on Cora": {cora.B.Mean, .81}, "the second pair": {ppi.Pairs[1].Difference, -.05},
	} {
		if math.Abs(pair[0]-pair[1]) > 1e-12 {
			t.Errorf("%s: %v, expected %v", what, pair[0], pair[1])
		}
	}
	// By hand, ranks of .1, -.05, .02, .01, .03 are 5, -4, 2, 1, 3, their sum is 7. Of the 32 sums of ±1 to ±5 those at least 7
	// from 0 are 15, 13, 11, 9, 9, 7, 7 and their mirrors.
	if w := c.Tests[1]; w.Name != paired.WilcoxonName || w.P != 14./32 || w.Pairs != 5 {
		t.Errorf("%+v", w)
	}
	if s := c.Tests[2]; len(c.Tests) != 3 || s.Name != BySets || s.P != .5 {
		t.Errorf("%+v: two data sets of one sign have p = 2/4", c.Tests)
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "p cannot be below 0.0625") || !strings.Contains(notes, "pairs are not independent networks") {
		t.Errorf("notes %q", notes)
	}
	if want := []Unpaired{{"A", "Cora", []uint64{4}, "the other set has no run on this data set with this seed"}}; !reflect.DeepEqual(c.Unpaired, want) {
		t.Errorf("unpaired %+v", c.Unpaired)
	}
}

// With A and B exchanged the signs change and p does not, exact or drawn.
func TestCompareIsSymmetric(t *testing.T) {
	for _, seeds := range []int{1, 2, 3} {
		var records []results.Record
		for s := range seeds {
			for d, name := range []string{"Cora", "PPI", "Filmtrust"} {
				x := float64(s*7%5+d)/100 - .01
				records = append(records, runOf(t, name, uint64(s), .8+x, nil), runOf(t, name, uint64(s), .8+x*x, softmax))
				for e := range 2 { // so that the tests must put the pairs of a seed in order
					epsilon := func(o *graphs.Options) { o.Epsilon = float64(e) / 4 }
					records = append(records, runOf(t, name, uint64(s), .81+x*float64(e), epsilon), runOf(t, name, uint64(s), .8, func(o *graphs.Options) { epsilon(o); softmax(o) }))
				}
			}
		}
		records = append(records, runOf(t, "Cora", 99, .5, softmax))
		ab := call.Of(compared(t, records, "selection=gumbel", "selection=softmax", Options{Seed: 3}))(t)
		ba := call.Of(compared(t, records, "selection=softmax", "selection=gumbel", Options{Seed: 3}))(t)
		if !slices.Equal(ab.Tests, ba.Tests) || (ab.Tests[0].Draws > 0) != (ab.Pairs > paired.MaxExact) || ab.Pairs != 9*seeds {
			t.Errorf("%d seeds: %+v\n%+v", seeds, ab.Tests, ba.Tests)
		}
		if ab.Overall.Mean != -ba.Overall.Mean || ab.Overall.Mean == 0 {
			t.Errorf("%v and %v", ab.Overall, ba.Overall)
		}
		for i, n := range ab.Networks {
			if m := ba.Networks[i]; n.Difference.Mean != -m.Difference.Mean || n.A != m.B || n.B != m.A || n.Difference.SD != m.Difference.SD {
				t.Errorf("%+v\n%+v", n, m)
			}
		}
		if u, v := ab.Unpaired, ba.Unpaired; len(u) != 1 || len(v) != 1 || u[0].Set != "B" || v[0].Set != "A" {
			t.Errorf("%+v, %+v", u, v)
		}
	}
}

// What the filters do not name must agree, and what does not is told.
func TestComparePairing(t *testing.T) {
	eps := func(e float64, more ...func(*graphs.Options)) func(*graphs.Options) {
		return func(o *graphs.Options) {
			o.Epsilon = e
			for _, f := range more {
				f(o)
			}
		}
	}
	records := []results.Record{
		runOf(t, "Cora", 1, .8, eps(.1)), runOf(t, "Cora", 1, .7, eps(.1, softmax)),
		runOf(t, "Cora", 1, .9, eps(.5)), runOf(t, "Cora", 1, .6, eps(.5, softmax, func(o *graphs.Options) { o.WalksInMemory = "true" })),
		runOf(t, "Cora", 1, .9, eps(.9)), runOf(t, "Cora", 2, .9, eps(.9)), runOf(t, "Cora", 2, .8, eps(.7, softmax)),
	}
	c := call.Of(compared(t, records, "selection=gumbel", "selection=softmax", Options{}))(t)
	pairs := c.Networks[0].Pairs
	if c.Pairs != 2 || pairs[0].Options != "epsilon=0.1" || pairs[1].Options != "epsilon=0.5" || math.Abs(pairs[1].Difference-.3) > 1e-12 {
		t.Errorf("%+v", c.Networks)
	}
	if notes := strings.Join(c.Notes, "\n"); !strings.Contains(notes, "differ from each other in epsilon:") {
		t.Errorf("notes %q", notes)
	}
	var why []string
	for _, u := range c.Unpaired {
		why = append(why, fmt.Sprint(u.Set, u.Seeds, u.Why))
	}
	if want := []string{"A[1]the nearest run of the other set has epsilon=0.1, here 0.9", "A[2]the nearest run of the other set has epsilon=0.7, here 0.9",
		"B[2]the nearest run of the other set has epsilon=0.9, here 0.7"}; len(why) != 3 || why[1] != want[1] || why[2] != want[2] {
		t.Errorf("%q\nwant %q", why, want)
	}
	if c, err := compared(t, records, "selection=gumbel,epsilon=.9", "selection=softmax,epsilon=0.7", Options{}); err != nil || c.Pairs != 1 || len(c.Unpaired) != 1 {
		t.Errorf("named in both: %+v, %v", c, err)
	}
	call.Refused(t, "2 runs of B could be paired with one of A, such as Cora asp2vec validated seed=1")(compared(t, records, "selection=gumbel", "selection=softmax", Options{Ignore: []string{"epsilon"}}))
	if c, err := compared(t, records, "selection=gumbel,seed=2", "selection=softmax", Options{Ignore: []string{"epsilon"}}); err != nil || c.Pairs != 1 {
		t.Errorf("ignored: %+v, %v", c, err)
	}
}

// Methods are compared by the options that both read, protocols by those that protocols leave alone.
func TestCompareMethodsAndProtocols(t *testing.T) {
	var records []results.Record
	for seed := range uint64(3) {
		deep, _ := methods.Options(graphs.MethodDeepWalk, graphs.Validated)
		deep.Seed, deep.Dim = seed, 100
		paper := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Paper)
		paper.Seed = seed
		records = append(records, runOf(t, "Cora", seed, .9, nil), recordtest.Of(t, "Cora", "validated", deep, .8, .5), recordtest.Of(t, "Cora", "paper", paper, .95, .5))
	}
	c, err := compared(t, records, "method=asp2vec,dim=20,protocol=validated", "method=deepwalk,dim=100", Options{})
	if err != nil || c.Pairs != 3 || math.Abs(c.Overall.Mean-.1) > 1e-12 {
		t.Errorf("methods: %+v, %v", c, err)
	}
	call.Refused(t, "A of Cora, seed 0: the nearest run of the other set has dim=100, here 20")(compared(t, records, "method=asp2vec,protocol=validated", "method=deepwalk", Options{}))
	c, err = compared(t, records, "method=asp2vec,protocol=paper", "method=asp2vec,protocol=validated", Options{})
	if err != nil || c.Pairs != 3 || !strings.Contains(strings.Join(c.Notes, "\n"), "test-best in A, validation-best in B") {
		t.Errorf("protocols: %+v, %v", c, err)
	}
	c, err = compared(t, records, "protocol=paper", "protocol=paper", Options{Metric: "auc_random"})
	if notes := strings.Join(c.Notes, "\n"); err != nil || c.Tests[0].P != 1 || !strings.Contains(notes, "3 pairs are the same run in both sets") || !strings.Contains(notes, "too high") {
		t.Errorf("a set with itself: %+v, %v", c, err)
	}
}

// Records that do not agree, failed runs, other data and other commits are told apart.
func TestCompareContradictions(t *testing.T) {
	records := gumbelAndSoftmax(t)
	again := runOf(t, "Cora", 1, .5, nil)
	again.Code.Commit = "abcdef0123"
	failed := runOf(t, "Cora", 2, .1, nil)
	failed.Error = "no memory"
	foreign := records[0]
	foreign.Method = "no-such-method"
	other := runOf(t, "PPI", 2, .85, softmax)
	other.Dataset.SHA256 = "something else"
	all := append(slices.Clone(records), again, failed, foreign, other)
	c := call.Of(Compare(Side{Filter: filterOf(t, "selection=gumbel"), Records: all}, Side{Filter: filterOf(t, "selection=softmax"), Records: all}, Options{}))(t)
	if len(c.Contradictions) != 1 || !strings.Contains(c.Contradictions[0], "A: asp2vec on Cora, seed 1: two records with AUC 0.82 (commit , ) and 0.5 (commit abcdef01") {
		t.Errorf("%q", c.Contradictions)
	}
	if c.Pairs != 5 || len(c.Unpaired) != 1 || !strings.Contains(c.Unpaired[0].Why, "other data: checksum of PPI, here somethin") {
		t.Errorf("%d pairs, unpaired %+v", c.Pairs, c.Unpaired)
	}
	if !strings.Contains(strings.Join(c.Notes, "\n"), "A: 1 failed or interrupted runs are left out") {
		t.Errorf("notes %q", c.Notes)
	}
	// One loss before a change and after it, in one store.
	c, err := compared(t, []results.Record{runOf(t, "Cora", 1, .8, nil), again}, "commit=abc", "seed=1,seed=2", Options{})
	if err != nil || c.Pairs != 1 || len(c.Contradictions) != 0 && c.Contradictions[0][0] != 'B' {
		t.Errorf("%+v, %v", c, err)
	}
}

// A comparison leaves older definitions out, unless it is one of versions, and says so either way.
func TestCompareDefinitions(t *testing.T) {
	all := []results.Record{runOf(t, "Cora", 1, .8, nil), runOf(t, "Cora", 2, .9, nil)}
	old := slices.Clone(all)
	for i := range old {
		old[i].Definition = "0123456789abcdef"
	}
	both := slices.Concat(old, all)
	var c Comparison
	entries, err := c.entries("A", Side{Records: both}, freeOptions(nil))
	if err != nil || len(entries) != 2 || len(c.Contradictions) != 0 {
		t.Errorf("%d runs, %v, %v", len(entries), c.Contradictions, err)
	}
	c = Comparison{}
	if entries, err = c.entries("A", Side{Records: old}, freeOptions(nil)); err != nil || len(entries) != 0 || len(c.Notes) != 1 {
		t.Errorf("%d runs, notes %v, %v", len(entries), c.Notes, err)
	}
	f := call.Of(store.ParseFilter("definition=0123"))(t)
	for _, side := range []Side{{Records: both, Filter: f}, {Records: old, Versions: true}} {
		c = Comparison{}
		if entries, err = c.entries("A", side, freeOptions(nil)); err != nil || len(entries) != 2 || len(c.Notes) != 1 || len(c.Contradictions) != 0 {
			t.Errorf("%d runs, notes %v, %v", len(entries), c.Notes, err)
		}
	}
}
