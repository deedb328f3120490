package vectors

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"unsafe"

	"github.com/asp2vec/asp2vec/internal/compressed"
	"github.com/asp2vec/asp2vec/network"
)

// maxLine is the longest line of a text file in bytes: more than 3 million numbers.
const maxLine = 1 << 26

// plain returns r, decompressed where it is compressed, whatever its name.
func plain(r io.Reader) (io.Reader, error) {
	return compressed.NewReader(bufio.NewReaderSize(r, 1<<18))
}

// EachLine calls do with each line of a text, also compressed, and its number from 1, and returns how many there are. A byte order
// mark is left out. Errors have the name of the file and the number of the line.
func EachLine(r io.Reader, name string, do func(n int, line []byte) error) (lines int, err error) {
	content, err := plain(r)
	if err != nil {
		return 0, fmt.Errorf("vectors: %s: %w", name, err)
	}
	sc := bufio.NewScanner(content) // which takes \r\n for a line end too
	sc.Buffer(make([]byte, 1<<16), maxLine)
	for sc.Scan() {
		line := sc.Bytes()
		if lines++; lines == 1 {
			line = bytes.TrimPrefix(line, []byte("\ufeff")) // a byte order mark says nothing in UTF-8
		}
		if err := do(lines, line); err != nil {
			return lines, fmt.Errorf("vectors: %s:%d: %w", name, lines, err)
		}
	}
	err = sc.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		err = fmt.Errorf("longer than %d bytes", maxLine)
	}
	if err != nil {
		return lines, fmt.Errorf("vectors: %s:%d: %w", name, lines+1, err)
	}
	return lines, nil
}

// ReadVec reads a word2vec text file, or the same compressed; name is what errors call it.
//
// The first line is "N D"; where it is not two whole numbers, the file has no such header, as GloVe's have none, and D is
// taken from that line. Fields are separated by spaces or tabs. Names are unescaped as WriteVec says. Errors give file and
// line: a wrong number of fields, a number that is none or not finite or too large for float32, a name given twice, fewer or
// more lines than the header promised, an empty file.
func ReadVec(r io.Reader, name string) (*Vectors, error) {
	p := vecParser{seen: map[string]int{}, promised: -1}
	lines, err := EachLine(r, name, p.line)
	switch {
	case err != nil:
		return nil, err
	case p.v.N == 0:
		return nil, fmt.Errorf("vectors: %s: no vectors", name)
	case p.promised >= 0 && p.v.N < p.promised:
		return nil, fmt.Errorf("vectors: %s:%d: ends after %d vectors: expected the %d that the first line promises", name, lines, p.v.N, p.promised)
	}
	return &p.v, nil
}

type vecParser struct {
	v        Vectors
	promised int            // vectors that the header promises; -1 without a header
	seen     map[string]int // line of each name
}

func (p *vecParser) line(n int, b []byte) error {
	word, rest := field(b)
	if n == 1 {
		if ok, err := p.header(word, rest); ok || err != nil {
			return err
		}
		for r := rest; ; p.v.D++ { // count the fields of a file without header
			var f []byte
			if f, r = field(r); len(f) == 0 {
				break
			}
		}
		if x, err := network.ParseNumber(string(word)); err == nil && x != math.Trunc(x) && p.v.D > 0 {
			return fmt.Errorf("%.40s comes first and is no name: expected a name before the numbers of each line; nl -ba -w1 FILE puts those of its lines there", word)
		}
		if p.v.D == 0 {
			return errors.New("no numbers: expected \"N D\", or a name and its numbers with spaces or tabs between them, not commas")
		}
	}
	if len(word) == 0 {
		return errors.New("empty line: expected a name and its numbers")
	}
	if p.v.N == p.promised {
		return fmt.Errorf("one vector more than the %d that the first line promises", p.promised)
	}
	id := unescapeName(string(word))
	if first, twice := p.seen[id]; twice {
		return fmt.Errorf("name %.60q was given on line %d already", id, first)
	}
	for k := range p.v.D {
		if word, rest = field(rest); len(word) == 0 {
			return fmt.Errorf("%d numbers: expected %d", k, p.v.D)
		}
		x, err := parseFloat32(word)
		if err != nil {
			if n == 1 {
				return fmt.Errorf("number %d: %w: expected vectors, as lines of a name and its numbers", k+1, err)
			}
			return fmt.Errorf("number %d: %w", k+1, err)
		}
		p.v.Data = append(p.v.Data, x)
	}
	if extra, _ := field(rest); len(extra) > 0 {
		return fmt.Errorf("more than %d numbers", p.v.D)
	}
	p.seen[id] = n
	p.v.Names = append(p.v.Names, id)
	p.v.N++
	return nil
}

// header takes the first line as "N D" if it is two whole numbers.
func (p *vecParser) header(word, rest []byte) (bool, error) {
	second, rest := field(rest)
	if third, _ := field(rest); len(second) == 0 || len(third) > 0 {
		return false, nil
	}
	n, err1 := strconv.Atoi(string(word))
	d, err2 := strconv.Atoi(string(second))
	if err1 != nil || err2 != nil {
		return false, nil
	}
	if n <= 0 || d <= 0 {
		return true, fmt.Errorf("%d vectors of dimension %d: expected both > 0", n, d)
	}
	p.promised, p.v.D = n, d
	// Room is made for as much as is likely; a header that promises more must first deliver.
	if n <= math.MaxInt/d {
		p.v.Data = make([]float32, 0, min(n*d, 1<<20))
	}
	return true, nil
}

// field cuts the first run of bytes that are neither space nor tab off b. A carriage return at the end is no part of it.
func field(b []byte) (word, rest []byte) {
	i := 0
	for i < len(b) && isBlank(b[i]) {
		i++
	}
	j := i
	for j < len(b) && !isBlank(b[j]) {
		j++
	}
	return b[i:j], b[j:]
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' || c == '\r' }

// parseFloat32 reads one number.
func parseFloat32(b []byte) (float32, error) {
	// The string shares the bytes for the time of the call: a copy for each number would take as long as the parsing.
	x, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(b), len(b)), 32)
	if bytes.IndexByte(b, '_') >= 0 { // only Go takes 1_0 for a number
		err = strconv.ErrSyntax
	}
	if err != nil {
		var ne *strconv.NumError
		if errors.As(err, &ne) {
			err = ne.Err
		}
		return 0, fmt.Errorf("%.60q: %w", b, err)
	}
	if x-x != 0 {
		return 0, fmt.Errorf("%.60q: expected a finite number", b)
	}
	return float32(x), nil
}
