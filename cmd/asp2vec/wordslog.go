package main

import (
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/results"
)

// tellWords says what the vectors of words are like, and warns where they tell words hardly apart.
func (p *program) tellWords(w results.Words) {
	told := []any{"counted", w.Counted, "mean_cosine", auc(w.MeanCosine), "effective_rank", fmt.Sprintf("%.1f of %d", w.EffectiveRank, w.Dim)}
	if w.Epochs > 0 {
		told = append([]any{"epochs", w.Epochs}, told...)
	}
	p.log.Info("word vectors", told...)
	if !w.Collapsed {
		return
	}
	remedy := fmt.Sprintf("more passes over the texts, as --word-epochs %d", 5*w.Epochs)
	if w.Epochs == 0 {
		remedy = "other --word-vectors"
	}
	p.log.Warn("the word vectors have collapsed: words, and therefore papers, can hardly be distinguished; expected "+remedy,
		"mean_cosine", math.Round(1000*w.MeanCosine)/1000, "effective_rank", math.Round(10*w.EffectiveRank)/10)
}
