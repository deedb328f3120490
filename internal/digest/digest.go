// Package digest makes checksums of data in memory.
package digest

import (
	"bufio"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"hash"
	"math"
)

// Digest feeds values to SHA-256 in one unambiguous form: every list is preceded by its length.
type Digest struct {
	sum hash.Hash
	b   *bufio.Writer
}

// New returns the digest of nothing so far.
func New() Digest {
	sum := sha256.New()
	return Digest{sum, bufio.NewWriter(sum)}
}

// Uint adds a number.
func (d Digest) Uint(x uint64) {
	var buf [8]byte
	binary.LittleEndian.PutUint64(buf[:], x)
	d.b.Write(buf[:]) // a hash does not fail
}

// Text adds a string.
func (d Digest) Text(s string) {
	d.Uint(uint64(len(s)))
	d.b.WriteString(s)
}

// Flag adds a truth value.
func (d Digest) Flag(on bool) {
	if on {
		d.Uint(1)
	} else {
		d.Uint(0)
	}
}

// Texts adds a list of strings.
func (d Digest) Texts(list []string) {
	d.Uint(uint64(len(list)))
	for _, s := range list {
		d.Text(s)
	}
}

// Ints adds a list of numbers.
func (d Digest) Ints(list []int32) {
	d.Uint(uint64(len(list)))
	for _, x := range list {
		d.Uint(uint64(x))
	}
}

// Float adds a number.
func (d Digest) Float(x float32) { d.Uint(uint64(math.Float32bits(x))) }

// Floats adds a list of numbers.
func (d Digest) Floats(list []float32) {
	d.Uint(uint64(len(list)))
	for _, x := range list {
		d.Float(x)
	}
}

// Sum returns the SHA-256, in hexadecimal.
func (d Digest) Sum() string {
	d.b.Flush()
	return hex.EncodeToString(d.sum.Sum(nil))
}
