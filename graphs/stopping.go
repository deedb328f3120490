package graphs

import "math"

// selectEnd is the rule of a pilot: scores say when it ends, and its parameters stay what they are by then.
const selectEnd = "end"

// stopping decides which epoch of a stage is reported and when the stage ends.
type stopping struct {
	rule     string // a Select... constant
	patience int
	stoppingState
}

// stoppingState is what a stage's scores so far have come to.
type stoppingState struct {
	Epoch, Best int // Best is 0 before any
	BestScore   float64
	Previous    float64
	Declines    int
}

// observe takes the score of the next epoch. It says whether that epoch is the best so far, and whether to stop.
//
//   - validation: best is the highest score; stop after patience epochs without a higher one.
//   - loss: the same, where a score is the training loss with its sign turned.
//   - test: scores are rounded to four digits; best is the first highest; stop when a score has been below the one before
//     it patience times, counted over the whole stage (the authors' rule).
//   - end: as with validation, but nobody keeps the best.
//   - last: best is always the latest; never stop. The score is not looked at.
func (s *stopping) observe(score float64) (best, stop bool) {
	s.Epoch++
	if s.rule == SelectTest {
		score = math.Round(score*1e4) / 1e4
		if s.Epoch > 1 && score < s.Previous {
			s.Declines++
		}
		s.Previous = score
	}
	if s.rule == SelectLast || s.Best == 0 || score > s.BestScore {
		s.Best, s.BestScore, best = s.Epoch, score, true
	}
	switch s.rule {
	case SelectValidation, SelectLoss, selectEnd:
		stop = s.Epoch-s.Best >= s.patience
	case SelectTest:
		stop = s.Declines >= s.patience
	}
	return best, stop
}
