package experiments

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
)

func TestBench(t *testing.T) {
	n, _ := network.Karate()
	o := graphs.Default()
	o.Dim, o.Aspects, o.Walks, o.Batch = 4, 2, 2, 1000
	const duration = 30 * time.Millisecond
	for _, method := range []string{graphs.MethodAsp2vec, graphs.MethodDeepWalk} {
		o.Method = method
		start := time.Now()
		r, err := Bench(context.Background(), n, o, 1, duration)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start).Seconds(); r.Seconds < duration.Seconds() || r.Seconds > took || r.Pairs <= 0 || r.PairsPerSecond != float64(r.Pairs)/r.Seconds {
			t.Errorf("%+v in %v seconds", r, took)
		}
		if r.Method != method || r.Engine != graphs.EngineFused {
			t.Errorf("%+v", r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Bench(ctx, n, o, 1, duration); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	if _, err := Bench(context.Background(), n, o, 1, 0); err == nil {
		t.Error("no error for no time")
	}
}
