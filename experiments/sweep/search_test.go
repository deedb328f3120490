package sweep

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/recordtest"
	"github.com/asp2vec/asp2vec/results"
)

// A random search draws from a grid that nobody could hold, and from all numbers of a range, evenly along its scale; a longer search begins
// with a shorter one.
func TestRandomSearchOfRanges(t *testing.T) {
	const text = "datasets: cora\noptions:\n  tau: {from: 0.001, to: 10, scale: log}\n  epsilon: {from: 0.2, to: 0.6}\n  aspects: {from: 2, to: 4}\n" +
		"  lambda: {from: 0.001, to: 0.1, steps: 100000}\n  learning-rate: {from: 0.001, to: 0.1, steps: 100000}\nsearch: {random: %d}\n"
	s, jobs := jobsOf(t, fmt.Sprintf(text, 300))
	low, aspects := 0, map[int]int{}
	for _, j := range jobs {
		o := j.Options
		if o.Tau < .001 || o.Tau > 10 || o.Epsilon < .2 || o.Epsilon > .6 {
			t.Fatalf("tau %v and epsilon %v", o.Tau, o.Epsilon)
		}
		if o.Tau < .1 { // half of the scale
			low++
		}
		aspects[o.Aspects]++
	}
	// Of 300 coins the standard deviation is 8.7, of dice with three sides 8.2: both are within five of them.
	if math.Abs(float64(low)-150) > 45 || len(aspects) != 3 || aspects[2] < 60 || aspects[4] < 60 {
		t.Errorf("%d of 300 below the middle, aspects %v", low, aspects)
	}
	if _, fewer := jobsOf(t, fmt.Sprintf(text, 7)); !slices.Equal(fewer, jobs[:7]) {
		t.Error("a longer search does not begin with the shorter one")
	}
	if got := s.Varied(); !slices.Equal(got, []string{"tau", "epsilon", "aspects", "lambda", "learning-rate"}) {
		t.Errorf("varied %v", got)
	}
	if _, all := jobsOf(t, "datasets: cora\noptions: {aspects: {from: 2, to: 9}}\nsearch: {random: 8}\n"); len(all) != 8 {
		t.Errorf("%d whole numbers from 2 to 9", len(all))
	}
	for text, want := range map[string]string{
		"options: {tau: {from: 1, to: 2}}":                                                                                                      "s.yaml:2: option tau: a range without steps: want steps: COUNT, or search: {random: COUNT}",
		"options: {aspects: {from: 2.1, to: 2.9}}\nsearch: {random: 1}":                                                                         "no whole number from 2.1 to 2.9",
		"options: {aspects: {from: 2, to: 4}}\nsearch: {random: 4}":                                                                             "4 random combinations of 3",
		"options: {tau: {from: 1, to: 1.000025}}\nsearch: {random: 50}":                                                                         "50 random combinations of 3",
		"settings: [{name: a, options: {tau: {from: 1, to: 2}}}]":                                                                               "a range without steps",
		"settings: [{name: a}]\nsearch: {random: 2}":                                                                                            "a search with settings or choose",
		"options: {tau: [1, 2]}\nsearch: {halving: {from: 1, to: 3}}":                                                                           "without a budget",
		"options: {tau: [1, 2]}\nsearch: {halving: {budget: walks, from: 1, to: 3}}":                                                            `budget "walks": want one of epochs, pairs-per-vertex`,
		"options: {tau: [1, 2]}\nsearch: {halving: {budget: epochs, from: 3, to: 3}}":                                                           "halving from 3 to 3 epochs: want two whole numbers",
		"options: {tau: [1, 2]}\nsearch: {halving: {budget: epochs, from: 1, to: 9, factor: 1}}":                                                "factor of 1: want 2 or more",
		"options: {epochs: [1, 2]}\nsearch: {halving: {budget: epochs, from: 1, to: 9}}":                                                        "option epochs with halving",
		"options: {tau: [1, 2]}\nsearch: {halving: {budget: epochs, from: 1, to: 2000000000, factor: 2}}":                                       "halving in 32 rungs: want at most 20",
		"options: {dim: {from: 1, to: 9999}, window: {from: 1, to: 999}}\nsearch: {random: 1000000, halving: {budget: epochs, from: 1, to: 9}}": "want at most 10000",
	} {
		s, err := sweepOf(t, "datasets: cora\n"+text)
		if err == nil {
			_, err = s.Jobs(MaxRuns)
		}
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: error %v\nwant %s", text, err, want)
		}
	}
}

func jobsOfHalving(t *testing.T, text string) (*File, []store.Job) {
	t.Helper()
	s, err := sweepOf(t, text)
	if err != nil {
		t.Fatal(err)
	}
	jobs, err := s.Jobs(MaxRuns)
	if err != nil {
		t.Fatal(err)
	}
	return s, jobs
}

// A candidate that failed goes no further, and keeps nobody waiting.
func TestHalvingWithFailures(t *testing.T) {
	_, jobs := jobsOfHalving(t, "datasets: cora\nprotocol: validated\noptions: {epsilon: [.1, .2, .3]}\nsearch: {halving: {budget: epochs, from: 1, to: 3}}\n")
	var records []results.Record
	for i, j := range jobs[:3] {
		r := recordtest.Of(t, j.Dataset, j.Protocol, j.Options, .5, .5+j.Options.Epsilon)
		if i == 2 {
			r.Error = "no memory"
		}
		records = append(records, r)
	}
	runs := store.NewRuns(records)
	var left []string
	for _, j := range jobs[3:] {
		if !runs.NeedsNoRun(j) {
			left = append(left, strconv.FormatFloat(j.Options.Epsilon, 'g', -1, 64))
		}
	}
	if !slices.Equal(left, []string{"0.2"}) {
		t.Errorf("epsilon %v goes on, want .2", left)
	}
}
