package network

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/asp2vec/asp2vec/internal/atomicfile"
)

// splitFormat is the version of the folder format that Write writes. ReadSplit refuses later ones.
const splitFormat = 1

// splitInfo is the file split.json.
type splitInfo struct {
	Format      int     `json:"format"`
	Directed    bool    `json:"directed"`
	Rule        string  `json:"rule,omitempty"`
	Remove      float64 `json:"remove,omitempty"`
	Seed        uint64  `json:"seed"`
	AsPublished bool    `json:"as_published,omitempty"`
	Sides       []int   `json:"sides,omitempty"`
	Vertices    int     `json:"vertices"`
	Train       int     `json:"train"`
	Test        int     `json:"test"`
	Lost        int     `json:"lost"`
	Checksum    string  `json:"sha256"` // Split.Checksum
}

const splitInfoFile = "split.json"

// listNames are the names of the lists of a split, which name its files.
var listNames = [...]string{"train", "train_neg", "test", "test_neg", "test_neg_directed"}

// Write writes the split as a folder: train, train_neg, test and test_neg, for directed networks test_neg_directed, each a
// .tsv.gz of lines of two ids, in train also weights if some are not 1, and split.json, which says how the split was made. The
// folder appears complete or not at all. If it exists and holds anything, force replaces it, but only if it holds nothing but a split; the old one goes once the
// new one stands. Splits with the same Checksum and Options give the same bytes.
//
// It fails when the split does not pass Check, when a vertex is in no list, and when an id could not be read
// back.
func (s *Split) Write(dir string, force bool) error {
	if err := s.Check(); err != nil {
		return err
	}
	if v := s.unnamed(); v >= 0 {
		return fmt.Errorf("network: split: vertex %q is in no list: expected a link or a negative of each", s.Names[v])
	}
	if err := checkNames(s.Names); err != nil {
		return err
	}
	for _, list := range s.lists() {
		if len(*list.links) == 0 {
			return fmt.Errorf("network: split: %s is empty: expected at least one pair", list.name)
		}
	}
	if err := onlySplit(dir); err != nil {
		return err
	}
	err := atomicfile.Dir(dir, force, func(tmp string) error {
		for _, list := range s.lists() {
			links := s.canonical(*list.links)
			var weights []float32
			if list.links == &s.Train {
				weights = s.trainWeights(links)
			}
			if err := writeList(filepath.Join(tmp, list.name+".tsv.gz"), s.Names, links, weights); err != nil {
				return err
			}
		}
		info, err := json.MarshalIndent(splitInfo{
			Format: splitFormat, Directed: s.Directed, Rule: s.Options.Rule, Remove: s.Options.Remove, Seed: s.Options.Seed, AsPublished: s.Options.AsPublished, Sides: s.Sides,
			Vertices: len(s.Names), Train: len(s.Train), Test: len(s.Test), Lost: s.Lost, Checksum: s.Checksum(),
		}, "", "  ")
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(tmp, splitInfoFile), append(info, '\n'), 0o666)
	})
	if err != nil {
		return fmt.Errorf("network: split: %w", err)
	}
	return nil
}

// unnamed returns the first vertex that no list names, -1 where there is none.
func (s *Split) unnamed() int {
	named := make([]bool, len(s.Names))
	for _, list := range s.lists() {
		for _, l := range *list.links {
			named[l.From], named[l.To] = true, true
		}
	}
	return slices.Index(named, false)
}

// onlySplit returns an error if dir holds a file that is no part of a split, so that force cannot sweep away other work.
func onlySplit(dir string) error {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("network: split: %w", err)
	}
	for _, e := range entries {
		name := e.Name()
		known := name == splitInfoFile || slices.ContainsFunc(listNames[:], func(list string) bool {
			return name == list+".tsv" || name == list+".tsv.gz"
		})
		if !known {
			return fmt.Errorf("network: split: %s contains %s, which is not part of a split: expected an empty folder, or one with a split", dir, name)
		}
	}
	return nil
}

func writeList(path string, names []string, links []Link, weights []float32) error {
	return writeZipped(path, func(w io.Writer) error {
		b := bufio.NewWriterSize(w, 1<<16)
		if err := writePairs(b, names, links, weights); err != nil {
			return err
		}
		return b.Flush()
	})
}
