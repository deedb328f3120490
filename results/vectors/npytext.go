package vectors

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Arrays of text, which NumPy keeps as UTF-32 padded with zeros to the longest.

// writeNPYText writes names as a NumPy array (N) of text. It returns an error for names that are not UTF-8 or end with a zero
// character, which NumPy cannot tell from its padding.
func writeNPYText(w io.Writer, names []string) error {
	width := 1
	for _, n := range names {
		if !utf8.ValidString(n) || strings.HasSuffix(n, "\x00") {
			return fmt.Errorf("vectors: npy: name %q: want UTF-8 that does not end with a zero character", n)
		}
		width = max(width, utf8.RuneCountInString(n))
	}
	if _, err := w.Write(npyStart(fmt.Sprintf("<U%d", width), fmt.Sprintf("(%d,)", len(names)))); err != nil {
		return err
	}
	buf := make([]byte, 4*width)
	for _, n := range names {
		clear(buf)
		at := 0
		for _, r := range n {
			binary.LittleEndian.PutUint32(buf[at:], uint32(r))
			at += 4
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
	}
	return nil
}

// npyStart returns the magic and the header of an array, of version 1.0; shape is a tuple in Python's words.
func npyStart(descr, shape string) []byte {
	header := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	const align, prefix = 64, len(npyMagic) + 4
	header += strings.Repeat(" ", align-1-(prefix+len(header))%align) + "\n"
	buf := append([]byte(npyMagic), 1, 0)
	buf = binary.LittleEndian.AppendUint16(buf, uint16(len(header)))
	return append(buf, header...)
}

var npyTextDescr = regexp.MustCompile(`^([<>=])U([0-9]{1,6})$`)

// readNPYText reads an array (N) of text.
func readNPYText(in io.Reader) ([]string, error) {
	r := bufio.NewReaderSize(in, 1<<16)
	descr, n, err := npyList(r)
	if err != nil {
		return nil, err
	}
	kind := npyTextDescr.FindStringSubmatch(descr)
	if kind == nil {
		return nil, fmt.Errorf("names of type %q: want text (<U)", descr)
	}
	var order binary.ByteOrder = binary.LittleEndian
	if kind[1] == ">" {
		order = binary.BigEndian
	}
	width, _ := strconv.Atoi(kind[2])
	var names []string
	buf := make([]byte, 4*width)
	for len(names) < n {
		if _, err := io.ReadFull(r, buf); err != nil {
			return nil, fmt.Errorf("ends before the %d names of its shape: %w", n, io.ErrUnexpectedEOF)
		}
		var b strings.Builder
		for i := 0; i < len(buf); i += 4 {
			c := order.Uint32(buf[i:])
			if c > utf8.MaxRune {
				return nil, fmt.Errorf("name %d has the character %#x: want Unicode", len(names), c)
			}
			b.WriteRune(rune(c))
		}
		names = append(names, strings.TrimRight(b.String(), "\x00"))
		if width == 0 && len(names) > 1 {
			return nil, errors.New("names of no characters: want each once")
		}
	}
	return names, nil
}
