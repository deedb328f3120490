// Package op turns a numeric kernel into a differentiable Gorgonia op, and holds the few ops that layers and losses are
// composed of where Gorgonia's own are wrong, or unsafe, or slow (known_issues_test.go pins which, and how).
//
// Of Gorgonia v0.9.18, do not use in a graph: Reshape, whose result shares memory with its input; SoftMax over the last axis, of one
// column, or followed by Log; Slice, Concat and large constants, of which those that are 256 rows apart or print alike become one node;
// ByIndices, which returns row 0 for an index past the end; Sum of more than 2^24 numbers; LogSumExp; division of zero by zero, which is
// +Inf; and the gradients of InverseSqrt, Log2 and Max, which gives each of equal numbers the whole (use BagMax).
//
// An op made here owns its buffers: it allocates on its first run and never again, it never returns one of its inputs, and
// one backward pass serves all its gradients. Indices are checked before they are used, because a panic inside an op
// cannot be recovered from: Gorgonia runs ops in a goroutine of its own.
package op

import (
	"fmt"
	"hash"
	"hash/fnv"
	"slices"
	"sync/atomic"

	"github.com/chewxy/hm"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// Float is the element type of a computation: float32 to train, float64 to check gradients.
type Float interface{ float32 | float64 }

// Array is one input of a kernel. F holds the elements of a float tensor or scalar, I those of an integer tensor; the
// other is nil. Both are the input's own memory: a kernel reads them and does not keep them.
type Array[T Float] struct {
	Shape tensor.Shape
	F     []T
	I     []int
}

// Kernel is the numeric part of an op. It must not panic and must not keep references to its arguments.
type Kernel[T Float] struct {
	// Forward writes every element of the result, which is not cleared before.
	Forward func(in []Array[T], out []T) error
	// Backward adds dL/din[i] to din[i], which starts at zero and is nil where no gradient is wanted, given the forward
	// result and the gradient gout = dL/dout. Where Spec.Sets is true, din[i] starts with anything and every element of
	// it is written. Nil for an op without gradient.
	Backward func(in []Array[T], out, gout []T, din [][]T) error
}

// Spec describes an op to Apply.
type Spec struct {
	Name  string
	Shape tensor.Shape // of the result; tensor.ScalarShape() for a scalar
	Diff  []bool       // whether each input gets a gradient
	Sets  []bool       // whether Backward writes the gradient of each input whole, so that it need not be cleared; nil: none
	F32   Kernel[float32]
	F64   Kernel[float64]

	kind Kind
}

// Kind tells the few ops that whoever runs a graph may compute in another way from the others; see KindOf.
type Kind int

// The kinds. Only ops of this package have one of their own, whatever others are called.
const (
	OtherKind Kind = iota
	LookupKind
	RowDotsKind
	BagMeanKind
	ReshapeKind
)

// instances numbers the ops of the process. Gorgonia merges nodes whose ops hash alike, so no two may.
var instances atomic.Uint64

// Apply adds the op to the graph of xs. The result has the float type of the first float input. It returns an error if
// there is none, or if Diff or Sets does not have one entry for each input.
func Apply(s Spec, xs ...*G.Node) (*G.Node, error) {
	if len(s.Diff) != len(xs) {
		return nil, fmt.Errorf("op: %s: %d inputs, %d entries in Diff: expected as many", s.Name, len(xs), len(s.Diff))
	}
	if s.Sets != nil && len(s.Sets) != len(xs) {
		return nil, fmt.Errorf("op: %s: %d inputs, %d entries in Sets: expected as many or none", s.Name, len(xs), len(s.Sets))
	}
	for _, x := range xs {
		switch x.Dtype() {
		case tensor.Float32:
			return apply(s, s.F32, tensor.Float32, xs)
		case tensor.Float64:
			return apply(s, s.F64, tensor.Float64, xs)
		}
	}
	return nil, fmt.Errorf("op: %s: expected an input of float32 or float64", s.Name)
}

// whole applies an op whose Backward writes the gradient of each of its inputs whole.
func whole(name string, shape tensor.Shape, f32 Kernel[float32], f64 Kernel[float64], xs ...*G.Node) (*G.Node, error) {
	each := slices.Repeat([]bool{true}, len(xs))
	return Apply(Spec{Name: name, Shape: shape, Diff: each, Sets: each, F32: f32, F64: f64}, xs...)
}

func apply[T Float](s Spec, k Kernel[T], dt tensor.Dtype, xs []*G.Node) (*G.Node, error) {
	st := &state[T]{
		id: instances.Add(1), spec: s, kernel: k, dtype: dt,
		in: make([]Array[T], len(xs)), grads: make([]*tensor.Dense, len(xs)), din: make([][]T, len(xs)), by: calledBy(),
	}
	for i, x := range xs {
		if dtype := x.Dtype(); dtype != dt && dtype != tensor.Int {
			return nil, fmt.Errorf("op: %s: input %d is %v: expected %v or int, as the others", s.Name, i, dtype, dt)
		}
		st.inTypes = append(st.inTypes, x.Type())
	}
	if s.Shape.IsScalar() {
		st.outType = dt
	} else {
		st.outType = G.TensorType{Dims: s.Shape.Dims(), Of: dt}
	}
	return G.ApplyOp(&forward[T]{st}, xs...)
}

// state is what the forward op and its gradient ops share.
type state[T Float] struct {
	id      uint64
	spec    Spec
	kernel  Kernel[T]
	dtype   tensor.Dtype
	inTypes []hm.Type
	outType hm.Type
	by      callers

	in    []Array[T]
	out   *tensor.Dense // of outF; nil for a scalar
	outF  []T
	grads []*tensor.Dense // of din; nil for a scalar
	din   [][]T

	forwards, backwards uint64 // the pass that out and grads belong to
}

// bind views the values of a run as arrays.
func (s *state[T]) bind(in []G.Value) error {
	for i, v := range in {
		a := Array[T]{Shape: v.Shape()}
		switch d := v.Data().(type) {
		case []T:
			a.F = d
		case T:
			a.F = []T{d}
		case []int:
			a.I = d
		case int:
			a.I = []int{d}
		default:
			return fmt.Errorf("op: %s: input %d holds %T: expected %v or int", s.spec.Name, i, d, s.dtype)
		}
		s.in[i] = a
	}
	return nil
}

// buffer makes a tensor and the slice under it. A scalar is a slice alone: its value is made anew for each run.
func buffer[T Float](dt tensor.Dtype, shape tensor.Shape) (*tensor.Dense, []T) {
	backing := make([]T, shape.TotalSize())
	if shape.IsScalar() {
		return nil, backing
	}
	return tensor.New(tensor.Of(dt), tensor.WithShape(shape.Clone()...), tensor.WithBacking(backing)), backing
}

func (s *state[T]) hash(h hash.Hash, suffix string) {
	fmt.Fprintf(h, "%s#%d%s", s.spec.Name, s.id, suffix)
}

// scalarValue wraps a number as the value that Gorgonia passes between scalar ops; it is new each time, because stock
// scalar ops may write into it.
func scalarValue[T Float](x T) G.Value {
	switch x := any(x).(type) {
	case float32:
		return G.NewF32(x)
	case float64:
		return G.NewF64(x)
	}
	return nil
}

type forward[T Float] struct{ *state[T] }

var _ G.SDOp = (*forward[float32])(nil)

func (o *forward[T]) Arity() int { return len(o.inTypes) }

// Type is new each time: the caller recycles it.
func (o *forward[T]) Type() hm.Type {
	return hm.NewFnType(append(append([]hm.Type{}, o.inTypes...), o.outType)...)
}
func (o *forward[T]) InferShape(...G.DimSizer) (tensor.Shape, error) {
	return o.spec.Shape.Clone(), nil
}
func (o *forward[T]) ReturnsPtr() bool      { return false }
func (o *forward[T]) CallsExtern() bool     { return false }
func (o *forward[T]) OverwritesInput() int  { return -1 }
func (o *forward[T]) WriteHash(h hash.Hash) { o.hash(h, "") }
func (o *forward[T]) Hashcode() uint32      { return hashcode(o) }
func (o *forward[T]) String() string        { return o.spec.Name }
func (o *forward[T]) DiffWRT(int) []bool    { return o.spec.Diff }

func (o *forward[T]) Do(in ...G.Value) (G.Value, error) {
	o.forwards++
	if err := o.bind(in); err != nil {
		return nil, err
	}
	if o.outF == nil {
		o.out, o.outF = buffer[T](o.dtype, o.spec.Shape)
	}
	if err := o.kernel.Forward(o.in, o.outF); err != nil {
		return nil, fmt.Errorf("op: %s: %w", o.spec.Name, err)
	}
	if o.out == nil {
		return scalarValue(o.outF[0]), nil
	}
	return o.out, nil
}

func (o *forward[T]) SymDiff(in G.Nodes, out, grad *G.Node) (G.Nodes, error) {
	res := make(G.Nodes, len(in))
	// Everything that Backward reads is a child, so that the run keeps those values alive and untouched until then.
	kids := append(append(G.Nodes{}, in...), out, grad)
	for i, wanted := range o.spec.Diff {
		if !wanted {
			continue
		}
		n, err := G.ApplyOp(&backward[T]{o.state, i}, kids...)
		if err != nil {
			return nil, err
		}
		res[i] = n
	}
	return res, nil
}

// backward is the gradient of input i. Whichever gradient of an op runs first computes them all.
type backward[T Float] struct {
	*state[T]
	i int
}

func (o *backward[T]) Arity() int { return len(o.inTypes) + 2 }
func (o *backward[T]) Type() hm.Type {
	return hm.NewFnType(append(append([]hm.Type{}, o.inTypes...), o.outType, o.outType, o.inTypes[o.i])...)
}
func (o *backward[T]) InferShape(in ...G.DimSizer) (tensor.Shape, error) {
	return in[o.i].(tensor.Shape).Clone(), nil
}
func (o *backward[T]) ReturnsPtr() bool      { return false }
func (o *backward[T]) CallsExtern() bool     { return false }
func (o *backward[T]) OverwritesInput() int  { return -1 }
func (o *backward[T]) WriteHash(h hash.Hash) { o.hash(h, fmt.Sprintf("/d%d", o.i)) }
func (o *backward[T]) Hashcode() uint32      { return hashcode(o) }
func (o *backward[T]) String() string        { return fmt.Sprintf("d%s/d%d", o.spec.Name, o.i) }

func (o *backward[T]) Do(in ...G.Value) (G.Value, error) {
	if o.backwards != o.forwards {
		if err := o.differentiate(in); err != nil {
			return nil, fmt.Errorf("op: gradient of %s: %w", o.spec.Name, err)
		}
		o.backwards = o.forwards
	}
	if o.grads[o.i] == nil {
		return scalarValue(o.din[o.i][0]), nil
	}
	return o.grads[o.i], nil
}

func (o *backward[T]) differentiate(in []G.Value) error {
	n := len(o.inTypes)
	if err := o.bind(in[:n]); err != nil {
		return err
	}
	for i, wanted := range o.spec.Diff {
		if !wanted {
			continue
		}
		if o.din[i] == nil {
			o.grads[i], o.din[i] = buffer[T](o.dtype, in[i].Shape())
		} else if o.spec.Sets == nil || !o.spec.Sets[i] {
			clear(o.din[i])
		}
	}
	return o.kernel.Backward(o.in, floats[T](in[n]), floats[T](in[n+1]), o.din)
}

func floats[T Float](v G.Value) []T {
	switch d := v.Data().(type) {
	case []T:
		return d
	case T:
		return []T{d}
	}
	return nil
}

func hashcode(o G.Op) uint32 {
	h := fnv.New32a()
	o.WriteHash(h)
	return h.Sum32()
}
