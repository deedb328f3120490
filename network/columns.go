package network

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"unicode"
	"unicode/utf8"
)

// columns parts the lines of one file. The first line of data decides which separator the whole file has, and how many
// columns.
type columns struct {
	*lines
	sep   byte // '\t', ',' or ' '; 0 before the first line of data
	first int  // line that decided
	count int  // columns of every line
	field [maxColumns][]byte
}

const maxColumns = 4

// separatorNames are the names of separators in reports and errors.
var separatorNames = map[byte]string{'\t': "tab", ',': "comma", ' ': "space"}

// next fills field with the columns of the next line of data, at least two and at most limit. It skips blank lines and
// comments, which have # or % as their very first character; an id that starts so can stand after a space.
func (c *columns) next(limit int) error {
	for {
		line, err := c.lines.next()
		if err != nil {
			return err
		}
		if len(line) > 0 && (line[0] == '#' || line[0] == '%') {
			continue
		}
		line = bytes.TrimRight(line, " \t\r")
		if len(line) == 0 {
			continue
		}
		return c.split(line, limit)
	}
}

func (c *columns) split(line []byte, limit int) error {
	decides := c.sep == 0
	if decides {
		if err := c.detect(line); err != nil {
			return err
		}
	}
	n := 0
	for rest, more := line, true; more; {
		var f []byte
		f, rest, more = c.cut(rest)
		if n < maxColumns {
			c.field[n] = f
		}
		n++
	}
	switch {
	case n == 1 && !decides:
		return c.errorf("%s has no %s: want two ids separated by a %s, as on line %d", quote(line), c.name(), c.name(), c.first)
	case n == 1:
		return c.errorf("%s is one column: want two ids separated by a tab, a space or a comma", quote(line))
	case n > limit && limit == 2:
		return c.errorf("%d columns separated by %ss: want two ids", n, c.name())
	case n > limit && limit == 3:
		return c.errorf("%d columns separated by %ss: want two ids, then at most a weight", n, c.name())
	case n > limit:
		return c.errorf("%d columns separated by %ss: want two ids, then at most a weight and a time", n, c.name())
	}
	if decides {
		c.count = n
	} else if n != c.count {
		return c.errorf("%d columns: want %d, as on line %d", n, c.count, c.first)
	}
	if len(c.field[0]) == 0 || len(c.field[1]) == 0 {
		return c.errorf("%s has an empty id: want two ids", quote(line))
	}
	return nil
}

// cut returns the first column of s, what follows it, and whether anything follows.
func (c *columns) cut(s []byte) (field, rest []byte, more bool) {
	if c.sep == ' ' {
		s = bytes.TrimLeft(s, " \t")
		for i, b := range s {
			if b == ' ' || b == '\t' {
				return s[:i], s[i+1:], true // the line has no blanks at its end, so another column follows
			}
		}
		return s, nil, false
	}
	i := bytes.IndexByte(s, c.sep)
	if i < 0 {
		return trimSpaces(s), nil, false
	}
	return trimSpaces(s[:i]), s[i+1:], true
}

func trimSpaces(s []byte) []byte {
	for len(s) > 0 && s[0] == ' ' {
		s = s[1:]
	}
	for len(s) > 0 && s[len(s)-1] == ' ' {
		s = s[:len(s)-1]
	}
	return s
}

// detect takes a tab for the separator if there is one, else a comma, else spaces.
func (c *columns) detect(line []byte) error {
	c.first = c.line
	tab, comma := bytes.IndexByte(line, '\t') >= 0, bytes.IndexByte(line, ',') >= 0
	switch {
	case tab:
		c.sep = '\t'
	case comma && bytes.IndexByte(line, '"') >= 0:
		return c.errorf("%s has quotes: want columns without quotes, or separated by tabs", quote(line))
	case comma:
		c.sep = ','
		for f := range bytes.SplitSeq(line, []byte{','}) { // "a,b c" could be the ids "a,b" and "c"; "a, b" could not
			if bytes.IndexByte(trimSpaces(f), ' ') >= 0 {
				return c.errorf("%s has commas and spaces, either could separate the columns: want tabs", quote(line))
			}
		}
	default:
		c.sep = ' '
	}
	return nil
}

func (c *columns) name() string { return separatorNames[c.sep] }

// quote shows a piece of input in an error, shortened.
func quote(b []byte) string {
	const most = 60
	if len(b) > most {
		return strconv.Quote(string(b[:most])) + "..."
	}
	return strconv.Quote(string(b))
}

// maxID is the length in bytes of the longest vertex id, so that any two fit a line.
const maxID = 4096

// checkID returns what is wrong with a vertex id, or nil. Any text will do that cannot be mistaken for something else.
func checkID(id []byte) error {
	if len(id) == 0 {
		return errors.New("is empty")
	}
	if len(id) > maxID {
		return fmt.Errorf("is longer than %d bytes", maxID)
	}
	ascii := true
	for _, b := range id {
		if b < ' ' || b == 0x7f {
			return errors.New("has a control character; is the file binary?")
		}
		ascii = ascii && b < utf8.RuneSelf
	}
	if ascii {
		return nil
	}
	if !utf8.Valid(id) {
		return errors.New("is not UTF-8; is the file binary, or in another encoding?")
	}
	for _, r := range string(id) {
		if unicode.IsControl(r) || r == '\ufeff' {
			return errors.New("has a control character or a byte order mark inside")
		}
	}
	return nil
}
