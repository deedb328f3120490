package experiments

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

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
// a schema, or {name: mine, network: links.tsv, directed: true}, {name: mine, split: my/split}, {name: mine, schema: my/music}.
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
		"name":     func(n *yaml.Node) error { return yamlnode.Scalar(n, &name) },
		"network":  func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Network) },
		"split":    func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Split) },
		"schema":   func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Schema) },
		"directed": func(n *yaml.Node) error { return yamlnode.Scalar(n, &own.Directed) },
	})
	given := 0
	for _, path := range []string{own.Network, own.Split, own.Schema} {
		if path != "" {
			given++
		}
	}
	switch {
	case err == nil && given != 1:
		err = errors.New("want network: FILE, split: FOLDER or schema: FOLDER, one of them")
	case err == nil && own.Schema != "" && own.Directed:
		err = errors.New("schema with directed: want it said in the schema")
	}
	if err != nil {
		return d, err
	}
	return s.own(name, own)
}

// kindOf returns what lies at a path: a schema where its file does, a split where another folder does, or else a network.
func (s *Sweep) kindOf(path string) OwnData {
	at := s.beside(path)
	fi, err := os.Stat(at)
	folder := err == nil && fi.IsDir()
	_, err = os.Stat(filepath.Join(at, typed.SchemaFile))
	switch {
	case folder && err == nil, !folder && slices.Contains([]string{".yaml", ".yml"}, filepath.Ext(path)):
		return OwnData{Schema: path}
	case folder:
		return OwnData{Split: path}
	}
	return OwnData{Network: path}
}

// own completes a data set of the user's. Its name is never that of a registered one.
func (s *Sweep) own(name string, own OwnData) (d DataSet, err error) {
	path := &own.Network
	switch {
	case own.Split != "":
		path = &own.Split
	case own.Schema != "":
		path = &own.Schema
	}
	*path = s.beside(*path)
	fi, err := os.Stat(*path)
	switch {
	case err != nil:
		return d, fmt.Errorf("data set: %w", err)
	case own.Schema == "" && fi.IsDir() != (own.Split != ""):
		return d, fmt.Errorf("data set %s: want network: FILE, or split: FOLDER", *path)
	}
	if name == "" {
		if name = baseName(*path); name == network.SplitFolder || filepath.Base(*path) == typed.SchemaFile {
			name = filepath.Base(filepath.Dir(*path))
		}
		name = ownName(name)
	} else if _, err := registered(name); err == nil {
		return d, fmt.Errorf("data set of one's own with the name %s, which is that of another one: want another name", name)
	}
	if *path, err = filepath.Abs(*path); err != nil {
		return d, err
	}
	return DataSet{network.Dataset{Name: name, Directed: own.Directed, Schema: own.Schema}, &own}, nil // of a schema, that it has one
}

// beside returns a path that is relative to the folder of the sweep's file.
func (s *Sweep) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(s.File), path)
}
