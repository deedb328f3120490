package hetnet

import (
	"math"
	"strings"
	"testing"
)

// A loss may be negative, but not without a bound.
func TestBounded(t *testing.T) {
	for loss, want := range map[float64]string{
		3: "", -1000: "", -2e5: "hetnet: the loss became -200000", math.Inf(-1): "hetnet: the loss became -Inf", math.Inf(1): "hetnet: the loss became +Inf", math.NaN(): "hetnet: the loss became NaN",
	} {
		err := bounded(loss)
		if want == "" && err != nil || want != "" && (err == nil || !strings.HasPrefix(err.Error(), want)) {
			t.Errorf("%v: %v, expected %q", loss, err, want)
		}
	}
}
