package fetch

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/network"
)

const (
	// Mirror is where files are fetched from unless another mirror is given: MIRROR/OWNER/NAME/COMMIT/PATH.
	Mirror = "https://raw.githubusercontent.com"

	// Folder holds the files as they were published, in the folder of data sets.
	Folder = "published"
)

// Fetcher fetches data sets.
type Fetcher struct {
	Dir     string // folder of data sets
	Mirror  string // address of a server that has the files under the same paths; "" for Mirror
	Offline bool   // make do with the published files that are in Dir
	Force   bool   // make a data set anew that is there

	// Papers makes a typed data set in the folder to of the published files in from.
	Papers func(d network.Dataset, from, to string) error

	Progress func(done, total int64) // bytes; called often

	Stall time.Duration // without a byte, after which a transfer is begun again; 0 for 30 s
	table []File        // nil for the files that are known
}

// Result says what Fetch did.
type Result struct {
	Name   string `json:"name"`
	Folder string `json:"folder"`
	Here   bool   `json:"here_already"` // nothing was done
	Bytes  int64  `json:"bytes"`        // of the published files
	Files  []File `json:"files"`
	Split  bool   `json:"split"` // is a published one
}

// Errors that Fetch wraps: for a data set without files in the table, for a mirror that is no address, and for a folder that holds
// something, but not all of the data set.
var (
	ErrUnknown = errors.New("none of its files is known by its hash")
	ErrMirror  = errors.New("mirror")
	ErrPart    = errors.New("is not all of the data set")
)

// Fetch leaves a data set in the folder of data sets, as Dataset.Find wants it, with the split and the labels that were published:
// all of it or nothing. It fetches the published files that are not there, going on with those that were broken off, and believes
// nothing that does not have the hash of the table.
//
// It returns an error if no files of the data set are known, if its folder holds something else or, without Force, a part of it,
// if a file cannot be had or has another hash, and if what the files hold is not the data set.
func (f Fetcher) Fetch(ctx context.Context, d network.Dataset) (Result, error) {
	f.complete()
	r := Result{Name: d.Name, Folder: filepath.Join(f.Dir, d.Folder), Files: filesOf(f.table, d)}
	r.Split = d.Typed || HasSplit(r.Files)
	if err := f.fetch(ctx, d, &r); err != nil {
		return r, fmt.Errorf("fetch: %s: %w", d.Name, err)
	}
	return r, nil
}

func (f *Fetcher) complete() {
	f.Mirror = cmp.Or(f.Mirror, Mirror)
	if f.Stall <= 0 {
		f.Stall = 30 * time.Second
	}
	if f.table == nil {
		f.table = published()
	}
}

func (f Fetcher) fetch(ctx context.Context, d network.Dataset, r *Result) (err error) {
	mirror, err := url.Parse(f.Mirror)
	switch {
	case f.Dir == "":
		return errors.New("no folder of data sets: expected one")
	case len(r.Files) == 0:
		return fmt.Errorf("%w: expected it from %s", ErrUnknown, d.URL)
	case err != nil || mirror.Host == "" || mirror.Scheme != "http" && mirror.Scheme != "https":
		return fmt.Errorf("%w %q: expected an address such as %s", ErrMirror, f.Mirror[strings.LastIndexByte(f.Mirror, '@')+1:], Mirror) // without a password
	}
	if r.Here, err = f.look(d, *r); err != nil || r.Here {
		return err
	}
	store := filepath.Join(f.Dir, Folder)
	if _, err := os.Stat(store); f.Offline && errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s %w", store, ErrOffline)
	}
	total := int64(0)
	for _, file := range r.Files {
		total += file.Size
	}
	progress := func(bytes int64) {
		if f.Progress != nil {
			f.Progress(r.Bytes+bytes, max(total, r.Bytes+bytes))
		}
	}
	for _, file := range r.Files {
		path := filepath.Join(store, file.Local())
		if err := f.get(ctx, file, mirror, path, progress); err != nil {
			return err
		}
		r.Bytes += length(path)
		progress(0)
	}
	return atomicfile.Dir(r.Folder, true, func(tmp string) error { return f.convert(d, r.Files, store, tmp) })
}

// look says whether the data set is there. It fails if its folder holds what Fetch must not replace.
func (f Fetcher) look(d network.Dataset, r Result) (here bool, err error) {
	entries, err := os.ReadDir(r.Folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if edges, split, err := d.Find(f.Dir); err == nil && !f.Force && edges != "" && (split != "" || !HasSplit(r.Files)) {
		return true, nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		if network.Unexpected(e.Name()) {
			return false, fmt.Errorf("%s contains %s, which is not part of a data set: expected another folder", r.Folder, e.Name())
		}
	}
	if !f.Force {
		return false, fmt.Errorf("%s contains %s: it %w", r.Folder, strings.Join(names, ", "), ErrPart)
	}
	return false, nil
}

// convert makes the data set in tmp.
func (f Fetcher) convert(d network.Dataset, files []File, store, tmp string) error {
	var err error
	if d.Typed {
		err = f.Papers(d, filepath.Dir(filepath.Join(store, files[0].Local())), tmp)
	} else {
		err = convertNetwork(d, files, store, tmp)
	}
	if err != nil {
		return err
	}
	origin, err := json.MarshalIndent(struct {
		DataSet string `json:"data_set"`
		Files   []File `json:"files"`
	}{d.Name, files}, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(tmp, network.OriginFile), append(origin, '\n'), 0o666)
}

// convertNetwork makes a data set of a file of links, and a pickled split if there is one.
func convertNetwork(d network.Dataset, files []File, store, tmp string) error {
	links := ""
	var split *network.Pickled
	for _, file := range files {
		path := filepath.Join(store, file.Local())
		switch {
		case file.isLinks():
			links = path
		case file.isSplit():
			var err error
			if split, err = network.ReadPickled(path); err != nil {
				return err
			}
			if split.Split.Directed != d.Directed {
				return fmt.Errorf("%s: directed is %v: expected %v", path, split.Split.Directed, d.Directed)
			}
		}
	}
	if split == nil {
		_, err := network.CopyLinks(links, filepath.Join(tmp, network.LinksFile), d.Directed)
		return err
	}
	return split.FillDataset(tmp, links)
}
