package rng

import (
	"math"
	"slices"
	"testing"
)

// The stream's steps are SplitMix64's: from state 1234567 these are the first outputs of the public-domain reference by
// Sebastiano Vigna (https://prng.di.unimi.it/splitmix64.c).
func TestSplitMix64(t *testing.T) {
	s := Stream{1234567}
	for i, want := range []uint64{6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821} {
		if got := s.Uint64(); got != want {
			t.Errorf("output %d = %d, expected %d", i, got, want)
		}
	}
}

// Every run's record depends on these values, so they must stay. The wanted values come from a second implementation of
// the same hash, in Python.
func TestNamedStreamsAreFrozen(t *testing.T) {
	cases := []struct {
		name string
		s    *Stream
		want uint64
	}{
		{"seed 0, no name", New(0, ""), 0x568a9b0b1a2c05ec},
		{"walks", New(1, "walks"), 0x60f6ac90aae2e82e},
		{"walks 0", New(1, "walks", 0), 0xf4e2a15b833410ed},
		{"walks 7 9", New(1, "walks", 7, 9), 0x31a542a62e1d798d},
		{"other seed", New(math.MaxUint64, "walks", 7, 9), 0x5c498623d74e2705},
	}
	for _, c := range cases {
		if got := c.s.Uint64(); got != c.want {
			t.Errorf("%s: first output %#x, expected %#x", c.name, got, c.want)
		}
	}
}

// Streams whose names differ in the seed, in the name, or in the ids and their order, begin differently. Among the few
// hundred first outputs here, two equal ones would have a probability below 1e-14.
func TestStreamsDiffer(t *testing.T) {
	first := map[uint64]string{}
	add := func(what string, s *Stream) {
		x := s.Uint64()
		if other, taken := first[x]; taken {
			t.Errorf("%s and %s begin with the same number", what, other)
		}
		first[x] = what
	}
	for seed := range uint64(20) {
		for _, name := range []string{"", "\x00", "walks", "walk", "order", "init P", "init Q", "P init"} {
			add("name", New(seed, name))
			add("id 0", New(seed, name, 0))
			add("id 1", New(seed, name, 1))
			add("ids 0 1", New(seed, name, 0, 1))
			add("ids 1 0", New(seed, name, 1, 0))
		}
	}
}

func TestKeyAndNewNameTheSameStream(t *testing.T) {
	s := NewKey(3, "noise").With(5).Stream(8)
	if a, b := s.Uint64(), New(3, "noise", 5, 8).Uint64(); a != b {
		t.Errorf("by key %#x, by New %#x", a, b)
	}
}

// source returns fixed bits: a Stream whose next output is bits. mix is a bijection, so its inverse finds the state.
func source(bits uint64) *Stream { return &Stream{unmix(bits) - golden} }

// unmix undoes mix: xor-shifts are undone by repeating them, multiplications by the inverse of the odd factor modulo 2^64.
func unmix(z uint64) uint64 {
	inverse := func(a uint64) uint64 { // Newton's iteration doubles the correct bits, from three
		x := a
		for range 5 {
			x *= 2 - a*x
		}
		return x
	}
	z = z ^ z>>31 ^ z>>62
	z *= inverse(0x94d049bb133111eb)
	z = z ^ z>>27 ^ z>>54
	z *= inverse(0xbf58476d1ce4e5b9)
	return z ^ z>>30 ^ z>>60
}

// Extreme bit patterns give numbers inside (0,1), so that Gumbel noise is finite: -log(-log(u)) in float32 too.
func TestUniformIsNeverZeroOrOne(t *testing.T) {
	for _, bits := range []uint64{0, math.MaxUint64, 1 << 63, 1<<41 - 1, 1 << 41, ^uint64(1<<41 - 1)} {
		if got := source(bits).Uint64(); got != bits {
			t.Fatalf("test stream gives %#x, expected %#x", got, bits)
		}
		var pair [2]float32
		source(bits).Fill(pair[:])
		for what, u := range map[string]float64{
			"Float64": source(bits).Float64(), "Float32": float64(source(bits).Float32()),
			"Fill, first": float64(pair[0]), "Fill, second": float64(pair[1]),
		} {
			if !(u > 0 && u < 1) || math.IsInf(math.Log(-math.Log(u)), 0) {
				t.Errorf("%s of bits %#x = %v, expected inside (0,1)", what, bits, u)
			}
		}
	}
}

