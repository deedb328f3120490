package experiments

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"gopkg.in/yaml.v3"
)

// MaxSweep is how many runs a sweep may have where no other limit is given.
const MaxSweep = 10_000

// maxValues of one option, far above any use: a slip of the hand must not ask for all memory.
const maxValues = 1_000_000

// Sweep is a set of runs over combinations of options; see ReadSweep.
type Sweep struct {
	File      string // for errors
	Datasets  []string
	Protocols []string
	Methods   []string
	Seeds     []uint64
	Options   []SweepOption // in the order of the file
	Random    int           // combinations of options to draw; 0 for all
	Seed      uint64        // of the drawing
}

// SweepOption is an option and the values that it is to have.
type SweepOption struct {
	Name   string
	Values []json.RawMessage
	Line   int // of the file
}

// UnknownName is a name that there is none of, and those that there are.
type UnknownName struct {
	What  string // it is a name of: "option"
	Name  string
	Known []string
}

// Error lists the names that there are.
func (e UnknownName) Error() string {
	return fmt.Sprintf("%s %q: want one of %s", e.What, e.Name, strings.Join(e.Known, ", "))
}

// ReadSweep reads a sweep from a file in YAML, or in JSON, which is a part of it:
//
//	datasets: [filmtrust, cora]    # names of data sets
//	protocol: standard             # or validated or paper, or a list; standard if left out
//	method: asp2vec                # or a list; asp2vec if left out
//	seeds: 3                       # seeds 1 to 3, or a list of them; 1 if left out
//	options:                       # any that the methods read, by their flags' names: a value, a list or a range
//	  epsilon: [0.1, 0.5, 0.9]
//	  lambda: {from: 0.001, to: 0.1, steps: 3, scale: log}   # scale linear if left out
//	  warm-up: false
//	search: grid                   # all combinations, or {random: 20, seed: 1}: so many of them
//
// A range has its ends and steps-2 values between, to 12 digits; those of an option that is a whole number are rounded, each
// kept once. It returns an error with the line for whatever it does not know, also for an option that one of the methods does
// not read, for a value given twice, and for an empty list. An unknown name is an UnknownName. Whether the values are in
// range, Jobs finds out.
func ReadSweep(path string) (*Sweep, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("experiments: sweep: %w", err)
	}
	if json.Valid(text) {
		text = bytes.ReplaceAll(text, []byte("\t"), []byte(" ")) // only between values; YAML is not indented with tabs
	}
	var doc yaml.Node
	d := yaml.NewDecoder(bytes.NewReader(text))
	if err := d.Decode(&doc); errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("experiments: %s: empty: want a sweep, with datasets at least", path)
	} else if err != nil {
		return nil, fmt.Errorf("experiments: %s: %w", path, err)
	}
	if err := d.Decode(new(yaml.Node)); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("experiments: %s: more than one document: want one sweep", path)
	}
	s := &Sweep{File: path, Protocols: []string{DefaultProtocol}, Methods: []string{graphs.MethodAsp2vec}, Seeds: []uint64{1}}
	if err := s.read(doc.Content[0]); err != nil {
		return nil, fmt.Errorf("experiments: %s:%w", path, err)
	}
	return s, nil
}

// lineError gives an error the line of what it is about.
func lineError(n *yaml.Node, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%d: %w", n.Line, err)
}

func lineErrorf(n *yaml.Node, format string, args ...any) error {
	return lineError(n, fmt.Errorf(format, args...))
}

func (s *Sweep) read(root *yaml.Node) error {
	parts := map[string]func(*yaml.Node) error{
		"datasets": func(n *yaml.Node) (err error) { s.Datasets, err = yamlNames(n, "data set", datasetName); return err },
		"protocol": func(n *yaml.Node) (err error) { s.Protocols, err = yamlNames(n, "protocol", protocolName); return err },
		"method":   func(n *yaml.Node) (err error) { s.Methods, err = yamlNames(n, "method", methodName); return err },
		"seeds":    s.readSeeds,
		"options":  func(n *yaml.Node) error { return eachField(n, "option", s.readOption) },
		"search":   s.readSearch,
	}
	if err := eachField(root, "key of a sweep", func(key, n *yaml.Node) error {
		part, ok := parts[key.Value]
		if !ok {
			return lineError(key, UnknownName{"key of a sweep", key.Value, sortedNames(parts)})
		}
		return part(n)
	}); err != nil {
		return err
	}
	if len(s.Datasets) == 0 {
		return lineErrorf(root, "no datasets: want datasets: [NAME, ...]")
	}
	for _, o := range s.Options {
		for _, name := range s.Methods {
			if m, err := methods.Find(name); err != nil || !m.Reads(o.Name) {
				return fmt.Errorf("%d: option %s: %s does not read it: want method: %s", o.Line, o.Name, name, strings.Join(methods.Readers(o.Name), ", "))
			}
		}
	}
	return nil
}

