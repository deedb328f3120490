package typed

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"
)

// file is a schema as its file has it. Types of vertices and of links stand in the order of the file.
type file struct {
	name       string
	vertices   []vertexFile
	links      []linkFile
	paths      []string
	pathLines  []int
	rank       *rankFile
	dir, where string
}

type vertexFile struct {
	Content string `yaml:"content"`
	File    string `yaml:"file"`
	Aspect  string `yaml:"aspect"`
	name    string
	line    int
}

type linkFile struct {
	From     string   `yaml:"from"`
	To       string   `yaml:"to"`
	File     string   `yaml:"file"`
	Directed bool     `yaml:"directed"`
	Columns  []string `yaml:"columns"`
	Subtract int64    `yaml:"subtract"`
	name     string
	line     int
}

type rankFile struct {
	Link       string  `yaml:"link"`
	Test       string  `yaml:"test"`
	Validation string  `yaml:"validation"`
	Split      string  `yaml:"split"`
	Share      float64 `yaml:"share"`
	line       int
}

// maxSchema is how long a schema's file may be, in bytes.
const maxSchema = 1 << 20

func parseSchema(text []byte, where string) (*file, error) {
	f := &file{where: where}
	if len(text) > maxSchema {
		return nil, fmt.Errorf("typed: %s has %d bytes: want a schema, of at most %d", where, len(text), maxSchema)
	}
	var doc yaml.Node
	if err := yaml.NewDecoder(bytes.NewReader(text)).Decode(&doc); err != nil {
		return nil, fmt.Errorf("typed: %s: %w", where, err)
	}
	root := doc.Content[0]
	if root.Kind != yaml.MappingNode {
		return nil, f.errorf(root, "want vertices:, links:, meta-paths: and rank:")
	}
	seen := map[string]bool{}
	for i := 0; i < len(root.Content); i += 2 {
		key, value := root.Content[i], root.Content[i+1]
		if seen[key.Value] {
			return nil, f.errorf(key, "%s is given twice: want it once", key.Value)
		}
		seen[key.Value] = true
		var err error
		switch key.Value {
		case "name":
			err = f.decode("name", value, &f.name)
		case "vertices":
			err = f.each(value, func(name string, n *yaml.Node) error {
				v := vertexFile{name: name, line: n.Line}
				err := f.strict(name, n, &v, "content", "file", "aspect")
				f.vertices = append(f.vertices, v)
				return err
			})
		case "links":
			err = f.each(value, func(name string, n *yaml.Node) error {
				l := linkFile{name: name, line: n.Line}
				err := f.strict(name, n, &l, "from", "to", "file", "directed", "columns", "subtract")
				f.links = append(f.links, l)
				return err
			})
		case "meta-paths":
			err = f.decode("meta-paths", value, &f.paths)
			for _, n := range value.Content {
				f.pathLines = append(f.pathLines, n.Line)
			}
		case "rank":
			f.rank = &rankFile{line: value.Line}
			err = f.strict("rank", value, f.rank, "link", "test", "validation", "split", "share")
		default:
			err = f.errorf(key, "%s: unknown key: want name, vertices, links, meta-paths or rank", key.Value)
		}
		if err != nil {
			return nil, err
		}
	}
	return f, nil
}

func (f *file) errorf(n *yaml.Node, format string, args ...any) error {
	return fmt.Errorf("typed: %s:%d: %s", f.where, n.Line, fmt.Sprintf(format, args...))
}

// decode decodes the value of a name.
func (f *file) decode(name string, n *yaml.Node, to any) error {
	if err := n.Decode(to); err != nil {
		return f.errorf(n, "%s: %v", name, err)
	}
	return nil
}

// each calls do for the entries of a mapping.
func (f *file) each(n *yaml.Node, do func(name string, n *yaml.Node) error) error {
	if n.Kind != yaml.MappingNode {
		return f.errorf(n, "want names, each with : behind it")
	}
	for i := 0; i < len(n.Content); i += 2 {
		if err := do(n.Content[i].Value, n.Content[i+1]); err != nil {
			return err
		}
	}
	return nil
}

// strict decodes a mapping, or nothing at all, with keys of these alone.
func (f *file) strict(name string, n *yaml.Node, to any, keys ...string) error {
	if n.Tag == "!!null" {
		return nil
	}
	if n.Kind != yaml.MappingNode {
		return f.errorf(n, "%s: want {%s}", name, strings.Join(keys, ", "))
	}
	for i := 0; i < len(n.Content); i += 2 {
		if key := n.Content[i]; !slices.Contains(keys, key.Value) {
			return f.errorf(key, "unknown key %q: want one of %s", key.Value, strings.Join(keys, ", "))
		}
	}
	return f.decode(name, n, to)
}
