package vectors

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/npy"
)

// sameBits says whether two arrays hold the same numbers, NaN included.
func sameBits(a, b []float32) bool {
	return slices.EqualFunc(a, b, func(x, y float32) bool { return math.Float32bits(x) == math.Float32bits(y) || x != x && y != y })
}

// FuzzReadNPY: whatever a file holds, reading never panics, and an array that was read is the same after writing it.
func FuzzReadNPY(f *testing.F) {
	for _, header := range []string{
		"{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }\n",
		"{'descr': '>f8', 'fortran_order': False, 'shape': (1,), }\n",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (), }\n",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (0, 9223372036854775807), }\n",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 0), }\n",
		"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }\n",
		"{'descr': '<f4', 'fortran_order': True, 'shape': (2L,\t1L), }\n",
	} {
		f.Add([]byte(npyFile(header, binary.LittleEndian, []float32{1, 2})))
	}
	f.Add([]byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{"))
	f.Add([]byte("\x93NUMPY"))
	f.Fuzz(func(t *testing.T, file []byte) {
		data, shape, err := ReadNPY(bytes.NewReader(file), "fuzz")
		if err != nil {
			return
		}
		if n, err := npy.Items(shape); err != nil || n != len(data) {
			t.Fatalf("%q: %d numbers of shape %v", file, len(data), shape)
		}
		if len(shape) == 0 {
			return // one number without axes, which WriteNPY does not write
		}
		var buf bytes.Buffer
		if err := WriteNPY(&buf, data, shape...); err != nil {
			t.Fatalf("read %q, but cannot write it: %v", file, err)
		}
		again, shapeAgain, err := ReadNPY(&buf, "again")
		if err != nil || !sameBits(again, data) || !slices.Equal(shapeAgain, shape) {
			t.Fatalf("%q: %v of shape %v, then %v of shape %v, %v", file, data, shape, again, shapeAgain, err)
		}
	})
}

// FuzzReadVertices: whatever a file holds, reading never panics, names are all different, and those that WriteVertices takes
// are the same after writing them.
func FuzzReadVertices(f *testing.F) {
	for _, s := range []string{"a\nb\n", "a\r\nb", "\n", "", "a\n\nb\n", "a\na\n", "a\r\r\n", "\x1f\x8b\x08", "\xff\x00\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		names, err := ReadVertices(bytes.NewReader(file), "fuzz")
		if err != nil {
			return
		}
		seen := map[string]bool{}
		for _, n := range names {
			if seen[n] {
				t.Fatalf("%q: name %q comes twice", file, n)
			}
			seen[n] = true
		}
		var buf bytes.Buffer
		if err := WriteVertices(&buf, names); err != nil {
			return // a carriage return within a line
		}
		if bytes.HasPrefix(buf.Bytes(), []byte{0x1f, 0x8b}) {
			return // a first name that looks like the start of a compressed file
		}
		if again, err := ReadVertices(&buf, "again"); err != nil || !slices.Equal(again, names) {
			t.Fatalf("%q: %q, then %q, %v", file, names, again, err)
		}
	})
}
