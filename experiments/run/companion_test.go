package run

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// A companion has vectors of all vertices, which depend on neither the links held out nor on test links.
func TestCompanion(t *testing.T) {
	d, o := clustered(t, 0.3), pilotOptions()
	v, held, err := Companion(t.Context(), d.Name, d.Split, o, 0.1, 2, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range held.Test {
		if slices.Contains(held.Train, l) || !slices.Contains(d.Split.Train, l) {
			t.Fatalf("%v is trained on, or no training link", l)
		}
	}
	alone := &network.Split{Names: held.Names, Train: held.Train, TrainNeg: held.TrainNeg}
	want := execute(t, Data{Split: alone}, o, nil)
	if v.One.N != len(d.Split.Names) || !slices.Equal(v.One.Data, want.Result.Embedding.Final) || len(held.Test) != len(d.Split.Train)/10 {
		t.Errorf("%d vectors, %d links held out, and not what the others alone teach", v.One.N, len(held.Test))
	}
	if _, held, err = Companion(t.Context(), d.Name, &network.Split{Names: d.Split.Names, Train: d.Split.Train}, o, 0.1, 1, nil); err != nil || len(held.TrainNeg) == 0 {
		t.Errorf("of links without negatives: %v", err)
	}
	ctx := call.Stopped(t)
	if second(Companion(ctx, d.Name, d.Split, o, 0.1, 1, nil)) == nil {
		t.Error("interrupted: no error")
	}
	o.Select = graphs.SelectTest
	if second(Companion(t.Context(), d.Name, d.Split, o, 0.1, 1, nil)) == nil {
		t.Error("an epoch that test links choose: no error")
	}
}

func second(_ eval.Vectors, _ *network.Split, err error) error { return err }
