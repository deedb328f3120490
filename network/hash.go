package network

import (
	"bufio"
	"encoding/binary"
	"io"
	"math"
)

// hashWriter feeds values to a hash in one unambiguous form: every list is preceded by its length.
type hashWriter struct{ b *bufio.Writer }

func newHashWriter(w io.Writer) hashWriter { return hashWriter{bufio.NewWriter(w)} }

func (h hashWriter) uint(x uint64) {
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], x)
	h.b.Write(buf[:]) // a hash does not fail
}

func (h hashWriter) text(s string) {
	h.uint(uint64(len(s)))
	h.b.WriteString(s)
}

func (h hashWriter) flag(on bool) {
	if on {
		h.uint(1)
	} else {
		h.uint(0)
	}
}

func (h hashWriter) names(names []string) {
	h.uint(uint64(len(names)))
	for _, s := range names {
		h.text(s)
	}
}

func (h hashWriter) links(links []Link) {
	h.uint(uint64(len(links)))
	for _, l := range links {
		h.uint(uint64(uint32(l.From))<<32 | uint64(uint32(l.To)))
	}
}

func (h hashWriter) floats(x []float32) {
	h.uint(uint64(len(x)))
	for _, v := range x {
		h.uint(uint64(math.Float32bits(v)))
	}
}

func (h hashWriter) flush() { h.b.Flush() }
