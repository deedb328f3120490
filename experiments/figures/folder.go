package figures

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/atomicfile"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
)

// Folder is what figures 4 and 5 show of runs, as it lies in a store.
type Folder struct {
	dir string
	old map[string]string // key of the file, by the key of its run, of files from before there were all of today's options
}

// OpenFolder looks at what lies in the store at dir. It returns an error for a file that is there and cannot be read;
// that there is none is no error.
func OpenFolder(dir string) (Folder, error) {
	f := Folder{dir, map[string]string{}}
	files, err := atomicfile.Named(filepath.Split(plot.FigureDataPath(dir, "*")))
	if err != nil {
		return f, fmt.Errorf("experiments: figures: %w", err)
	}
	for _, path := range files {
		text, err := os.ReadFile(path)
		if err != nil {
			return f, fmt.Errorf("experiments: figures: %w", err)
		}
		var d struct {
			Dataset, Protocol, Method string
			Options                   json.RawMessage
		}
		if json.Unmarshal(text, &d) != nil {
			continue // who asks for it by its name is told
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		r := results.Record{Method: d.Method, Protocol: d.Protocol, Options: d.Options, Dataset: results.Dataset{Name: d.Dataset}}
		if j, err := store.JobOf(r); err == nil && j.Key() != name {
			f.old[j.Key()] = name
		}
	}
	return f, nil
}

// Read reads what there is of a job. The error is fs.ErrNotExist where there is nothing of the present code.
func (f Folder) Read(j store.Job) (*plot.FigureData, error) {
	key := j.Key()
	d, err := plot.ReadFigureData(f.dir, key)
	if old, there := f.old[key]; there && errors.Is(err, fs.ErrNotExist) {
		d, err = plot.ReadFigureData(f.dir, old)
	}
	if err == nil && !run.Present(d.Definition, j.Options) {
		return nil, fmt.Errorf("experiments: figure of other code: %w", fs.ErrNotExist)
	}
	return d, err
}
