package source

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/network/formats"
)

// OwnData is where a data set of the user's lies, one of these: the file of a network, which each seed parts by the paper's rule, the folder
// of a split, or the folder of a bibliography.
type OwnData struct {
	Network      string `json:"network,omitempty" yaml:"network"`
	Split        string `json:"split,omitempty" yaml:"split"`
	Bibliography string `json:"bibliography,omitempty" yaml:"bibliography"`
	Directed     bool   `json:"directed,omitempty" yaml:"directed"` // of a file that does not tell
}

// path returns where the path stands that is given, and how many are.
func (o *OwnData) Path() (at *string, given int) {
	for _, p := range []*string{&o.Network, &o.Split, &o.Bibliography} {
		if *p != "" {
			at = p
			given++
		}
	}
	return at, given
}

// source returns where the data of the data set come from.
func (o OwnData) Source() Source {
	s := Source{Network: o.Network, Split: o.Split, Bibliography: o.Bibliography, Directed: o.Directed && o.Split != ""}
	if o.Directed {
		s.Read.Direction = formats.Directed
	}
	return s
}

// parted says whether each seed makes a split of it.
func (o OwnData) Parted() bool { return o.Split == "" && o.Bibliography == "" }

// OwnDataSet returns a data set of the user's. Without a name it has that of its file or folder, which is never that of a registered one. It
// returns an error for other than one path, for one that is not there or of the wrong kind, and for the name of a registered data set.
func OwnDataSet(name string, own OwnData) (DataSet, error) {
	d, err := Recorded(name, own)
	if err != nil {
		return d, err
	}
	path, _ := own.Path()
	switch fi, err := os.Stat(*path); {
	case err != nil:
		return d, fmt.Errorf("data set: %w", err)
	case fi.IsDir() != (own.Network == ""):
		return d, fmt.Errorf("data set %s: expected network: FILE, split: FOLDER or bibliography: FOLDER", *path)
	}
	return d, nil
}

// Recorded is OwnDataSet for whoever looks at records alone: the data need not be there. It returns an error for other than one
// path, for directed with a bibliography, and for the name of a registered data set.
func Recorded(name string, own OwnData) (d DataSet, err error) {
	path, given := own.Path()
	switch {
	case given != 1:
		return d, errors.New("expected network: FILE, split: FOLDER or bibliography: FOLDER, one of them")
	case own.Bibliography != "" && own.Directed:
		return d, errors.New("a bibliography with directed: expected no directed")
	}
	if *path, err = filepath.Abs(*path); err != nil {
		return d, err
	}
	if name == "" {
		name = ownName(own.baseName())
	} else if _, err := Registered(name); err == nil {
		return d, fmt.Errorf("the data set name %s is used already: expected another name", name)
	}
	return DataSet{network.Dataset{Name: name, Directed: own.Directed, Typed: own.Bibliography != ""}, &own}, nil
}

// baseName returns the name of the file or folder, or of the folder that it lies in where its own says nothing.
func (o OwnData) baseName() string {
	path, _ := o.Path()
	switch name := filepath.Base(*path); {
	case o.Bibliography != "":
		return bibliographyName(*path)
	case o.Network == "" && name == network.SplitFolder:
		return filepath.Base(filepath.Dir(*path))
	}
	return baseName(*path)
}

// DataSet is a data set of a grid: one that is registered, or the user's own, of which the name is known, and whether its links are said to
// have a direction.
type DataSet struct {
	network.Dataset
	Own *OwnData // nil for a registered one
}

// Registered returns a data set by its name, or that of its folder, in any case. It returns an unknown.Name error, which lists the data
// sets, for any other name.
func Registered(name string) (DataSet, error) {
	var known []string
	for _, d := range network.Datasets() {
		if strings.EqualFold(name, d.Name) || strings.EqualFold(name, d.Folder) {
			return DataSet{Dataset: d}, nil
		}
		known = append(known, d.Name)
	}
	return DataSet{}, unknown.Name{What: "data set", Name: name, Known: known}
}
