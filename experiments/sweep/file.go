// Package sweep reads files of sweeps, tables and figures, and expands them to runs: of which runs each cell is made. What these came to
// is shown by experiments/tables and experiments/figures.
package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
)

// MaxRuns is how many runs a sweep may have where no other limit is given.
const MaxRuns = 10_000

// File is a set of runs over data sets, protocols, settings and seeds, and how they are shown as a table; see Read.
type File struct {
	Path      string // for errors
	Datasets  []source.DataSet
	Protocols []string
	Methods   []string
	Seeds     []uint64
	Options   grid.Grid // of all settings, in the order of the file
	Choose    grid.Grid // of the settings that have no choice of their own
	Settings  []Setting
	Random    int    // combinations of options to draw; 0 for all
	Seed      uint64 // of the drawing

	Sizes []int // dimensions of a vertex in all its vectors: with several of them each setting is there for each; none for what options say
	View  View

	use     Use
	guessed *yaml.Node // a data set that is not there, and of which its name does not tell the kind; nil for none
	root    *yaml.Node // for errors
}

// Use is what a file is read for.
type Use int

const (
	ToRun  Use = iota // its data sets have to be there
	ToShow            // records will do
)

// Read reads a sweep from a file in YAML, or in JSON, which is a part of it:
//
//	datasets: [filmtrust, links.tsv]   # names of data sets, and files of networks or folders of splits of one's own (readDatasets)
//	protocol: standard             # or validated or paper, or a list; standard if left out
//	method: asp2vec                # or a list; asp2vec if left out
//	seeds: 3                       # seeds 1 to 3, or a list of them; 1 if left out
//	options:                       # any that the methods read, by their flags' names: a value, a list or a range
//	  epsilon: [0.1, 0.5, 0.9]
//	  lambda: {from: 0.001, to: 0.1, steps: 3, scale: log}   # scale linear if left out
//	  warm-up: false
//	search: grid                   # all combinations, or {random: 20, seed: 1}: so many of them
//
// With settings, options are of all of them:
//
//	settings:
//	  - name: DeepWalk
//	    method: deepwalk           # what method says above if left out
//	  - name: K={aspects}          # several values are several settings
//	    options: {aspects: [2, 5]}
//	  - name: node2vec
//	    method: node2vec
//	    choose: {p: [0.25, 1, 4], q: [0.25, 1, 4]}   # one setting: the best of these by validation
//	    choose-under: standard     # with the options' defaults under other protocols; if left out, a choice under all
//	    protocol: standard         # under it alone; under all of the file's if left out
//
// choose can also stand beside options, for all settings that have none. What ReadTable reads beside that says how the runs are shown
// as a table, and changes no run.
//
// A range has its ends and steps-2 values between, to 12 digits; without steps it is all numbers between, of which a random search
// draws. Numbers of an option that is a whole number are rounded, each
// kept once. It returns an error with the line for whatever it does not know, also for an option that one of the methods does
// not read, for a value given twice, and for an empty list. An unknown name is an unknown.Name. Whether the values are in
// range, Jobs finds out.
func Read(path string, use Use) (*File, error) {
	s, err := readFile(path, use)
	if err == nil && len(s.Datasets) == 0 {
		err = fmt.Errorf("experiments: %s:%w", path, yamlnode.Errorf(s.root, "no datasets: want datasets: [NAME, ...]"))
	}
	if err != nil {
		return nil, err
	}
	if len(s.Protocols) == 0 {
		s.Protocols = []string{run.DefaultProtocol}
	}
	if len(s.Seeds) == 0 {
		s.Seeds = []uint64{1}
	}
	if err := s.checkProtocols(); err != nil {
		return nil, fmt.Errorf("experiments: %s:%w", path, err)
	}
	return s, nil
}

func readFile(path string, use Use) (*File, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("experiments: sweep: %w", err)
	}
	return parse(path, text, use)
}

// parse reads the text of a file.
func parse(path string, text []byte, use Use) (*File, error) {
	if json.Valid(text) {
		text = bytes.ReplaceAll(text, []byte("\t"), []byte(" ")) // only between values; YAML is not indented with tabs
	}
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("experiments: %s: empty: want datasets or settings at least", path)
	} else if err != nil {
		return nil, fmt.Errorf("experiments: %s: %w", path, err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("experiments: %s: more than one document: want one", path)
	}
	s := &File{Path: path, Methods: []string{graphs.MethodAsp2vec}, use: use, root: doc.Content[0]}
	if err := s.read(doc.Content[0]); err != nil {
		return nil, fmt.Errorf("experiments: %s:%w", path, err)
	}
	return s, nil
}

