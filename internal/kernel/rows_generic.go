package kernel

// The Go implementation of the kernels on rows. Products are rounded before they are added (the conversions forbid a
// fused multiply-add), so that it gives the same bits on every architecture.

// plainDot sums in four interleaved chains: a single chain would wait for each addition.
func plainDot[T word](x, y []T) T {
	var s0, s1, s2, s3 T
	y = y[:len(x)]
	for len(x) >= 4 && len(y) >= 4 {
		s0 += T(x[0] * y[0])
		s1 += T(x[1] * y[1])
		s2 += T(x[2] * y[2])
		s3 += T(x[3] * y[3])
		x, y = x[4:], y[4:]
	}
	for i, v := range x {
		s0 += T(v * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}

func axpyGeneric(y, x []float32, a float32) {
	y = y[:len(x)]
	for i, v := range x {
		y[i] += float32(a * v)
	}
}

func dotsGeneric(out, x, table []float32, rows []int32, k, d int) {
	for s, v := range rows {
		block := table[int(v)*k*d:][:k*d]
		for j := range k {
			out[s*k+j] = plainDot(x, block[j*d:][:d])
		}
	}
}

func combineGeneric(dst, coef, table []float32, rows []int32, k, d int) {
	for s, v := range rows {
		block := table[int(v)*k*d:][:k*d]
		for j := range k {
			axpyGeneric(dst, block[j*d:][:d], coef[s*k+j])
		}
	}
}

func outerGeneric(dst, coef, x []float32, slots, owners []int32, k, d int) {
	for i, slot := range slots {
		row, c := x[int(owners[i])*d:][:d], coef[int(slot)*k:][:k]
		for j, a := range c {
			axpyGeneric(dst[j*d:][:d], row, a)
		}
	}
}

// PlainGram is Gram.
func PlainGram[T word](out, block []T, k, d int) {
	p := 0
	for i := range k {
		for j := i; j < k; j++ {
			out[p] = plainDot(block[i*d:][:d], block[j*d:][:d])
			p++
		}
	}
}

// PlainRepel is Repel.
func PlainRepel[T word](grad, block, alpha, ratio []T, k, d int) {
	clear(grad)
	for i := range k {
		x, sum := block[i*d:][:d], grad[i*d:][:d]
		for j, a := range alpha[i*k:][:k] {
			if a == 0 {
				continue
			}
			r := ratio[i*k+j]
			for n, y := range block[j*d:][:d] {
				sum[n] += T(a * (y - T(r*x[n])))
			}
		}
	}
}
