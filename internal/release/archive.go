package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"crypto/sha256"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// entry is a file of an archive.
type entry struct {
	name    string
	content []byte
	program bool // may be executed
}

func (e entry) mode() int64 {
	if e.program {
		return 0o755
	}
	return 0o644
}

// archive writes files into name.zip or name.tar.gz, in a folder called name, and returns the archive's name. The same files and time
// give the same bytes.
func archive(dir, name string, zipped bool, files []entry, at time.Time) (string, error) {
	files = slices.SortedFunc(slices.Values(files), func(a, b entry) int { return strings.Compare(a.name, b.name) })
	file, write := name+".tar.gz", writeTar
	if zipped {
		file, write = name+".zip", writeZip
	}
	f, err := os.Create(filepath.Join(dir, file))
	if err != nil {
		return "", err
	}
	if err := write(f, name, files, at); err != nil {
		f.Close()
		return "", err
	}
	return file, f.Close()
}

func writeTar(w io.Writer, folder string, files []entry, at time.Time) error {
	z, err := gzip.NewWriterLevel(w, gzip.BestCompression)
	if err != nil {
		return err
	}
	t := tar.NewWriter(z)
	for _, e := range files {
		header := &tar.Header{Name: path.Join(folder, e.name), Mode: e.mode(), Size: int64(len(e.content)), ModTime: at, Format: tar.FormatUSTAR}
		if err := t.WriteHeader(header); err != nil {
			return err
		}
		if _, err := t.Write(e.content); err != nil {
			return err
		}
	}
	if err := t.Close(); err != nil {
		return err
	}
	return z.Close()
}

func writeZip(w io.Writer, folder string, files []entry, at time.Time) error {
	z := zip.NewWriter(w)
	for _, e := range files {
		header := &zip.FileHeader{Name: path.Join(folder, e.name), Method: zip.Deflate, Modified: at}
		header.SetMode(os.FileMode(e.mode()))
		f, err := z.CreateHeader(header)
		if err != nil {
			return err
		}
		if _, err := f.Write(e.content); err != nil {
			return err
		}
	}
	return z.Close()
}

// writeSums writes SHA256SUMS, which sha256sum --check reads.
func writeSums(dir string, files []string) error {
	var sums strings.Builder
	for _, name := range files {
		content, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return err
		}
		fmt.Fprintf(&sums, "%x  %s\n", sha256.Sum256(content), name)
	}
	return os.WriteFile(filepath.Join(dir, "SHA256SUMS"), []byte(sums.String()), 0o644)
}
