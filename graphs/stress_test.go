package graphs

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
)

// Neither threads, nor processors, nor when garbage is collected change a bit, in small batches or large ones.
func TestSameBytesUnderStress(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	for _, method := range []string{MethodAsp2vec, MethodDeepWalk, MethodSplitter} {
		for _, batch := range []int{37, 1000} {
			t.Run(fmt.Sprintf("%s/batch=%d", method, batch), func(t *testing.T) {
				o := small()
				o.SetMethod(MethodOf(method))
				o.Batch, o.Epochs = batch, 1
				trained := func(threads, procs, percent int) []float32 {
					runtime.GOMAXPROCS(procs)
					debug.SetGCPercent(percent)
					r, err := Train(context.Background(), Input{Network: karate()}, o, threads, Monitor{})
					if err != nil {
						t.Fatal(err)
					}
					return r.Embedding.Final
				}
				want := trained(1, 1, 100)
				for _, c := range []struct{ threads, procs, percent int }{{2, 1, 100}, {2, 2, 5}, {3, 5, 20}, {7, 2, -1}} {
					if got := trained(c.threads, c.procs, c.percent); !slices.Equal(got, want) {
						t.Errorf("%d threads, %d processors, GC at %d %%: other bytes than with one of each", c.threads, c.procs, c.percent)
					}
				}
			})
		}
	}
}
