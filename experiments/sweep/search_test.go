package sweep

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"
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
	if _, fewer := jobsOf(t, fmt.Sprintf(text, 7)); !reflect.DeepEqual(fewer, jobs[:7]) {
		t.Error("a longer search does not begin with the shorter one")
	}
	if got := s.Varied(); !slices.Equal(got, []string{"tau", "epsilon", "aspects", "lambda", "learning-rate"}) {
		t.Errorf("varied %v", got)
	}
	if _, all := jobsOf(t, "datasets: cora\noptions: {aspects: {from: 2, to: 9}}\nsearch: {random: 8}\n"); len(all) != 8 {
		t.Errorf("%d whole numbers from 2 to 9", len(all))
	}
	for text, want := range map[string]string{
		"options: {tau: {from: 1, to: 2}}":                              "s.yaml:2: option tau: a range without steps: expected steps: COUNT, or search: {random: COUNT}",
		"options: {aspects: {from: 2.1, to: 2.9}}\nsearch: {random: 1}": "no whole number from 2.1 to 2.9",
		"options: {aspects: {from: 2, to: 4}}\nsearch: {random: 4}":     "4 random combinations of 3",
		"options: {tau: {from: 1, to: 1.000025}}\nsearch: {random: 50}": "50 random combinations of 3",
		"settings: [{name: a, options: {tau: {from: 1, to: 2}}}]":       "a range without steps",
		"settings: [{name: a}]\nsearch: {random: 2}":                    "a search with settings or choose",
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
