package store

import (
	"slices"
	"testing"
)

// Of each prefix of the scores the best third goes on, in the order in which that becomes known; what failed never does.
func TestPromoted(t *testing.T) {
	h := &Halving{Factor: 3, Asynchronous: true}
	of := func(scores ...float64) (all []candidate) {
		for i, s := range scores {
			all = append(all, candidate{number: i, score: s, failed: s < 0})
		}
		return all
	}
	for _, c := range []struct {
		name     string
		scored   []candidate
		complete bool
		want     []int
	}{
		{"none", nil, true, nil},
		{"too few yet", of(.1, .2), false, nil},
		{"few, and there are no more", of(.1, .2), true, []int{1}},
		{"a third", of(.1, .5, .3, .2, .9, .4), false, []int{1, 4}},
		{"one that is overtaken has gone on", of(.3, .2, .1, .6, .5, .4, .9, .8, .7), true, []int{0, 3, 4, 6, 7, 8}},
		{"falling scores", of(.9, .8, .7, .6, .5, .4, .3, .2, .1), true, []int{0, 1, 2}},
		{"equal scores, the earlier first", of(.5, .5, .5, .5, .5, .5), true, []int{0, 1}},
		{"failures count, and do not go on", of(-1, -1, -1, .5, -1, -1), true, []int{3}},
		{"all failed", of(-1, -1, -1), true, nil},
	} {
		if got := h.promoted(c.scored, c.complete); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v go on, want %v", c.name, got, c.want)
		}
	}
}

// What is known to go on does not change when more scores come.
func TestPromotedNeverTakesBack(t *testing.T) {
	h := &Halving{Factor: 2, Asynchronous: true, Seed: 3}
	var all []candidate
	for i, n := range h.Order(100) {
		all = append(all, candidate{number: i, score: float64(n)})
	}
	var before []int
	for n := range all {
		now := h.promoted(all[:n], false)
		if !slices.Equal(now[:len(before)], before) {
			t.Fatalf("after %d scores %v go on, and %v before", n, now, before)
		}
		before = now
	}
}
