package hetnet

import (
	"math"
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/graphs/engine"
)

// With l2-mean a decay of l2 is shared by vertices and aspects; other tables, and all without it, have l2.
func TestDecayOf(t *testing.T) {
	o := graphs.OptionsOf(MethodOf(MethodAsp2vecHet), graphs.Standard)
	o.Aspects = 4
	graphs.Edit(&o, func(p *PaperOptions) { p.Decay, p.MeanDecay = 0.8, true })
	w := &walked{o: o, learnt: []*engine.Table{engine.NewTable("P", 10, 2), engine.NewTable("Q", 10, 4, 2), engine.NewTable("heads", 4, 2, 2)}}
	for table, want := range []float64{0.01, 0.01, 0.8} { // .8 / (10 · 4^1.5)
		if got := w.decayOf(table); math.Abs(got-want) > 1e-15 {
			t.Errorf("table %d decays by %v, expected %v", table, got, want)
		}
	}
	graphs.Edit(&w.o, func(p *PaperOptions) { p.MeanDecay = false })
	if got := w.decayOf(1); got != 0.8 {
		t.Errorf("without l2-mean the decay is %v, expected 0.8", got)
	}
}

// A schema changes the defaults of asp2vec-het under the protocol standard, and no others.
func TestDefaultsOfSchema(t *testing.T) {
	for _, m := range Methods() {
		for _, p := range []graphs.Protocol{graphs.Standard, graphs.Validated, graphs.Paper} {
			same := reflect.DeepEqual(graphs.OptionsOf(m, p), graphs.OptionsOf(m, p.OfSchema()))
			if want := m.Name != MethodAsp2vecHet || p != graphs.Standard; same != want {
				t.Errorf("%s under %s: a schema leaves the defaults: %v, expected %v", m.Name, p, same, want)
			}
		}
	}
}
