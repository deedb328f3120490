package run

import (
	"cmp"
	"context"
	"fmt"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// A Catalog knows the data of runs as they are now. It reads each data set once, when somebody asks for it.
type Catalog struct {
	dir  string
	mu   sync.Mutex
	sets map[string]*DataSet
}

// NewCatalog returns a catalog of the registered data sets in a folder, and of data of the user's.
func NewCatalog(dir string) *Catalog { return &Catalog{dir: dir, sets: map[string]*DataSet{}} }

// Of returns a data set by its name or, where own is not nil, the user's data that lie there.
func (c *Catalog) Of(name string, own *source.OwnData) *DataSet {
	key := name
	if own != nil {
		key += "\n" + own.Network + own.Split + own.Bibliography
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.sets[key] == nil {
		c.sets[key] = newDataSet(name, c.dir, own)
	}
	return c.sets[key]
}

// DataSet is data that runs can learn from.
type DataSet struct {
	Load  func() (source.Loaded, error) // reads them; the same data whenever it is called
	Words WordCache                     // what its runs share

	sum   func() (string, error)
	mu    sync.Mutex
	files map[string]string // checksums of files that options name
}

func newDataSet(name, dir string, own *source.OwnData) *DataSet {
	s := &DataSet{files: map[string]string{}}
	s.Load = sync.OnceValues(func() (source.Loaded, error) {
		from := source.Source{Dataset: name, DataDir: dir}
		if own != nil {
			from = own.Source()
		}
		l, err := from.Load(context.Background())
		if own != nil {
			l.Name = name
		}
		return l, err
	})
	s.sum = sync.OnceValues(func() (string, error) {
		if own == nil {
			d, err := network.Lookup(name)
			if err != nil {
				return "", err
			}
			if _, _, err := d.Find(dir); err != nil && d.SHA256 != "" {
				return d.SHA256, nil // the data are not here
			}
		}
		l, err := s.Load()
		switch {
		case err != nil:
			return "", err
		case l.Split != nil || l.Bibliography != nil:
			return Data{Name: name, Split: l.Split, Bibliography: l.Bibliography}.Describe().SHA256, nil
		}
		return l.Network.Checksum(), nil
	})
	return s
}

// Checksums are those of all data that the numbers of a run depend on.
type Checksums struct {
	Data     string // of the split, of the bibliography or, where each seed parts a network, of that
	Features string // of the file that the options name; "" for none
	Words    string // likewise
}

// String returns the first digits of each.
func (c Checksums) String() string {
	text := fmt.Sprintf("%.8s", c.Data)
	for _, of := range [][2]string{{"features", c.Features}, {"words", c.Words}} {
		if of[1] != "" {
			text += fmt.Sprintf(" with %s %.8s", of[0], of[1])
		}
	}
	return text
}

// ChecksumsOf returns those of a record.
func ChecksumsOf(d results.Dataset) Checksums {
	return Checksums{cmp.Or(d.NetworkSHA256, d.SHA256), d.FeaturesSHA256, d.WordsSHA256}
}

// Checksums returns those of a run with some options as the data are now; of a registered data set that is
// not here, those that its entry in the registry has. It returns an error for data that cannot be read.
func (s *DataSet) Checksums(o graphs.Options) (found Checksums, err error) {
	if found.Data, err = s.sum(); err != nil {
		return found, err
	}
	if file := graphs.Own[graphs.FeatureOptions](o).Features; file != "" {
		found.Features, err = s.file(file, func(l source.Loaded) (string, error) {
			names := []string(nil)
			if l.Split != nil {
				names = l.Split.Names
			} else if l.Network != nil {
				names = l.Network.LargestComponent().Names()
			}
			features, err := network.ReadFeatures(file, names)
			if err != nil {
				return "", err
			}
			return features.Checksum(), nil
		})
	}
	if file := graphs.Own[hetnet.PaperOptions](o).WordVectors; file != "" && err == nil {
		found.Words, err = s.file(file, func(l source.Loaded) (string, error) {
			words, _, err := encode.ReadWords(file, Data{Bibliography: l.Bibliography, Typed: l.Typed}.network().Words)
			if err != nil {
				return "", err
			}
			return words.Checksum(), nil
		})
	}
	return found, err
}

// file returns the checksum of a file that options name, which read works out once.
func (s *DataSet) file(path string, read func(source.Loaded) (string, error)) (string, error) {
	l, err := s.Load()
	if err != nil {
		return "", err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.files[path] == "" {
		if s.files[path], err = read(l); err != nil {
			return "", err
		}
	}
	return s.files[path], nil
}
