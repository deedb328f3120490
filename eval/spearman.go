package eval

import "gonum.org/v1/gonum/stat"

// Spearman returns the rank correlation of finite numbers x and y, as many, in [-1,1]; ties share the mean of their ranks. It is NaN
// where there are fewer than two pairs, and where all x or all y are equal. No score reads it.
func Spearman(x, y []float64) float64 { return stat.Correlation(ranks(x), ranks(y), nil) }
