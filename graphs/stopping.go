package graphs

import "math"

// stopping decides which epoch of a stage is reported and when the stage ends.
type stopping struct {
	rule     string // a Select... constant
	patience int

	epoch, best int // so far; best is 0 before any
	bestScore   float64
	previous    float64
	declines    int
}

// observe takes the score of the next epoch. It says whether that epoch is the best so far, and whether to stop.
//
//   - validation: best is the highest score; stop after patience epochs without a higher one.
//   - loss: the same, where a score is the training loss with its sign turned.
//   - test: scores are rounded to four digits; best is the first highest; stop when a score has been below the one before
//     it patience times, counted over the whole stage (the authors' rule).
//   - last: best is always the latest; never stop. The score is not looked at.
func (s *stopping) observe(score float64) (best, stop bool) {
	s.epoch++
	if s.rule == SelectTest {
		score = math.Round(score*1e4) / 1e4
		if s.epoch > 1 && score < s.previous {
			s.declines++
		}
		s.previous = score
	}
	if s.rule == SelectLast || s.best == 0 || score > s.bestScore {
		s.best, s.bestScore, best = s.epoch, score, true
	}
	switch s.rule {
	case SelectValidation, SelectLoss:
		stop = s.epoch-s.best >= s.patience
	case SelectTest:
		stop = s.declines >= s.patience
	}
	return best, stop
}
