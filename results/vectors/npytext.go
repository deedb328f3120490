package vectors

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"github.com/asp2vec/asp2vec/internal/npy"
)

// Arrays of text, which NumPy keeps as UTF-32 padded with zeros to the longest.

// writeNPYText writes names as a NumPy array (N) of text. It returns an error for names that are not UTF-8 or end with a zero
// character, which NumPy cannot tell from its padding.
func writeNPYText(w io.Writer, names []string) error {
	width := 1
	for _, n := range names {
		if !utf8.ValidString(n) || strings.HasSuffix(n, "\x00") {
			return fmt.Errorf("vectors: npy: name %q: expected UTF-8 that does not end with a zero character", n)
		}
		width = max(width, utf8.RuneCountInString(n))
	}
	if _, err := w.Write(npy.Start(fmt.Sprintf("<U%d", width), len(names))); err != nil {
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

// readNPYText reads an array (N) of distinct texts.
func readNPYText(in io.Reader) ([]string, error) {
	r := bufio.NewReaderSize(in, 1<<16)
	h, err := npyList(r, 'U')
	if err != nil {
		return nil, err
	}
	var names []string
	seen := map[string]bool{}
	buf := make([]byte, h.Size)
	for range h.Shape[0] {
		if _, err := io.ReadFull(r, buf); err != nil {
			return nil, fmt.Errorf("ends before the %d names of its shape: %w", h.Shape[0], io.ErrUnexpectedEOF)
		}
		var b strings.Builder
		for i := 0; i < len(buf); i += 4 {
			c := h.Order.Uint32(buf[i:])
			if c > utf8.MaxRune {
				return nil, fmt.Errorf("name %d has the character %#x: expected Unicode", len(names), c)
			}
			b.WriteRune(rune(c))
		}
		name := strings.TrimRight(b.String(), "\x00")
		if seen[name] { // found here, as a small file may unpack to any number of equal names
			return nil, fmt.Errorf("name %q given twice: expected each once", name)
		}
		seen[name], names = true, append(names, name)
	}
	return names, npy.End(r)
}
