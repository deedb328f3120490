package run

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

func TestBench(t *testing.T) {
	golden.StillPaper(t)
	n, _ := network.Karate()
	o := graphs.Default()
	o.Dim, o.Aspects, o.Walks, o.Batch = 4, 2, 2, 1000
	const duration = 30 * time.Millisecond
	for _, method := range []string{graphs.MethodAsp2vec, graphs.MethodDeepWalk} {
		o.SetMethod(methodOf(method))
		start := time.Now()
		r, err := Bench(context.Background(), n, o, 1, duration)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(start).Seconds(); r.Seconds < duration.Seconds() || r.Seconds > took || r.Pairs <= 0 || r.PairsPerSecond != float64(r.Pairs)/r.Seconds {
			t.Errorf("%+v in %v seconds", r, took)
		}
		if r.Method != method || r.Batch != 1000 {
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

// methodOf returns a method that is there.
func methodOf(name string) *graphs.Method {
	m, err := methods.Find(name)
	if err != nil {
		panic(err)
	}
	return m
}
