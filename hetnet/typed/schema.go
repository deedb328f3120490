// Package typed is about networks whose vertices and links are of several types: what types there are, reading them, walks along
// meta-paths. It knows no model.
package typed

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// Kinds of content that the vertices of a type can have.
const (
	NoContent = ""         // a vertex has a vector of its own, which is learnt
	Linked    = "linked"   // the texts of vertices that it is linked to; see MadeOfLinked
	Text      = "text"     // its vector is what an encoder makes of its words
	Features  = "features" // or of its features
)

// What tells the aspect of a vertex in the middle of a window.
const (
	AspectByContext = "context" // the vertices around it: case 1 of Park et al., KDD 2020, section 4.4
	AspectByContent = "content" // its content: case 2
)

// Schema says what types of vertices and of links a network has.
type Schema struct {
	Name  string
	Types []Type
	Links []LinkType
	Paths []string // meta-paths to walk along; see ParsePath
	Rank  string   // name of the type of links whose ends are matched; see Authorship; "" for none
}

// Type is a type of vertices.
type Type struct {
	Name    string
	Content string // NoContent, Text or Features
	Aspect  string // AspectByContext or AspectByContent, which wants content; "" for the latter where there is content, else the former
}

// ByContext says whether the context tells the aspect of the type's vertices.
func (t Type) ByContext() bool { return t.Content == NoContent || t.Aspect == AspectByContext }

// LinkType is a type of links, from vertices of one type to those of another, or of the same.
type LinkType struct {
	Name     string
	From, To int  // places in Types
	Directed bool // walks go from From to To alone
}

// Check returns an error unless names are such as meta-paths can hold and all different, there is a type and a type of links, links
// are between types that there are, and Rank names a type of links or none. It does not look at Paths.
func (s *Schema) Check() error {
	if len(s.Types) == 0 {
		return errors.New("typed: a schema without types of vertices: expected at least one")
	}
	if len(s.Links) == 0 {
		return errors.New("typed: a schema without types of links: expected at least one")
	}
	seen := map[string]string{}
	name := func(what, name string) error {
		if name == "" || strings.ContainsFunc(name, func(r rune) bool {
			return r == utf8.RuneError || r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
		}) {
			return fmt.Errorf("typed: %s %q: expected letters, digits and _", what, name)
		}
		if other, there := seen[name]; there {
			return fmt.Errorf("typed: %s and %s are both called %q: expected a name for each", other, what, name)
		}
		seen[name] = what
		return nil
	}
	for _, t := range s.Types {
		if err := name("a type of vertices", t.Name); err != nil {
			return err
		}
		if !slices.Contains([]string{NoContent, Text, Features}, t.Content) {
			return fmt.Errorf("typed: content %q of %s: expected %s or %s, or none", t.Content, t.Name, Text, Features)
		}
		switch {
		case !slices.Contains([]string{"", AspectByContext, AspectByContent}, t.Aspect):
			return fmt.Errorf("typed: aspect %q of %s: expected %s or %s", t.Aspect, t.Name, AspectByContext, AspectByContent)
		case t.Aspect == AspectByContent && t.Content == NoContent:
			return fmt.Errorf("typed: aspect %s of %s, which has no content: expected %s, or content", t.Aspect, t.Name, AspectByContext)
		}
	}
	for _, l := range s.Links {
		if err := name("a type of links", l.Name); err != nil {
			return err
		}
	}
	if s.Rank != "" && s.Link(s.Rank) < 0 {
		return fmt.Errorf("typed: %q is to be ranked: expected a type of links, one of %s", s.Rank, strings.Join(seq.Map(s.Links, func(l LinkType) string { return l.Name }), ", "))
	}
	return nil
}

// Type returns the place of a type of vertices, or -1.
func (s *Schema) Type(name string) int {
	return slices.IndexFunc(s.Types, func(t Type) bool { return t.Name == name })
}

// Link returns the place of a type of links, or -1.
func (s *Schema) Link(name string) int {
	return slices.IndexFunc(s.Links, func(l LinkType) bool { return l.Name == name })
}
