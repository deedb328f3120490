// Package checkpoint writes and reads the file that a run in training goes on from.
//
// A file says what run it is of (its identity), where the run stands (its state), and the numbers of its parameters:
//
//	asp2vec checkpoint 1\n
//	{"identity": [...], "state": {...}, "lengths": [...]}\n
//	float32 numbers, little-endian, as many as lengths say
//	SHA-256 of all before, 32 bytes
//
// It appears whole or not at all, and one that a disk has damaged is told by its checksum.
package checkpoint

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

// magic is a file's first line, with the version of its format.
const magic = "asp2vec checkpoint 1\n"

// ErrDamaged is wrapped by the error of Read for a file that is not as it was written.
var ErrDamaged = errors.New("the checkpoint is damaged")

// Fact is one thing that a run's numbers depend on, such as {"seed", "1"}.
type Fact struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Content is what a file holds.
type Content struct {
	Identity []Fact          // of the run, in an order that a reader of differences likes
	State    json.RawMessage // of the program that wrote it; any JSON
	Numbers  [][]float32
}

// head is the second line of a file.
type head struct {
	Identity []Fact          `json:"identity"`
	State    json.RawMessage `json:"state"`
	Lengths  []int           `json:"lengths"` // of Numbers
}

// Write creates or replaces the file at path. The numbers are read while it is written, and not kept. It returns an error if the
// state is no valid JSON or the file cannot be written; a file that was there is then left as it was.
func Write(path string, c Content) error {
	return atomicfile.Write(path, func(w io.Writer) error { return encode(w, c) })
}

func encode(w io.Writer, c Content) error {
	h := head{c.Identity, c.State, make([]int, len(c.Numbers))}
	for i, x := range c.Numbers {
		h.Lengths[i] = len(x)
	}
	line, err := json.Marshal(h) // compacts the state, so there is no line end inside
	if err != nil {
		return fmt.Errorf("checkpoint: %w", err)
	}
	sum := sha256.New()
	both := io.MultiWriter(w, sum)
	if _, err := io.WriteString(both, magic); err != nil {
		return err
	}
	if _, err := both.Write(append(line, '\n')); err != nil {
		return err
	}
	for _, x := range c.Numbers {
		if err := writeNumbers(both, x); err != nil {
			return err
		}
	}
	_, err = w.Write(sum.Sum(nil))
	return err
}

// chunk is how many numbers are written or read at a time.
const chunk = 1 << 14

func writeNumbers(w io.Writer, x []float32) error {
	buf := make([]byte, 0, 4*min(chunk, len(x)))
	for len(x) > 0 {
		n := min(chunk, len(x))
		buf = buf[:0]
		for _, v := range x[:n] {
			buf = binary.LittleEndian.AppendUint32(buf, math.Float32bits(v))
		}
		if _, err := w.Write(buf); err != nil {
			return err
		}
		x = x[n:]
	}
	return nil
}

// Read returns what the file at path holds. It returns an error that wraps ErrDamaged for one that is not as Write left it, and
// asks for no more memory than the file is long.
func Read(path string) (Content, error) {
	f, err := os.Open(path)
	if err != nil {
		return Content{}, fmt.Errorf("checkpoint: %w", err)
	}
	defer f.Close()
	fi, err := f.Stat()
	if err != nil {
		return Content{}, fmt.Errorf("checkpoint: %w", err)
	}
	if !fi.Mode().IsRegular() {
		return Content{}, fmt.Errorf("checkpoint: %s: want a file", path)
	}
	c, err := decode(f, fi.Size())
	if err != nil {
		return Content{}, fmt.Errorf("checkpoint: %s: %w", path, err)
	}
	return c, nil
}

func decode(r io.ReadSeeker, size int64) (c Content, err error) {
	body := size - sha256.Size
	if body < int64(len(magic)) {
		return c, fmt.Errorf("%w: %d bytes are too few", ErrDamaged, size)
	}
	if err := verify(r, body); err != nil {
		return c, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return c, err
	}
	in := bufio.NewReaderSize(io.LimitReader(r, body), 1<<16)
	first := make([]byte, len(magic))
	if _, err := io.ReadFull(in, first); err != nil {
		return c, err
	}
	if string(first) != magic {
		return c, fmt.Errorf("%w: it starts with %.40q: want %q", ErrDamaged, first, magic)
	}
	line, err := in.ReadBytes('\n')
	if err != nil {
		return c, fmt.Errorf("%w: no second line", ErrDamaged)
	}
	var h head
	if err := json.Unmarshal(line, &h); err != nil {
		return c, fmt.Errorf("%w: %w", ErrDamaged, err)
	}
	c.Identity, c.State = h.Identity, h.State
	left := (body - int64(len(magic)+len(line))) / 4
	for _, n := range h.Lengths {
		if n < 0 || int64(n) > left {
			return c, fmt.Errorf("%w: it names %d numbers more, and has %d", ErrDamaged, n, left)
		}
		left -= int64(n)
		x := make([]float32, n)
		if err := readNumbers(in, x); err != nil {
			return c, err
		}
		c.Numbers = append(c.Numbers, x)
	}
	if extra, err := io.Copy(io.Discard, in); err != nil || extra > 0 {
		return c, errors.Join(err, fmt.Errorf("%w: %d bytes too many", ErrDamaged, extra))
	}
	return c, nil
}

// verify compares the checksum of so many bytes with what stands behind them.
func verify(r io.Reader, body int64) error {
	sum := sha256.New()
	if _, err := io.CopyN(sum, r, body); err != nil {
		return err
	}
	want := make([]byte, sha256.Size)
	if _, err := io.ReadFull(r, want); err != nil {
		return err
	}
	if !bytes.Equal(sum.Sum(nil), want) {
		return fmt.Errorf("%w: its checksum is not the one that was written", ErrDamaged)
	}
	return nil
}

func readNumbers(r io.Reader, x []float32) error {
	buf := make([]byte, 4*min(chunk, len(x)))
	for len(x) > 0 {
		n := min(chunk, len(x))
		if _, err := io.ReadFull(r, buf[:4*n]); err != nil {
			return err
		}
		for i := range x[:n] {
			x[i] = math.Float32frombits(binary.LittleEndian.Uint32(buf[4*i:]))
		}
		x = x[n:]
	}
	return nil
}

// Differences says what of a run's identity is not as a checkpoint has it, one line a fact: "seed: 1 then, 2 now".
func Differences(then, now []Fact) (lines []string) {
	was := map[string]string{}
	for _, f := range then {
		was[f.Name] = f.Value
	}
	for _, f := range now {
		old, there := was[f.Name]
		delete(was, f.Name)
		switch {
		case !there:
			lines = append(lines, fmt.Sprintf("%s: nothing then, %.60s now", f.Name, f.Value))
		case old != f.Value:
			lines = append(lines, fmt.Sprintf("%s: %.60s then, %.60s now", f.Name, old, f.Value))
		}
	}
	for _, f := range then {
		if old, left := was[f.Name]; left {
			lines = append(lines, fmt.Sprintf("%s: %.60s then, nothing now", f.Name, old))
		}
	}
	return lines
}
