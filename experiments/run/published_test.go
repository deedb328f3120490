package run

import (
	"context"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

func TestPublished(t *testing.T) {
	o := graphs.Default()
	for _, c := range []struct {
		name         string
		method       string
		dim, aspects int
		want         string // as printed in Table 1
	}{
		{"Filmtrust", graphs.MethodAsp2vec, 20, 5, "0.7426"}, {"Filmtrust", graphs.MethodDeepWalk, 100, 1, "0.6850"},
		{"Filmtrust", graphs.MethodAsp2vec, 25, 4, ""}, {"Filmtrust", graphs.MethodAsp2vec, 21, 5, ""}, {"karate", graphs.MethodAsp2vec, 20, 5, ""},
	} {
		o.SetMethod(graphs.MethodOf(c.method))
		o.Dim, o.Aspects = c.dim, c.aspects
		cell, ok := Published(c.name, o)
		if ok != (c.want != "") || cell.Printed != c.want {
			t.Errorf("%s, %s %dx%d: %q, expected %q", c.name, c.method, c.aspects, c.dim, cell.Printed, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	golden.StillPaper(t)
	o := graphs.Default()
	o.Dim, o.Aspects = 3, 2
	reports := call.Of(Check(o))(t)
	for _, r := range reports {
		call.OK(t, r.Err())
	}
	o.Tau = 0
	call.Refused(t)(Check(o))
}

func TestLoadedData(t *testing.T) {
	n, _ := network.Karate()
	l := source.Loaded{Name: "karate", Network: n}
	o := graphs.Default()
	ctx := context.Background()
	whole, err := DataOf(ctx, l, true, o)
	if err != nil || len(whole.Split.Train) != 78 || len(whole.Split.Test) != 0 || len(whole.Split.TrainNeg) != 78 {
		t.Errorf("own network: %+v, %v", whole.Split, err)
	}
	o.Select = graphs.SelectLast
	if last, err := DataOf(ctx, l, true, o); err != nil || len(last.Split.Train) != 78 || last.Split.TrainNeg != nil {
		t.Errorf("own network, last epoch: expected no negatives, %v", err)
	}
	parted, err := DataOf(ctx, l, false, o)
	if err != nil || parted.Split.Options != (network.SplitOptions{Remove: 0.5, Rule: "ce5", Seed: o.Seed}) || len(parted.Split.Test) == 0 {
		t.Errorf("data set: %+v, %v", parted.Split, err)
	}
}
