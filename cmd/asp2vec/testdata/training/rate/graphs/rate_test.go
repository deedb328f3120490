package graphs

import "testing"

func TestRateDrops(t *testing.T) {
	o := Default()
	m, err := NewSkipGram(o, 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	for steps, part := range map[int]float64{0: 1, 299: 1, 300: 10, 3000: 10} {
		m.move.steps = steps
		if m.setRate(0.5); m.move.rate != o.LearningRate/part {
			t.Errorf("after %d steps the rate is %v: expected %v/%v", steps, m.move.rate, o.LearningRate, part)
		}
	}
}
