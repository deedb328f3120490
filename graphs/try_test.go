package graphs

import (
	"context"
	"fmt"
	"os"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/network"
)

func TestTry(t *testing.T) {
	dir := os.Getenv("TRY")
	if dir == "" {
		t.Skip()
	}
	s, err := network.ReadSplit(dir, os.Getenv("DIRECTED") != "")
	if err != nil {
		t.Fatal(err)
	}
	net, err := s.TrainNetwork()
	if err != nil {
		t.Fatal(err)
	}
	for _, engine := range []string{"fused", "graph"} {
		for _, th := range []int{1, 2} {
			o := Default()
			o.Engine = engine
			o.Select, o.Epochs, o.WarmUp = SelectLast, 1, false
			ctx, cancel := context.WithTimeout(context.Background(), 15*time.Second)
			var last Progress
			_, err = Train(ctx, net, o, th, Monitor{Step: func(p Progress) { last = p }, Begin: func(s string, m *Model, n int64) { fmt.Println(s, m.Engine(), n) }})
			cancel()
			if err != nil {
				t.Fatal(err)
			}
			fmt.Printf("%s %d threads: %d pairs in %v: %.0f pairs/s loss %.4f %.4f\n", engine, th, last.Pairs, last.Elapsed, float64(last.Pairs)/last.Elapsed.Seconds(), last.Loss.Pairs, last.Loss.Penalty)
		}
	}
}
