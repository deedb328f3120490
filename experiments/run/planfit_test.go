package run

import (
	"regexp"
	"strconv"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
)

// The values that are told fit, and the next ones do not.
func TestWhatFits(t *testing.T) {
	o := graphs.Default()
	o.Dim, o.Aspects = 1000, 100
	planOf := func(o graphs.Options) Plan { return newPlan(5000, 5000, 20000, 0, 40000, o) }
	const limit = 1 << 30
	ways := regexp.MustCompile(`--(\w+) of at most (\d+)`).FindAllStringSubmatch(WhatFits(o, limit, planOf), -1)
	if len(ways) != 2 {
		t.Fatalf("%q: want ways by dim and aspects", ways)
	}
	for _, way := range ways {
		most, err := strconv.Atoi(way[2])
		if err != nil {
			t.Fatal(err)
		}
		for value, fits := range map[int]bool{most: true, most + 1: false} {
			other := o
			switch way[1] {
			case "dim":
				other.Dim = value
			case "aspects":
				other.Aspects = value
			}
			if got := planOf(other).Memory; got <= limit != fits {
				t.Errorf("%s of %d needs %d bytes; fits within %d: %v", way[1], value, got, limit, fits)
			}
		}
	}
}
