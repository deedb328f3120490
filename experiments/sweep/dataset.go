package sweep

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
)

// readDatasets reads names of data sets and paths, beside the file if they are relative: "cora", "links.tsv", "my/split", or {name: mine, network: links.tsv, directed: true}, {name: mine, split: my/split}, {name: mine, bibliography: my/papers}.
func (s *File) readDatasets(list yamlfile.List[datasetKeys]) error {
	for _, item := range list {
		d, err := s.readDataset(item.Value)
		if err != nil {
			return fmt.Errorf("%d: %w", item.Line, err)
		}
		if slices.ContainsFunc(s.Datasets, func(other source.DataSet) bool { return strings.EqualFold(other.Name, d.Name) }) {
			return fmt.Errorf("%d: data set %s is given twice: expected another name, as {name: NAME, network: FILE}", item.Line, d.Name)
		}
		s.Datasets = append(s.Datasets, d)
	}
	return nil
}

// datasetKeys are a word, the name of a data set or a path, or those of a data set of the user's.
type datasetKeys struct {
	word string
	Name string         `yaml:"name"`
	Own  source.OwnData `yaml:",inline"`
}

// UnmarshalYAML reads a word, or a mapping.
func (k *datasetKeys) UnmarshalYAML(n ast.Node) error {
	if _, keyed := n.(ast.MapNode); !keyed {
		return yamlfile.Decode(n, &k.word)
	}
	type keys datasetKeys // which has no UnmarshalYAML
	return yamlfile.Decode(n, (*keys)(k))
}

func (s *File) readDataset(k datasetKeys) (d source.DataSet, err error) {
	if k.word == "" {
		return s.own(k.Name, k.Own)
	}
	if d, err = source.Registered(k.word); err == nil {
		return d, nil
	}
	if !strings.ContainsAny(k.word, `./\`) {
		if _, missing := os.Stat(s.beside(k.word)); missing == nil {
			err = fmt.Errorf("%w, or ./%s for the path", err, k.word)
		}
		return d, err
	}
	own, err := s.kindOf(k.word)
	if err != nil {
		return d, err
	}
	return s.own("", own)
}

// kindOf returns what lies at a path: a bibliography where papers are, a split where another folder does, or
// else a network. Where nothing lies that need not be there, its ending tells; without one it is a split, from which methods on papers and authors cannot learn: it
// returns an error for these.
func (s *File) kindOf(path string) (own source.OwnData, err error) {
	at := s.beside(path)
	fi, err := os.Stat(at)
	folder := err == nil && fi.IsDir()
	gone := err != nil && s.use == ToShow && filepath.Ext(path) == ""
	switch {
	case gone && s.Typed():
		return own, fmt.Errorf("data set %[1]s is not there: expected it there, or {bibliography: %[1]s}", path)
	case folder && papers.Is(at):
		own.Bibliography = path
	case folder || gone:
		own.Split = path
	default:
		own.Network = path
	}
	return own, nil
}

// own completes a data set of the user's whose path is relative to the folder of the sweep's file.
func (s *File) own(name string, own source.OwnData) (source.DataSet, error) {
	if path, given := own.Path(); given == 1 {
		*path = s.beside(*path)
	}
	if s.use == ToShow {
		return source.Recorded(name, own)
	}
	return source.OwnDataSet(name, own)
}

// beside returns a path that is relative to the folder of the sweep's file.
func (s *File) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(s.Path), path)
}
