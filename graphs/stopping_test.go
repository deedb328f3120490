package graphs

import (
	"math"
	"testing"
)

func TestStopping(t *testing.T) {
	cases := []struct {
		name     string
		rule     string
		patience int
		scores   []float64
		best     int // epoch reported
		end      int // epoch after which training stops; 0 if it goes on
	}{
		{"validation: patience counts from the best epoch", SelectValidation, 3, []float64{.5, .6, .55, .59, .6}, 2, 5},
		{"validation: a new best starts patience anew", SelectValidation, 2, []float64{.5, .4, .6, .5, .7}, 5, 0},
		{"validation: equal is not better", SelectValidation, 2, []float64{.6, .6, .6}, 1, 3},
		{"validation: scores are not rounded", SelectValidation, 2, []float64{.60001, .60002, .60003}, 3, 0},
		{"validation: scores below zero", SelectValidation, 9, []float64{-3, -2, -4}, 2, 0},
		{"test: declines add up, and rises do not take them back", SelectTest, 3, []float64{.5, .4, .5, .4, .6, .5}, 5, 6},
		{"test: equal is no decline", SelectTest, 1, []float64{.5, .5, .5}, 1, 0},
		{"test: a decline below half of 1e-4 is none", SelectTest, 1, []float64{.50004, .49996, .50001}, 1, 0},
		{"test: a decline is from the epoch before, not from the best", SelectTest, 2, []float64{.9, .1, .2, .3, .4}, 1, 0},
		{"test: first of equal maxima after rounding", SelectTest, 5, []float64{.4, .60001, .60004, .5}, 2, 0},
		{"test: higher by 1e-4", SelectTest, 5, []float64{.6, .6001, .5}, 2, 0},
		{"last: scores are not looked at", SelectLast, 1, []float64{.9, .1, math.NaN(), .3}, 4, 0},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := &stopping{rule: c.rule, patience: c.patience}
			best, bestScore, end := 0, 0.0, 0
			for i, score := range c.scores {
				isBest, stop := s.observe(score)
				if isBest {
					best, bestScore = i+1, score
				}
				if stop {
					end = i + 1
					break
				}
			}
			if best != c.best || s.Best != c.best || end != c.end {
				t.Errorf("best %d (%d announced), end %d, expected %d and %d", s.Best, best, end, c.best, c.end)
			}
			if math.Abs(s.BestScore-bestScore) > 5e-5 {
				t.Errorf("best score %v, expected that of the best epoch, %v", s.BestScore, bestScore)
			}
		})
	}
}
