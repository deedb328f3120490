package hetnet

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
)

// Checksum returns the SHA-256, in hexadecimal, of everything in the bibliography but its name.
func (b *Bibliography) Checksum() string {
	sum := sha256.New()
	w := bufio.NewWriter(sum) // a hash does not fail
	number := func(x int) { w.Write(binary.LittleEndian.AppendUint64(nil, uint64(x))) }
	text := func(s string) {
		number(len(s))
		w.WriteString(s)
	}
	list := func(xs []int32) {
		number(len(xs))
		for _, x := range xs {
			number(int(x))
		}
	}
	text("bibliography")
	for _, names := range [][]string{b.Authors, b.Venues, b.Words} {
		number(len(names))
		for _, s := range names {
			text(s)
		}
	}
	list(b.Train)
	list(b.Test)
	number(len(b.Papers))
	for i := range b.Papers {
		p := &b.Papers[i]
		text(p.Name)
		number(int(p.Venue))
		for _, xs := range [][]int32{p.Authors, p.Cites, p.Tokens, p.Candidates} {
			list(xs)
		}
	}
	w.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}

// Checksum returns the SHA-256, in hexadecimal, of the vectors.
func (w *Words) Checksum() string {
	sum := sha256.New()
	buffered := bufio.NewWriter(sum)
	buffered.Write(binary.LittleEndian.AppendUint64(nil, uint64(w.Dim)))
	for _, x := range w.Vectors {
		buffered.Write(binary.LittleEndian.AppendUint32(nil, math.Float32bits(x)))
	}
	buffered.Flush()
	return hex.EncodeToString(sum.Sum(nil))
}
