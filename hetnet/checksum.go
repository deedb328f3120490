package hetnet

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"

	"github.com/asp2vec/asp2vec/internal/digest"
)

// Checksum returns the SHA-256, in hexadecimal, of everything in the bibliography but its name.
func (b *Bibliography) Checksum() string {
	d := digest.New()
	d.Text("bibliography")
	for _, names := range [][]string{b.Authors, b.Venues, b.Words} {
		d.Texts(names)
	}
	d.Ints(b.Train)
	d.Ints(b.Test)
	d.Uint(uint64(len(b.Papers)))
	for i := range b.Papers {
		p := &b.Papers[i]
		d.Text(p.Name)
		d.Uint(uint64(p.Venue))
		for _, xs := range [][]int32{p.Authors, p.Cites, p.Tokens, p.Candidates} {
			d.Ints(xs)
		}
	}
	return d.Sum()
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
