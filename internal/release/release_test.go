package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"testing"
	"time"
)

// The same files give the same archives, with the program executable.
func TestArchive(t *testing.T) {
	at := time.Unix(1_700_000_000, 0).UTC()
	files := []entry{{"asp2vec", []byte("program"), true}, {"README.md", []byte("read"), false}, {"completions/_asp2vec", []byte("z"), false}}
	var names []string
	var before [2][]byte
	for round := range 2 {
		dir := t.TempDir()
		names = nil
		for i, zipped := range []bool{false, true} {
			name, err := archive(dir, "asp2vec_1", zipped, files, at)
			if err != nil {
				t.Fatal(err)
			}
			names = append(names, name)
			content, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			if round == 0 {
				before[i] = content
				files[0], files[1] = files[1], files[0]
			} else if !bytes.Equal(content, before[i]) {
				t.Errorf("%s differs from the one before", name)
			}
		}
		if err := writeSums(dir, names); err != nil {
			t.Fatal(err)
		}
		sums, err := os.ReadFile(filepath.Join(dir, "SHA256SUMS"))
		if want := fmt.Sprintf("%x  asp2vec_1.tar.gz\n%x  asp2vec_1.zip\n", sha256.Sum256(before[0]), sha256.Sum256(before[1])); round == 1 && (err != nil || string(sums) != want) {
			t.Errorf("sums %q, %v: want %q", sums, err, want)
		}
	}
	z, err := gzip.NewReader(bytes.NewReader(before[0]))
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]int64{}
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		found[h.Name] = h.Mode
	}
	if len(found) != 3 || found["asp2vec_1/asp2vec"] != 0o755 || found["asp2vec_1/README.md"] != 0o644 {
		t.Errorf("in the archive: %v", found)
	}
	if r, err := zip.NewReader(bytes.NewReader(before[1]), int64(len(before[1]))); err != nil || len(r.File) != 3 {
		t.Errorf("in the zip: %v, %v", r, err)
	} else {
		for _, f := range r.File {
			if program := path.Base(f.Name) == "asp2vec" || path.Base(f.Name) == "asp2vec.exe"; program != (f.Mode().Perm() == 0o755) {
				t.Errorf("%s in the zip has mode %v", f.Name, f.Mode())
			}
		}
	}
}

// The list of what is linked in has each module, with its version.
func TestBOM(t *testing.T) {
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	program, err := os.ReadFile(exe)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "bom.json")
	if err := writeBOM(path, program, source{version: "v1", time: time.Unix(0, 0).UTC()}); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var bom struct {
		BOMFormat  string
		Components []struct{ Name, Version, PURL string }
	}
	if err := json.Unmarshal(content, &bom); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, c := range bom.Components {
		found = found || c.Name == "github.com/CycloneDX/cyclonedx-go" && c.PURL == "pkg:golang/"+c.Name+"@"+c.Version
	}
	if bom.BOMFormat != "CycloneDX" || !found {
		t.Errorf("%s", content)
	}
	if err := writeBOM(path, []byte("no program"), source{}); err == nil {
		t.Error("no error for what is no program")
	}
}
