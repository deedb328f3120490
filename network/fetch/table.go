// Package fetch gets the published files of data sets from the repositories of their authors, at fixed commits and by their
// hashes, and leaves data sets as Dataset.Find wants them. No other package uses the internet.
package fetch

import (
	"crypto/sha1"
	"crypto/sha256"
	_ "embed"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"

	"github.com/asp2vec/asp2vec/network"
)

// File is a published file.
type File struct {
	Repository string   `json:"repository" yaml:"-"`
	Commit     string   `json:"commit" yaml:"-"`
	Path       string   `json:"path" yaml:"path"` // in the repository
	Sets       []string `json:"-" yaml:"sets"`    // names of the data sets that it belongs to
	Size       int64    `json:"bytes,omitempty" yaml:"bytes"`
	SHA256     string   `json:"sha256,omitempty" yaml:"sha256"`
	Git        string   `json:"git_blob_sha1,omitempty" yaml:"git"` // of "blob SIZE", a zero byte and the content: where the others are not known
}

//go:embed files.yaml
var filesYAML []byte

// published decodes the table once. It is part of the program, and a test reads it, so it cannot be bad at run time.
var published = sync.OnceValue(func() (files []File) {
	var repositories []struct {
		Repository, Commit string
		Files              []File
	}
	if err := yaml.UnmarshalWithOptions(filesYAML, &repositories, yaml.Strict()); err != nil {
		panic(err)
	}
	for _, r := range repositories {
		for _, f := range r.Files {
			f.Repository, f.Commit = r.Repository, r.Commit
			files = append(files, f)
		}
	}
	return files
})

// Files returns the published files of a data set; there are none of data sets whose files cannot be checked, or were put
// together from others.
func Files(d network.Dataset) []File { return filesOf(published(), d) }

func filesOf(table []File, d network.Dataset) (files []File) {
	for _, f := range table {
		if slices.Contains(f.Sets, d.Name) {
			files = append(files, f)
		}
	}
	return files
}

// HasSplit says whether a split is among the files of a network.
func HasSplit(files []File) bool { return slices.ContainsFunc(files, File.isSplit) }

// isSplit and isLinks say what a file of a network holds.
func (f File) isSplit() bool { return path.Ext(f.Path) == ".pkl" }
func (f File) isLinks() bool { return path.Base(f.Path) == "edges.txt" }

// Local returns where a file lies in the folder of published files.
func (f File) Local() string {
	return filepath.Join(strings.ReplaceAll(f.Repository, "/", "-"), filepath.FromSlash(f.Path))
}

// url returns the address of a file at a mirror.
func (f File) url(mirror *url.URL) *url.URL { return mirror.JoinPath(f.Repository, f.Commit, f.Path) }

// most returns the length in bytes that the file does not pass: GitHub keeps none that is longer than 100 MiB.
func (f File) most() int64 {
	if f.Size > 0 {
		return f.Size
	}
	return 100 << 20
}

// is says whether the file at path has the hash that was published. It returns an error where it cannot be read.
func (f File) is(path string) (bool, error) {
	in, err := os.Open(path)
	if err != nil {
		return false, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return false, err
	}
	var sum hash.Hash
	want := f.SHA256
	if sum = sha256.New(); want == "" {
		sum, want = sha1.New(), f.Git
		fmt.Fprintf(sum, "blob %d\x00", info.Size())
	}
	if _, err := io.Copy(sum, in); err != nil {
		return false, err
	}
	return hex.EncodeToString(sum.Sum(nil)) == want, nil
}
