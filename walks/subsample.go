package walks

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// KeepRates returns the probability with which a vertex stays where it occurs, for StreamOptions.Keep: with f its share of all counts,
//
//	min(1, √(sample/f) + sample/f)
//
// and nil, so that all stay, where sample is 0. counts and the result are (N), counts and sample at least 0.
//
// Source: word2vec's code and gensim's, with sample .001. Differs: Mikolov et al., NIPS 2013, have √(sample/f) alone.
func KeepRates(counts []int64, sample float64) []float64 {
	if sample == 0 {
		return nil
	}
	var all float64
	for _, c := range counts {
		all += float64(c)
	}
	rates := make([]float64, len(counts))
	for v, c := range counts {
		rates[v] = 1
		if c > 0 {
			ratio := sample * all / float64(c)
			rates[v] = min(1, math.Sqrt(ratio)+ratio)
		}
	}
	return rates
}

// validateKeep checks StreamOptions.Keep.
func (o StreamOptions) validateKeep(vertices int) error {
	switch {
	case o.Keep == nil:
		return nil
	case o.Order != Shuffled:
		return fmt.Errorf("walks: order %q of walks that are not the same in each pass: expected %q", o.Order, Shuffled)
	case len(o.Keep) != vertices:
		return fmt.Errorf("walks: %d probabilities to keep %d vertices: expected one for each", len(o.Keep), vertices)
	}
	for v, p := range o.Keep {
		if !(p >= 0 && p <= 1) { // written so that NaN fails too
			return fmt.Errorf("walks: probability to keep vertex %d is %v: expected 0 to 1", v, p)
		}
	}
	return nil
}

// kept appends to dst what a pass keeps of a walk. The draws are a matter of the seed, the pass and the walk's number.
func (s *Stream) kept(dst, walk []int32, pass, number uint64) []int32 {
	if s.o.Keep == nil {
		return append(dst, walk...)
	}
	stream := rng.NewKey(s.o.Seed, "keep").With(pass).Stream(number)
	for _, v := range walk {
		if p := s.o.Keep[v]; p == 1 || stream.Float64() < p {
			dst = append(dst, v)
		}
	}
	return dst
}
