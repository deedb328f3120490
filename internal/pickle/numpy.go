package pickle

import (
	"fmt"
	"math"
	"strings"

	"github.com/asp2vec/asp2vec/internal/npy"
	"github.com/nlpodyssey/gopickle/types"
)

// Array is a numpy array of numbers or bools.
type Array struct {
	npy.Header
	data []byte
}

// item returns the bytes from the item of a row and a column on, of an array with two dimensions.
func (a *Array) item(row, column int) []byte {
	i := row*a.Shape[1] + column
	if a.Fortran {
		i = column*a.Shape[0] + row
	}
	return a.data[i*a.Size:]
}

// At returns the number at a row and a column. It panics outside of the array, and if there are not two dimensions.
func (a *Array) At(row, column int) float64 { return a.Float(a.item(row, column)) }

// Pairs returns the rows of an array (N,2) of whole numbers that an int32 can hold. It fails for any other array.
func (a *Array) Pairs() ([][2]int32, error) {
	if len(a.Shape) != 2 || a.Shape[1] != 2 || !a.IsInteger() {
		return nil, fmt.Errorf("an array %v of %s: expected (N, 2) of whole numbers", a.Shape, a.Type)
	}
	pairs := make([][2]int32, a.Shape[0])
	for i := range pairs {
		for j := range 2 {
			n := a.Int(a.item(i, j))
			if n != int64(int32(n)) {
				return nil, fmt.Errorf("row %d has %d: expected a number below 2^31", i, n)
			}
			pairs[i][j] = int32(n)
		}
	}
	return pairs, nil
}

// function is what a name in a pickle stands for.
type function func(args []any) (any, error)

// Call does what the name stands for.
func (f function) Call(args ...any) (any, error) { return f(args) }

// dtype is a numpy.dtype, of which the byte order comes later.
type dtype struct {
	code string
	npy.Type
}

// findClass returns what a name in a pickle stands for, or refuses it.
func findClass(module, name string) (any, error) {
	// numpy 2 has an underscore in its modules.
	switch module = strings.Replace(module, "numpy._core.", "numpy.core.", 1); module + "." + name {
	case "numpy.ndarray":
		return name, nil // is only passed on
	case "numpy.dtype":
		return function(newDtype), nil
	case "numpy.core.multiarray._reconstruct":
		return function(func([]any) (any, error) { return &Array{}, nil }), nil
	case "numpy.core.multiarray.scalar":
		return function(newScalar), nil
	case "numpy.core.numeric._frombuffer":
		return function(fromBuffer), nil
	case "_codecs.encode":
		return function(encode), nil
	}
	return nil, refuse("names %.60q, which is not known here and is never run: expected numbers, strings, lists, dicts and numpy arrays alone", module+"."+name)
}

// encode is Python's codecs.encode(text, "latin1"): bytes, in the protocols that have none.
func encode(args []any) (any, error) {
	text, ok := arg(args, 0).(string)
	if !ok {
		return nil, refuse("encodes %s: expected a string", Kind(arg(args, 0)))
	}
	out := make([]byte, 0, len(text))
	for _, r := range text {
		if r > 255 {
			return nil, refuse("has the character %q among bytes: expected Latin-1", r)
		}
		out = append(out, byte(r))
	}
	return out, nil
}

// arg returns the i-th argument, nil where there are not as many.
func arg(args []any, i int) any {
	if i < len(args) {
		return args[i]
	}
	return nil
}

// newDtype is numpy.dtype("i4", align, copy).
func newDtype(args []any) (any, error) {
	code, _ := Text(arg(args, 0))
	t := &dtype{code: code}
	return t, t.order("<")
}

// order takes over the byte order.
func (t *dtype) order(order string) (err error) {
	if t.Type, err = npy.ParseType(order + t.code); err != nil || !t.IsNumber() {
		return refuse("has an array of type %.20q: expected whole numbers, floats of 4 or 8 bytes, or bools", order+t.code)
	}
	return nil
}

// PySetState takes over the state of a dtype: version, byte order, and what only structures have. It refuses what has no order.
func (t *dtype) PySetState(state any) error {
	items, _ := Items(state)
	order, _ := Text(arg(items, 1))
	return t.order(order)
}

// PySetState takes over the state of an array: version, shape, dtype, whether it is in Fortran's order, and its bytes. It refuses a
// state of another form, and data that do not have the size of the shape.
func (a *Array) PySetState(state any) error {
	items, _ := Items(state)
	fortran, _ := arg(items, 3).(bool)
	return a.fill(arg(items, 1), arg(items, 2), fortran, arg(items, 4))
}

// fill sets what an array holds, if its size is that of its shape.
func (a *Array) fill(shape, of any, fortran bool, data any) error {
	items, ok := Items(shape)
	t, ok2 := of.(*dtype)
	if !ok || !ok2 {
		return refuse("has an array with %s for its shape, and %s for its type: expected a tuple and a dtype", Kind(shape), Kind(of))
	}
	a.Header, a.data = npy.Header{Type: t.Type, Fortran: fortran}, nil
	for _, x := range items {
		d, ok := x.(int)
		if !ok || d < 0 || d > math.MaxInt32 {
			return refuse("has an array with %s for a dimension: expected a number from 0 to 2^31", Kind(x))
		}
		a.Shape = append(a.Shape, d)
	}
	n, err := npy.Items(a.Shape)
	if err != nil {
		return refuse("has an array: %v", err)
	}
	switch b := data.(type) {
	case []byte:
		a.data = b
	case string: // of Python 2
		a.data = []byte(b)
	case *types.ByteArray:
		a.data = *b
	}
	if len(a.data) != n*a.Size {
		return refuse("has an array %v of %s in %d bytes: expected %d", a.Shape, a.Type, len(a.data), n*a.Size)
	}
	return nil
}

// newScalar is numpy's scalar(dtype, bytes), one number.
func newScalar(args []any) (any, error) {
	var a Array
	if err := a.fill(types.NewTupleFromSlice(nil), arg(args, 0), false, arg(args, 1)); err != nil {
		return nil, err
	}
	if a.IsInteger() {
		return int(a.Int(a.data)), nil
	}
	return a.Float(a.data), nil
}

// fromBuffer is numpy's _frombuffer(buffer, dtype, shape, order), which protocol 5 has.
func fromBuffer(args []any) (any, error) {
	order, _ := Text(arg(args, 3))
	a := &Array{}
	return a, a.fill(arg(args, 2), arg(args, 1), order == "F", arg(args, 0))
}
