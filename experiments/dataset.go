package experiments

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
	"gopkg.in/yaml.v3"
)

// DataSet is a data set of a grid: one that is registered, or the user's own, of which the name is known, and whether its links are said to
// have a direction.
type DataSet struct {
	network.Dataset
	Own *OwnData // nil for a registered one
}

// OwnData is where a data set of the user's lies: the file of a network, which each seed parts by the paper's rule, or the folder of a
// split. Paths are absolute.
type OwnData struct {
	Network  string `json:"network,omitempty"`
	Split    string `json:"split,omitempty"`
	Directed bool   `json:"directed,omitempty"` // of a file that does not tell
}

// source returns where the data of the data set come from.
func (o OwnData) source() Source {
	s := Source{Network: o.Network, Split: o.Split, Directed: o.Directed && o.Split != ""}
	if o.Directed {
		s.Read.Direction = formats.Directed
	}
	return s
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
	return DataSet{}, UnknownName{"data set", name, known}
}

// readDatasets reads names of data sets and paths, beside the file if they are relative: "cora", "links.tsv", "my/split", or
// {name: mine, network: links.tsv, directed: true}, {name: mine, split: my/split}.
func (s *Sweep) readDatasets(n *yaml.Node) error {
	list, err := itemsOf(n, "data set")
	for _, item := range list {
		d, err := s.readDataset(item)
		if err != nil {
			return lineError(item, err)
		}
		if slices.ContainsFunc(s.Datasets, func(other DataSet) bool { return strings.EqualFold(other.Name, d.Name) }) {
			return lineErrorf(item, "data set %s is given twice: want another name, as {name: NAME, network: FILE}", d.Name)
		}
		s.Datasets = append(s.Datasets, d)
	}
	return err
}

func (s *Sweep) readDataset(n *yaml.Node) (d DataSet, err error) {
	if n.Kind != yaml.MappingNode {
		if n.Kind != yaml.ScalarNode || n.ShortTag() == "!!null" {
			return d, fmt.Errorf("%s: want the name of a data set, or [NAME, ...]", yamlText(n))
		}
		if d, err = registered(n.Value); err == nil {
			return d, nil
		}
		fi, missing := os.Stat(s.beside(n.Value))
		if !strings.ContainsAny(n.Value, `./\`) {
			if missing == nil {
				err = fmt.Errorf("%w, or ./%s for the path", err, n.Value)
			}
			return d, err
		}
		own := OwnData{Network: n.Value}
		if missing == nil && fi.IsDir() {
			own = OwnData{Split: n.Value}
		}
		return s.own("", own)
	}
	name, own := "", OwnData{}
	err = readKeys(n, "key of a data set", map[string]func(*yaml.Node) error{
		"name":     func(n *yaml.Node) error { return scalar(n, &name) },
		"network":  func(n *yaml.Node) error { return scalar(n, &own.Network) },
		"split":    func(n *yaml.Node) error { return scalar(n, &own.Split) },
		"directed": func(n *yaml.Node) error { return scalar(n, &own.Directed) },
	})
	if err == nil && (own.Network == "") == (own.Split == "") {
		err = fmt.Errorf("want network: FILE or split: FOLDER, one of them")
	}
	if err != nil {
		return d, err
	}
	return s.own(name, own)
}

// own completes a data set of the user's. Its name is never that of a registered one.
func (s *Sweep) own(name string, own OwnData) (d DataSet, err error) {
	path := &own.Network
	if own.Split != "" {
		path = &own.Split
	}
	*path = s.beside(*path)
	fi, err := os.Stat(*path)
	switch {
	case err != nil:
		return d, fmt.Errorf("data set: %w", err)
	case fi.IsDir() != (own.Split != ""):
		return d, fmt.Errorf("data set %s: want network: FILE, or split: FOLDER", *path)
	}
	if name == "" {
		if name = baseName(*path); name == network.SplitFolder {
			name = filepath.Base(filepath.Dir(*path))
		}
		name = ownName(name)
	} else if _, err := registered(name); err == nil {
		return d, fmt.Errorf("data set of one's own with the name %s, which is that of another one: want another name", name)
	}
	if *path, err = filepath.Abs(*path); err != nil {
		return d, err
	}
	return DataSet{network.Dataset{Name: name, Directed: own.Directed}, &own}, nil
}

// beside returns a path that is relative to the folder of the sweep's file.
func (s *Sweep) beside(path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(filepath.Dir(s.File), path)
}
