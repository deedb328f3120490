package formats

import (
	"bytes"
	"io"
	"strconv"
	"strings"
)

// readMatrixMarket reads a square matrix in coordinates: its entries are links from their row to their column, which are named
// by their numbers, from 1.
//
// Source: Boisvert, Pozo and Remington, The Matrix Market Exchange Formats, NISTIR 5935.
func readMatrixMarket(t *text, s *sink) error {
	line, err := t.nextLine()
	if err != nil {
		return err
	}
	words := strings.Fields(strings.ToLower(string(line)))
	if len(words) != 5 || words[0] != "%%matrixmarket" {
		return t.errorf("%.80q: want %%%%MatrixMarket matrix coordinate FIELD SYMMETRY", line)
	}
	kind := unsaid
	field, symmetry := words[3], words[4]
	switch {
	case words[1] != "matrix" || words[2] != "coordinate":
		return t.errorf("%s %s: want a matrix in coordinates", words[1], words[2])
	case field != "pattern" && field != "real" && field != "integer" && field != "double":
		return t.errorf("entries that are %.20s: want pattern, real or integer", field)
	case symmetry == "symmetric":
		kind = bothWays
	case symmetry != "general":
		return t.errorf("a matrix that is %.20s: want general or symmetric", symmetry)
	}
	columns := 3
	if field == "pattern" {
		columns = 2
	}
	size, err := matrixLine(t, 3)
	if err == io.EOF {
		return t.errorf("ends before the line of rows, columns and entries: want it")
	}
	if err != nil {
		return err
	}
	n, rows, err := matrixSize(t, size)
	if err != nil {
		return err
	}
	for i := range n {
		f, err := matrixLine(t, columns)
		if err == io.EOF {
			return t.errorf("ends after %d entries: want %d, as the line of the size says; was the file cut off?", i, n)
		}
		if err != nil {
			return err
		}
		var ends [2]int32
		for j := range ends {
			x, err := strconv.ParseUint(string(f[j]), 10, 63)
			if err != nil || x == 0 || x > rows {
				return t.errorf("entry at %.40s, %.40s: want numbers from 1 to %d", f[0], f[1], rows)
			}
			if ends[j], _, err = s.Integer(x); err != nil {
				return t.errorf("vertex %d %w", x, err)
			}
		}
		weight := 1.0
		if columns == 3 {
			if weight, err = t.number(string(f[2])); err != nil {
				return err
			}
		}
		if err := s.link(ends[0], ends[1], weight, kind); err != nil {
			return err
		}
	}
	if more, err := matrixLine(t, 0); err != io.EOF {
		if err != nil {
			return err
		}
		return t.errorf("%.40q after %d entries: want no more, as the line of the size says", bytes.Join(more, []byte(" ")), n)
	}
	return nil
}

// matrixSize reads rows, columns and entries.
func matrixSize(t *text, f [][]byte) (entries, rows uint64, err error) {
	var x [3]uint64
	for i := range x {
		if x[i], err = strconv.ParseUint(string(f[i]), 10, 63); err != nil {
			return 0, 0, t.errorf("size %.60q: want the numbers of rows, columns and entries", bytes.Join(f, []byte(" ")))
		}
	}
	if x[0] != x[1] {
		return 0, 0, t.errorf("a matrix of %d rows and %d columns: want as many of both, of links among the same vertices", x[0], x[1])
	}
	return x[2], x[0], nil
}

// matrixLine returns the columns of the next line that is no comment, of which there must be as many as wanted, unless that is 0.
func matrixLine(t *text, want int) ([][]byte, error) {
	for {
		line, err := t.nextLine()
		if err != nil {
			return nil, err
		}
		if len(line) > 0 && line[0] == '%' {
			continue
		}
		f := bytes.Fields(line)
		if len(f) == 0 {
			continue
		}
		if want > 0 && len(f) != want {
			return nil, t.errorf("%d numbers: want %d", len(f), want)
		}
		return f, nil
	}
}