// eachField calls each with the keys and the values of a mapping, each key once.
func eachField(n *yaml.Node, what string, each func(key, value *yaml.Node) error) error {
	n = unaliased(n)
	if n.Kind != yaml.MappingNode {
		return lineErrorf(n, "%s: want KEY: VALUE, with each %s on a line", yamlText(n), what)
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			return lineErrorf(key, "%s %.60q is given twice", what, key.Value)
		}
		seen[key.Value] = true
		if err := each(key, unaliased(n.Content[i+1])); err != nil {
			return err
		}
	}
	return nil
}

// unaliased follows an alias.
func unaliased(n *yaml.Node) *yaml.Node {
	if n.Kind == yaml.AliasNode {
		return n.Alias
	}
	return n
}

// yamlText is how errors call a value.
func yamlText(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "{...}"
	case n.Kind == yaml.SequenceNode:
		return "[...]"
	case n.ShortTag() == "!!null":
		return "no value"
	}
	const most = 60
	return results.Printable(fmt.Sprintf("%.*s", most, n.Value))
}

// itemsOf returns the parts of a list, or a single value as a list of one.
func itemsOf(n *yaml.Node, what string) ([]*yaml.Node, error) {
	if n.Kind != yaml.SequenceNode {
		return []*yaml.Node{n}, nil
	}
	if len(n.Content) == 0 {
		return nil, lineErrorf(n, "an empty list of %ss: the sweep expands to 0 runs", what)
	}
	list := make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		list[i] = unaliased(item)
	}
	return list, nil
}

// yamlNames reads one name or several; find returns the name as it is registered.
func yamlNames(n *yaml.Node, what string, find func(string) (string, error)) (names []string, err error) {
	list, err := itemsOf(n, what)
	for _, item := range list {
		if item.Kind != yaml.ScalarNode || item.ShortTag() == "!!null" {
			return nil, lineErrorf(item, "%s: want the name of a %s, or [NAME, ...]", yamlText(item), what)
		}
		name, err := find(item.Value)
		if err != nil {
			return nil, lineError(item, err)
		}
		if slices.Contains(names, name) {
			return nil, lineErrorf(item, "%s %s is given twice", what, name)
		}
		names = append(names, name)
	}
	return names, err
}

func datasetName(name string) (string, error) {
	var known []string
	for _, d := range network.Datasets() {
		if strings.EqualFold(name, d.Name) || strings.EqualFold(name, d.Folder) {
			return d.Name, nil
		}
		known = append(known, d.Name)
	}
	return "", UnknownName{"data set", name, known}
}

func protocolName(name string) (string, error) {
	if _, ok := Protocols[name]; !ok {
		return "", UnknownName{"protocol", name, sortedNames(Protocols)}
	}
	return name, nil
}

func methodName(name string) (string, error) {
	if _, err := methods.Find(name); err != nil {
		return "", UnknownName{"method", name, methods.Names()}
	}
	return name, nil
}

func (s *Sweep) readSeeds(n *yaml.Node) error {
	whole := func(n *yaml.Node) (x uint64, err error) {
		if n.Kind != yaml.ScalarNode || n.ShortTag() != "!!int" || n.Decode(&x) != nil {
			return 0, lineErrorf(n, "seed %s: want a whole number, at least 0", yamlText(n))
		}
		return x, nil
	}
	if n.Kind != yaml.SequenceNode {
		count, err := whole(n)
		switch {
		case err != nil:
			return err
		case count == 0:
			return lineErrorf(n, "0 seeds: the sweep expands to 0 runs")
		case count > maxValues:
			return lineErrorf(n, "%d seeds: want at most %d", count, maxValues)
		}
		s.Seeds = make([]uint64, count)
		for i := range s.Seeds {
			s.Seeds[i] = uint64(i) + 1
		}
		return nil
	}
	list, err := itemsOf(n, "seed")
	s.Seeds = nil
	for _, item := range list {
		seed, err := whole(item)
		if err != nil {
			return err
		}
		if slices.Contains(s.Seeds, seed) {
			return lineErrorf(item, "seed %d is given twice", seed)
		}
		s.Seeds = append(s.Seeds, seed)
	}
	return err
}

func (s *Sweep) readSearch(n *yaml.Node) error {
	if n.Kind == yaml.ScalarNode && n.Value == "grid" {
		s.Random = 0
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return lineErrorf(n, "search %s: want grid or {random: COUNT, seed: SEED}", yamlText(n))
	}
	s.Seed = 1
	err := eachField(n, "key of search", func(key, value *yaml.Node) error {
		switch key.Value {
		case "random":
			if value.Decode(&s.Random) != nil || s.Random < 0 || s.Random > maxValues {
				return lineErrorf(value, "random %s: want 1 to %d combinations", yamlText(value), maxValues)
			}
		case "seed":
			if value.Decode(&s.Seed) != nil {
				return lineErrorf(value, "seed %s: want a whole number, at least 0", yamlText(value))
			}
		default:
			return lineError(key, UnknownName{"key of search", key.Value, []string{"random", "seed"}})
		}
		return nil
	})
	if err == nil && s.Random == 0 {
		err = lineErrorf(n, "search for 0 random combinations: the sweep expands to 0 runs")
	}
	return err
}
