package typed

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxSteps is how many steps a text can name, far above any use: what walks keep grows with their square.
const maxSteps = 1000

// Path is a meta-path: what types a walk goes through, over and over. It ends with the type that it starts with.
type Path struct {
	Text  string // as it was given
	Steps []Step
}

// Step is a step of a meta-path.
type Step struct {
	Link     int  // place in Schema.Links
	Backward bool // from the link's To to its From
	Both     bool // either way: of undirected links within a type
	From, To int  // places in Schema.Types
}

// ParsePath returns the meta-path that a text names: types of vertices with - between them, such as user-artist-user, or their
// initials alone where each type has one of its own, such as UAU. Where several types of links join two types, the one that is meant
// stands between them: user-friends-user. A path that ends with another type than it starts with goes back as it came:
// user-user-artist is user-user-artist-user-user.
//
// It returns an error for types that there are not, steps that no links allow or several do, too many steps, and a path without a way back.
func (s *Schema) ParsePath(text string) (Path, error) {
	p := Path{Text: text}
	words, err := s.pathWords(text)
	if err != nil {
		return p, err
	}
	fail := func(format string, args ...any) (Path, error) {
		return p, fmt.Errorf("typed: meta-path %.100q: %s: expected %s", text, fmt.Sprintf(format, args...), s.pathHelp())
	}
	var types []int
	named := ""
	for _, w := range words {
		t := s.Type(w)
		switch {
		case t < 0 && s.Link(w) >= 0 && len(types) > 0 && named == "":
			named = w
			continue
		case t < 0:
			return fail("no type %q", w)
		case len(types) > 0:
			step, err := s.step(types[len(types)-1], t, named)
			if err != nil {
				return fail("%v", err)
			}
			if p.Steps = append(p.Steps, step); len(p.Steps) > maxSteps {
				return fail("more than %d steps", maxSteps)
			}
		}
		types, named = append(types, t), ""
	}
	if named != "" || len(p.Steps) == 0 {
		return fail("it ends too soon")
	}
	if types[0] == types[len(types)-1] {
		return p, nil
	}
	for _, step := range slices.Backward(slices.Clone(p.Steps)) {
		if !step.Both && s.Links[step.Link].Directed {
			return fail("it ends with another type than it starts with, and its links %s go one way", s.Links[step.Link].Name)
		}
		step.From, step.To, step.Backward = step.To, step.From, !step.Backward && !step.Both
		p.Steps = append(p.Steps, step)
	}
	return p, nil
}

// pathWords returns the names of types and of links that a text has.
func (s *Schema) pathWords(text string) (words []string, err error) {
	if strings.Contains(text, "-") || s.Type(text) >= 0 {
		return strings.Split(text, "-"), nil
	}
	initials := s.initials()
	for _, r := range text {
		name, there := initials[r]
		if !there {
			return nil, fmt.Errorf("typed: meta-path %.100q: no type with the initial %q: expected %s", text, string(r), s.pathHelp())
		}
		words = append(words, name)
	}
	return words, nil
}

// initials returns the types by their first letters, in upper case, where no two types share one.
func (s *Schema) initials() map[rune]string {
	names := map[rune]string{}
	shared := map[rune]bool{}
	for _, t := range s.Types {
		r, _ := utf8.DecodeRuneInString(t.Name)
		r = unicode.ToUpper(r)
		_, there := names[r]
		shared[r] = shared[r] || there
		names[r] = t.Name
	}
	for r := range shared {
		if shared[r] {
			delete(names, r)
		}
	}
	return names
}

// step returns the step between two types, over the named links or, without a name, the only ones that there are.
func (s *Schema) step(from, to int, named string) (Step, error) {
	var found []Step
	for i, l := range s.Links {
		if named != "" && l.Name != named {
			continue
		}
		switch {
		case l.From == from && l.To == to:
			found = append(found, Step{Link: i, From: from, To: to, Both: from == to && !l.Directed})
		case l.From == to && l.To == from && !l.Directed:
			found = append(found, Step{Link: i, Backward: true, From: from, To: to})
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return Step{}, fmt.Errorf("no links from %s to %s", s.Types[from].Name, s.Types[to].Name)
	}
	return Step{}, fmt.Errorf("several types of links from %s to %s", s.Types[from].Name, s.Types[to].Name)
}

// pathHelp says what meta-paths can be made of.
func (s *Schema) pathHelp() string {
	var steps []string
	for _, l := range s.Links {
		arrow := " and back"
		if l.Directed {
			arrow = ""
		}
		steps = append(steps, fmt.Sprintf("%s-%s%s", s.Types[l.From].Name, s.Types[l.To].Name, arrow))
	}
	return "types with - between them, or their initials, by steps " + strings.Join(steps, ", ")
}

// name returns how a step is called in errors.
func (s *Schema) stepName(step Step) string {
	return s.Types[step.From].Name + "-" + s.Types[step.To].Name
}

// Same says whether the step stays within a type.
func (s Step) Same() bool { return s.From == s.To }
