// Package yamlfile reads YAML into structs, whose keys are all that a file may have, and names the line in errors.
package yamlfile

import (
	"errors"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"
	"unicode"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/unknown"
)

// MaxSize is how long a text may be, in bytes, and deepest how many lists and mappings may lie in one another: far above any use. Of more the
// parser would take hours, and all of the stack.
const (
	MaxSize = 1 << 20
	deepest = 500
)

// Read reads the one document of a file. It returns io.EOF for a file without any, and an error with the line for a text that is no YAML or too
// long, several documents, keys that are unknown (an unknown.Name) or given twice, values of another kind than their field's, and anchors and
// aliases, with which a short file can hold more than fits any memory.
func Read(text []byte, to any) error {
	if len(text) > MaxSize {
		return fmt.Errorf("1: %d bytes: expected at most %d", len(text), MaxSize)
	}
	tokens := lexer.Tokenize(strings.TrimPrefix(string(text), "\ufeff")) // a byte order mark says nothing in UTF-8
	if err := check(tokens); err != nil {
		return err
	}
	file, err := parser.Parse(tokens, 0)
	if err != nil {
		return lined(err)
	}
	docs := seq.Filter(file.Docs, func(d *ast.DocumentNode) bool { return d.Body != nil && d.Body.Type() != ast.DirectiveType })
	switch {
	case len(docs) == 0:
		return io.EOF
	case len(docs) > 1:
		return fmt.Errorf("%d: more than one document: expected one", Line(docs[1].Body))
	}
	return Decode(docs[0].Body, to)
}

// check refuses anchors and aliases, and lists and mappings too deep in one another: it counts brackets, and the marks of a line with which
// a list begins.
func check(tokens token.Tokens) error {
	brackets, marks, line := 0, 0, 1
	for _, t := range tokens {
		if t.Position.Line != line {
			marks, line = 0, t.Position.Line
		}
		switch t.Type {
		case token.AnchorType, token.AliasType, token.MergeKeyType:
			return fmt.Errorf("%d: an anchor or alias: expected the value itself, since & and * are not read", line)
		case token.SequenceStartType, token.MappingStartType:
			brackets++
		case token.SequenceEndType, token.MappingEndType:
			brackets--
		case token.SequenceEntryType, token.MappingKeyType:
			marks++
		}
		if brackets+marks > deepest {
			return fmt.Errorf("%d: more than %d lists and mappings within one another", line, deepest)
		}
	}
	return nil
}

// Decode reads a part of a file, for a type's UnmarshalYAML; see Read.
func Decode(n ast.Node, to any) error {
	if n.Type() == ast.NullType {
		return fmt.Errorf("%d: no value: expected one", Line(n))
	}
	err := yaml.NodeToValue(n, to, yaml.Strict())
	var stranger *yaml.UnknownFieldError
	if errors.As(err, &stranger) {
		key := stranger.GetToken()
		return fmt.Errorf("%d: %w", key.Position.Line, unknown.Name{What: "key", Name: key.Value, Known: keysOf(reflect.TypeOf(to).Elem())})
	}
	return lined(err)
}

