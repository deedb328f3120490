package encode

import (
	"math"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/shelf"

	"github.com/asp2vec/asp2vec/internal/test/golden"
)

// Values worked out by hand: shares of energy 3:1 have entropy .5623, and e to that is 1.7548.
func TestWordReport(t *testing.T) {
	text := []int32{0, 3}
	for range 5 {
		text = append(text, 0, 1, 2)
	}
	b := texts([]string{"a", "b", "c", "rare"}, text)
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
			t.Errorf("%s: %+v, expected cosine %.4f, rank %.4f", name, r, c.cosine, c.rank)
		}
	}
	if r := (&Words{Dim: 3, Vectors: make([]float32, 12)}).Report(b); r.Counted != 0 || !r.Collapsed {
		t.Errorf("without vectors: %+v", r)
	}
}

func TestWordEpochs(t *testing.T) {
	for words, want := range map[int64]int{0: 100, 1: 100, 30_000: 100, 110_607: 55, 1_200_000: 15, 2_300_664: 15, 10_000_000: 6, 1 << 40: 5} {
		if got := WordEpochs(words); got != want {
			t.Errorf("%d words: %d epochs, expected %d", words, got, want)
		}
	}
}

// On texts of planted topics gensim's five passes are found to have collapsed, and those of the rule are not.
func TestWordEpochsOnPlantedTopics(t *testing.T) {
	golden.StillPaper(t)
	o := shelf.Options()
	o.Papers = 600
	p := planted(t, o)
	options := DefaultWords()
	options.Dim, options.Epochs = 32, 5
	if r := trainedWords(t, p, options, 2).Report(p); !r.Collapsed {
		t.Errorf("five epochs: not found to have collapsed: %+v", r)
	}
	options.Epochs = 0
	if r := trainedWords(t, p, options, 2).Report(p); r.Collapsed {
		t.Errorf("the rule's epochs: found to have collapsed: %+v", r)
	}
}
