package walks

import (
	"context"
	"math/bits"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// sentences are walks given one by one.
type sentences [][]int32

func (s sentences) Walks() int                    { return len(s) }
func (s sentences) MaxLength() int                { return 16 }
func (s sentences) Walk(i int, _ []int32) []int32 { return s[i] }

// Vertices 0 to 2 are of one type, 3 to 9 of another, 10 of a third.
func typedWalks() sentences {
	return sentences{{0, 3, 1, 4, 2, 10, 0}, {5, 0, 5, 1, 5}, {6}, {0, 1, 2, 0}, {7, 8}}
}

func TestStreamOfTypes(t *testing.T) {
	for name, types := range map[string]*Types{
		"all":             {Start: []int32{0, 3, 10, 11}},
		"centers":         {Start: []int32{0, 3, 10, 11}, Centers: []bool{true, false, false}},
		"centers/readout": {Start: []int32{0, 3, 10, 11}, Centers: []bool{false, true, true}, Readout: []bool{true, false, false}},
		"readout":         {Start: []int32{0, 3, 10, 11}, Readout: []bool{false, true, false}},
	} {
		t.Run(name, func(t *testing.T) {
			s := call.Of(NewStream(context.Background(), typedWalks(), 11, StreamOptions{
				Window: 2, Negatives: 3, Batch: 4, Order: Shuffled, Resample: true, Seed: 7, Types: types,
			}))(t)
			var pairs int64
			centers := map[int32]bool{}
			for pass := range uint64(50) {
				for b := range s.Pass(context.Background(), pass) {
					if pass == 0 {
						pairs += int64(b.Pairs)
					}
					for w := range b.Windows() {
						centers[b.Center[w]] = true
						checkTypedWindow(t, types, b, w)
					}
				}
			}
			if pairs != s.Pairs() {
				t.Errorf("an epoch has %d pairs, Pairs says %d", pairs, s.Pairs())
			}
			for v := range int32(11) {
				lonely := v == 6 || v == 9 // in no window, or in no walk
				if want := !lonely && types.centered(v); centers[v] != want {
					t.Errorf("vertex %d is a centre: %v, expected %v", v, centers[v], want)
				}
			}
		})
	}
}

func checkTypedWindow(t *testing.T, types *Types, b *Batch, w int) {
	t.Helper()
	list := b.Context[w*b.Slots:][:b.Count[w]]
	var want uint64
	for c, v := range list {
		if (types.Readout == nil || types.Readout[types.of(v)]) && !slices.Contains(list[:c], v) {
			want |= 1 << c
		}
	}
	if want == 0 {
		want = firsts(list)
	}
	if b.Bag[w] != want {
		t.Errorf("window of %d, contexts %v: bag %b, expected %b", b.Center[w], list, b.Bag[w], want)
	}
	for c, v := range list {
		for _, u := range b.Negative[(w*b.Slots+c)*b.Negatives:][:b.Negatives] {
			if types.of(u) != types.of(v) {
				t.Errorf("negative %d stands against %d of another type", u, v)
			}
			free := types.outside(types.of(v), list, firsts(list)) > 0
			if free && slices.Contains(list, u) {
				t.Errorf("negative %d is among the contexts %v", u, list)
			}
		}
	}
	if bits.OnesCount64(b.Bag[w]) == 0 {
		t.Error("an empty bag")
	}
}

// Negatives are uniform over the vertices of the type that are not in the window.
func TestTypedNegativesUniform(t *testing.T) {
	types := &Types{Start: []int32{0, 3, 10, 11}}
	s, err := NewStream(context.Background(), sentences{{0, 3}}, 11, StreamOptions{
		Window: 1, Negatives: 1, Batch: 4, Order: Shuffled, Resample: true, Seed: 3, Types: types,
	})
	if err != nil {
		t.Fatal(err)
	}
	counts := make([]float64, 11)
	for pass := range uint64(6000) {
		for b := range s.Pass(context.Background(), pass) {
			for w := range b.Windows() {
				if b.Center[w] == 0 { // against 3: one of 4 to 9
					counts[b.Negative[w*b.Slots]]++
				}
			}
		}
	}
	CheckCounts(t, "negatives", counts, []float64{4: 1, 5: 1, 6: 1, 7: 1, 8: 1, 9: 1, 10: 0})
}

func TestTypesRefused(t *testing.T) {
	for want, types := range map[string]*Types{
		"ascending numbers from 0 to 11": {Start: []int32{0, 3}},
		"0 to 11":                        {Start: []int32{1, 11}},
		"ascending":                      {Start: []int32{0, 5, 3, 11}},
		"expected as many":               {Start: []int32{0, 3, 11}, Centers: []bool{true}},
	} {
		call.Refused(t, want)(NewStream(context.Background(), typedWalks(), 11, StreamOptions{Window: 1, Negatives: 1, Batch: 1, Order: Shuffled, Types: types}))
	}
}
