package vectors

import (
	"archive/zip"
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"

	"github.com/asp2vec/asp2vec/internal/npy"
)

// The arrays of a .npz file.
const (
	npzNames    = "names"    // (N) text
	npzFinal    = "final"    // (N,D) float32
	npzCenter   = "center"   // (N,D) float32
	npzAspects  = "aspects"  // (N,K,D) float32
	npzPersonas = "personas" // (R,D) float32, in its place where vertices have not as many vectors as each other
	npzFirst    = "first"    // (N+1) int64: the personas of vertex v are rows first[v] to first[v+1]-1
	npzShares   = "shares"   // (N,K), or (R) with personas, float32: weights of the vectors of a vertex
)

// WriteNPZ writes an embedding as a .npz file, which numpy.load reads without pickle: names (N), final (N,D), and where there
// are such center (N,D), aspects (N,K,D) or personas (R,D) with first (N+1), and shares (N,K) or (R). Numbers are stored as
// they are; names are compressed, since NumPy pads them all to the longest. The same embedding gives the same bytes.
//
// It returns an error for tables that do not fit one another, and for names that NumPy cannot hold: those that are not UTF-8
// or end with a zero character.
func WriteNPZ(w io.Writer, e *Embedding) error {
	if err := e.check(); err != nil {
		return err
	}
	if a, twice := duplicate(e.Names); twice {
		return fmt.Errorf("vectors: name %q given twice: expected each once", a)
	}
	n := len(e.Names)
	arrays := []runFile{
		{npzNames, func(w io.Writer) error { return writeNPYText(w, e.Names) }, false},
		arrayFile(npzFinal, false, e.Final, n, e.D),
		arrayFile(npzCenter, e.Center == nil, e.Center, n, e.D),
	}
	if s := e.MultiVectors; s != nil {
		rows, shares, even := npzAspects, []int{n, e.Aspects()}, e.Aspects() > 0
		if !even {
			rows, shares = npzPersonas, []int{len(s.Data) / s.D}
		}
		arrays = append(arrays,
			runFile{npzFirst, func(w io.Writer) error { return writeNPYInts(w, s.First) }, even},
			arrayFile(rows, false, s.Data, append(slices.Clone(shares), s.D)...),
			arrayFile(npzShares, s.Share == nil, s.Share, shares...))
	}
	z := zip.NewWriter(w)
	if err := z.SetComment(e.Run); err != nil {
		return err
	}
	for _, a := range arrays {
		if a.skip {
			continue
		}
		method := zip.Store
		if a.name == npzNames {
			method = zip.Deflate
		}
		f, err := z.CreateHeader(&zip.FileHeader{Name: a.name + ".npy", Method: method})
		if err != nil {
			return err
		}
		b := bufio.NewWriterSize(f, 1<<16)
		if err := errors.Join(a.fill(b), b.Flush()); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeNPYInts writes whole numbers as a NumPy array (N) of int64.
func writeNPYInts(w io.Writer, x []int32) error {
	buf := npy.Start("<i8", len(x))
	for _, v := range x {
		buf = binary.LittleEndian.AppendUint64(buf, uint64(int64(v)))
	}
	_, err := w.Write(buf)
	return err
}

func readNPZFile(path string) (*Embedding, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("vectors: %w", err)
	}
	return ReadNPZ(f, fi.Size(), path)
}

// ReadNPZ reads what WriteNPZ writes, and .npz files made elsewhere with names as text and final vectors as float32 or
// float64; other arrays than those named there are left alone. size is that of the file in bytes; name is what errors call it.
// It returns an error for a file that is no .npz, lacks one of the two, or has arrays that do not fit one another.
func ReadNPZ(r io.ReaderAt, size int64, name string) (*Embedding, error) {
	e, err := readNPZ(r, size)
	if err != nil {
		return nil, fmt.Errorf("vectors: %s: %w", name, err)
	}
	return e, nil
}

// mostUnpacked is how many times its size in the file an array may have, so that a small file cannot take any amount of memory.
const mostUnpacked = 50

func readNPZ(r io.ReaderAt, size int64) (*Embedding, error) {
	z, err := zip.NewReader(r, size)
	if err != nil {
		return nil, fmt.Errorf("%w: expected a .npz file, as export --format npz writes", err)
	}
	names, err := z.Open(npzNames + ".npy")
	if err != nil {
		return nil, fmt.Errorf("no array %q: expected one, with a name for each vector", npzNames)
	}
	e := &Embedding{Run: z.Comment}
	if e.Names, err = readNPYText(names); err != nil {
		return nil, fmt.Errorf("%s: %w", npzNames, err)
	}
	var final, center, aspects, personas, share Array
	for _, a := range []struct {
		name string
		*Array
	}{{npzFinal, &final}, {npzCenter, &center}, {npzAspects, &aspects}, {npzPersonas, &personas}, {npzShares, &share}} {
		f, err := openArray(z, a.name)
		if err == nil && f != nil {
			a.Data, a.Shape, err = ReadNPY(f, a.name)
		}
		if err != nil {
			return nil, err
		}
	}
	if len(final.Shape) != 2 || final.Shape[0] != len(e.Names) {
		return nil, fmt.Errorf("array %q of shape %v for %d names: expected (N,D)", npzFinal, final.Shape, len(e.Names))
	}
	e.D, e.Final = final.Shape[1], final.Data
	return e, e.place(center, aspects, personas, share, func() ([]int32, error) {
		f, err := openArray(z, npzFirst)
		if err == nil && f == nil {
			err = fmt.Errorf("no array %q with %q: expected the first row of each vertex", npzFirst, npzPersonas)
		}
		if err != nil {
			return nil, err
		}
		return readNPYInts(f, len(e.Names)+1)
	})
}

// openArray opens an array of numbers; it returns nil where there is none. One that unpacks to far more than it takes is an error.
func openArray(z *zip.Reader, name string) (io.Reader, error) {
	for _, f := range z.File {
		switch {
		case f.Name != name+".npy":
		case f.UncompressedSize64 > mostUnpacked*f.CompressedSize64+1<<20:
			return nil, fmt.Errorf("array %q unpacks to %d bytes from %d: expected the numbers of an embedding", name, f.UncompressedSize64, f.CompressedSize64)
		default:
			return f.Open()
		}
	}
	return nil, nil
}

// readNPYInts reads an array (n) of int64.
func readNPYInts(in io.Reader, n int) ([]int32, error) {
	r := bufio.NewReader(in)
	h, err := npyList(r, 'i')
	if err != nil {
		return nil, err
	}
	if h.Size != 8 || h.Shape[0] != n {
		return nil, fmt.Errorf("%d numbers of type %v: expected %d of type i8", h.Shape[0], h.Type, n)
	}
	wide, out := make([]int64, n), make([]int32, n)
	if binary.Read(r, h.Order, wide) != nil {
		return nil, io.ErrUnexpectedEOF
	}
	for i, x := range wide {
		if out[i] = int32(x); x < 0 || x > math.MaxInt32 {
			return nil, errors.New("rows out of range")
		}
	}
	return out, npy.End(r)
}