// keysOf returns the keys of a struct, sorted.
func keysOf(t reflect.Type) (keys []string) {
	if t.Kind() != reflect.Struct {
		return nil
	}
	for f := range t.Fields() {
		if key, more, _ := strings.Cut(f.Tag.Get("yaml"), ","); more == "inline" {
			keys = append(keys, keysOf(f.Type)...)
		} else if key != "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return keys
}

// lined gives an error of the YAML library the form of this package's, and leaves others.
func lined(err error) error {
	var mismatch *yaml.TypeError
	var at yaml.Error
	switch {
	case errors.As(err, &mismatch):
		word := "a number, or true or false"
		switch mismatch.DstType.Kind() {
		case reflect.String:
			word = "a word"
		case reflect.Slice:
			word = "a list"
		}
		return fmt.Errorf("%d: %s: expected %s", mismatch.Token.Position.Line, shown(mismatch.Token.Value), word)
	case errors.As(err, &at):
		return fmt.Errorf("%d: %s", at.GetToken().Position.Line, at.GetMessage())
	}
	return err
}

// At is a value, and the line that it is on.
type At[V any] struct {
	Value V
	Line  int // from 1; 0 of what the file does not have
}

// UnmarshalYAML reads the value.
func (a *At[V]) UnmarshalYAML(n ast.Node) error {
	a.Line = Line(n)
	return Decode(n, &a.Value)
}

// List is one value, or several in a list.
type List[V any] []At[V]

// UnmarshalYAML reads them. It returns an error for an empty list.
func (l *List[V]) UnmarshalYAML(n ast.Node) error {
	parts := []ast.Node{n}
	if list, ok := n.(*ast.SequenceNode); ok {
		parts = list.Values
	}
	if len(parts) == 0 {
		return fmt.Errorf("%d: an empty list: expected one value at least", Line(n))
	}
	*l = make(List[V], len(parts))
	for i, part := range parts {
		if err := (*l)[i].UnmarshalYAML(part); err != nil {
			return err
		}
	}
	return nil
}

// Values returns the values.
func (l List[V]) Values() []V { return seq.Map(l, func(a At[V]) V { return a.Value }) }

// Map is a mapping, in the order of the file.
type Map[V any] []Entry[V]

// Entry is a key with its value, which is V's zero value for nothing at all. The line is the key's.
type Entry[V any] struct {
	Name string
	At[V]
}

// UnmarshalYAML reads them. It returns an error for what is no mapping.
func (m *Map[V]) UnmarshalYAML(n ast.Node) error {
	mapping, ok := n.(ast.MapNode)
	if !ok {
		return fmt.Errorf("%d: %s: expected NAME: VALUE, each on a line", Line(n), shown(n.GetToken().Value))
	}
	for each := mapping.MapRange(); each.Next(); {
		e := Entry[V]{Name: each.Key().GetToken().Value}
		if each.Value().Type() != ast.NullType {
			if err := e.UnmarshalYAML(each.Value()); err != nil {
				return err
			}
		}
		e.Line = Line(each.Key())
		*m = append(*m, e)
	}
	return nil
}

// Scalar is a single value as it is written.
type Scalar struct {
	Text   string
	Quoted bool
}

// UnmarshalYAML reads it. It returns an error for a list, a mapping and nothing at all.
func (s *Scalar) UnmarshalYAML(n ast.Node) error {
	if _, single := n.(ast.ScalarNode); !single || n.Type() == ast.NullType {
		return fmt.Errorf("%d: %s: expected a single value", Line(n), shown(n.GetToken().Value))
	}
	t := n.GetToken()
	s.Text, s.Quoted = t.Value, t.Type == token.SingleQuoteType || t.Type == token.DoubleQuoteType
	if block, ok := n.(*ast.LiteralNode); ok {
		s.Text = block.Value.Value
	}
	return nil
}

// Whole is a whole number, from 0 up: the library would take 2.5 for 2, and "2" too.
type Whole uint64

// UnmarshalYAML reads it. It returns an error for anything else.
func (w *Whole) UnmarshalYAML(n ast.Node) error {
	if n.Type() != ast.IntegerType || yaml.NodeToValue(n, (*uint64)(w)) != nil {
		return fmt.Errorf("%d: %s: expected a whole number, at least 0", Line(n), shown(n.GetToken().Value))
	}
	return nil
}

// Found returns what find knows by the names of a list. It returns an error, with its line, for a name that find refuses, and for one given twice.
func Found[V comparable](list List[string], what string, find func(name string) (V, error)) (all []V, err error) {
	for _, item := range list {
		v, err := find(item.Value)
		switch {
		case err != nil:
			return nil, fmt.Errorf("%d: %w", item.Line, err)
		case slices.Contains(all, v):
			return nil, fmt.Errorf("%d: %s %s is given twice", item.Line, what, item.Value)
		}
		all = append(all, v)
	}
	return all, nil
}

// OneOf returns an unknown.Name, with its line, for a word that is there and not among known.
func OneOf(word At[string], what string, known ...string) error {
	if word.Line == 0 || slices.Contains(known, word.Value) {
		return nil
	}
	return fmt.Errorf("%d: %w", word.Line, unknown.Name{What: what, Name: shown(word.Value), Known: known})
}

// Line returns the line of a part of a file, from 1.
func Line(n ast.Node) int { return n.GetToken().Position.Line }

// shown is how errors call a value.
func shown(text string) string {
	const most = 60
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, fmt.Sprintf("%.*s", most, text))
}
