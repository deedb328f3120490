package op_test

import (
	"math"
	"slices"
	"testing"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
)

// threaded is an op of two inputs that takes a number of threads.
func threaded(f func(a, b *G.Node, threads int) (*G.Node, error)) gradcheck.Build { return with(f)(2) }

func sparse(a *op.Sparse) gradcheck.Build {
	return unary(func(x *G.Node) (*G.Node, error) { return op.SparseMul(a, x, 2) })
}

// matrix returns [[1,0,2],[0,0,0],[0,-3,0],[4,5,0]], with its last element in two parts.
func matrix() *op.Sparse {
	return sparseOf(3, []int64{0, 2, 2, 3, 6}, []int32{0, 2, 1, 1, 0, 1}, []float32{1, 2, -3, 2, 4, 3})
}

func sparseOf(columns int, offsets []int64, index []int32, value []float32) *op.Sparse {
	a, err := op.NewSparse(columns, offsets, index, value)
	if err != nil {
		panic(err)
	}
	return a
}

// randomSparse returns a matrix with about three elements in a row, and many in a few columns.
func randomSparse(rows, columns int) *op.Sparse {
	s := rng.New(1, "sparse")
	offsets, index, value := []int64{0}, []int32{}, []float32{}
	for range rows {
		for range s.Intn(7) {
			index = append(index, int32(min(s.Intn(columns), s.Intn(columns))))
			value = append(value, float32(s.Normal()))
		}
		offsets = append(offsets, int64(len(index)))
	}
	return sparseOf(columns, offsets, index, value)
}

func places(x ...int) gradcheck.Input {
	return gradcheck.Input{Name: "places", Shape: []int{len(x)}, Ints: x}
}

var sparseMulCases = map[string]opCase{
	"by hand":     of(sparse(matrix()), floats("x", []int{3, 2}, 1, 2, 3, 4, 5, 6)).is(11, 14, 0, 0, -9, -12, 19, 28),
	"one element": of(sparse(sparseOf(1, []int64{0, 1}, []int32{0}, []float32{3})), floats("x", []int{1, 1}, 2)).is(6),
	"random":      of(sparse(randomSparse(70, 9)), normal("x", 9, 5)),
}

var permuteRowsCases = map[string]opCase{
	"by hand": of(threaded(op.PermuteRows), floats("x", []int{3, 2}, 1, 2, 3, 4, 5, 6), places(2, 0, 1)).is(5, 6, 1, 2, 3, 4),
	"one row": of(threaded(op.PermuteRows), normal("x", 1, 3), places(0)),
}

var preluCases = map[string]opCase{
	"by hand":        of(threaded(op.PReLU), floats("x", []int{2, 2}, 1, -2, -4, 3), floats("slope", []int{1}, .25)).is(1, -.5, -1, 3),
	"several blocks": of(threaded(op.PReLU), fixed(normal("x", 300, 70)), floats("slope", []int{1}, -.5)),
	"random":         of(threaded(op.PReLU), normal("x", 7, 5), floats("slope", []int{1}, .3)),
}

var addRowCases = map[string]opCase{
	"by hand":     of(threaded(op.AddRow), floats("x", []int{2, 2}, 1, 2, 3, 4), floats("row", []int{2}, 10, 20)).is(11, 22, 13, 24),
	"to a vector": of(threaded(op.AddRow), floats("x", []int{3}, 1, 2, 3), floats("row", []int{1}, 4)).is(5, 6, 7),
	"random":      of(threaded(op.AddRow), normal("x", 130, 2, 2), normal("row", 4)),
}

var meanRowsCases = map[string]opCase{
	"by hand": of(unary(meanRows), floats("x", []int{2, 2}, 1, 2, 3, 5)).is(2, 3.5),
	"random":  of(unary(meanRows), normal("x", 131, 3)),
}

func meanRows(x *G.Node) (*G.Node, error) { return op.MeanRows(x, 2) }

var rowScoresCases = map[string]opCase{
	"by hand":     of(threaded(op.RowScores), floats("x", []int{2, 2}, 1, 2, 3, 4), floats("u", []int{2}, 10, 1)).is(12, 34),
	"one element": of(threaded(op.RowScores), normal("x", 1, 1), normal("u", 1)),
	"random":      of(threaded(op.RowScores), normal("x", 131, 7), normal("u", 7)),
}

// TestThreadsDoNotShow: values and gradients of the parallel ops are the same to the last bit for any number of threads.
func TestThreadsDoNotShow(t *testing.T) {
	const n, h = 500, 37
	a := randomSparse(n, n)
	p := places(rng.New(1, "order").Perm(n)...)
	x, row, slope := normal("x", n, h), normal("row", h), floats("slope", []int{1}, .25)
	for name, c := range map[string]struct {
		build  func(threads int) gradcheck.Build
		inputs []gradcheck.Input
	}{
		"SparseMul": {func(threads int) gradcheck.Build {
			return unary(func(x *G.Node) (*G.Node, error) { return op.SparseMul(a, x, threads) })
		}, []gradcheck.Input{x}},
		"MeanRows": {func(threads int) gradcheck.Build {
			return unary(func(x *G.Node) (*G.Node, error) { return op.MeanRows(x, threads) })
		}, []gradcheck.Input{x}},
		"PermuteRows": {with(op.PermuteRows), []gradcheck.Input{x, p}},
		"PReLU":       {with(op.PReLU), []gradcheck.Input{x, slope}},
		"AddRow":      {with(op.AddRow), []gradcheck.Input{x, row}},
		"RowScores":   {with(op.RowScores), []gradcheck.Input{x, row}},
	} {
		for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
			want := call.Of(gradcheck.Run(c.build(1), dt, c.inputs))(t)
			for _, threads := range []int{2, 5} {
				got := call.Of(gradcheck.Run(c.build(threads), dt, c.inputs))(t)
				if !slices.Equal(got.Value, want.Value) || !slices.EqualFunc(got.Grads, want.Grads, slices.Equal) {
					t.Errorf("%s, %v: %d threads give other numbers than 1", name, dt, threads)
				}
			}
		}
	}
}

func with(f func(a, b *G.Node, threads int) (*G.Node, error)) func(int) gradcheck.Build {
	return func(threads int) gradcheck.Build {
		return binary(func(a, b *G.Node) (*G.Node, error) { return f(a, b, threads) })
	}
}

// TestPReLUAtZero: zeros of either sign are not positive, and the smallest numbers are what they are, in both types.
func TestPReLUAtZero(t *testing.T) {
	in := []gradcheck.Input{floats("x", []int{1, 6}, 0, math.Copysign(0, -1), 1e-45, -1e-45, 1e-30, -1e-30), floats("slope", []int{1}, .25)}
	steps := []float64{.25, .25, 1, .25, 1, .25}
	for _, dt := range []tensor.Dtype{tensor.Float32, tensor.Float64} {
		weights := call.Of(gradcheck.Run(with(op.AddRow)(1), dt, []gradcheck.Input{in[0], floats("row", []int{6}, make([]float64, 6)...)}))(t)
		r := call.Of(gradcheck.Run(threaded(op.PReLU), dt, in))(t)
		for i, d := range r.Grads[0] {
			if want := steps[i] * weights.Grads[0][i]; math.Abs(d-want) > 1e-7 {
				t.Errorf("%v: derivative %v at %v, expected %v", dt, d, in[0].Floats[i], want)
			}
		}
	}
}
