package pickle

import (
	"encoding/binary"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/nlpodyssey/gopickle/types"
)

// Array is a numpy array of numbers, or of objects if it has one dimension.
type Array struct {
	Shape   []int
	objects []Value
	data    []byte
	of      dtype
	fortran bool // the first index runs fastest
}

// dtype is the type of an array's items.
type dtype struct {
	kind   byte // i, u, f, b, O
	size   int  // bytes
	bigEnd bool
}

// Len returns the number of items.
func (a *Array) Len() int {
	if a.objects != nil {
		return len(a.objects)
	}
	return len(a.data) / a.of.size
}

// value returns the i-th item as it is stored.
func (a *Array) value(i int) Value {
	switch x := a.of.at(a.data[i*a.of.size:]).(type) {
	case uint64:
		if x > math.MaxInt64 {
			return float64(x)
		}
		return int(x)
	default:
		return x
	}
}

// At returns the item of a row and a column of an array with two dimensions, a bool, an int or a float64. It panics outside of
// the array, and if there are not two dimensions.
func (a *Array) At(row, column int) Value {
	if a.fortran {
		return a.value(column*a.Shape[0] + row)
	}
	return a.value(row*a.Shape[1] + column)
}

// Pairs returns the rows of an array (N,2) of whole numbers that an int32 can hold. It fails for any other array.
func (a *Array) Pairs() ([][2]int32, error) {
	if len(a.Shape) != 2 || a.Shape[1] != 2 || a.of.kind != 'i' && a.of.kind != 'u' {
		return nil, fmt.Errorf("an array %v of %s: want (N, 2) of whole numbers", a.Shape, a.of)
	}
	pairs := make([][2]int32, a.Shape[0])
	for i := range pairs {
		for j := range 2 {
			n, ok := a.At(i, j).(int)
			if !ok || n != int(int32(n)) {
				return nil, fmt.Errorf("row %d has %v: want a number below 2^31", i, a.At(i, j))
			}
			pairs[i][j] = int32(n)
		}
	}
	return pairs, nil
}

func (t dtype) String() string { return string(t.kind) + strconv.Itoa(t.size) }

// at returns the number at the beginning of b.
func (t dtype) at(b []byte) any {
	var order binary.ByteOrder = binary.LittleEndian
	if t.bigEnd {
		order = binary.BigEndian
	}
	var x uint64
	switch t.size {
	case 1:
		x = uint64(b[0])
	case 2:
		x = uint64(order.Uint16(b))
	case 4:
		x = uint64(order.Uint32(b))
	case 8:
		x = order.Uint64(b)
	}
	switch {
	case t.kind == 'b':
		return x != 0
	case t.kind == 'f' && t.size == 4:
		return float64(math.Float32frombits(uint32(x)))
	case t.kind == 'f':
		return math.Float64frombits(x)
	case t.kind == 'u':
		return x
	}
	shift := 64 - 8*t.size
	return int(int64(x<<shift) >> shift)
}

// The names that a pickle may use.
type (
	named       string // a class that is only passed on
	function    func(args []any) (any, error)
	dtypeObject struct{ dtype }
)

// Call does what the name stands for.
func (f function) Call(args ...any) (any, error) { return f(args) }

// findClass returns what a name in a pickle stands for, or refuses it.
func findClass(module, name string) (any, error) {
	// numpy 2 has an underscore in its modules, and Python 2 other names for its own.
	module = strings.Replace(module, "numpy._core.", "numpy.core.", 1)
	module = strings.Replace(module, "__builtin__", "builtins", 1)
	switch module + " " + name {
	case "numpy ndarray", "builtins list", "builtins dict", "builtins int", "builtins float", "builtins str":
		return named(module + "." + name), nil
	case "numpy dtype":
		return function(newDtype), nil
	case "numpy.core.multiarray _reconstruct":
		return function(func(args []any) (any, error) {
			if len(args) == 0 || args[0] != named("numpy.ndarray") {
				return nil, refuse("makes an array of a class that is not known: want numpy.ndarray")
			}
			return &Array{}, nil
		}), nil
	case "numpy.core.multiarray scalar":
		return function(newScalar), nil
	case "numpy.core.numeric _frombuffer":
		return function(fromBuffer), nil
	case "_codecs encode": // bytes, in the protocols that have none
		return function(func(args []any) (any, error) {
			if text, ok := first(args).(string); ok {
				return latin1(text)
			}
			return nil, refuse("encodes %s: want a string", Kind(first(args)))
		}), nil
	case "builtins bytes", "builtins bytearray":
		return function(func(args []any) (any, error) {
			switch x := first(args).(type) {
			case []byte:
				return x, nil
			case string:
				return latin1(x)
			case nil:
				return []byte{}, nil
			}
			return nil, refuse("makes bytes of %s: want bytes or a string", Kind(first(args)))
		}), nil
	case "collections defaultdict":
		return function(func([]any) (any, error) { return types.NewDict(), nil }), nil
	}
	return nil, refuse("names %.60q, which is not known here and is never run: want numbers, strings, lists, dicts and numpy arrays alone",
		strings.TrimPrefix(module+"."+name, "."))
}

