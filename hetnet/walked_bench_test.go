package hetnet

import (
	"context"
	"fmt"
	"testing"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// dblpInput returns DBLP with random word vectors, which cost what trained ones do.
func dblpInput(b *testing.B) Input {
	b.Helper()
	bibliography, _ := dblp(b)
	w := &Words{Dim: 128, Vectors: make([]float32, 128*len(bibliography.Words))}
	s := rng.New(1, "words")
	for i := range w.Vectors {
		w.Vectors[i] = float32(s.Normal())
	}
	return Input{Bibliography: bibliography, Words: w}
}

// A step of the models on walks, of the default number of pairs.
func BenchmarkWalked(b *testing.B) {
	in := dblpInput(b)
	for _, method := range []string{MethodM2V, MethodAsp2vecHet} {
		for _, dim := range []int{40, 200} {
			for _, threads := range []int{1, 2} {
				b.Run(fmt.Sprintf("method=%s/d=%d/threads=%d", method, dim, threads), func(b *testing.B) {
					o := graphs.OptionsOf(MethodOf(method), graphs.Default)
					o.Dim, o.WarmUp, o.Walks = dim, false, 1
					m := MethodOf(method)
					stages, err := m.Stages(context.Background(), graphs.Input{Typed: in}, o.Complete(), threads)
					if err != nil {
						b.Fatal(err)
					}
					l := stages[0].Learner
					var pairs int64
					b.ResetTimer()
					for steps := 0; steps < b.N; {
						ctx, cancel := context.WithCancel(context.Background())
						if err := l.Epoch(ctx, 1, func(n int64, _ graphs.Loss) {
							pairs += n
							if steps++; steps >= b.N {
								cancel()
							}
						}); err != nil {
							b.Fatal(err)
						}
						cancel()
					}
					b.ReportMetric(float64(pairs)/b.Elapsed().Seconds()/1e3, "kpairs/s")
				})
			}
		}
	}
}
