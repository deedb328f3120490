package formats

import (
	"bufio"
	"io"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/network"
)

// readMatrixMarket reads a square matrix in coordinates: its entries are links from their row to their column, which are named
// by their numbers, from 1.
//
// Source: Boisvert, Pozo and Remington, The Matrix Market Exchange Formats, NISTIR 5935.
func readMatrixMarket(t *text, s *sink) error {
	m := matrixMarket{text: t, lines: t.scan(bufio.ScanLines)}
	kind, columns, err := m.banner()
	if err != nil {
		return err
	}
	rows, entries, err := m.size()
	if err != nil {
		return err
	}
	for i := range entries {
		f, err := m.next(columns)
		if err == io.EOF {
			return t.errorf("ends after %d entries: expected %d, as the line of the size says; was the file cut off?", i, entries)
		}
		if err != nil {
			return err
		}
		var at [2]uint64
		for j := range at {
			if at[j], err = strconv.ParseUint(f[j], 10, 63); err != nil || at[j] == 0 || at[j] > rows {
				return t.errorf("entry at %.40s, %.40s: expected numbers from 1 to %d", f[0], f[1], rows)
			}
		}
		weight := 1.0
		if columns == 3 {
			if weight, err = network.ParseWeight(f[2]); err != nil {
				return err
			}
		}
		if err := s.entry(at[0], at[1], weight, kind); err != nil {
			return err
		}
	}
	more, err := m.next(0)
	if err == nil {
		err = t.errorf("%.40q after %d entries: expected no more, as the line of the size says", strings.Join(more, " "), entries)
	}
	if err != io.EOF {
		return err
	}
	return nil
}

type matrixMarket struct {
	*text
	lines *bufio.Scanner
}

// banner reads the first line: what it says of directions, and how many columns an entry has.
func (m *matrixMarket) banner() (kind way, columns int, err error) {
	m.lines.Scan()
	line := m.lines.Text()
	words := strings.Fields(strings.ToLower(line))
	if len(words) != 5 || strings.TrimLeft(words[0], "%") != "matrixmarket" {
		if err := m.lines.Err(); err != nil {
			return 0, 0, err
		}
		return 0, 0, m.errorf("%.80q: expected %%%%MatrixMarket matrix coordinate FIELD SYMMETRY", line)
	}
	field, symmetry := words[3], words[4]
	switch {
	case words[1] != "matrix" || words[2] != "coordinate":
		return 0, 0, m.errorf("%s %s: expected a matrix in coordinates", words[1], words[2])
	case field != "pattern" && field != "real" && field != "integer" && field != "double":
		return 0, 0, m.errorf("entries that are %.20s: expected pattern, real or integer", field)
	case symmetry == "symmetric":
		kind = bothWays
	case symmetry != "general":
		return 0, 0, m.errorf("a matrix that is %.20s: expected general or symmetric", symmetry)
	}
	if columns = 3; field == "pattern" {
		columns = 2
	}
	return kind, columns, nil
}

// size reads rows, columns and entries.
func (m *matrixMarket) size() (rows, entries uint64, err error) {
	f, err := m.next(3)
	if err == io.EOF {
		return 0, 0, m.errorf("ends before the line of rows, columns and entries: expected it")
	}
	if err != nil {
		return 0, 0, err
	}
	var x [3]uint64
	for i := range x {
		if x[i], err = strconv.ParseUint(f[i], 10, 63); err != nil {
			return 0, 0, m.errorf("size %.60q: expected the numbers of rows, columns and entries", strings.Join(f, " "))
		}
	}
	return x[0], x[2], square(x[0], x[1])
}

// next returns the columns of the next line that is no comment, of which there must be as many as wanted, unless that is 0; or io.EOF.
func (m *matrixMarket) next(want int) ([]string, error) {
	for m.lines.Scan() {
		m.line++
		line := m.lines.Text()
		f := strings.Fields(line)
		if len(f) == 0 || line[0] == '%' {
			continue
		}
		if want > 0 && len(f) != want {
			return nil, m.errorf("%d numbers: expected %d", len(f), want)
		}
		return f, nil
	}
	if err := m.lines.Err(); err != nil {
		return nil, err
	}
	return nil, io.EOF
}
