package typed

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/goccy/go-yaml/ast"
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
	doc, err := yamlfile.Parse(text)
	if err != nil {
		return nil, fmt.Errorf("typed: %s:%w", where, err)
	}
	if err := f.parse(doc.Part); err != nil {
		return nil, fmt.Errorf("typed: %s:%w", where, err)
	}
	return f, nil
}

// fileKeys are the keys of a schema.
type fileKeys struct {
	Name     string        `yaml:"name"`
	Vertices yamlfile.Node `yaml:"vertices"`
	Links    yamlfile.Node `yaml:"links"`
	Paths    []string      `yaml:"meta-paths"`
	Rank     yamlfile.Node `yaml:"rank"`
}

func (f *file) parse(root ast.Node) error {
	var k fileKeys
	if err := yamlfile.Fields(root, "key", &k); err != nil {
		return err
	}
	f.name, f.paths = k.Name, k.Paths
	f.pathLines = linesOfPaths(root)
	if err := each(k.Vertices, func(e yamlfile.Entry) error {
		f.vertices = append(f.vertices, vertexFile{name: e.Name, line: yamlfile.Line(e.Key)})
		return fields(e, &f.vertices[len(f.vertices)-1])
	}); err != nil {
		return err
	}
	if err := each(k.Links, func(e yamlfile.Entry) error {
		f.links = append(f.links, linkFile{name: e.Name, line: yamlfile.Line(e.Key)})
		return fields(e, &f.links[len(f.links)-1])
	}); err != nil {
		return err
	}
	if k.Rank.Part == nil {
		return nil
	}
	f.rank = &rankFile{line: yamlfile.Line(k.Rank.Part)}
	return yamlfile.Fields(k.Rank.Part, "key of rank", f.rank)
}

// linesOfPaths returns the lines of the meta-paths.
func linesOfPaths(root ast.Node) (lines []int) {
	entries, _ := yamlfile.Entries(root, "key")
	for _, e := range entries {
		if list, ok := e.Value.(*ast.SequenceNode); ok && e.Name == "meta-paths" {
			for _, n := range list.Values {
				lines = append(lines, yamlfile.Line(n))
			}
		}
	}
	return lines
}

// each calls do for the entries of a mapping, if it is there.
func each(n yamlfile.Node, do func(yamlfile.Entry) error) error {
	if n.Part == nil {
		return nil
	}
	entries, err := yamlfile.Entries(n.Part, "name")
	for _, e := range entries {
		if err := do(e); err != nil {
			return err
		}
	}
	return err
}

// fields reads what stands behind a name: a mapping, or nothing at all.
func fields(e yamlfile.Entry, to any) error {
	if e.Value.Type() == ast.NullType {
		return nil
	}
	return yamlfile.Fields(e.Value, "key of "+e.Name, to)
}
