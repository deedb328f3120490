package run

import (
	"fmt"
	"sort"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
)

// WhatFits tells what a run needs to be within so many bytes of memory: the largest values of single options with which its plan is, or
// else what its largest part depends on.
func WhatFits(o graphs.Options, limit uint64, planOf func(graphs.Options) Plan) string {
	fits := func(o graphs.Options) bool { return uint64(planOf(o).Memory) <= limit }
	var ways []string
	for _, way := range []struct {
		name string
		of   func(*graphs.Options) *int
	}{
		{"dim", func(o *graphs.Options) *int { return &o.Dim }},
		{"aspects", func(o *graphs.Options) *int { return &o.Aspects }},
		{"batch", func(o *graphs.Options) *int { return &o.Batch }},
		{"walks", func(o *graphs.Options) *int { return &o.Walks }},
		{"negatives", func(o *graphs.Options) *int { return &o.Negatives }},
	} {
		if !o.Method.Reads(way.name) {
			continue
		}
		with := func(value int) graphs.Options {
			other := o
			*way.of(&other) = value
			return other
		}
		now := *way.of(&o)
		if most := sort.Search(now, func(i int) bool { return !fits(with(i + 1)) }); most > 0 && most < now {
			ways = append(ways, fmt.Sprintf("--%s of at most %d", way.name, most))
		}
	}
	if o.Engine == graphs.EngineGraph {
		other := o
		if other.Engine = graphs.EngineAuto; fits(other) {
			ways = append(ways, "--engine auto")
		}
	}
	if len(ways) == 0 {
		return planOf(o).Lower()
	}
	return strings.Join(ways, ", or ")
}
