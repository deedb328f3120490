// Package source reads the data of a run: a registered data set, or links, a split, a bibliography or a schema of the user's own.
package source

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
)

// Source says where the data of a run come from: exactly one of Network, Dataset, Split and Bibliography.
type Source struct {
	Network      string // a file in one of the formats of package formats, or "-" for Input
	Dataset      string // the name of a data set, under DataDir
	Split        string // the folder of a split
	Bibliography string // the folder of a bibliography
	Schema       string // the folder of a heterogeneous network, or the file of its schema
	DataDir      string
	Directed     bool            // Dataset and Split know of themselves, and must agree
	Read         formats.Options // how to take the file of Network
	Input        io.Reader       // standard input
}

// Loaded is a source's data, and what a user should know of how they were come by.
type Loaded struct {
	Name    string
	Network *network.Network // nil where there is a split only
	Split   *network.Split   // nil where there is a network only
	Path    string           // of the file or folder
	Notes   network.Notes    // of reading it

	Bibliography *papers.Bibliography // instead of both, where there are papers and authors
	Typed        *typed.Network       // instead of all these, a heterogeneous network
}

// Load reads the source. If ctx is cancelled meanwhile, it returns its error at once, also where a file cannot be opened, as a named pipe
// that nobody writes to; what it began to read is left to end by itself.
func (s Source) Load(ctx context.Context) (Loaded, error) {
	return par.Until(ctx, func() (Loaded, error) { return s.load(ctx) })
}

func (s Source) load(ctx context.Context) (Loaded, error) {
	given := seq.Count([]string{s.Network, s.Dataset, s.Split, s.Bibliography, s.Schema}, func(from string) bool { return from != "" })
	if given != 1 {
		return Loaded{}, fmt.Errorf("experiments: %d sources of data: expected one of a network's file, a data set, a split, a bibliography and a schema", given)
	}
	switch {
	case s.Bibliography != "" && s.Directed:
		return Loaded{}, errors.New("experiments: a bibliography with directed: expected no directed")
	case s.Network != "":
		return s.loadNetwork(ctx)
	case s.Split != "":
		return s.loadSplit(ctx, "", s.Split, s.Directed)
	case s.Schema != "" && s.Directed:
		return Loaded{}, errors.New("experiments: a schema with directed: expected it said there")
	case s.Schema != "":
		return loadTyped(s.Schema)
	case s.Bibliography != "":
		return loadBibliography(ownName(bibliographyName(s.Bibliography)), s.Bibliography)
	}
	d, err := network.Lookup(s.Dataset)
	if err != nil {
		return Loaded{}, err
	}
	if s.Directed && !d.Directed {
		return Loaded{}, fmt.Errorf("experiments: data set %s is undirected: expected it without directed", d.Name)
	}
	edges, split, err := d.Find(s.DataDir)
	if err != nil {
		return Loaded{}, err
	}
	if d.Typed {
		return loadBibliography(d.Name, filepath.Dir(edges))
	}
	if split != "" {
		return s.loadSplit(ctx, d.Name, split, d.Directed)
	}
	direction := formats.Undirected
	if d.Directed {
		direction = formats.Directed
	}
	n, notes, err := formats.Read(ctx, edges, formats.Options{Format: formats.Links, Direction: direction, Memory: s.Read.Memory})
	return Loaded{Name: d.Name, Network: n, Path: edges, Notes: notes}, err
}

// loadNetwork reads a file of the user's own.
func (s Source) loadNetwork(ctx context.Context) (Loaded, error) {
	l := Loaded{Name: ownName(baseName(s.Network)), Path: s.Network}
	var err error
	if s.Network == "-" {
		l.Name, l.Path = "stdin", "standard input"
		l.Network, l.Notes, err = formats.ReadFrom(ctx, s.Input, l.Path, s.Read)
	} else {
		l.Network, l.Notes, err = formats.Read(ctx, s.Network, s.Read)
	}
	return l, err
}

func (s Source) loadSplit(ctx context.Context, name, dir string, directed bool) (Loaded, error) {
	split, err := network.ReadSplitWithin(ctx, dir, directed, s.Read.Memory)
	if err != nil {
		return Loaded{}, err
	}
	if name == "" {
		name = splitName(dir, split)
	}
	return Loaded{Name: name, Split: split, Path: dir}, nil
}

// bibliographyName returns the name of a bibliography's folder, or of the one that it lies in if it is called data, as TaPEm's is.
func bibliographyName(dir string) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	if filepath.Base(dir) == "data" {
		dir = filepath.Dir(dir)
	}
	return baseName(dir)
}

func loadBibliography(name, dir string) (Loaded, error) {
	b, notes, err := papers.Read(dir)
	return Loaded{Name: name, Path: dir, Bibliography: b, Notes: notes}, err
}

func loadTyped(path string) (Loaded, error) {
	n, notes, err := typed.Read(path)
	if err != nil {
		return Loaded{}, err
	}
	return Loaded{Name: ownName(n.Name), Path: path, Typed: n, Notes: notes}, nil
}

// ErrTyped is the error for papers and authors where links between vertices of one type are wanted.
var ErrTyped = errors.New("it has vertices of several types, such as papers and authors: expected a network whose vertices are all of one type")

// Training returns the network that walks go over: the training links of a split, or else the network itself. It returns an error for
// links that are none of a network.
func (l Loaded) Training() (*network.Network, error) {
	switch {
	case l.Bibliography != nil, l.Typed != nil:
		return nil, fmt.Errorf("experiments: %s: %w", l.Name, ErrTyped)
	case l.Split != nil:
		return l.Split.TrainNetwork()
	}
	return l.Network, nil
}

// DatasetRule and DatasetRemove are how a data set without a split is parted: the paper's way.
const (
	DatasetRule   = "ce5"
	DatasetRemove = 0.5
)

// ownName returns the name of a user's own data, which is never that of a data set: its runs are no results for that.
func ownName(name string) string {
	if _, err := network.Lookup(name); err == nil {
		return name + " (another one)"
	}
	return name
}

// baseName returns the name of a file without folders and endings.
func baseName(path string) string {
	name := filepath.Base(path)
	if cut, _, found := strings.Cut(strings.TrimLeft(name, "."), "."); found && cut != "" {
		return cut
	}
	return name
}

// splitName returns the name of the data set of a split: the registered one whose folder it lies in, if it is the one that
// came with it as far as can be told, or else the folder's own, which is never that of a data set: what was measured on
// another split is no result for it.
func splitName(dir string, s *network.Split) string {
	if abs, err := filepath.Abs(dir); err == nil {
		dir = abs
	}
	name := filepath.Base(dir)
	if name == "split" {
		name = filepath.Base(filepath.Dir(dir))
	}
	for _, d := range network.Datasets() {
		if !strings.EqualFold(d.Folder, name) && !strings.EqualFold(d.Name, name) {
			continue
		}
		madeHere := s.Options.Rule != ""
		if !madeHere && (d.Vertices == 0 || d.Vertices == len(s.Names)) && d.Directed == s.Directed {
			return d.Name
		}
		return name + " (another split)"
	}
	return name
}
