package render

import (
	"fmt"

	"gonum.org/v1/gonum/stat"
)

// Spread writes mean and standard deviation: ".8 ± .1" with four digits, the mean alone of one, and "-" of none.
func Spread(v Value) string {
	switch v.N {
	case 0:
		return "-"
	case 1:
		return fmt.Sprintf("%.4f", v.Mean)
	}
	return fmt.Sprintf("%.4f ± %.4f", v.Mean, v.SD)
}

// ValueOf returns mean, standard deviation and number of a sample.
func ValueOf(x []float64) Value {
	v := Value{N: len(x)}
	if v.N > 0 {
		v.Mean = stat.Mean(x, nil)
	}
	if v.N > 1 {
		v.SD = stat.StdDev(x, nil)
	}
	return v
}
