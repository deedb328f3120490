package guard

import (
	"encoding/binary"
	"fmt"
	"math"

	G "gorgonia.org/gorgonia"
)

// Floats returns a copy of the elements of a value of float32 or float64, as float64; nil for another type.
func Floats(v G.Value) []float64 {
	if v == nil {
		return nil
	}
	switch d := v.Data().(type) {
	case []float64:
		return append([]float64{}, d...)
	case []float32:
		x := make([]float64, len(d))
		for i, f := range d {
			x[i] = float64(f)
		}
		return x
	case float64:
		return []float64{d}
	case float32:
		return []float64{float64(d)}
	}
	return nil
}

// Bytes returns a copy of the elements of a value as bytes, to tell whether any bit of it changed.
func Bytes(v G.Value) []byte {
	var b []byte
	switch d := v.Data().(type) {
	case int:
		b, _ = binary.Append(nil, binary.LittleEndian, int64(d))
	case []int:
		for _, i := range d {
			b = binary.LittleEndian.AppendUint64(b, uint64(i))
		}
	default:
		b, _ = binary.Append(nil, binary.LittleEndian, d)
	}
	return b
}

// Differences returns the central finite differences of a scalar loss with respect to the tensor bound to x, by moving
// one element at a time by ±step and running the machine. Of a tensor with more than limit elements, only limit are taken,
// evenly spaced; the others are NaN. The tensor is left as it was. It returns an error for a tensor of another type than float32
// and float64, or if a run fails.
func Differences(loss, x *G.Node, vm G.VM, step float64, limit int) ([]float64, error) {
	set, n := setter(x.Value())
	if set == nil {
		return nil, fmt.Errorf("%s: expected a tensor of float32 or float64", x.Name())
	}
	at := Floats(x.Value())
	// eval returns the loss with element i moved by about h, and where the element really was: float32 rounds.
	eval := func(i int, h float64) (y, moved float64, err error) {
		moved = set(i, at[i]+h)
		defer set(i, at[i])
		defer vm.Reset()
		if err := vm.RunAll(); err != nil {
			return 0, 0, err
		}
		return Floats(loss.Value())[0], moved, nil
	}
	d := make([]float64, n)
	for i := range d {
		d[i] = math.NaN()
	}
	for s := range min(n, limit) {
		i := s * n / min(n, limit)
		up, right, err := eval(i, step)
		if err != nil {
			return nil, err
		}
		down, left, err := eval(i, -step)
		if err != nil {
			return nil, err
		}
		d[i] = (up - down) / (right - left)
	}
	return d, nil
}

// setter returns how to write an element of a tensor, which answers what was written, and the number of elements.
func setter(v G.Value) (func(int, float64) float64, int) {
	switch d := v.Data().(type) {
	case []float64:
		return func(i int, x float64) float64 { d[i] = x; return x }, len(d)
	case []float32:
		return func(i int, x float64) float64 { d[i] = float32(x); return float64(d[i]) }, len(d)
	}
	return nil, 0
}
