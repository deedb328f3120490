// Package fetch gets the published files of data sets from the repositories of their authors, at fixed commits and by their
// hashes, and leaves data sets as Dataset.Find wants them. It and bench are the only packages that use the network.
package fetch

import (
	_ "embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/asp2vec/asp2vec/network"
)

// File is a published file.
type File struct {
	Sets       []string `json:"-"` // names of the data sets that it belongs to
	Repository string   `json:"repository"`
	Commit     string   `json:"commit"`
	Path       string   `json:"path"`            // in the repository
	Size       int64    `json:"bytes,omitempty"` // 0 if it is not known
	SHA1       string   `json:"git_blob_sha1"`   // of "blob SIZE", a zero byte and the content
	SHA256     string   `json:"sha256,omitempty"`
}

// Local returns where a file lies in the folder of published files.
func (f File) Local() string {
	return filepath.Join(strings.ReplaceAll(f.Repository, "/", "-"), filepath.FromSlash(f.Path))
}

// isSplit and isLinks say what a file of a network holds.
func (f File) isSplit() bool { return path.Ext(f.Path) == ".pkl" }
func (f File) isLinks() bool { return path.Base(f.Path) == "edges.txt" }

// filesTable has a file a line: data sets, repository, commit, path, bytes, and two hashes. Sizes and second hashes may be missing: the
// first is of the size too.
//
//go:embed files.tsv
var filesTable string

// published decodes the table once. It is part of the program, and a test reads it, so it cannot be bad at run time.
var published = sync.OnceValue(func() []File {
	files, err := parseTable(filesTable)
	if err != nil {
		panic(err)
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

// parseTable reads a table of files. Errors give the line: it has other columns, a path leads out of its folder, or a number or
// a hash is none.
func parseTable(text string) (files []File, err error) {
	line := 0
	for row := range strings.Lines(text) {
		line++
		if row = strings.TrimSuffix(row, "\n"); row == "" || row[0] == '#' {
			continue
		}
		bad := func(format string, args ...any) error {
			return fmt.Errorf("fetch: table of files, line %d: %w", line, fmt.Errorf(format, args...))
		}
		c := strings.Split(row, "\t")
		if len(c) != 7 {
			return nil, bad("%d columns: want 7", len(c))
		}
		f := File{Sets: strings.Split(c[0], ","), Repository: c[1], Commit: c[2], Path: c[3], SHA1: c[5], SHA256: c[6]}
		if c[4] != "" {
			if f.Size, err = strconv.ParseInt(c[4], 10, 64); err != nil || f.Size < 1 || f.Size > longest {
				return nil, bad("size %q: want a number from 1 to %d", c[4], int64(longest))
			}
		}
		// A path must stay in its folder on every system.
		if !fs.ValidPath(f.Path) || !filepath.IsLocal(f.Local()) || strings.ContainsAny(f.Path, `\:`) || strings.Count(f.Repository, "/") != 1 || !fs.ValidPath(f.Repository) {
			return nil, bad("path %q of %q: want one inside of a repository OWNER/NAME", f.Path, f.Repository)
		}
		for _, h := range []struct {
			text string
			size int
		}{{f.Commit, 20}, {f.SHA1, 20}, {f.SHA256, 32}} {
			if b, err := hex.DecodeString(h.text); err != nil || len(b) != h.size && !(h.text == "" && h.size == 32) {
				return nil, bad("hash %q: want %d hexadecimal digits", h.text, 2*h.size)
			}
		}
		files = append(files, f)
	}
	return files, nil
}
