package compare

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// Each method has a recipe of its own under the standard protocol: where methods are compared, it need not be named.
func TestCompareRecipesOfMethods(t *testing.T) {
	run := func(method string, auc float64, change func(*graphs.Options)) results.Record {
		o, err := methods.Options(method, graphs.Standard)
		if err != nil {
			t.Fatal(err)
		}
		o.Seed = 1
		if change != nil {
			change(&o)
		}
		return recordtest.Of(t, "Cora", "standard", o, auc, 0.5)
	}
	aspects := run(graphs.MethodAsp2vec, .8, nil)
	whole := run(graphs.MethodAsp2vec, .8, func(o *graphs.Options) { o.Seed = 2 })
	whole.Metrics = nil
	records := []results.Record{whole, aspects, run(graphs.MethodDeepWalk, .7, func(o *graphs.Options) { o.Dim = 20 })}
	c, err := compared(t, records, "method=asp2vec", "method=deepwalk", Options{})
	if err != nil || c.Pairs != 1 || math.Abs(c.Overall.Mean-.1) > 1e-12 {
		t.Fatalf("%+v, %v: expected one pair, .1 apart", c, err)
	}
	if want := []Unpaired{{"A", "Cora", []uint64{2}, noMetrics}}; !reflect.DeepEqual(c.Unpaired, want) {
		t.Errorf("%+v: expected %+v", c.Unpaired, want)
	}
	// What is no part of a recipe still tells runs apart, and is told rather than that another run was not measured.
	records[2] = run(graphs.MethodDeepWalk, .7, func(o *graphs.Options) { o.Dim, o.RateSum = 20, 4 })
	if _, err := compared(t, records, "method=asp2vec", "method=deepwalk", Options{}); err == nil || !strings.Contains(err.Error(), "rate-sum=4, here 10") {
		t.Errorf("error %v: expected one that names rate-sum", err)
	}
}
