package graphs

import (
	"testing"

	"github.com/asp2vec/asp2vec/graphs/engine"
)

func TestRateDrops(t *testing.T) {
	o := Default()
	m, err := NewSkipGram(o, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	for steps, part := range map[int]float64{0: 1, 299: 1, 300: 10, 3000: 10} {
		m.move.Resume(engine.OptimizerState{Steps: steps})
		if m.setRate(0.5); m.move.Rate() != o.LearningRate/part {
			t.Errorf("after %d steps the rate is %v: expected %v/%v", steps, m.move.Rate(), o.LearningRate, part)
		}
	}
}
