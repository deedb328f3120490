package vectors

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/npy"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestNPYRoundTrip(t *testing.T) {
	for _, shape := range [][]int{{10}, {2, 5}, {5, 1, 2}, {0, 3}} {
		n, _ := npy.Items(shape)
		data := slices.Clone(awkward[:n])
		if n > 0 {
			data[0] = float32(math.Inf(-1)) // an array may hold what an embedding may not
		}
		var buf bytes.Buffer
		call.OK(t, WriteNPY(&buf, data, shape...))
		if head := buf.Len() - 4*n; head%64 != 0 {
			t.Errorf("shape %v: data starts at byte %d: expected a multiple of 64, as the format asks", shape, head)
		}
		got, s, err := ReadNPY(&buf, "x.npy")
		if err != nil || !slices.Equal(got, data) || !slices.Equal(s, shape) {
			t.Errorf("shape %v: got %v, shape %v, %v", shape, got, s, err)
		}
	}
}

// npyFile makes a file of version 1.0 by hand.
func npyFile(header string, order binary.ByteOrder, data any) string {
	var b bytes.Buffer
	b.WriteString("\x93NUMPY\x01\x00")
	binary.Write(&b, binary.LittleEndian, uint16(len(header)))
	b.WriteString(header)
	binary.Write(&b, order, data)
	return b.String()
}

func TestReadNPYForms(t *testing.T) {
	le, be := binary.LittleEndian, binary.BigEndian
	for name, file := range map[string]string{
		"big-endian float32":  npyFile("{'descr': '>f4', 'fortran_order': False, 'shape': (1, 2), }\n", be, []float32{1, 2}),
		"big-endian float64":  npyFile("{'descr': '>f8', 'fortran_order': False, 'shape': (1, 2), }\n", be, []float64{1, 2}),
		"other order of keys": npyFile(`{"shape": (1,2), "fortran_order": False, "descr": "<f8"}`, le, []float64{1, 2}),
		"written by Python 2": npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (1L, 2L), }\n", le, []float32{1, 2}),
	} {
		data, shape, err := ReadNPY(strings.NewReader(file), name)
		if err != nil || !slices.Equal(data, []float32{1, 2}) || !slices.Equal(shape, []int{1, 2}) {
			t.Errorf("%s: %v, %v, %v", name, data, shape, err)
		}
	}
}

func TestReadNPYErrors(t *testing.T) {
	le := binary.LittleEndian
	head := func(descr, fortran, shape string) string {
		return "{'descr': '" + descr + "', 'fortran_order': " + fortran + ", 'shape': " + shape + ", }\n"
	}
	two := []float32{1, 2}
	for _, c := range map[string]struct{ file, want string }{
		"empty":          {"", "no NumPy file"},
		"cut header":     {npyFile(head("<f4", "False", "(2,)"), le, two)[:30], "header"},
		"no header":      {npyFile("hello", le, two), "expected descr"},
		"version":        {"\x93NUMPY\x09\x00", "version 9"},
		"integers":       {npyFile(head("<i8", "False", "(1,)"), le, int64(1)), "type i8"},
		"records":        {npyFile("{'descr': [('a', '<f4')], 'fortran_order': False, 'shape': (1,), }", le, two), "plain array"},
		"column-major":   {npyFile(head("<f4", "True", "(2,1)"), le, two), "column-major"},
		"short":          {npyFile(head("<f4", "False", "(2,2)"), le, two), "ends before the 4 numbers"},
		"long":           {npyFile(head("<f4", "False", "(1,)"), le, two), "continues after its items"},
		"huge shape":     {npyFile(head("<f4", "False", "(99999999999, 99999999999)"), le, two), "fit in memory"},
		"huge size":      {npyFile(head("<f4", "False", "(999999999999,)"), le, two), "ends before"},
		"beyond float32": {npyFile(head("<f8", "False", "(1,)"), le, 1e39), "number 0 is 1e+39"},
	} {
		call.Refused(t, c.want, "f.npy")(ReadNPY(strings.NewReader(c.file), "f.npy"))
	}
	call.Refused(t)(WriteNPY(&bytes.Buffer{}, two, 3))
}
