package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
	"github.com/asp2vec/asp2vec/network"
	"gopkg.in/yaml.v3"
)

// DataSet is a data set of a grid: one that is registered, or the user's own, of which the name is known, and whether its links are said to
// have a direction.
type DataSet struct {
	network.Dataset
	Own *OwnData // nil for a registered one
}

// registered returns a data set by its name, or that of its folder.
func registered(name string) (DataSet, error) {
	var known []string
	for _, d := range network.Datasets() {
		if strings.EqualFold(name, d.Name) || strings.EqualFold(name, d.Folder) {
			return DataSet{Dataset: d}, nil
		}
		known = append(known, d.Name)
	}
	return DataSet{}, unknown.Name{What: "data set", Name: name, Known: known}
}

// readDatasets reads names of data sets and paths, beside the file if they are relative: "cora", "links.tsv", "my/split", "my/music" with
// a schema, or {name: mine, network: links.tsv, directed: true}, {name: mine, split: my/split}, {name: mine, bibliography: my/papers},
// {name: mine, schema: my/music}.
func (s *Sweep) readDatasets(n *yaml.Node) error {
	list, err := yamlnode.Items(n, "data set")
	for _, item := range list {
		d, err := s.readDataset(item)
		if err != nil {
			return yamlnode.Error(item, err)
		}
		if slices.ContainsFunc(s.Datasets, func(other DataSet) bool { return strings.EqualFold(other.Name, d.Name) }) {
			return yamlnode.Errorf(item, "data set %s is given twice: want another name, as {name: NAME, network: FILE}", d.Name)
		}
		s.Datasets = append(s.Datasets, d)
	}
	return err
}

func (s *Sweep) readDataset(n *yaml.Node) (d DataSet, err error) {
	if n.Kind != yaml.MappingNode {
		if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
			return d, fmt.Errorf("%s: want the name of a data set, or [NAME, ...]", yamlnode.Text(n))
		}
		if d, err = registered(n.Value); err == nil {
			return d, nil
		}
		if !strings.ContainsAny(n.Value, `./\`) {
			if _, missing := os.Stat(s.beside(n.Value)); missing == nil {
				err = fmt.Errorf("%w, or ./%s for the path", err, n.Value)
			}
			return d, err
		}
		return s.own("", s.kindOf(n.Value))
	}
	name, own := "", OwnData{}
	err = yamlnode.Keys(n, "key of a data set", map[string]func(*yaml.Node) error{
		"name":         func(n *yaml.Node) error { return yamlnode.Scalar(n, &name) },
		"network":      func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Network) },
		"split":        func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Split) },
		"bibliography": func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Bibliography) },
		"schema":       func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Schema) },
		"directed":     func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Directed) },
	})
	if err != nil {
		return d, err
	}
	return s.own(name, own)
}

// kindOf returns what lies at a path: a schema where its file does, a bibliography where papers are, a split where another folder does, or
// else a network.
func (s *Sweep) kindOf(path string) OwnData {
	at := s.beside(path)
	fi, err := os.Stat(at)
	folder := err == nil && fi.IsDir()
	_, err = os.Stat(filepath.Join(at, typed.SchemaFile))
	switch {
	case folder && err == nil, !folder && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)):
		return OwnData{Schema: path}
	case folder && hetnet.IsBibliography(at):
		return OwnData{Bibliography: path}
	case folder:
		return OwnData{Split: path}
	}
	return OwnData{Network: path}
}

// own completes a data set of the user's whose path is relative to the folder of the sweep's file.
func (s *Sweep) own(name string, own OwnData) (DataSet, error) {
	if path, given := own.path(); given == 1 {
		*path = s.beside(*path)
	}
	return OwnDataSet(name, own)
}

// beside returns a path that is relative to the folder of the sweep's file.
func (s *Sweep) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(s.File), path)
}
