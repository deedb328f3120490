package op

import (
	"math"
	"testing"
)

// TestTables holds the tables to their documented error against package math.
func TestTables(t *testing.T) {
	tab := newTables()
	for x := -640.0; x <= 640; x += 0.00217 {
		value, slope := tab.softplus(x)
		wantValue, wantSlope := softplusExact(x)
		if math.Abs(value-wantValue) > 1e-10*wantValue || math.Abs(slope-wantSlope) > 1e-10*wantSlope {
			t.Fatalf("x = %g: %.15g, %.15g, want %.15g, %.15g", x, value, slope, wantValue, wantSlope)
		}
	}
	if v, s := tab.softplus(math.NaN()); v == v || s == s {
		t.Errorf("of NaN: %g, %g", v, s)
	}
	for x, want := range map[float64][2]float64{math.Inf(1): {math.Inf(1), 1}, math.Inf(-1): {0, 0}} {
		if v, s := tab.softplus(x); v != want[0] || s != want[1] {
			t.Errorf("of %g: %g, %g, want %v", x, v, s, want)
		}
	}
}
