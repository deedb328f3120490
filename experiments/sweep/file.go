// Package sweep reads files of sweeps, tables and figures, and expands them to runs: of which runs each cell is made. What these came to
// is shown by experiments/tables and experiments/figures.
package sweep

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
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
	guessed ast.Node // a data set that is not there, and of which its name does not tell the kind; nil for none
	root    ast.Node // for errors
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
		err = fmt.Errorf("experiments: %s:%w", path, yamlfile.Errorf(s.root, "no datasets: want datasets: [NAME, ...]"))
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
	doc, err := yamlfile.Parse(text)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("experiments: %s: empty: want datasets or settings at least", path)
	} else if err != nil {
		return nil, fmt.Errorf("experiments: %s:%w", path, err)
	}
	s := &File{Path: path, Methods: []string{graphs.MethodAsp2vec}, use: use, root: doc.Part}
	if err := s.read(doc.Part); err != nil {
		return nil, fmt.Errorf("experiments: %s:%w", path, err)
	}
	return s, nil
}

// fileKeys are those of a file.
type fileKeys struct {
	Datasets yamlfile.Node `yaml:"datasets"`
	Protocol yamlfile.Node `yaml:"protocol"`
	Method   yamlfile.Node `yaml:"method"`
	Seeds    yamlfile.Node `yaml:"seeds"`
	Options  grid.Grid     `yaml:"options"`
	Choose   grid.Grid     `yaml:"choose"`
	Settings yamlfile.Node `yaml:"settings"`
	Search   yamlfile.Node `yaml:"search"`
	Sizes    yamlfile.Node `yaml:"sizes"`
	View     viewKeys      `yaml:",inline"`
}

func (s *File) read(root ast.Node) (err error) {
	var k fileKeys
	if err := yamlfile.Fields(root, "key", &k); err != nil {
		return err
	}
	s.Options, s.Choose = k.Options, k.Choose
	if s.Protocols, err = yamlfile.Names(k.Protocol, "protocol", grid.ProtocolName); err != nil {
		return err
	}
	methods, err := yamlfile.Names(k.Method, "method", grid.MethodName)
	if err != nil {
		return err
	}
	if len(methods) > 0 {
		s.Methods = methods
	}
	for _, part := range []struct {
		yamlfile.Node
		read func(ast.Node) error
	}{{k.Datasets, s.readDatasets}, {k.Seeds, s.readSeeds}, {k.Settings, s.readSettings}, {k.Search, s.readSearch}, {k.Sizes, s.readSizes}} {
		if part.Node.Part == nil {
			continue
		}
		if err := part.read(part.Node.Part); err != nil {
			return err
		}
	}
	if err := s.View.read(k.View); err != nil {
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

// wholeNumber returns a node's number, from 0 up.
func wholeNumber(n ast.Node, what string) (x uint64, err error) {
	if n.Type() != ast.IntegerType || yaml.NodeToValue(n, &x) != nil {
		return 0, yamlfile.Errorf(n, "%s %s: want a whole number, at least 0", what, yamlfile.Text(n))
	}
	return x, nil
}

func (s *File) readSeeds(n ast.Node) error {
	if n.Type() != ast.SequenceType {
		count, err := wholeNumber(n, "seed")
		switch {
		case err != nil:
			return err
		case count == 0:
			return yamlfile.Errorf(n, "0 seeds: the sweep expands to 0 runs")
		case count > grid.MaxValues:
			return yamlfile.Errorf(n, "%d seeds: want at most %d", count, grid.MaxValues)
		}
		for i := range count {
			s.Seeds = append(s.Seeds, i+1)
		}
		return nil
	}
	list, err := yamlfile.Items(n, "seed")
	for _, item := range list {
		seed, err := wholeNumber(item, "seed")
		if err != nil {
			return err
		}
		if slices.Contains(s.Seeds, seed) {
			return yamlfile.Errorf(item, "seed %d is given twice", seed)
		}
		s.Seeds = append(s.Seeds, seed)
	}
	return err
}

func (s *File) readSizes(n ast.Node) error {
	list, err := yamlfile.Items(n, "size")
	for _, item := range list {
		size, err := wholeNumber(item, "size")
		if err != nil || size < 1 || size > math.MaxInt32 {
			return yamlfile.Errorf(item, "size %s: want a whole number, from 1 up", yamlfile.Text(item))
		}
		s.Sizes = append(s.Sizes, int(size))
	}
	return err
}

// searchKeys are those of a search.
type searchKeys struct {
	Random yamlfile.Node `yaml:"random"`
	Seed   yamlfile.Node `yaml:"seed"`
}

func (s *File) readSearch(n ast.Node) error {
	if word, ok := yamlfile.Word(n); ok && word == "grid" {
		return nil
	} else if ok {
		return yamlfile.Errorf(n, "search %s: want grid or {random: COUNT, seed: SEED}", word)
	}
	var k searchKeys
	if err := yamlfile.Fields(n, "key of search", &k); err != nil {
		return err
	}
	s.Seed = 1
	if k.Seed.Part != nil {
		var err error
		if s.Seed, err = wholeNumber(k.Seed.Part, "seed"); err != nil {
			return err
		}
	}
	if k.Random.Part == nil {
		return yamlfile.Errorf(n, "search for 0 random combinations: the sweep expands to 0 runs")
	}
	count, err := wholeNumber(k.Random.Part, "random")
	if err != nil || count < 1 || count > grid.MaxValues {
		return yamlfile.Errorf(k.Random.Part, "random %s: want 1 to %d combinations", yamlfile.Text(k.Random.Part), grid.MaxValues)
	}
	s.Random = int(count)
	return nil
}

// checkSearch finds what a search cannot be made of.
func (s *File) checkSearch(root ast.Node) error {
	if s.Random > 0 && len(s.Settings)+len(s.Choose) > 0 {
		return yamlfile.Errorf(root, "a search with settings or choose: want options alone, or search: grid")
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
