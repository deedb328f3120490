package shell

import (
	"testing"
	"time"
)

// No estimate is made of what comes before the first step, nor of a few steps or less than a second.
func TestPace(t *testing.T) {
	var p Pace
	for step := range int64(9) {
		if rest := p.Left(1000+step, 2000); rest != 0 {
			t.Fatalf("%v s after %d steps within a second", rest, step)
		}
	}
	p.since = p.since.Add(-10 * time.Second)
	if rest := p.Left(1010, 2000); rest < 990 || rest > 1100 {
		t.Errorf("%v s: expected 99 times ten seconds", rest)
	}
	few := Pace{since: time.Now().Add(-time.Hour), told: 1}
	if rest := few.Left(1, 2); rest != 0 {
		t.Errorf("%v s after two steps", rest)
	}
}
