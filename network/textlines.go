package network

import "io"

// TextLines reads the lines of a UTF-8 text, plain or gzip, which its first bytes tell: for packages that have files of
// their own.
type TextLines struct{ l *lines }

// NewTextLines returns the lines of r, of up to most bytes each. Errors call the text by the name of its file, and say what a
// line should hold with want. What is wrong with the text, also later, is a *ParseError: it is in another format, its gzip
// data are damaged, a line is too long.
func NewTextLines(r io.Reader, file string, most int, want string) (*TextLines, error) {
	l, err := newLongLines(r, file, most, want)
	if err != nil {
		return nil, err
	}
	return &TextLines{l}, nil
}

// Next returns the next line without its end, or io.EOF after the last. The slice is valid until the next call. Other errors are those
// of reading, and of a line that is too long.
func (t *TextLines) Next() ([]byte, error) { return t.l.next() }

// Line returns the number, from 1, of the line that Next returned last.
func (t *TextLines) Line() int { return t.l.line }

// CheckID returns what is wrong with a name in a text, such as a control character in it, or nil. The error completes "name X".
func CheckID(id []byte) error { return checkID(id) }
