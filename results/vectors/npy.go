package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
)

// npyMagic starts every NumPy file. The format is specified in NEP 1 of the NumPy project.
const npyMagic = "\x93NUMPY"

// WriteNPY writes data, in row-major order, as a NumPy file (version 1.0) of little-endian float32 with the given shape.
// It returns an error if the shape does not fit the data.
func WriteNPY(w io.Writer, data []float32, shape ...int) error {
	n, err := elements(shape)
	if err != nil || n != len(data) || len(shape) == 0 {
		return fmt.Errorf("vectors: npy: %d numbers for shape %v: want as many as in the shape", len(data), shape)
	}
	var dims strings.Builder
	for _, s := range shape {
		fmt.Fprintf(&dims, "%d, ", s)
	}
	tuple := strings.TrimSuffix(dims.String(), " ") // "(3,)" and "(3, 4,)" are both Python
	if len(shape) > 1 {
		tuple = strings.TrimSuffix(tuple, ",")
	}
	buf := npyStart("<f4", "("+tuple+")")
	for _, x := range data {
		buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(x))
		if len(buf) >= 1<<16 {
			if _, err := w.Write(buf); err != nil {
				return err
			}
			buf = buf[:0]
		}
	}
	_, err = w.Write(buf)
	return err
}

// ReadNPY reads a NumPy file of float32 or float64, in row-major order, of either byte order; name is what errors call it.
// Numbers become float32; one that is finite and too large for that is an error. Other types, column-major order, a file that
// ends too early or goes on too long, and a header that is none are errors.
func ReadNPY(r io.Reader, name string) (data []float32, shape []int, err error) {
	data, shape, err = readNPY(bufio.NewReaderSize(r, 1<<18))
	if err != nil {
		return nil, nil, fmt.Errorf("vectors: %s: %w", name, err)
	}
	return data, shape, nil
}

func readNPY(r io.Reader) ([]float32, []int, error) {
	header, err := npyHeader(r)
	if err != nil {
		return nil, nil, err
	}
	order, width, shape, err := parseNPYHeader(header)
	if err != nil {
		return nil, nil, err
	}
	n, err := elements(shape)
	if err != nil {
		return nil, nil, err
	}
	var data []float32
	buf := make([]byte, 1<<16)
	for len(data) < n { // piece by piece: a header that promises too much must not take memory
		part := buf[:min(len(buf), (n-len(data))*width)]
		if _, err := io.ReadFull(r, part); err != nil {
			if err == io.EOF || err == io.ErrUnexpectedEOF {
				err = fmt.Errorf("ends before the %d numbers of shape %v: %w", n, shape, io.ErrUnexpectedEOF)
			}
			return nil, nil, err
		}
		for ; len(part) > 0; part = part[width:] {
			if width == 4 {
				data = append(data, math.Float32frombits(order.Uint32(part)))
				continue
			}
			x := math.Float64frombits(order.Uint64(part))
			if f := float32(x); math.IsInf(float64(f), 0) && !math.IsInf(x, 0) {
				return nil, nil, fmt.Errorf("number %d is %v: want one within the range of float32", len(data), x)
			}
			data = append(data, float32(x))
		}
	}
	if extra, _ := io.ReadFull(r, buf[:1]); extra > 0 {
		return nil, nil, fmt.Errorf("continues after the %d numbers of shape %v", n, shape)
	}
	return data, shape, nil
}

// npyHeader reads up to the end of the header, and returns the description that it holds.
func npyHeader(r io.Reader) (string, error) {
	var start [len(npyMagic) + 2]byte
	if _, err := io.ReadFull(r, start[:]); err != nil || string(start[:len(npyMagic)]) != npyMagic {
		return "", errors.New("no NumPy file: want one that starts with \\x93NUMPY")
	}
	var size uint32
	switch major := start[len(npyMagic)]; major {
	case 1:
		var short uint16
		if err := binary.Read(r, binary.LittleEndian, &short); err != nil {
			return "", fmt.Errorf("header: %w", err)
		}
		size = uint32(short)
	case 2, 3:
		if err := binary.Read(r, binary.LittleEndian, &size); err != nil {
			return "", fmt.Errorf("header: %w", err)
		}
	default:
		return "", fmt.Errorf("NumPy format version %d: want 1, 2 or 3", major)
	}
	if size > 1<<20 {
		return "", fmt.Errorf("header of %d bytes: want at most 1 MiB", size)
	}
	b := make([]byte, size)
	if _, err := io.ReadFull(r, b); err != nil {
		return "", fmt.Errorf("header: %w", err)
	}
	return string(b), nil
}

// The three entries of the header, which is a Python dictionary. Keys may come in any order.
var (
	npyDescr   = regexp.MustCompile(`['"]descr['"]\s*:\s*['"]([^'"]*)['"]`)
	npyFortran = regexp.MustCompile(`['"]fortran_order['"]\s*:\s*(True|False)`)
	npyShape   = regexp.MustCompile(`['"]shape['"]\s*:\s*\(([0-9,\sL]*)\)`)
)

func parseNPYHeader(h string) (order binary.ByteOrder, width int, shape []int, err error) {
	descr, fortran, dims := npyDescr.FindStringSubmatch(h), npyFortran.FindStringSubmatch(h), npyShape.FindStringSubmatch(h)
	if descr == nil || fortran == nil || dims == nil {
		return nil, 0, nil, fmt.Errorf("header %.100q: want descr, fortran_order and shape of a plain array", h)
	}
	order = binary.LittleEndian
	switch descr[1] {
	case "<f4", "=f4":
		width = 4
	case "<f8", "=f8":
		width = 8
	case ">f4":
		order, width = binary.BigEndian, 4
	case ">f8":
		order, width = binary.BigEndian, 8
	default:
		return nil, 0, nil, fmt.Errorf("numbers of type %q: want float32 or float64 (<f4, <f8)", descr[1])
	}
	if fortran[1] == "True" {
		return nil, 0, nil, errors.New("column-major order: want row-major (numpy.ascontiguousarray)")
	}
	for _, s := range strings.FieldsFunc(dims[1], func(c rune) bool { return c == ',' || c == ' ' || c == 'L' }) {
		n, err := strconv.Atoi(strings.TrimSpace(s))
		if err != nil {
			return nil, 0, nil, fmt.Errorf("shape (%s): %w", dims[1], err)
		}
		shape = append(shape, n)
	}
	return order, width, shape, nil
}

// elements is the number of elements of an array, or an error if an array in memory could not have as many.
func elements(shape []int) (int, error) {
	n := 1
	for _, s := range shape {
		if s < 0 || (s > 0 && n > math.MaxInt/16/s) {
			return 0, fmt.Errorf("shape %v: want sizes >= 0 that fit in memory", shape)
		}
		n *= s
	}
	return n, nil
}

// npyList reads the header of an array (N) up to its end, and returns what it is of, and N.
func npyList(r io.Reader) (descr string, n int, err error) {
	header, err := npyHeader(r)
	if err != nil {
		return "", 0, err
	}
	kind, dims := npyDescr.FindStringSubmatch(header), npyShape.FindStringSubmatch(header)
	if kind == nil || dims == nil {
		return "", 0, fmt.Errorf("header %.100q: want descr and shape of a plain array", header)
	}
	if n, err = strconv.Atoi(strings.Trim(dims[1], " ,L")); err != nil || n < 0 {
		return "", 0, fmt.Errorf("shape (%s): want (N,), one for each vector", dims[1])
	}
	return kind[1], n, nil
}