func TestIntn(t *testing.T) {
	for _, n := range []int{1, 2, 3, 7, 1000, 1 << 32} {
		if got := source(0).Intn(n); got != 0 {
			t.Errorf("Intn(%d) of the lowest bits = %d, expected 0", n, got)
		}
		if got := source(math.MaxUint64).Intn(n); got != n-1 {
			t.Errorf("Intn(%d) of the highest bits = %d, expected %d", n, got, n-1)
		}
	}
	// Chi-square of 70,000 draws over 7 values: 6 degrees of freedom, whose 99.99 % quantile is 27.86.
	s, count := New(1, "test"), [7]float64{}
	for range 70000 {
		count[s.Intn(7)]++
	}
	var chi float64
	for _, c := range count {
		chi += (c - 10000) * (c - 10000) / 10000
	}
	if chi > 27.86 {
		t.Errorf("counts %v: chi-square %.1f, expected below 27.86", count, chi)
	}
}

// Means and variances of 100,000 draws lie within five standard errors. For u in (0,1) the variance is 1/12 and that of u²'s
// estimate is 1/180; for N(0,1) it is 1, and the variance of x² is 2.
func TestMoments(t *testing.T) {
	const n = 100000
	s := New(2, "test")
	filled := make([]float32, n)
	s.Fill(filled)
	i := -1
	cases := []struct {
		name                        string
		draw                        func() float64
		mean, variance, varVariance float64
	}{
		{"Float64", s.Float64, 0.5, 1.0 / 12, 1.0 / 180},
		{"Float32", func() float64 { return float64(s.Float32()) }, 0.5, 1.0 / 12, 1.0 / 180},
		{"Fill", func() float64 { i++; return float64(filled[i]) }, 0.5, 1.0 / 12, 1.0 / 180},
		{"Normal", s.Normal, 0, 1, 2},
	}
	for _, c := range cases {
		var sum, squares float64
		for range n {
			x := c.draw() - c.mean
			sum += x
			squares += x * x
		}
		if mean := sum / n; math.Abs(mean) > 5*math.Sqrt(c.variance/n) {
			t.Errorf("%s: mean %v, expected %v", c.name, c.mean+mean, c.mean)
		}
		if v := squares / n; math.Abs(v-c.variance) > 5*math.Sqrt(c.varVariance/n) {
			t.Errorf("%s: variance %v, expected %v", c.name, v, c.variance)
		}
	}
}

// Fill takes two numbers from each 64 bits, the first of them the one that Float32 would give.
func TestFill(t *testing.T) {
	for n := range 6 {
		got, s := make([]float32, n), New(4, "test")
		s.Fill(got)
		reference := New(4, "test")
		for i := 0; i < n; i += 2 {
			if want := reference.Float32(); got[i] != want {
				t.Errorf("Fill(%d)[%d] = %v, expected %v", n, i, got[i], want)
			}
		}
		if a, b := s.Uint64(), reference.Uint64(); a != b {
			t.Errorf("after Fill(%d) the stream stands elsewhere than after %d draws", n, (n+1)/2)
		}
	}
	pair := make([]float32, 2)
	source(1<<31 | 1<<63).Fill(pair) // one half is bits 41 to 63, the other bits 9 to 31: both have their top bit set alone
	if want := float32(0.5 + 0.5/(1<<23)); pair[0] != want || pair[1] != want {
		t.Errorf("Fill = %v, expected both %v", pair, want)
	}
}

func TestPerm(t *testing.T) {
	for n := range 50 {
		p := New(uint64(n), "test").Perm(n)
		seen := slices.Sorted(slices.Values(p))
		for i := range n {
			if len(p) != n || seen[i] != i {
				t.Fatalf("Perm(%d) = %v", n, p)
			}
		}
	}
	// All 24 orders of four, 24,000 times: 23 degrees of freedom, whose 99.99 % quantile is 56.1.
	count := map[[4]int]float64{}
	s := New(3, "test")
	for range 24000 {
		count[[4]int(s.Perm(4))]++
	}
	var chi float64
	for _, c := range count {
		chi += (c - 1000) * (c - 1000) / 1000
	}
	if len(count) != 24 || chi > 56.1 {
		t.Errorf("%d of 24 orders, chi-square %.1f, expected 24 and below 56.1", len(count), chi)
	}
}
