// Package yamlnode reads YAML by hand where errors are to name the line, and keys to be known.
package yamlnode

import (
	"fmt"
	"maps"
	"reflect"
	"slices"

	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/results/render"
	"gopkg.in/yaml.v3"
)

// Error gives an error the line of what it is about.
func Error(n *yaml.Node, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%d: %w", n.Line, err)
}

// Errorf is Error of a message.
func Errorf(n *yaml.Node, format string, args ...any) error {
	return Error(n, fmt.Errorf(format, args...))
}

// Keys reads a mapping whose keys are known. It returns an error, with its line, for what is no mapping, a key given twice or unknown, and
// those of parts.
func Keys(n *yaml.Node, what string, parts map[string]func(*yaml.Node) error) error {
	return Fields(n, what, func(key, value *yaml.Node) error {
		part, ok := parts[key.Value]
		if !ok {
			return Error(key, unknown.Name{What: what, Name: key.Value, Known: slices.Sorted(maps.Keys(parts))})
		}
		return part(value)
	})
}

// Word reads a word. It returns an error, with its line, for one that is not among known.
func Word(n *yaml.Node, what string, to *string, known ...string) error {
	if *to = n.Value; !slices.Contains(known, n.Value) {
		return Error(n, unknown.Name{What: what, Name: Text(n), Known: known})
	}
	return nil
}

// Scalar reads one value. It returns an error, with its line, for a list, a mapping or a value of another type than that of to.
func Scalar(n *yaml.Node, to any) error {
	if n.Kind != yaml.ScalarNode || n.Decode(to) != nil {
		return Errorf(n, "%s: want %s", Text(n), map[bool]string{true: "a word", false: "a number, or true or false"}[reflect.TypeOf(to).Elem().Kind() == reflect.String])
	}
	return nil
}

// Texts reads one text or several. It returns an error, with its line, for an empty list and for a part that is no text.
func Texts(n *yaml.Node) (all []string, err error) {
	list, err := Items(n, "text")
	for _, item := range list {
		var text string
		if err := Scalar(item, &text); err != nil {
			return nil, err
		}
		all = append(all, text)
	}
	return all, err
}

// Fields calls each with the keys and the values of a mapping, each key once. It returns an error, with its line, for what is
// no mapping and a key given twice, and the first of each.
func Fields(n *yaml.Node, what string, each func(key, value *yaml.Node) error) error {
	n = unaliased(n)
	if n.Kind != yaml.MappingNode {
		return Errorf(n, "%s: want KEY: VALUE, with each %s on a line", Text(n), what)
	}
	seen := map[string]bool{}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		if seen[key.Value] {
			return Errorf(key, "%s %.60q is given twice", what, key.Value)
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

// Text is how errors call a value.
func Text(n *yaml.Node) string {
	switch {
	case n.Kind == yaml.MappingNode:
		return "{...}"
	case n.Kind == yaml.SequenceNode:
		return "[...]"
	case n.ShortTag() == "!!null":
		return "no value"
	}
	const most = 60
	return render.Printable(fmt.Sprintf("%.*s", most, n.Value))
}

// Items returns the parts of a list, or a single value as a list of one. It returns an error, with its line, for an empty list.
func Items(n *yaml.Node, what string) ([]*yaml.Node, error) {
	if n.Kind != yaml.SequenceNode {
		return []*yaml.Node{n}, nil
	}
	if len(n.Content) == 0 {
		return nil, Errorf(n, "an empty list of %ss: the sweep expands to 0 runs", what)
	}
	list := make([]*yaml.Node, len(n.Content))
	for i, item := range n.Content {
		list[i] = unaliased(item)
	}
	return list, nil
}

// Names reads one name or several; find returns the name as it is registered. It returns an error, with its line, for an empty
// list, what is not a name, a name that find refuses, and a name given twice.
func Names(n *yaml.Node, what string, find func(string) (string, error)) (names []string, err error) {
	list, err := Items(n, what)
	for _, item := range list {
		if item.Kind != yaml.ScalarNode || item.ShortTag() == "!!null" {
			return nil, Errorf(item, "%s: want the name of a %s, or [NAME, ...]", Text(item), what)
		}
		name, err := find(item.Value)
		if err != nil {
			return nil, Error(item, err)
		}
		if slices.Contains(names, name) {
			return nil, Errorf(item, "%s %s is given twice", what, name)
		}
		names = append(names, name)
	}
	return names, err
}
