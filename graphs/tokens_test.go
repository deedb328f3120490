package graphs

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/golden"
)

// sequences is a corpus of sequences as they are.
type sequences [][]int32

func (s sequences) Walks() int                    { return len(s) }
func (s sequences) MaxLength() int                { return 4 }
func (s sequences) Walk(i int, _ []int32) []int32 { return s[i] }

// Tokens 0 to 3 come together, and so do 4 to 7; 8 comes nowhere.
func twoGroups() (s sequences) {
	for i := range int32(200) {
		a := i % 4
		s = append(s, []int32{a, (a + 1) % 4, (a + 2) % 4}, []int32{4 + a, 4 + (a+3)%4})
	}
	return s
}

func TestTrainTokens(t *testing.T) {
	golden.StillPaper(t)
	o := TokenOptions()
	o.Dim, o.Epochs = 6, 30
	x := call.Of(TrainTokens(context.Background(), twoGroups(), 9, 0, o, 2))(t)
	cosine := func(i, j int) float64 {
		var xy, xx, yy float64
		for k := range o.Dim {
			a, b := float64(x[i*o.Dim+k]), float64(x[j*o.Dim+k])
			xy, xx, yy = xy+a*b, xx+a*a, yy+b*b
		}
		return xy / math.Sqrt(xx*yy)
	}
	var together, apart float64 // means
	for i := range 4 {
		for j := range 4 {
			apart += cosine(i, 4+j) / 16
			if i != j {
				together += (cosine(i, j) + cosine(4+i, 4+j)) / 24
			}
		}
	}
	if together < apart+.3 {
		t.Errorf("mean cosine of tokens that come together %.3f, of others %.3f: expected .3 more", together, apart)
	}
	if slices.ContainsFunc(x[8*o.Dim:], func(x float32) bool { return x != 0 }) {
		t.Errorf("a token that comes nowhere has the vector %v, expected zeros", x[8*o.Dim:])
	}
}

func TestTrainTokensErrors(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	o := TokenOptions()
	if _, err := TrainTokens(cancelled, twoGroups(), 9, 0, o, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	dim := o
	dim.Dim = 0
	for _, c := range []struct {
		src    sequences
		tokens int
		sample float64
		o      Options
		want   string
	}{
		{nil, 9, 0, o, "no sequence"}, {twoGroups(), 7, 0, o, "vertex 7"}, {sequences{{-1, 0}}, 7, 0, o, "vertex -1"}, {twoGroups(), 0, 0, o, "0 vertices"},
		{twoGroups(), 9, 0, dim, "dim = 0"}, {twoGroups(), 9, -1, o, "sample -1"}, {twoGroups(), 9, math.NaN(), o, "sample NaN"},
	} {
		call.Refused(t, c.want)(TrainTokens(context.Background(), c.src, c.tokens, c.sample, c.o, 1))
	}
}
