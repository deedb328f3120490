package kernel

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/gonum"
)

// BenchmarkGemm does the products of a recurrent encoder of dimension d, for a batch of so many rows, on one thread: forward
// (transB, n = 3d), backward (n = d) and the gradient of weights (transA, k = rows); and Gonum's beside it, which uses all
// processors unless bound to one.
func BenchmarkGemm(b *testing.B) {
	for _, z := range []productSize{
		{20000, 120, 40, false, true, false}, {20000, 40, 120, false, false, false}, {120, 40, 100000, true, false, false},
		{3000, 600, 200, false, true, false}, {3000, 200, 600, false, false, false}, {600, 200, 20000, true, false, false},
		{3000, 1500, 500, false, true, false}, {3000, 500, 1500, false, false, false}, {1500, 500, 20000, true, false, false},
		{3, 600, 200, false, true, false},
	} {
		r := newRand(12)
		rows := func(trans bool, rows, columns int) matrix {
			if trans {
				rows, columns = columns, rows
			}
			return matrix{fill(r, make([]float32, rows*columns)), columns}
		}
		x, y, c := rows(z.transA, z.m, z.k), rows(z.transB, z.k, z.n), rows(false, z.m, z.n)
		run := func(variant string, do func()) {
			b.Run(fmt.Sprintf("%v/variant=%s", z, variant), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					do()
				}
				flops := 2 * float64(z.m) * float64(z.n) * float64(z.k) * float64(b.N)
				b.ReportMetric(flops/float64(b.Elapsed().Nanoseconds()), "GFLOP/s")
			})
		}
		for _, v := range variants() {
			withVariant(v, func() {
				run(v.String(), func() {
					Gemm(1, z.transA, z.transB, z.m, z.n, z.k, x.x, x.ld, y.x, y.ld, z.add, c.x, c.ld)
				})
			})
		}
		trans := map[bool]blas.Transpose{false: blas.NoTrans, true: blas.Trans}
		run("gonum", func() {
			gonum.Implementation{}.Sgemm(trans[z.transA], trans[z.transB], z.m, z.n, z.k, 1, x.x, x.ld, y.x, y.ld, 0, c.x, c.ld)
		})
	}
}
