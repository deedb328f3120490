package run

import (
	"math"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

// What a run needs grows with what it is made of, and is above what runs on soc-epinions (75,877 vertices, 508,836 links) were measured to
// hold, and at most three times that: 242 MiB of asp2vec under standard, on one thread.
func TestPlanMemory(t *testing.T) {
	o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard)
	of := func(edit func(*graphs.Options)) int64 {
		o := o
		edit(&o)
		return memoryOf(size{vertices: 75_877, links: 2 * 508_836}, o.Complete())
	}
	base := of(func(*graphs.Options) {})
	if mib := float64(base) / (1 << 20); mib < 242 || mib > 242*3 {
		t.Errorf("%.0f MiB, expected about 242", mib)
	}
	for name, edit := range map[string]func(*graphs.Options){
		"dim":     func(o *graphs.Options) { o.Dim *= 2 },
		"aspects": func(o *graphs.Options) { o.Aspects *= 2 },
		"walks":   func(o *graphs.Options) { o.WalksInMemory = "true" },
		"choice":  func(o *graphs.Options) { o.Select = graphs.SelectValidation },
	} {
		if more := of(edit); more <= base {
			t.Errorf("%s: %d bytes, expected more than %d", name, more, base)
		}
	}
	if most := of(func(o *graphs.Options) { o.Dim, o.Aspects, o.Length = 1<<16, 1<<20, math.MaxInt32 }); most < 1<<50 {
		t.Errorf("%d bytes: expected a large number, not one that went round", most)
	}
}

// Features whose numbers go far up are refused before a table of that many rows is made.
func TestFeaturesThatNeedTooMuch(t *testing.T) {
	o := graphs.Default()
	o.SetMethod(graphs.MethodOf(graphs.MethodDGI))
	for _, c := range []struct {
		columns int
		limit   uint64
		refused bool
	}{{1000, 1 << 30, false}, {1 << 24, 1 << 30, true}, {1 << 24, 0, false}} {
		err := checkFeatures(&network.Features{Columns: c.columns}, o, c.limit)
		if (err != nil) != c.refused || err != nil && !strings.Contains(err.Error(), "features up to number 16777215 need") {
			t.Errorf("%d features in %d bytes: %v", c.columns, c.limit, err)
		}
	}
}
