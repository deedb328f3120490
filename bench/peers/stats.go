package main

import (
	"fmt"
	"math"
	"slices"
)

// spread is a median with the smallest and largest of N values, without unit or in pairs per second.
type spread struct {
	Median float64 `json:"median"`
	Min    float64 `json:"min"`
	Max    float64 `json:"max"`
	N      int     `json:"n"`
}

// spreadOf returns the spread of some values, none of them NaN; the zero spread for none.
func spreadOf(x []float64) spread {
	if len(x) == 0 {
		return spread{}
	}
	s := slices.Sorted(slices.Values(x))
	h := len(s) / 2
	m := s[h]
	if len(s)%2 == 0 {
		m = (s[h-1] + s[h]) / 2
	}
	return spread{Median: m, Min: s[0], Max: s[len(s)-1], N: len(s)}
}

// claim is a ratio of two contestants that is worth reporting, and what the project wants of it.
type claim struct {
	Method string  `json:"method"`
	What   string  `json:"what"`
	Want   float64 `json:"want,omitempty"` // at least; 0 for none
	Ratio  *spread `json:"ratio"`          // taken within rounds; null where a side is missing

	above, below side
}

type side struct {
	name    string
	threads int
	kernel  bool // the figure without optimizer
}

// claims lists the ratios of a run.
func claims(o options) []claim {
	var out []claim
	for _, m := range o.methods {
		add := func(want float64, above, below side) {
			out = append(out, claim{Method: m, What: above.String() + " / " + below.String(), Want: want, above: above, below: below})
		}
		for _, t := range o.threads {
			fused, graph := side{name: "asp2vec fused", threads: t}, side{name: "asp2vec graph", threads: t}
			if m == "deepwalk" {
				add(1, fused, side{name: "gensim", threads: t})
			}
			add(1, fused, side{name: "torch", threads: t})
			add(0, graph, side{name: "torch", threads: t})
			add(.1, graph, fused)
		}
		one, kernel := side{name: "asp2vec fused", threads: 1}, side{name: "ckernel", threads: 1}
		if slices.Contains(o.threads, 1) {
			add(.5, one, kernel)
			if slices.Contains(o.threads, 2) {
				add(1.8, side{name: "asp2vec fused", threads: 2}, one)
			}
			if m == "deepwalk" {
				add(0, kernel, side{name: "gensim", threads: 1})
			}
			add(0, kernel, side{name: "torch", threads: 1})
		}
		add(0, side{name: "ckernel", threads: 1, kernel: true}, kernel)
	}
	return out
}

func (s side) String() string {
	if s.kernel {
		return s.name + " (forward and backward only)"
	}
	return fmt.Sprintf("%s, %d thread%s", s.name, s.threads, map[bool]string{true: "s"}[s.threads > 1])
}

// rates returns one figure a round, NaN where there is none.
func (s side) rates(method string, all []*contestant) []float64 {
	for _, c := range all {
		if c.Name != s.name || c.Method != method || c.Threads != s.threads || c.Missing != "" {
			continue
		}
		x := make([]float64, len(c.Runs))
		for i, r := range c.Runs {
			x[i] = r.PairsPerSecond
			if s.kernel {
				x[i] = r.KernelPairsPerSecond
			}
		}
		return x
	}
	return nil
}

// measureRatio fills in the ratio: one value a round, so that a slow minute of the machine slows both sides.
func (c *claim) measureRatio(all []*contestant) {
	above, below := c.above.rates(c.Method, all), c.below.rates(c.Method, all)
	var x []float64
	for i := range min(len(above), len(below)) {
		if r := above[i] / below[i]; r > 0 && !math.IsInf(r, 0) {
			x = append(x, r)
		}
	}
	if len(x) > 0 {
		s := spreadOf(x)
		c.Ratio = &s
	}
}
