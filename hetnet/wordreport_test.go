package hetnet

import (
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"
)

// Values worked out by hand: shares of energy 3:1 have entropy .5623, and e to that is 1.7548.
func TestWordReport(t *testing.T) {
	b := small()
	b.Words = []string{"a", "b", "c", "rare"}
	for range 5 {
		b.Papers[0].Tokens = append(b.Papers[0].Tokens, 0, 1, 2)
	}
	b.Papers[0].Tokens = append(b.Papers[0].Tokens, 0, 3)
	for name, c := range map[string]struct {
		vectors      []float32
		cosine, rank float64
		collapsed    bool
	}{
		"orthogonal":    {[]float32{1, 0, 0, 0, 1, 0, 0, 0, 1, 9, 9, 9}, 0, 3, false},
		"the same":      {[]float32{1, 2, 0, 1, 2, 0, 2, 4, 0, 9, 9, 9}, 1, 1, true},
		"three to one":  {[]float32{1, 0, 0, -1, 0, 0, 0, 1, 0, 9, 9, 9}, -1.0 / 3, math.Exp(math.Log(3) - 2.0/3*math.Log(2)), false},
		"one is longer": {[]float32{1, 1, 0, 1, -1, 0, 1, 0, 0, 9, 9, 9}, math.Sqrt2 / 3, math.Exp(-.6*math.Log(.6) - .4*math.Log(.4)), false},
	} {
		r := (&Words{Dim: 3, Vectors: c.vectors}).Report(b)
		if r.Counted != 3 || math.Abs(r.MeanCosine-c.cosine) > 1e-6 || math.Abs(r.EffectiveRank-c.rank) > 1e-6 || r.Collapsed != c.collapsed {
			t.Errorf("%s: %+v, want cosine %.4f, rank %.4f", name, r, c.cosine, c.rank)
		}
		if n := r.Neighbours[0]; n.Word != "a" || len(n.Near) != 2 || len(r.Neighbours) != 3 {
			t.Errorf("%s: neighbours %+v", name, r.Neighbours)
		}
	}
	near := (&Words{Dim: 3, Vectors: []float32{1, 0, 0, 0, 1, 0, 1, .1, 0, 9, 9, 9}}).Report(b).Neighbours[0].Near
	if !slices.Equal(near, []string{"c", "b"}) {
		t.Errorf("nearest to a: %v, want c and b", near)
	}
	if r := (&Words{Dim: 3, Vectors: make([]float32, 12)}).Report(b); r.Counted != 0 || !r.Collapsed {
		t.Errorf("without vectors: %+v", r)
	}
}

func TestWordEpochs(t *testing.T) {
	for words, want := range map[int64]int{0: 100, 1: 100, 30_000: 100, 110_607: 55, 1_200_000: 15, 2_300_664: 15, 10_000_000: 6, 1 << 40: 5} {
		if got := WordEpochs(words); got != want {
			t.Errorf("%d words: %d epochs, want %d", words, got, want)
		}
	}
}

// On texts of planted topics the rule's words of one topic are nearer to one another than to those of others, and gensim's five passes are found to
// have collapsed.
func TestWordEpochsOnPlantedTopics(t *testing.T) {
	golden.StillPaper(t)
	o := DefaultPlanted()
	o.Papers = 600
	p := planted(t, o)
	options := DefaultWords()
	options.Dim, options.Epochs = 32, 5
	if r := trainedWords(t, p.Bibliography, options, 2).Report(p.Bibliography); !r.Collapsed {
		t.Errorf("five epochs: not found to have collapsed: %+v", r)
	}
	options.Epochs = 0
	w := trainedWords(t, p.Bibliography, options, 2)
	r := w.Report(p.Bibliography)
	if r.Collapsed {
		t.Errorf("the rule's epochs: found to have collapsed: %+v", r)
	}
	own, all := 0, 0
	topics := map[string]int32{}
	for i, word := range p.Bibliography.Words {
		topics[word] = p.WordTopics[i]
	}
	for _, n := range r.Neighbours {
		for _, near := range n.Near {
			if all++; topics[near] == topics[n.Word] {
				own++
			}
		}
	}
	if own*10 < all*8 {
		t.Errorf("%d of %d neighbours are of the word's topic, want 8 in 10: %+v", own, all, r.Neighbours)
	}
}
