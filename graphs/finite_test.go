package graphs

import (
	"math"
	"strings"
	"testing"
)

// A loss may be negative, but not without a bound.
func TestFinite(t *testing.T) {
	m, err := NewSkipGram(defaults(MethodDeepWalk, Standard), 4, 1)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		loss Loss
		want string
	}{
		{Loss{Pairs: 3}, ""},
		{Loss{Pairs: -300, Penalty: 1e9}, ""},
		{Loss{Pairs: -1e6}, "graphs: the loss fell to -1e+06: expected pair-loss skipgram to have a lower bound"},
		{Loss{Pairs: 1e6}, "graphs: the loss became 1e+06"},
		{Loss{Pairs: math.NaN()}, "graphs: the loss became NaN"},
		{Loss{Pairs: 1, Penalty: math.Inf(1)}, "graphs: the loss became +Inf"},
	} {
		err := m.finite(c.loss)
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want)) {
			t.Errorf("%+v: %v, expected %q", c.loss, err, c.want)
		}
	}
}
