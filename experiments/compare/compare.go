// Package compare tests differences: of two sets of runs, pair by pair (Compare), and what the paper says of its methods (Claims).
package compare

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/paired"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/render"
)

// Side is one of two sets of runs: what a filter picks of records.
type Side struct {
	Filter  store.Filter
	Records []results.Record
	// Versions says that versions of the program are compared: records of older definitions of a method count as others do. So they
	// do where the filter names a commit or a definition.
	Versions bool
}

// Options say how to compare.
type Options struct {
	Metric string   // of records; "" for "auc", on the test links
	Ignore []string // options that may differ within a pair beside those that the filters name
	Seed   uint64   // of tests that draw at random
}

// Comparison is what pairs of runs say of the difference A - B of a metric.
type Comparison struct {
	A        string              `json:"a"` // the filters
	B        string              `json:"b"`
	Metric   string              `json:"metric"`
	Networks []NetworkDifference `json:"networks"`
	Overall  render.Value        `json:"overall"` // mean of the data sets' mean differences, their standard deviation and number
	Pairs    int                 `json:"pairs"`
	Tests    []paired.Test       `json:"tests"`

	Unpaired       []Unpaired `json:"unpaired,omitempty"`
	Contradictions []string   `json:"contradictions,omitempty"` // records of one run that do not agree
	Notes          []string   `json:"notes,omitempty"`          // what the reader should know of the numbers
}

// NetworkDifference is the part of a comparison on one data set.
type NetworkDifference struct {
	Dataset    string       `json:"dataset"`
	A          render.Value `json:"a"`
	B          render.Value `json:"b"`
	Difference render.Value `json:"difference"`
	Pairs      []Pair       `json:"pairs"`
}

// Pair is two runs that differ in what is compared, and in nothing else that moves a number.
type Pair struct {
	Seed       uint64  `json:"seed"`
	Options    string  `json:"options,omitempty"` // of both, where they differ from pair to pair
	A          float64 `json:"a"`
	B          float64 `json:"b"`
	Difference float64 `json:"difference"`
}

// Unpaired are runs of one set that have no partner in the other.
type Unpaired struct {
	Set     string   `json:"set"` // "A" or "B"
	Dataset string   `json:"dataset"`
	Seeds   []uint64 `json:"seeds"`
	Why     string   `json:"why"`
}

// BySets is the name of the sign-flip test whose units are data sets.
const BySets = paired.SignFlipName + ", data sets as units"

// Compare pairs the runs of two sets and compares a metric of them. Two runs are a pair if they are of the same data (name
// and checksum) and seed, and agree in all options but those that either filter names, those to ignore, and those that change
// no number. Where a filter names the protocol, the options that are as a run's protocol sets them for its method may differ, but for dim; where
// one names the method, these and those that only one of the two reads.
//
// The tests are sign-flip of the mean over data sets of their mean differences, Wilcoxon's over all pairs, and, for two data
// sets or more, sign-flip of whole data sets' means. It returns an error if there is no pair, with what there is instead, and
// if a run has several partners.
func Compare(a, b Side, o Options) (*Comparison, error) {
	for _, name := range o.Ignore {
		if _, err := store.FilterOption(name); err != nil {
			return nil, fmt.Errorf("compare: ignore: %w", err)
		}
	}
	c := &Comparison{A: a.Filter.String(), B: b.Filter.String(), Metric: cmp.Or(o.Metric, "auc")}
	free := freeOptions(slices.Concat(a.Filter.Names(), b.Filter.Names(), o.Ignore))
	setA, err := c.entries("A", a, free)
	if err != nil {
		return nil, err
	}
	setB, err := c.entries("B", b, free)
	if err != nil {
		return nil, err
	}
	pairs, err := c.pair(setA, setB)
	if err != nil {
		return nil, err
	}
	if len(pairs) == 0 {
		return nil, c.nothing(a, b, setA, setB)
	}
	c.describe(pairs)
	c.test(o.Seed)
	c.note(pairs)
	return c, nil
}

// describe fills in the numbers of each data set.
func (c *Comparison) describe(pairs []pairing) {
	c.Pairs = len(pairs)
	names := varying(pairs)
	var means []float64
	for first := 0; first < len(pairs); {
		n := NetworkDifference{Dataset: pairs[first].a.record.Dataset.Name}
		var as, bs, ds []float64
		last := first
		for ; last < len(pairs) && pairs[last].a.record.Dataset.Name == n.Dataset; last++ {
			p := pairs[last]
			x, y := p.a.record.Metrics[c.Metric], p.b.record.Metrics[c.Metric]
			as, bs, ds = append(as, x), append(bs, y), append(ds, x-y)
			options := seq.Map(names, func(name string) string { return name + "=" + p.a.words[name] })
			n.Pairs = append(n.Pairs, Pair{p.a.record.Seed, strings.Join(options, " "), x, y, x - y})
		}
		n.A, n.B, n.Difference = render.ValueOf(as), render.ValueOf(bs), render.ValueOf(ds)
		c.Networks = append(c.Networks, n)
		means = append(means, n.Difference.Mean)
		first = last
	}
	c.Overall = render.ValueOf(means)
}

// test adds the tests.
func (c *Comparison) test(seed uint64) {
	var strata [][]float64
	var all, means []float64
	for _, n := range c.Networks {
		ds := seq.Map(n.Pairs, func(p Pair) float64 { return p.Difference })
		strata, all, means = append(strata, ds), append(all, ds...), append(means, n.Difference.Mean)
	}
	c.Tests = []paired.Test{paired.SignFlip(strata, seed), paired.Wilcoxon(all, seed)}
	if len(means) > 1 {
		t := paired.SignFlip([][]float64{means}, seed)
		t.Name = BySets
		c.Tests = append(c.Tests, t)
	}
}

// note adds what the reader should know.
func (c *Comparison) note(pairs []pairing) {
	say := func(format string, args ...any) { c.Notes = append(c.Notes, fmt.Sprintf(format, args...)) }
	if t := c.Tests[0]; t.Least > 0.05 {
		say("%d pairs differ: p cannot be below %.3g, so .05 cannot be reached; that needs at least six pairs", t.Pairs, t.Least)
	}
	if c.Pairs > len(c.Networks) {
		say("the seeds of one data set share its network, so pairs are not independent networks: a p over pairs says something about these networks, not about others")
	}
	if names := varying(pairs); len(names) > 0 {
		say("pairs differ from each other in %s: those of one data set and seed are even less independent", strings.Join(names, ", "))
	}
	if c.Tests[0].Draws > 0 {
		say("more than %d pairs: p is computed from %d random sign flips, not from all", paired.MaxExact, paired.Draws)
	}
	selections := func(side func(pairing) *comparand) string {
		seen := seq.Set(pairs, func(p pairing) string { return side(p).record.Selection })
		return strings.Join(slices.Sorted(maps.Keys(seen)), ", ")
	}
	inA := selections(func(p pairing) *comparand { return p.a })
	inB := selections(func(p pairing) *comparand { return p.b })
	switch {
	case inA != inB:
		say("epochs were chosen differently: %s in A, %s in B; a metric of epochs chosen on the test links is too high", inA, inB)
	case inA == results.TestBest:
		say("epochs were chosen on the test links, as in the paper: both metrics are too high")
	}
	twice := seq.Count(pairs, func(p pairing) bool { return p.a.id == p.b.id && p.a.record.Started.Equal(p.b.record.Started) })
	if twice > 0 {
		say("%d pairs are the same run in both sets", twice)
	}
}
