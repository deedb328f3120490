package typed

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/yamlfile"
)

// file is a schema as its file has it. Types of vertices and of links stand in the order of the file.
type file struct {
	Name       string                   `yaml:"name"`
	Vertices   yamlfile.Map[vertexFile] `yaml:"vertices"`
	Links      yamlfile.Map[linkFile]   `yaml:"links"`
	Paths      yamlfile.List[string]    `yaml:"meta-paths"`
	Rank       string                   `yaml:"rank"`
	dir, where string
}

type vertexFile struct {
	Content string `yaml:"content"`
	File    string `yaml:"file"`
	Aspect  string `yaml:"aspect"`
}

type linkFile struct {
	From     string   `yaml:"from"`
	To       string   `yaml:"to"`
	File     string   `yaml:"file"`
	Directed bool     `yaml:"directed"`
	Columns  []string `yaml:"columns"`
	Header   *bool    `yaml:"header"`
	Subtract int64    `yaml:"subtract"`
}

func parseSchema(text []byte, where string) (*file, error) {
	f := &file{where: where}
	if err := yamlfile.Read(text, f); err != nil {
		return nil, fmt.Errorf("typed: %s:%w", where, err)
	}
	return f, nil
}
