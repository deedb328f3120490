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
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/asp2vec/asp2vec/internal/unknown"
)

// Node is a part of a file that is read later; that of a key which the file does not have, or that has no value, has none.
type Node struct{ Part ast.Node }

// UnmarshalYAML keeps the node. The error is always nil.
func (n *Node) UnmarshalYAML(part ast.Node) error {
	n.Part = part
	return nil
}

// Parse returns the one document of a file. It returns io.EOF for a file without any, an error for one with several, with its line for a text
// that is no YAML or gives a key twice, and for anchors and aliases, with which a short file can hold more than fits any memory.
func Parse(text []byte) (Node, error) {
	if err := checkDepth(text); err != nil {
		return Node{}, err
	}
	file, err := parser.ParseBytes(text, 0)
	if err != nil {
		return Node{}, lined(err)
	}
	docs := slices.DeleteFunc(file.Docs, func(d *ast.DocumentNode) bool {
		switch d.Body.(type) {
		case nil, *ast.CommentGroupNode, *ast.DirectiveNode:
			return true
		}
		return false
	})
	switch {
	case len(docs) == 0:
		return Node{}, io.EOF
	case len(docs) > 1:
		return Node{}, Errorf(docs[1].Body, "more than one document: want one")
	}
	refused := aliases{}
	if ast.Walk(&refused, docs[0].Body); refused.first != nil {
		return Node{}, Errorf(refused.first, "an anchor or alias: want the value itself, since & and * are not read")
	}
	return Node{docs[0].Body}, nil
}

// checkDepth refuses text in which lists and mappings lie in one another far deeper than any use: the parser would take hours, and all of the
// stack. It counts brackets, and the marks of a line with which a list begins.
func checkDepth(text []byte) error {
	const deepest = 500
	brackets, marks, line := 0, 0, 1
	for i, c := range text {
		switch c {
		case '[', '{':
			brackets++
		case ']', '}':
			brackets = max(0, brackets-1)
		case '-', '?':
			if i+1 < len(text) && text[i+1] == ' ' {
				marks++
			}
		case '\n':
			marks, line = 0, line+1
		}
		if brackets+marks > deepest {
			return fmt.Errorf("%d: more than %d lists and mappings within one another", line, deepest)
		}
	}
	return nil
}

// aliases finds the first anchor or alias.
type aliases struct{ first ast.Node }

// Visit looks at a node.
func (a *aliases) Visit(n ast.Node) ast.Visitor {
	switch n.(type) {
	case *ast.AnchorNode, *ast.AliasNode, *ast.MergeKeyNode:
		if a.first == nil {
			a.first = n
		}
	}
	return a
}

// Fields reads a mapping into a struct with a yaml tag for each key; what names keys in errors. It returns an error, with its line, for what is
// no mapping, an unknown.Name for a key that is unknown, and an error for a value of another kind than its field's.
func Fields(n ast.Node, what string, to any) error {
	if _, err := Entries(n, what); err != nil {
		return err
	}
	err := yaml.NodeToValue(n, to, yaml.Strict())
	var stranger *yaml.UnknownFieldError
	if errors.As(err, &stranger) {
		key := stranger.GetToken()
		return fmt.Errorf("%d: %w", key.Position.Line, unknown.Name{What: what, Name: key.Value, Known: keysOf(reflect.TypeOf(to).Elem())})
	}
	return lined(err)
}

// keysOf returns the keys of a struct, sorted.
func keysOf(t reflect.Type) (keys []string) {
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
		return fmt.Errorf("%d: %s: want %s", mismatch.Token.Position.Line, shown(mismatch.Token.Value), word)
	case errors.As(err, &at):
		return fmt.Errorf("%d: %s", at.GetToken().Position.Line, at.GetMessage())
	}
	return err
}

// Entry is a key of a mapping with its value.
type Entry struct {
	Key   ast.Node
	Name  string // the key
	Value ast.Node
}

