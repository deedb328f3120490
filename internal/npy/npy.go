// Package npy reads and writes what NumPy's files begin with: the type of the items, and the shape.
package npy

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// magic starts every file. The format is specified in NEP 1 of the NumPy project.
const magic = "\x93NUMPY"

// Type is the type of the items of an array.
type Type struct {
	Kind  byte // f, i, u, b; S and U for text, O for objects
	Size  int  // bytes of an item
	Order binary.ByteOrder
}

var typeOf = regexp.MustCompile(`^([<>|=])([a-zA-Z])([0-9]{1,6})$`)

// ParseType reads a type as NumPy writes it, such as <f4. It returns an error for structures, and for numbers of a size that no kind has.
func ParseType(descr string) (Type, error) {
	m := typeOf.FindStringSubmatch(descr)
	if m == nil {
		return Type{}, fmt.Errorf("items of type %.60q: expected numbers or text, such as <f4", descr)
	}
	t := Type{Kind: m[2][0], Order: binary.LittleEndian}
	if m[1] == ">" {
		t.Order = binary.BigEndian
	}
	t.Size, _ = strconv.Atoi(m[3])
	sizes := map[byte][]int{'i': {1, 2, 4, 8}, 'u': {1, 2, 4, 8}, 'f': {4, 8}, 'b': {1}}
	if fits, number := sizes[t.Kind]; number {
		for _, size := range fits {
			if size == t.Size {
				return t, nil
			}
		}
		return Type{}, fmt.Errorf("items of type %.60q: expected integers, bools, float32 or float64", descr)
	}
	if t.Kind == 'U' {
		t.Size *= 4 // UTF-32
	}
	return t, nil
}

// String returns the kind and the size, such as f4.
func (t Type) String() string { return string(t.Kind) + strconv.Itoa(t.Size) }

// IsInteger says whether the items are whole numbers.
func (t Type) IsInteger() bool { return t.Kind == 'i' || t.Kind == 'u' }

// IsNumber says whether the items are numbers or bools.
func (t Type) IsNumber() bool { return t.IsInteger() || t.Kind == 'f' || t.Kind == 'b' }

// bits returns the item that b begins with, with zeros before it.
func (t Type) bits(b []byte) uint64 {
	switch t.Size {
	case 1:
		return uint64(b[0])
	case 2:
		return uint64(t.Order.Uint16(b))
	case 4:
		return uint64(t.Order.Uint32(b))
	}
	return t.Order.Uint64(b)
}

// Int returns the whole number that b begins with. Of numbers from 2^63 on it returns -1.
func (t Type) Int(b []byte) int64 {
	x := t.bits(b)
	if t.Kind == 'i' {
		shift := 64 - 8*t.Size
		return int64(x<<shift) >> shift
	}
	if x > math.MaxInt64 {
		return -1
	}
	return int64(x)
}

// Float returns the number that b begins with, or 0 and 1 for bools.
func (t Type) Float(b []byte) float64 {
	switch {
	case t.Kind == 'f' && t.Size == 4:
		return float64(math.Float32frombits(uint32(t.bits(b))))
	case t.Kind == 'f':
		return math.Float64frombits(t.bits(b))
	case t.Kind == 'i':
		return float64(t.Int(b))
	}
	return float64(t.bits(b))
}

// Header describes an array, whose items follow.
type Header struct {
	Type
	Shape   []int
	Fortran bool // the first index runs fastest
}

// The three entries of a header, which is a Python dictionary. Keys may come in any order.
var (
	descrEntry   = regexp.MustCompile(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`)
	fortranEntry = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)`)
	shapeEntry   = regexp.MustCompile(`['"]shape['"]\s*:\s*\(([0-9,\sL]*)\)`)
)

// ReadHeader reads up to the first item of an array. It returns an error for data that do not begin as those of NumPy, a header of
// more than 1 MiB, types that ParseType does not take, and shapes that could not be in memory. That the items are there it does not check.
func ReadHeader(r io.Reader) (Header, error) {
	text, err := headerText(r)
	if err != nil {
		return Header{}, err
	}
	descr, fortran, dims := descrEntry.FindStringSubmatch(text), fortranEntry.FindStringSubmatch(text), shapeEntry.FindStringSubmatch(text)
	if descr == nil || fortran == nil || dims == nil {
		return Header{}, fmt.Errorf("header %.100q: expected descr, fortran_order and shape of a plain array", text)
	}
	h := Header{Fortran: fortran[1] == "True"}
	if h.Type, err = ParseType(descr[1]); err != nil {
		return Header{}, err
	}
	for _, s := range strings.FieldsFunc(dims[1], func(c rune) bool { return strings.ContainsRune(", L\t\n", c) }) {
		n, err := strconv.Atoi(s)
		if err != nil {
			return Header{}, fmt.Errorf("shape (%s): %w", dims[1], err)
		}
		h.Shape = append(h.Shape, n)
	}
	_, err = Items(h.Shape)
	return h, err
}

// headerText reads the dictionary of a header.
func headerText(r io.Reader) (string, error) {
	var start [len(magic) + 2]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:len(magic)]) != magic {
		return "", errors.New("no NumPy file: expected one that starts with \\x93NUMPY")
	}
	length := make([]byte, 4)
	switch major := start[len(magic)]; major {
	case 1:
		length = length[:2]
	case 2, 3:
	default:
		return "", fmt.Errorf("NumPy format version %d: expected 1, 2 or 3", major)
	}
	if _, err := io.ReadFull(r, length); err != nil {
		return "", fmt.Errorf("header: %w", io.ErrUnexpectedEOF)
	}
	size := binary.LittleEndian.Uint32(append(length, 0, 0)) // which has two bytes in version 1
	if size > 1<<20 {
		return "", fmt.Errorf("header of %d bytes: expected at most 1 MiB", size)
	}
	text := make([]byte, size)
	if _, err := io.ReadFull(r, text); err != nil {
		return "", fmt.Errorf("header: %w", io.ErrUnexpectedEOF)
	}
	return string(text), nil
}

// Items returns the number of items of an array, or an error if an array in memory could not have as many.
func Items(shape []int) (int, error) {
	n := 1
	for _, s := range shape {
		if s < 0 || (s > 0 && n > math.MaxInt/16/s) {
			return 0, fmt.Errorf("shape %v: expected sizes >= 0 that fit in memory", shape)
		}
		n *= s
	}
	return n, nil
}

// Start returns what an array in row-major order begins with, in version 1.0; descr is its type, as ParseType has it.
func Start(descr string, shape ...int) []byte {
	var dims strings.Builder
	for _, s := range shape {
		fmt.Fprintf(&dims, "%d, ", s)
	}
	tuple := strings.TrimSuffix(dims.String(), " ") // "(3,)" and "(3, 4)" are both Python
	if len(shape) > 1 {
		tuple = strings.TrimSuffix(tuple, ",")
	}
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", descr, tuple)
	const align, prefix = 64, len(magic) + 4
	header += strings.Repeat(" ", align-1-(prefix+len(header))%align) + "\n"
	buf := append([]byte(magic), 1, 0)
	buf = binary.LittleEndian.AppendUint16(buf, uint16(len(header)))
	return append(buf, header...)
}

// End returns an error for what goes on after an array, and for a file whose checksum is wrong: an entry of a zip file is held against it where it ends.
func End(r io.Reader) error {
	switch n, err := io.ReadFull(r, make([]byte, 1)); {
	case n > 0:
		return errors.New("continues after its items")
	case err != io.EOF:
		return err
	}
	return nil
}
