package fetch

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/internal/disk"
	"github.com/asp2vec/asp2vec/internal/filelock"
	"github.com/asp2vec/asp2vec/network"
)

const (
	// Mirror is where files are fetched from unless another mirror is given: MIRROR/OWNER/NAME/COMMIT/PATH.
	Mirror = "https://raw.githubusercontent.com"

	// Folder holds the files as they were published, in the folder of data sets.
	Folder = "published"
)

// Fetcher fetches data sets. The zero value of a field other than Dir and Papers stands for a default.
type Fetcher struct {
	Dir     string // folder of data sets
	Mirror  string // address of a server that has the files under the same paths
	Offline bool   // make do with the published files that are in Dir
	Force   bool   // make a data set anew that is there

	Stall   time.Duration // without a byte, after which a transfer is begun again; 30 s
	Backoff time.Duration // before the second try; it doubles, up to 30 s; 1 s
	Tries   int           // in a row that bring nothing; 6

	// Papers makes a typed data set in the folder to of the published files in from.
	Papers func(d network.Dataset, from, to string) error

	Progress func(done, total int64) // bytes; called often
	Tell     func(text string)       // of what a user should know
	Client   *http.Client            // nil for one that uses the proxies of the environment
	Table    []File                  // nil for the files that are known
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

// Fetch leaves a data set in the folder of data sets, as Dataset.Find wants it, with the split and the labels that were published:
// all of it or nothing. It fetches the published files that are not there, going on with those that were broken off, and believes
// nothing that does not have the hash of the table. One fetch at a time works in a folder, others wait.
//
// It returns an error if no files of the data set are known, if its folder holds something else or, without Force, a part of it,
// if a file cannot be had or has another hash, and if what the files hold is not the data set.
func (f Fetcher) Fetch(ctx context.Context, d network.Dataset) (Result, error) {
	f.complete()
	result := Result{Name: d.Name, Folder: filepath.Join(f.Dir, d.Folder), Files: filesOf(f.Table, d)}
	result.Split = HasSplit(result.Files)
	fail := func(err error) (Result, error) { return result, fmt.Errorf("fetch: %s: %w", d.Name, err) }
	switch {
	case f.Dir == "":
		return fail(errors.New("no folder of data sets: want one"))
	case len(result.Files) == 0:
		return fail(fmt.Errorf("%w: want it from %s", ErrUnknown, d.URL))
	}
	if u, err := url.Parse(f.mirror()); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return fail(fmt.Errorf("%w %q: want an address such as %s", ErrMirror, f.Mirror, Mirror))
	}
	here, err := f.look(d, result)
	if err != nil {
		return fail(err)
	}
	if result.Here = here; here {
		return result, nil
	}
	store := filepath.Join(f.Dir, Folder)
	if _, err := os.Stat(store); f.Offline && errors.Is(err, fs.ErrNotExist) {
		return fail(fmt.Errorf("%s %w", store, ErrOffline))
	}
	if err := disk.MkdirAll(store, 0o777); err != nil {
		return fail(err)
	}
	lock, err := filelock.Wait(ctx, filepath.Join(store, ".lock"), func() { f.tell("waiting for another fetch into %s", f.Dir) })
	if err != nil {
		return fail(err)
	}
	defer lock.Release()
	if here, err = f.look(d, result); err != nil { // what the other one did
		return fail(err)
	}
	if result.Here = here; here {
		return result, nil
	}
	root, err := os.OpenRoot(store)
	if err != nil {
		return fail(err)
	}
	defer root.Close()
	g := &getter{Fetcher: f, client: f.Client, root: root, begun: map[string]int64{}}
	if g.client == nil {
		g.client = newClient()
	}
	for _, file := range result.Files {
		g.total += file.Size
	}
	for _, file := range result.Files {
		if err := g.get(ctx, file); err != nil {
			return fail(err)
		}
		result.Bytes += g.size(file.Local())
	}
	if err := atomicfile.Dir(result.Folder, true, func(tmp string) error { return f.convert(d, result.Files, store, tmp) }); err != nil {
		return fail(err)
	}
	return result, nil
}

// ErrUnknown is wrapped by the error of Fetch for a data set without files in the table.
var ErrUnknown = errors.New("none of its files is known by its hash")

// ErrMirror is wrapped by the error of Fetch for a mirror that is no address.
var ErrMirror = errors.New("mirror")

// ErrPart is wrapped by the error of Fetch for a folder that holds something, but not all of the data set.
var ErrPart = errors.New("is not all of the data set")

func (f *Fetcher) complete() {
	if f.Stall <= 0 {
		f.Stall = 30 * time.Second
	}
	if f.Backoff <= 0 {
		f.Backoff = time.Second
	}
	if f.Tries <= 0 {
		f.Tries = 6
	}
	if f.Table == nil {
		f.Table = published()
	}
}

func (f *Fetcher) mirror() string {
	if f.Mirror == "" {
		return Mirror
	}
	return f.Mirror
}

func (f *Fetcher) tell(format string, args ...any) {
	if f.Tell != nil {
		f.Tell(fmt.Sprintf(format, args...))
	}
}

// look says whether the data set is there. It fails if its folder holds what Fetch must not replace.
func (f *Fetcher) look(d network.Dataset, r Result) (here bool, err error) {
	entries, err := os.ReadDir(r.Folder)
	if errors.Is(err, fs.ErrNotExist) || err == nil && len(entries) == 0 {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	if edges, split, err := d.Find(f.Dir); err == nil && !f.Force && edges != "" && (split != "" || !r.Split) {
		return true, nil
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		if network.Unexpected(e.Name()) {
			return false, fmt.Errorf("%s contains %s, which is not part of a data set: want another folder", r.Folder, e.Name())
		}
	}
	if !f.Force {
		return false, fmt.Errorf("%s contains %s: it %w", r.Folder, strings.Join(names, ", "), ErrPart)
	}
	return false, nil
}

// convert makes the data set in tmp.
func (f *Fetcher) convert(d network.Dataset, files []File, store, tmp string) error {
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
	return disk.WriteFile(filepath.Join(tmp, network.OriginFile), append(origin, '\n'), 0o666)
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
				return fmt.Errorf("%s: directed is %v: want %v", path, split.Split.Directed, d.Directed)
			}
		}
	}
	if split == nil {
		_, err := network.CopyLinks(links, filepath.Join(tmp, network.LinksFile), d.Directed)
		return err
	}
	return split.FillDataset(tmp, links)
}

// expect takes over the size of a file that the table does not have.
func (g *getter) expect(f File, size int64) {
	g.total += size - g.begun["size "+f.Path]
	g.begun["size "+f.Path] = size
}

// count tells the progress: so many bytes of a file are there.
func (g *getter) count(f File, bytes int64) {
	g.done += bytes - g.begun[f.Path]
	g.begun[f.Path] = bytes
	if g.Progress != nil {
		g.Progress(g.done, max(g.total, g.done))
	}
}