func (s *File) read(root *yaml.Node) error {
	parts := map[string]func(*yaml.Node) error{
		"datasets": s.readDatasets,
		"protocol": func(n *yaml.Node) (err error) {
			s.Protocols, err = yamlnode.Names(n, "protocol", grid.ProtocolName)
			return err
		},
		"method": func(n *yaml.Node) (err error) {
			s.Methods, err = yamlnode.Names(n, "method", grid.MethodName)
			return err
		},
		"seeds":    s.readSeeds,
		"options":  s.Options.Read,
		"choose":   s.Choose.Read,
		"settings": s.readSettings,
		"search":   s.readSearch,
		"sizes":    s.readSizes,
	}
	s.View.keys(parts)
	if err := yamlnode.Keys(root, "key", parts); err != nil {
		return err
	}
	if err := s.checkSearch(root); err != nil {
		return err
	}
	if err := s.checkSettings(); err != nil {
		return err
	}
	if err := s.checkAbsent(); err != nil {
		return err
	}
	return s.View.check(root)
}

func (s *File) readSeeds(n *yaml.Node) error {
	whole := func(n *yaml.Node) (x uint64, err error) {
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || n.Decode(&x) != nil {
			return 0, yamlnode.Errorf(n, "seed %s: want a whole number, at least 0", yamlnode.Text(n))
		}
		return x, nil
	}
	if n.Kind != yaml.SequenceNode {
		count, err := whole(n)
		switch {
		case err != nil:
			return err
		case count == 0:
			return yamlnode.Errorf(n, "0 seeds: the sweep expands to 0 runs")
		case count > grid.MaxValues:
			return yamlnode.Errorf(n, "%d seeds: want at most %d", count, grid.MaxValues)
		}
		s.Seeds = make([]uint64, count)
		for i := range s.Seeds {
			s.Seeds[i] = uint64(i) + 1
		}
		return nil
	}
	list, err := yamlnode.Items(n, "seed")
	s.Seeds = nil
	for _, item := range list {
		seed, err := whole(item)
		if err != nil {
			return err
		}
		if slices.Contains(s.Seeds, seed) {
			return yamlnode.Errorf(item, "seed %d is given twice", seed)
		}
		s.Seeds = append(s.Seeds, seed)
	}
	return err
}

func (s *File) readSizes(n *yaml.Node) error {
	list, err := yamlnode.Items(n, "size")
	for _, item := range list {
		var size int
		if err := yamlnode.Scalar(item, &size); err != nil || size < 1 {
			return yamlnode.Errorf(item, "size %s: want a whole number, from 1 up", yamlnode.Text(item))
		}
		s.Sizes = append(s.Sizes, size)
	}
	return err
}

func (s *File) readSearch(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode && n.Value == "grid" {
		s.Random = 0
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return yamlnode.Errorf(n, "search %s: want grid or {random: COUNT, seed: SEED}", yamlnode.Text(n))
	}
	s.Seed = 1
	err := yamlnode.Keys(n, "key of search", map[string]func(*yaml.Node) error{
		"random": func(n *yaml.Node) error {
			if n.Decode(&s.Random) != nil || s.Random < 0 || s.Random > grid.MaxValues {
				return yamlnode.Errorf(n, "random %s: want 1 to %d combinations", yamlnode.Text(n), grid.MaxValues)
			}
			return nil
		},
		"seed": func(n *yaml.Node) error {
			if n.Decode(&s.Seed) != nil {
				return yamlnode.Errorf(n, "seed %s: want a whole number, at least 0", yamlnode.Text(n))
			}
			return nil
		},
	})
	if err == nil && s.Random == 0 {
		err = yamlnode.Errorf(n, "search for 0 random combinations: the sweep expands to 0 runs")
	}
	return err
}

// checkSearch finds what a search cannot be made of.
func (s *File) checkSearch(root *yaml.Node) error {
	if s.Random > 0 && len(s.Settings)+len(s.Choose) > 0 {
		return yamlnode.Errorf(root, "a search with settings or choose: want options alone, or search: grid")
	}
	for _, x := range append(s.settings(), Setting{Options: s.Choose}) {
		for _, g := range []grid.Grid{x.Options, x.Choose} {
			if o, ranged := g.Ranged(); ranged && s.Random == 0 {
				return fmt.Errorf("%d: option %s: a range without steps: want steps: COUNT, or search: {random: COUNT}", o.Line, o.Name)
			}
		}
	}
	return nil
}

// Title returns the name of the sweep's file, without folder and ending.
func (s *File) Title() string {
	return strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
}
