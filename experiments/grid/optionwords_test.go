package grid

import (
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
)

// Options are set from words; what is no option, no value or out of range is refused, and what is given takes nothing back of what is given beside it.
func TestSetWords(t *testing.T) {
	o := call.Of(methods.Options(graphs.MethodNode2vec, graphs.Standard))(t)
	for _, settings := range [][]string{{"p=2", "rate-sum=1", "final-learning-rate=0.001"}, {"final-learning-rate=0.001", "rate-sum=1", "p=2"}} {
		if got, err := SetWords(o, settings); err != nil || got.Own != (graphs.Node2vecOptions{P: 2, Q: 1}) || got.RateSum != 1 || got.FinalRate != 0.001 {
			t.Errorf("%q: %+v, %v", settings, got, err)
		}
	}
	if got, err := SetWords(o, []string{"learning-rate=0.01"}); err != nil || got.RateSum != 0 || o.RateSum == 0 {
		t.Errorf("%+v, %v: expected a learning rate instead of the sum", got, err)
	}
	if got, err := SetWords(graphs.Default(), []string{"pair-loss=margin", "pair-loss-margin=0.1"}); err != nil || got.Hyper["pair-loss-margin"] != 0.1 {
		t.Errorf("%+v, error %v", got, err)
	}
	for setting, want := range map[string]string{
		"p": "expected option=value", "method=deepwalk": "expected option=value", "tau=1": "has no option", "p=x": `option p: "x": expected a number`,
		"p=1,2": `option p: "1,2": expected a number`, "p=null": `option p: "null": expected a number`, "p=-1": "p = -1: expected a number from 1e-100 to 1e+100",
		"dim=1.5": `dim: "1.5": expected a whole number`,
	} {
		call.Refused(t, want)(SetWords(o, []string{setting}))
	}
	call.Refused(t, "pair-loss skipgram does not read it")(SetWords(graphs.Default(), []string{"pair-loss-margin=0.1"}))
}
