// Package sweep reads files of sweeps, tables and figures, and expands them to runs: of which runs each cell is made. What these came to
// is shown by experiments/tables and experiments/figures.
package sweep

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/methods"
)

// MaxRuns is how many runs a sweep may have where no other limit is given.
const MaxRuns = 10_000

// File is a set of runs over data sets, protocols, settings and seeds, and how they are shown as a table; see Read.
type File struct {
	Path     string // for errors
	Datasets []source.DataSet
	Methods  []*graphs.Method
	Settings []Setting
	Random   int    // combinations of options to draw; 0 for all
	Seed     uint64 // of the drawing
	Sizes    []int  // dimensions of a vertex in all its vectors: with several of them each setting is there for each; none for what options say
	Said

	use  Use
	line int // of the first key, for errors
}

// Said is what of a sweep is as its file says it.
type Said struct {
	Protocols protocols `yaml:"protocol"`
	Seeds     seedList  `yaml:"seeds"`
	Options   grid.Grid `yaml:"options"` // of all settings, in the order of the file
	Choose    grid.Grid `yaml:"choose"`  // of the settings that have no choice of their own
	Score     scores    `yaml:"score"`   // of the settings that have no scoring of their own
	View      View      `yaml:",inline"`
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
//	score: {standard: fitted}      # what links are ranked by under a protocol; each method's own score if left out
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
		err = fmt.Errorf("experiments: %s:%d: no datasets: expected datasets: [NAME, ...]", path, s.line)
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
	var k yamlfile.At[fileKeys]
	err := yamlfile.Read(text, &k)
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("experiments: %s: empty: expected datasets or settings at least", path)
	}
	s := &File{Path: path, Methods: []*graphs.Method{graphs.MethodOf(graphs.MethodAsp2vec)}, Said: k.Value.Said, use: use, line: k.Line}
	if err == nil {
		err = s.read(k.Value)
	}
	if err != nil {
		return nil, fmt.Errorf("experiments: %s:%w", path, err)
	}
	return s, nil
}

// fileKeys are those of a file.
type fileKeys struct {
	Said     Said                          `yaml:",inline"`
	Datasets yamlfile.List[datasetKeys]    `yaml:"datasets"`
	Method   yamlfile.List[string]         `yaml:"method"`
	Settings yamlfile.List[Setting]        `yaml:"settings"`
	Search   searchKeys                    `yaml:"search"`
	Sizes    yamlfile.List[yamlfile.Whole] `yaml:"sizes"`
}

func (s *File) read(k fileKeys) (err error) {
	found, err := yamlfile.Found(k.Method, "method", methods.Find)
	if err != nil {
		return err
	}
	if len(found) > 0 {
		s.Methods = found
	}
	for _, x := range k.Settings {
		x.Value.line = x.Line
		if err := x.Value.check(); err != nil {
			return err
		}
		s.Settings = append(s.Settings, x.Value)
	}
	if err := s.readDatasets(k.Datasets); err != nil {
		return err
	}
	for _, size := range k.Sizes {
		if size.Value < 1 || size.Value > math.MaxInt32 {
			return fmt.Errorf("%d: size %d: expected a whole number, from 1 up", size.Line, size.Value)
		}
		s.Sizes = append(s.Sizes, int(size.Value))
	}
	s.Random, s.Seed = int(k.Search.Random), uint64(k.Search.Seed)
	s.View.Title = cmp.Or(s.View.Title, s.Title())
	return cmp.Or(s.View.check(s.line), s.checkSearch(), s.checkSettings())
}

// scores are what links are ranked by, by protocol.
type scores map[string]string

// UnmarshalYAML reads them. It returns an error, with its line, for an unknown protocol or score.
func (s *scores) UnmarshalYAML(n ast.Node) error {
	var all yamlfile.Map[string]
	if err := all.UnmarshalYAML(n); err != nil {
		return err
	}
	*s = scores{}
	for _, e := range all {
		_, err := grid.ProtocolName(e.Name)
		if err == nil {
			_, err = eval.Scorers.Find(e.Value)
		}
		if err != nil {
			return fmt.Errorf("%d: score: %w", e.Line, err)
		}
		(*s)[e.Name] = e.Value
	}
	return nil
}

// seedList are the seeds of runs: those of a list, or from 1 to a number.
type seedList []uint64

// UnmarshalYAML reads them.
func (l *seedList) UnmarshalYAML(n ast.Node) error {
	var list yamlfile.List[yamlfile.Whole]
	if err := list.UnmarshalYAML(n); err != nil {
		return err
	}
	if count := list[0].Value; n.Type() != ast.SequenceType {
		if count < 1 || count > grid.MaxValues {
			return fmt.Errorf("%d: %d seeds: expected 1 to %d", list[0].Line, count, grid.MaxValues)
		}
		for i := range uint64(count) {
			*l = append(*l, i+1)
		}
		return nil
	}
	for _, seed := range list {
		if slices.Contains(*l, uint64(seed.Value)) {
			return fmt.Errorf("%d: seed %d is given twice", seed.Line, seed.Value)
		}
		*l = append(*l, uint64(seed.Value))
	}
	return nil
}

// searchKeys are those of a random search, and zero for a grid.
type searchKeys struct {
	Random yamlfile.Whole `yaml:"random"`
	Seed   yamlfile.Whole `yaml:"seed"`
}

// UnmarshalYAML reads them, or the word grid.
func (k *searchKeys) UnmarshalYAML(n ast.Node) error {
	if n.GetToken().Value == "grid" {
		return nil
	}
	type keys searchKeys // which has no UnmarshalYAML
	search := keys{Seed: 1}
	if _, keyed := n.(ast.MapNode); keyed {
		if err := yamlfile.Decode(n, &search); err != nil {
			return err
		}
	}
	if *k = searchKeys(search); k.Random < 1 || k.Random > grid.MaxValues {
		return fmt.Errorf("%d: search: expected grid, or {random: COUNT, seed: SEED} of 1 to %d combinations", yamlfile.Line(n), grid.MaxValues)
	}
	return nil
}

// checkSearch finds what a search cannot be made of.
func (s *File) checkSearch() error {
	if s.Random > 0 && len(s.Settings)+len(s.Choose) > 0 {
		return fmt.Errorf("%d: a search with settings or choose: expected options alone, or search: grid", s.line)
	}
	for _, x := range append(s.settings(), Setting{Options: s.Choose}) {
		for _, o := range slices.Concat(x.Options, x.Choose) {
			if o.Range != nil && s.Random == 0 {
				return fmt.Errorf("%d: option %s: a range without steps: expected steps: COUNT, or search: {random: COUNT}", o.Line, o.Name)
			}
		}
	}
	return nil
}

// Title returns the name of the sweep's file, without folder and ending.
func (s *File) Title() string {
	return strings.TrimSuffix(filepath.Base(s.Path), filepath.Ext(s.Path))
}
