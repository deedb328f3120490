package run

import (
	"archive/zip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// A checkpoint is a zip file, whose entries have checksums: a checkpointHead as JSON, and then the arrays of graphs.State.Numbers, in the form of NumPy.
type checkpointHead struct {
	Identity string          `json:"identity"` // of the training
	Course   json.RawMessage `json:"course"`
}

// writeCheckpoint creates or replaces a checkpoint, whole or not at all.
func writeCheckpoint(path, identity string, s graphs.State) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		z := zip.NewWriter(w)
		entry := func(name string, write func(io.Writer) error) error {
			f, err := z.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
			if err != nil {
				return err
			}
			return write(f)
		}
		err := entry("head.json", func(w io.Writer) error { return json.NewEncoder(w).Encode(checkpointHead{identity, s.Course}) })
		for i, x := range s.Numbers {
			err = errors.Join(err, entry(fmt.Sprintf("%d.npy", i), func(w io.Writer) error { return vectors.WriteNPY(w, x, len(x)) }))
		}
		return errors.Join(err, z.Close())
	})
}

// readCheckpoint returns what writeCheckpoint wrote. It returns an error that wraps ErrDamaged for a file that is not as it was written.
func readCheckpoint(path string) (identity string, s graphs.State, err error) {
	damaged := func(err error) error { return fmt.Errorf("experiments: %s: %w: %w", path, ErrDamaged, err) }
	info, err := os.Stat(path)
	if err != nil {
		return "", s, err
	}
	if !info.Mode().IsRegular() { // opening a named pipe would wait for a writer
		return "", s, damaged(errors.New("it is no regular file"))
	}
	z, err := zip.OpenReader(path)
	if err != nil {
		return "", s, damaged(err)
	}
	defer z.Close()
	var head checkpointHead
	for i, f := range z.File {
		entry, err := f.Open()
		if err != nil {
			return "", s, damaged(err)
		}
		if i == 0 {
			var text []byte
			if text, err = io.ReadAll(entry); err == nil {
				err = json.Unmarshal(text, &head)
			}
		} else {
			var x []float32
			x, _, err = vectors.ReadNPY(entry, f.Name)
			s.Numbers = append(s.Numbers, x)
		}
		if err != nil {
			return "", s, damaged(err)
		}
	}
	s.Course = head.Course
	return head.Identity, s, nil
}