// Entries returns the keys and values of a mapping, in their order; what names keys in errors. It returns an error, with its line, for what is
// no mapping.
func Entries(n ast.Node, what string) (all []Entry, err error) {
	mapping, ok := n.(ast.MapNode)
	if !ok {
		return nil, Errorf(n, "%s: want KEY: VALUE, with each %s on a line", Text(n), what)
	}
	for each := mapping.MapRange(); each.Next(); {
		all = append(all, Entry{each.Key(), each.Key().GetToken().Value, each.Value()})
	}
	return all, nil
}

// Items returns the parts of a list, or a single value as a list of one. It returns an error, with its line, for an empty list.
func Items(n ast.Node, what string) (all []ast.Node, err error) {
	list, ok := n.(*ast.SequenceNode)
	switch {
	case !ok:
		return []ast.Node{n}, nil
	case len(list.Values) == 0:
		return nil, Errorf(n, "an empty list of %ss: the sweep expands to 0 runs", what)
	}
	return list.Values, nil
}

// Texts are one text or several.
type Texts []string

// UnmarshalYAML reads them. It returns an error, with its line, for an empty list and for a part that is no text.
func (t *Texts) UnmarshalYAML(n ast.Node) error {
	list, err := Items(n, "text")
	for _, item := range list {
		text, ok := Word(item)
		if !ok {
			return Errorf(item, "%s: want a word", Text(item))
		}
		*t = append(*t, text)
	}
	return err
}

// Names reads one name or several; find returns the name as it is registered. It returns an error, with its line, for an empty
// list, what is not a name, a name that find refuses, and a name given twice. A part that is not there has none.
func Names(n Node, what string, find func(string) (string, error)) (names []string, err error) {
	if n.Part == nil {
		return nil, nil
	}
	list, err := Items(n.Part, what)
	for _, item := range list {
		word, ok := Word(item)
		if !ok {
			return nil, Errorf(item, "%s: want the name of a %s, or [NAME, ...]", Text(item), what)
		}
		name, err := find(word)
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

// OneOf returns a word, "" for a part that is not there. It returns an unknown.Name, with its line, for one that is not among known.
func OneOf(n Node, what string, known ...string) (string, error) {
	if n.Part == nil {
		return "", nil
	}
	word, _ := Word(n.Part)
	if !slices.Contains(known, word) {
		return "", Error(n.Part, unknown.Name{What: what, Name: Text(n.Part), Known: known})
	}
	return word, nil
}

// Word returns a single value as it is written, and whether it is one: no list, mapping or nothing.
func Word(n ast.Node) (string, bool) {
	switch n := n.(type) {
	case *ast.StringNode, *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode, *ast.InfinityNode, *ast.NanNode:
		return n.GetToken().Value, true
	case *ast.LiteralNode:
		return n.Value.Value, true
	}
	return "", false
}

// Quoted says whether a value is a word in quotes, which is no number.
func Quoted(n ast.Node) bool {
	kind := n.GetToken().Type
	return kind == token.SingleQuoteType || kind == token.DoubleQuoteType
}

// Error gives an error the line of what it is about.
func Error(n ast.Node, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%d: %w", Line(n), err)
}

// Errorf is Error of a message.
func Errorf(n ast.Node, format string, args ...any) error {
	return Error(n, fmt.Errorf(format, args...))
}

// Line returns the line of a node, from 1.
func Line(n ast.Node) int {
	if n == nil || n.GetToken() == nil {
		return 1
	}
	return n.GetToken().Position.Line
}

// Text is how errors call a value.
func Text(n ast.Node) string {
	switch n.(type) {
	case ast.MapNode:
		return "{...}"
	case *ast.SequenceNode:
		return "[...]"
	case nil, *ast.NullNode:
		return "no value"
	}
	return shown(n.GetToken().Value)
}

func shown(text string) string {
	const most = 60
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return unicode.ReplacementChar
	}, fmt.Sprintf("%.*s", most, text))
}