func first(args []any) any {
	if len(args) == 0 {
		return nil
	}
	return args[0]
}

// latin1 returns the bytes that a string of the first 256 characters stands for.
func latin1(s string) ([]byte, error) {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 255 {
			return nil, refuse("has the character %q among bytes: want Latin-1", r)
		}
		out = append(out, byte(r))
	}
	return out, nil
}

// newDtype is numpy.dtype("i4", align, copy).
func newDtype(args []any) (any, error) {
	code, ok := Text(first(args))
	if ok && code == "O8" || code == "O4" || code == "O" {
		return &dtypeObject{dtype{kind: 'O', size: 8}}, nil
	}
	if code == "?" {
		code = "b1"
	}
	sizes := map[byte]string{'i': "1248", 'u': "1248", 'f': "48", 'b': "1"}
	if len(code) != 2 || !strings.Contains(sizes[code[0]], code[1:]) {
		return nil, refuse("has an array of type %.20q: want whole numbers, floats of 4 or 8 bytes, bools or objects", code)
	}
	return &dtypeObject{dtype{kind: code[0], size: int(code[1] - '0')}}, nil
}

// PySetState takes over the state of a dtype: version, byte order, and what only structures have.
func (t *dtypeObject) PySetState(state any) error {
	items, ok := Items(state)
	if !ok || len(items) < 2 {
		return refuse("has a dtype with %s: want its state", Kind(state))
	}
	for _, x := range items[2:min(5, len(items))] {
		if x != nil {
			return refuse("has an array of structures: want numbers")
		}
	}
	switch order, _ := Text(items[1]); order {
	case "<", "|", "=":
		t.bigEnd = false
	case ">":
		t.bigEnd = true
	default:
		return refuse("has the byte order %.10q: want < or >", order)
	}
	return nil
}

// PySetState takes over the state of an array: version, shape, dtype, whether it is in Fortran's order, and its bytes. It refuses a
// state of another form, and data that do not have the size of the shape.
func (a *Array) PySetState(state any) error {
	items, ok := Items(state)
	if !ok || len(items) != 5 {
		return refuse("has an array with %s: want version, shape, type, order and data", Kind(state))
	}
	of, ok := items[2].(*dtypeObject)
	if !ok {
		return refuse("has an array of %s: want a dtype", Kind(items[2]))
	}
	fortran, _ := items[3].(bool)
	return a.fill(items[1], of.dtype, fortran, items[4])
}

// fill sets what an array holds, if its size is that of its shape.
func (a *Array) fill(shape any, of dtype, fortran bool, data any) error {
	items, ok := Items(shape)
	if !ok {
		return refuse("has an array of the shape %s: want a tuple", Kind(shape))
	}
	a.Shape, a.of, a.fortran, a.objects, a.data = nil, of, fortran, nil, nil
	n, left := 1, math.MaxInt32
	for _, x := range items {
		d, ok := x.(int)
		if !ok || d < 0 || d > left {
			if !ok {
				return refuse("has an array with %s for a dimension: want a number from 0 to 2^31", Kind(x))
			}
			return refuse("has an array with the dimension %d: want a number from 0 to 2^31", d)
		}
		if d > 0 {
			left /= d
		}
		n *= d
		a.Shape = append(a.Shape, d)
	}
	if of.kind == 'O' {
		objects, ok := Items(data)
		if !ok || len(objects) != n || len(a.Shape) != 1 {
			return refuse("has an array %v of objects with %s: want a list of as many, in one dimension", a.Shape, Kind(data))
		}
		a.objects = objects
		return nil
	}
	switch b := data.(type) {
	case []byte:
		a.data = b
	case string: // of Python 2
		a.data = []byte(b)
	case *types.ByteArray:
		a.data = *b
	default:
		return refuse("has an array %v of %s: want bytes", a.Shape, Kind(data))
	}
	if len(a.data) != n*of.size {
		return refuse("has an array %v of %s in %d bytes: want %d", a.Shape, of, len(a.data), n*of.size)
	}
	return nil
}

// newScalar is numpy's scalar(dtype, bytes), one number.
func newScalar(args []any) (any, error) {
	if len(args) == 2 {
		if of, ok := args[0].(*dtypeObject); ok && of.kind != 'O' {
			a := &Array{}
			if err := a.fill(types.NewTupleFromSlice(nil), of.dtype, false, args[1]); err != nil {
				return nil, err
			}
			return a.value(0), nil
		}
	}
	return nil, refuse("has a numpy number that is none: want a dtype and bytes")
}

// fromBuffer is numpy's _frombuffer(buffer, dtype, shape, order), which protocol 5 has.
func fromBuffer(args []any) (any, error) {
	if len(args) == 4 {
		if of, ok := args[1].(*dtypeObject); ok && of.kind != 'O' {
			order, _ := Text(args[3])
			a := &Array{}
			return a, a.fill(args[2], of.dtype, order == "F", args[0])
		}
	}
	return nil, refuse("has a numpy array that is none: want a buffer, dtype, shape and order")
}
