package formats

import (
	"archive/zip"
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/sbinet/npyio"
)

// npy is an array of a .npz file.
type npy struct {
	name string
	data any // for npyio, or bytes as they are
}

func npzFile(t testing.TB, arrays ...npy) []byte {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for _, a := range arrays {
		w, err := z.Create(a.name + ".npy")
		if err != nil {
			t.Fatal(err)
		}
		if raw, ok := a.data.([]byte); ok {
			_, err = w.Write(raw)
		} else {
			err = npyio.Write(w, a.data)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// npyText is an array without dimensions of bytes, as NumPy has the name of a matrix's format.
func npyText(text string) []byte {
	head := fmt.Sprintf("{'descr': '|S%d', 'fortran_order': False, 'shape': (), }", len(text))
	head += strings.Repeat(" ", 117-len(head)) + "\n"
	return []byte("\x93NUMPY\x01\x00\x76\x00" + head + text)
}

// binaries are examples of the formats that are no text.
func binaries(t testing.TB) map[string][]byte {
	return map[string][]byte{Parquet: parquetLinks(t), Arrow: arrowFile(t, false, arrow.BinaryTypes.String, arrow.PrimitiveTypes.Float64, arrowLetters), NPZ: npzFile(t, npy{"indices", []int32{1, 2, 3}}, npy{"indptr", []int32{0, 1, 2, 3, 3}}, npy{"format", npyText("csr")},
		npy{"shape", []int64{4, 4}}, npy{"data", []float64{1, 2, .5}})}
}

func TestNPZ(t *testing.T) {
	shape, csr := npy{"shape", []int64{4, 4}}, npy{"format", npyText("csr")}
	data, indptr := npy{"data", []float64{1, 2, .5}}, npy{"indptr", []int32{0, 1, 2, 3, 3}}
	for name, arrays := range map[string][]npy{
		"csr": {npy{"indices", []int32{1, 2, 3}}, indptr, csr, shape, data},
		"csc": {npy{"indices", []int64{1, 2, 3}}, npy{"indptr", []int64{0, 1, 2, 3, 3}}, npy{"format", npyText("csc")}, shape, npy{"data", []float32{1, 2, .5}}},
		"coo": {npy{"row", []int16{0, 1, 2}}, npy{"col", []uint16{1, 2, 3}}, npy{"format", npyText("coo")}, shape, data},
	} {
		n, r, err := ReadFrom(t.Context(), bytes.NewReader(npzFile(t, arrays...)), "input", Options{})
		if err != nil || r.Format != NPZ || n.Checksum() != canonical(t, "0 1 2 3", true) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for want, arrays := range map[string][]npy{
		`has no array "indices"`:                             {indptr, csr, shape, data},
		`arrays "indices" and "data" of 2 and 3 items`:       {npy{"indices", []int32{1, 2}}, indptr, csr, shape, data},
		`array "indices" has 9: want numbers from 0 to 3`:    {npy{"indices", []int32{1, 2, 9}}, indptr, csr, shape, data},
		`array "indices" has -1: want`:                       {npy{"indices", []int32{-1, 2, 3}}, indptr, csr, shape, data},
		"a matrix of 4 rows and 5 columns":                   {npy{"indices", []int32{1, 2, 3}}, indptr, csr, npy{"shape", []int64{4, 5}}, data},
		`array "indptr" has 5 items: want 1000000001`:        {npy{"indices", []int32{1, 2, 3}}, indptr, csr, npy{"shape", []int64{1e9, 1e9}}, data},
		`array "indptr" ends with 2: want 3`:                 {npy{"indices", []int32{1, 2, 3}}, npy{"indptr", []int32{0, 1, 2, 2, 2}}, csr, shape, data},
		`a matrix in the format "dia": want csr, csc or coo`: {npy{"format", npyText("dia")}, shape, data},
		"entry at row 0, column 1: weight 0: want a finite":  {npy{"indices", []int32{1, 2, 3}}, indptr, csr, shape, npy{"data", []float64{0, 1, 1}}},
		`array "data" has items of 16 bytes: want`:           {npy{"indices", []int32{1, 2, 3}}, indptr, csr, shape, npy{"data", []complex128{1, 1, 1}}},
		`array "indices" is of type f: want whole numbers`:   {npy{"indices", []float32{1, 2, 3}}, indptr, csr, shape, data},
		`array "shape" is damaged or cut off`:                {npy{"shape", []byte("\x93NUMPY")}, csr},
	} {
		if _, _, err := ReadFrom(t.Context(), bytes.NewReader(npzFile(t, arrays...)), "input", Options{}); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v\nwant  %s", err, want)
		}
	}
	whole := binaries(t)[NPZ]
	if _, _, err := ReadFrom(t.Context(), bytes.NewReader(whole[:len(whole)/2]), "input", Options{}); err == nil || !strings.Contains(err.Error(), "is not a complete .npz file") {
		t.Errorf("cut off: error %v", err)
	}
	if _, _, err := ReadFrom(t.Context(), strings.NewReader(gzipped(t, string(whole))), "input", Options{}); err == nil || !strings.Contains(err.Error(), "want it as an uncompressed file") {
		t.Errorf("compressed: error %v", err)
	}
}
