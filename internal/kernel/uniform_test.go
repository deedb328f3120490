package kernel

import (
	"slices"
	"testing"
)

// testUniform checks one length and state against the Go loop, whose every step package rng states a second time.
func testUniform(t *testing.T, a arena, n int, state uint64) {
	t.Helper()
	got, want := a.floats(n), make([]float32, n)
	next := Uniform(got, state)
	uniformGeneric(want, state)
	if !slices.Equal(got, want) {
		t.Fatalf("n = %d, state %#x: %v, expected %v", n, state, got, want)
	}
	// What follows must not depend on where a stream was cut.
	whole := make([]float32, 2*n)
	uniformGeneric(whole, state)
	if rest := a.floats(n); n%2 == 0 {
		if Uniform(rest, next); !slices.Equal(rest, whole[n:]) {
			t.Fatalf("n = %d, state %#x: then %v, expected %v", n, state, rest, whole[n:])
		}
	}
	a.check(t)
}

func TestUniform(t *testing.T) {
	// The first outputs of the generator from state 1234567, as Rosetta Code lists them under Splitmix64.
	x := make([]float32, 4)
	eachVariant(t, func(t *testing.T) {
		Uniform(x, 1234567)
		for i, z := range []uint64{6457827717110365317, 3203168211198807973} {
			for j, top := range []uint64{z >> 41, z << 32 >> 41} {
				if want := (float32(top) + 0.5) * 0x1p-23; x[2*i+j] != want {
					t.Errorf("number %d is %v, expected %v", 2*i+j, x[2*i+j], want)
				}
			}
		}
		r, a := newRand(10), &fenced{}
		for n := range 70 {
			testUniform(t, a, n, r.Uint64())
			testUniform(t, a, n, uint64(n/2)*(1<<64-golden)) // the state passes zero
		}
	})
}
