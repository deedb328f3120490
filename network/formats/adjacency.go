package formats

import (
	"bytes"
	"io"
	"strconv"
)

// readAdjacency reads lines of a vertex and those that it is linked with, separated by spaces or tabs, as networkx writes them.
func readAdjacency(t *text, s *sink) error {
	for {
		line, err := t.nextLine()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if i := bytes.IndexByte(line, '#'); i >= 0 {
			line = line[:i]
		}
		var from int32
		for i, id := range bytes.Fields(line) {
			v, err := s.vertex(id)
			if err != nil {
				return err
			}
			if i == 0 {
				from = v
			} else if err := s.link(from, v, 1, unsaid); err != nil {
				return err
			}
		}
	}
}

// readMETIS reads a file of METIS: a line of the numbers of vertices and links, then for each vertex, from 1, a line of its
// neighbours, with weights of vertices, which are not used, and of links where the first line says so.
//
// Source: Karypis, METIS manual, section 4.1.1.
func readMETIS(t *text, s *sink) error {
	line, err := metisLine(t)
	if err == io.EOF {
		return t.errorf("has no first line: want the numbers of vertices and links")
	}
	if err != nil {
		return err
	}
	head := bytes.Fields(line)
	var size [2]uint64
	for i := range size {
		if len(head) < 2 || len(head) > 4 {
			err = io.ErrUnexpectedEOF
		} else {
			size[i], err = strconv.ParseUint(string(head[i]), 10, 31)
		}
		if err != nil {
			return t.errorf("%.60q: want the numbers of vertices and links, then maybe a format and a number of weights", line)
		}
	}
	skip, weighted, err := metisFormat(t, head)
	if err != nil {
		return err
	}
	var up, down uint64 // links to vertices of larger and of smaller numbers
	for v := uint64(1); v <= size[0]; v++ {
		line, err := metisLine(t)
		if err == io.EOF {
			return t.errorf("ends after %d vertices: want %d, as the first line says; was the file cut off?", v-1, size[0])
		}
		if err != nil {
			return err
		}
		f := bytes.Fields(line)
		if len(f) < skip || weighted && (len(f)-skip)%2 != 0 {
			return t.errorf("%d numbers: want %d weights of the vertex, then its neighbours, as the first line says", len(f), skip)
		}
		step := 1
		if weighted {
			step = 2
		}
		for f = f[skip:]; len(f) > 0; f = f[step:] {
			to, err := strconv.ParseUint(string(f[0]), 10, 63)
			if err != nil || to == 0 || to > size[0] || to == v {
				return t.errorf("neighbour %.40q of vertex %d: want another number from 1 to %d", f[0], v, size[0])
			}
			weight := 1.0
			if weighted {
				if weight, err = t.number(string(f[1])); err != nil {
					return err
				}
			}
			if to < v {
				down++
				continue
			}
			up++
			x, _, err := s.Integer(v)
			if err != nil {
				return err
			}
			y, _, err := s.Integer(to)
			if err != nil {
				return err
			}
			if err := s.link(x, y, weight, bothWays); err != nil {
				return err
			}
		}
	}
	if up != size[1] || down != size[1] {
		return t.errorf("has %d neighbours of larger numbers and %d of smaller ones: want %d of both, as the first line says", up, down, size[1])
	}
	for {
		line, err := metisLine(t)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			return t.errorf("%.40q after %d vertices: want no more, as the first line says", line, size[0])
		}
	}
}

// metisLine returns the next line that is no comment. A blank line is a vertex without neighbours.
func metisLine(t *text) ([]byte, error) {
	for {
		line, err := t.nextLine()
		if err != nil || len(line) == 0 || line[0] != '%' {
			return line, err
		}
	}
}

// metisFormat returns how many numbers come before the neighbours of a vertex, and whether weights of links follow these.
func metisFormat(t *text, head [][]byte) (skip int, weighted bool, err error) {
	if len(head) < 3 {
		return 0, false, nil
	}
	format := string(head[2])
	for len(format) < 3 {
		format = "0" + format
	}
	if len(format) != 3 || bytes.Trim([]byte(format), "01") != nil && len(bytes.Trim([]byte(format), "01")) > 0 {
		return 0, false, t.errorf("format %.20q: want three digits, 0 or 1", head[2])
	}
	weights := 0
	if format[1] == '1' {
		weights = 1
	}
	if len(head) == 4 {
		if weights, err = strconv.Atoi(string(head[3])); err != nil || weights < 0 || weights > 100 || format[1] == '0' {
			return 0, false, t.errorf("%.20q weights of vertices: want a number, and a format x1x", head[3])
		}
	}
	if format[0] == '1' {
		skip++
	}
	return skip + weights, format[2] == '1', nil
}
