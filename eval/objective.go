package eval

import (
	"context"
	"fmt"
	"math"
)

// objective is the function that Logistic minimises, with its derivatives.
//
//	f(w,b) = ½|w|² + C Σ_i log(1 + exp(-y_i (w·x_i + b))),  y_i = ±1
//
// Parameters theta are float64: the D weights, then the intercept. Sums are in float64, taken in an order fixed by the number
// of rows (see chunkRows).
type objective struct {
	ctx     context.Context
	x       Features
	label   []bool
	c       float64
	threads int

	d, rows, chunks int
	loss            []float64 // (chunks)
	grad            []float64 // (chunks, D+1)
	hess            []float64 // (chunks, (D+1)*(D+1)), upper triangles; nil until asked for

	scale    []float64 // (D+1) C Σ_i |x_ij|: no gradient of the loss is larger; the last is that of the intercept, C n
	maxScale float64   // the largest of the weights' scales

	work []scratch // (chunks)
	err  error
}

// scratch is what one chunk needs while its blocks are worked on, kept between passes.
type scratch struct {
	block []float32 // a block of features that are computed on the way
	curve []float64 // the curvature of the loss at each row of the block
	four  []float64 // four rows, for rankUpdate
}

func newObjective(ctx context.Context, x Features, label []bool, c float64, threads int) (*objective, error) {
	o := &objective{ctx: ctx, x: x, label: label, c: c, threads: threads, d: x.Cols()}
	o.rows, o.chunks = chunkRows(x.Rows())
	o.loss = make([]float64, o.chunks)
	o.grad = make([]float64, o.chunks*(o.d+1))
	o.work = make([]scratch, o.chunks)
	return o, o.measure()
}

// each hands chunk k to work, a block of rows at a time; first is the block's first row, n its number of rows.
func (o *objective) each(work func(k, first, n int, block []float32)) error {
	per := max(1, blockFloats/o.d)
	return forChunks(o.ctx, o.chunks, o.threads, func(k int) {
		s := &o.work[k]
		if s.block == nil {
			s.block = make([]float32, per*o.d)
			s.curve = make([]float64, per)
			s.four = make([]float64, 4*(o.d+1))
		}
		end := min((k+1)*o.rows, o.x.Rows())
		for lo := k * o.rows; lo < end; lo += per {
			hi := min(lo+per, end)
			work(k, lo, hi-lo, o.x.Block(lo, hi, s.block))
		}
	})
}

// measure finds the scales of the columns, and rejects features that are not finite.
func (o *objective) measure() error {
	sums := make([]float64, o.chunks*o.d)
	err := o.each(func(k, _, _ int, block []float32) {
		abs := sums[k*o.d : (k+1)*o.d]
		for i, v := range block {
			abs[i%o.d] += math.Abs(float64(v))
		}
	})
	if err != nil {
		return err
	}
	o.scale = make([]float64, o.d+1)
	for i, x := range sums {
		o.scale[i%o.d] += x
	}
	o.scale[o.d] = float64(o.x.Rows())
	for j := range o.scale {
		if o.scale[j] *= o.c; !finite(o.scale[j]) {
			return fmt.Errorf("eval: logistic regression: feature %d is NaN or infinite in some row: expected finite numbers", j)
		}
		if j < o.d {
			o.maxScale = max(o.maxScale, o.scale[j])
		}
	}
	return nil
}

// logChunk is the number of factors in 1..2 multiplied before a logarithm is taken; their product cannot overflow.
const logChunk = 64

// eval returns f at theta and fills grad (D+1) and, unless it is nil, hess ((D+1)*(D+1) row-major, both triangles).
func (o *objective) eval(theta, grad, hess []float64) float64 {
	d, m := o.d, o.d+1
	clear(o.loss)
	clear(o.grad)
	if hess != nil {
		if o.hess == nil {
			o.hess = make([]float64, o.chunks*m*m)
		}
		clear(o.hess)
	}
	w, b := theta[:d], theta[d]
	err := o.each(func(k, first, n int, block []float32) {
		g := o.grad[k*m : (k+1)*m]
		curve := o.work[k].curve[:n]
		var sum float64
		product := 1.0
		for i := range curve {
			row := block[i*d : (i+1)*d]
			z := dot(w, row) + b
			sign := 1.0
			if !o.label[first+i] {
				sign = -1
			}
			// log(1+exp(-a)) = max(-a,0) + log(1+exp(-|a|)): no overflow, and the logarithms of many rows become one.
			a := sign * z
			e := math.Exp(-math.Abs(a))
			product *= 1 + e
			p := e / (1 + e) // probability of the less likely label
			if a < 0 {
				sum -= a
				curve[i] = p * (1 - p)
				p = 1 - p // slope of the loss: the probability of the wrong label
			} else {
				curve[i] = p * (1 - p)
			}
			if i%logChunk == logChunk-1 {
				sum += math.Log(product)
				product = 1
			}
			r := -sign * p
			axpy(g[:d], r, row)
			g[d] += r
		}
		o.loss[k] += sum + math.Log(product)
		if hess != nil {
			rankUpdate(o.hess[k*m*m:(k+1)*m*m], d, block, curve, o.work[k].four)
		}
	})
	if err != nil {
		o.err = err
		return math.NaN()
	}
	return o.reduce(theta, grad, hess)
}

// reduce adds the chunks up in their order, and adds the penalty.
func (o *objective) reduce(theta, grad, hess []float64) float64 {
	d, m := o.d, o.d+1
	clear(grad)
	var f, norm float64
	for k := range o.chunks {
		f += o.loss[k]
		for j, v := range o.grad[k*m : (k+1)*m] {
			grad[j] += v
		}
	}
	for j := range grad {
		grad[j] *= o.c
		if j < d {
			grad[j] += theta[j]
			norm += theta[j] * theta[j]
		}
	}
	if hess != nil {
		o.reduceHessian(hess)
	}
	return norm/2 + o.c*f
}

func (o *objective) reduceHessian(hess []float64) {
	m := o.d + 1
	clear(hess)
	for k := range o.chunks {
		for j, v := range o.hess[k*m*m : (k+1)*m*m] {
			hess[j] += v
		}
	}
	for i := range m {
		for j := i; j < m; j++ {
			hess[i*m+j] *= o.c
			hess[j*m+i] = hess[i*m+j]
		}
	}
	for j := range o.d {
		hess[j*m+j]++
	}
}

// residual is the size of a gradient on the scale of the data, without unit: at most about 1, and 0 at the optimum.
//
//	max( max_j |g_j| / max_j C Σ_i |x_ij| , |g_b| / (C n) )
//
// Scaling the features, or repeating all rows with C divided accordingly, leaves it as it is.
func (o *objective) residual(grad []float64) float64 {
	var top float64
	for _, g := range grad[:o.d] {
		top = max(top, math.Abs(g))
	}
	if o.maxScale > 0 {
		top /= o.maxScale
	}
	return max(top, math.Abs(grad[o.d])/o.scale[o.d])
}
