package run

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
	"unsafe"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

// checkpointMagic is the first line of a checkpoint, with the version of its format. The second is a checkpointHead as JSON; then come the
// float32 numbers, little-endian, and at last the SHA-256 of all before.
const checkpointMagic = "asp2vec checkpoint 2\n"

type checkpointHead struct {
	Identity string          `json:"identity"` // of the training
	Course   json.RawMessage `json:"course"`
	Lengths  []int           `json:"lengths"` // of graphs.State.Numbers
}

// writeCheckpoint creates or replaces a checkpoint, whole or not at all.
func writeCheckpoint(path, identity string, s graphs.State) error {
	head := checkpointHead{Identity: identity, Course: s.Course}
	for _, x := range s.Numbers {
		head.Lengths = append(head.Lengths, len(x))
	}
	line, err := json.Marshal(head) // compacts the course, so there is no line end inside
	if err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		sum := sha256.New()
		both := io.MultiWriter(w, sum)
		if _, err := fmt.Fprintf(both, "%s%s\n", checkpointMagic, line); err != nil {
			return err
		}
		for _, x := range s.Numbers {
			for len(x) > 0 {
				n := min(1<<18, len(x))
				if _, err := both.Write(littleEndian(x[:n])); err != nil {
					return err
				}
				x = x[n:]
			}
		}
		_, err := w.Write(sum.Sum(nil))
		return err
	})
}

// littleEndian returns numbers as a file has them: their own memory where the processor has them so, which takes no time.
func littleEndian(x []float32) []byte {
	if binary.NativeEndian.Uint16([]byte{1, 0}) == 1 {
		return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(x))), 4*len(x))
	}
	b := make([]byte, 0, 4*len(x))
	for _, f := range x {
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(f))
	}
	return b
}

// readCheckpoint returns what writeCheckpoint wrote. It returns an error that wraps ErrDamaged for a file that is not as it was written, and
// asks for no more memory than the file is long.
func readCheckpoint(path string) (identity string, s graphs.State, err error) {
	damaged := func(err error) error { return fmt.Errorf("experiments: %s: %w: %w", path, ErrDamaged, err) }
	info, err := os.Stat(path)
	if err != nil {
		return "", s, err
	}
	if !info.Mode().IsRegular() { // opening a named pipe would wait for a writer
		return "", s, damaged(errors.New("it is no regular file"))
	}
	f, err := os.Open(path)
	if err != nil {
		return "", s, err
	}
	defer f.Close()
	body := info.Size() - sha256.Size
	if err := verifyCheckpoint(f, body); err != nil {
		return "", s, damaged(err)
	}
	in := bufio.NewReader(io.NewSectionReader(f, 0, body))
	if magic, err := in.ReadString('\n'); err != nil || magic != checkpointMagic {
		return "", s, damaged(fmt.Errorf("it starts with %.40q: expected %q", magic, checkpointMagic))
	}
	line, err := in.ReadBytes('\n')
	if err != nil {
		return "", s, damaged(err)
	}
	var head checkpointHead
	if err := json.Unmarshal(line, &head); err != nil {
		return "", s, damaged(err)
	}
	for _, n := range head.Lengths {
		if n < 0 || int64(n) > body/4 {
			return "", s, damaged(fmt.Errorf("%d numbers in %d bytes", n, body))
		}
		x := make([]float32, n)
		if err := binary.Read(in, binary.LittleEndian, x); err != nil {
			return "", s, damaged(err)
		}
		s.Numbers = append(s.Numbers, x)
	}
	s.Course = head.Course
	return head.Identity, s, nil
}

// verifyCheckpoint compares the checksum of so many bytes with what stands behind them.
func verifyCheckpoint(f io.ReaderAt, body int64) error {
	sum := sha256.New()
	if _, err := io.Copy(sum, io.NewSectionReader(f, 0, max(0, body))); err != nil {
		return err
	}
	want := make([]byte, sha256.Size)
	if _, err := f.ReadAt(want, max(0, body)); err != nil || !bytes.Equal(sum.Sum(nil), want) {
		return errors.Join(errors.New("its checksum is not the one that was written"), err)
	}
	return nil
}
