package formats

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/sbinet/npyio"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/internal/test/gz"
)

// npyArray is an array of a .npz file.
type npyArray struct {
	name string
	data any // for npyio, or bytes as they are
}

func npzFile(t testing.TB, arrays ...npyArray) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, a := range arrays {
		w, err := z.Create(a.name + ".npy")
		if raw, ok := a.data.([]byte); ok && err == nil {
			_, err = w.Write(raw)
		} else if err == nil {
			err = npyio.Write(w, a.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	call.OK(t, z.Close())
	return b.Bytes()
}

// npyText is an array without dimensions of bytes, as NumPy has the name of a matrix's format.
func npyText(text string) []byte {
	head := fmt.Sprintf("{'descr': '|S%d', 'fortran_order': False, 'shape': (), }", len(text))
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	return []byte("\x93NUMPY\x01\x00\x76\x00" + head + text)
}

// npzExample is a file of the network of the other formats.
func npzExample(t testing.TB) []byte {
	return npzFile(t, npyArray{"indices", []int32{1, 2, 3}}, npyArray{"indptr", []int32{0, 1, 2, 3, 3}}, npyArray{"format", npyText("csr")},
		npyArray{"shape", []int64{4, 4}}, npyArray{"data", []float64{1, 2, .5}})
}

// A bit that was flipped anywhere is noticed, or changes nothing that is read.
func TestNPZFlipped(t *testing.T) {
	file := npzExample(t)
	want := call.First(ReadFrom(t.Context(), bytes.NewReader(file), "input", Options{}))(t)
	for i := range file {
		flipped := bytes.Clone(file)
		flipped[i] ^= 1 << (i % 8)
		if n, _, err := ReadFrom(t.Context(), bytes.NewReader(flipped), "input", Options{}); err == nil && n.Checksum() != want.Checksum() {
			t.Fatalf("bit %d of byte %d was flipped, and another network is read", i%8, i)
		}
	}
}

func TestNPZ(t *testing.T) {
	shape, csr := npyArray{"shape", []int64{4, 4}}, npyArray{"format", npyText("csr")}
	data, indptr := npyArray{"data", []float64{1, 2, .5}}, npyArray{"indptr", []int32{0, 1, 2, 3, 3}}
	for name, arrays := range map[string][]npyArray{
		"csr": {npyArray{"indices", []int32{1, 2, 3}}, indptr, csr, shape, data},
		"csc": {npyArray{"indices", []int64{1, 2, 3}}, npyArray{"indptr", []int64{0, 1, 2, 3, 3}}, npyArray{"format", npyText("csc")}, shape, npyArray{"data", []float32{1, 2, .5}}},
		"coo": {npyArray{"row", []int16{0, 1, 2}}, npyArray{"col", []uint16{1, 2, 3}}, npyArray{"format", npyText("coo")}, shape, data},
	} {
		n, r, err := ReadFrom(t.Context(), bytes.NewReader(npzFile(t, arrays...)), "input", Options{Direction: Undirected})
		if err != nil || r.Of("format").First != NPZ || n.Checksum() != canonical(t, "0 1 2 3", true) {
			t.Errorf("%s: error %v", name, err)
		}
		if n, _, err = ReadFrom(t.Context(), bytes.NewReader(npzFile(t, arrays...)), "input", Options{}); err != nil || !n.Directed() || n.Links() != 3 {
			t.Errorf("%s, which is not symmetric: %v", name, err)
		}
	}
	symmetric := npzFile(t, npyArray{"row", []int16{0, 1, 1, 2, 3}}, npyArray{"col", []int16{1, 0, 2, 1, 3}}, npyArray{"format", npyText("coo")}, shape, npyArray{"data", []float64{1, 1, 2, 2, 0}})
	if n, _, err := ReadFrom(t.Context(), bytes.NewReader(symmetric), "input", Options{}); err != nil || n.Directed() || n.Links() != 2 {
		t.Errorf("a symmetric matrix with a zero that is stored: %+v, %v", n, err)
	}
	for want, arrays := range map[string][]npyArray{
		`has no array "indices"`:                                                 {indptr, csr, shape, data},
		`array "data" has 3 items: expected 2`:                                   {npyArray{"indices", []int32{1, 2}}, indptr, csr, shape, data},
		`array "indices" has 9: expected numbers from 0 to 3`:                    {npyArray{"indices", []int32{1, 2, 9}}, indptr, csr, shape, data},
		`array "indptr" has 5 items: expected one more than the 1000000000 rows`: {npyArray{"indices", []int32{1, 2, 3}}, indptr, csr, npyArray{"shape", []int64{1e9, 1e9}}, data},
		`array "indptr" goes from 3 back to 1`:                                   {npyArray{"indices", []int32{1, 2, 3}}, npyArray{"indptr", []int32{0, 3, 1, 3, 3}}, csr, shape, data},
		`array "indptr" ends with 2: expected 3`:                                 {npyArray{"indices", []int32{1, 2, 3}}, npyArray{"indptr", []int32{0, 1, 2, 2, 2}}, csr, shape, data},
		`a matrix in the format "dia": expected csr, csc or coo`:                 {npyArray{"format", npyText("dia")}, shape, data},
		`array "indices" is of type f4: expected whole numbers`:                  {npyArray{"indices", []float32{1, 2, 3}}, indptr, csr, shape, data},
		`array "shape": no NumPy file`:                                           {npyArray{"shape", []byte("\x93NUMPY")}, csr},
	} {
		call.Refused(t, want)(ReadFrom(t.Context(), bytes.NewReader(npzFile(t, arrays...)), "input", Options{}))
	}
	whole := npzExample(t)
	call.Refused(t, "is not a complete .npz file")(ReadFrom(t.Context(), bytes.NewReader(whole[:len(whole)/2]), "input", Options{}))
	call.Refused(t, "expected it as an uncompressed file")(ReadFrom(t.Context(), strings.NewReader(gz.Of(string(whole))), "input", Options{}))
}
