package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/methods"
)

// Setting is a method with options, as a file of a sweep or a table names it. Where options have several values it stands for several
// settings.
type Setting struct {
	Name      string              `yaml:"name"` // "" in a sweep without settings; {OPTION} in it stands for a value, {size} for one of the table's sizes
	Method    yamlfile.At[string] `yaml:"method"`
	Options   grid.Grid           `yaml:"options"`
	Choose    grid.Grid           `yaml:"choose"`   // of whose combinations the validation set chooses one
	Protocols protocols           `yaml:"protocol"` // that it is of; nil for all of the file
	Sizes     yamlfile.At[string] `yaml:"sizes"`    // own, others, or "" for both
	Best      words               `yaml:"best"`     // of a gain, in percent: the settings whose best, by its mean, is set over another one
	Over      string              `yaml:"over"`
	NotJudged bool                `yaml:"not-judged"` // the paper's number is of something else, so that ours need not be near it
	InPaper   string              `yaml:"in-paper"`   // its name in the paper's table, if that is another one
	At        *float64            `yaml:"at"`         // where it stands in a figure, if its options do not say
	method    *graphs.Method
	score     map[string]string // by protocol: what links are ranked by where the options do not say
	line      int
}

// words are one word, or several in a list.
type words []string

// UnmarshalYAML reads them.
func (w *words) UnmarshalYAML(n ast.Node) error {
	var list yamlfile.List[string]
	err := list.UnmarshalYAML(n)
	*w = list.Values()
	return err
}

// protocols are one protocol, or several in a list.
type protocols []string

// UnmarshalYAML reads them. It returns an error, with its line, for an unknown one.
func (p *protocols) UnmarshalYAML(n ast.Node) error {
	var list yamlfile.List[string]
	err := list.UnmarshalYAML(n)
	if err == nil {
		*p, err = yamlfile.Found(list, "protocol", grid.ProtocolName)
	}
	return err
}

// Sizes that a setting is of.
const (
	sizesOwn    = "own"    // those of its file, and others where a selection names its method
	sizesOthers = "others" // sizes that its file does not have
)

// check finds the setting's method, and what it cannot be.
func (s *Setting) check() (err error) {
	if s.Method.Line > 0 {
		if s.method, err = methods.Find(s.Method.Value); err != nil {
			return fmt.Errorf("%d: %w", s.Method.Line, err)
		}
	}
	switch {
	case s.Name == "":
		return fmt.Errorf("%d: a setting without a name: expected name: NAME", s.line)
	case (s.Over == "") != (len(s.Best) == 0) || s.Over != "" && len(s.Options)+len(s.Choose) > 0:
		return fmt.Errorf("%d: setting %q: expected best and over for a gain, or options", s.line, s.Name)
	}
	return yamlfile.OneOf(s.Sizes, "sizes", sizesOthers, sizesOwn)
}

// settings returns the settings of the file: those with a name or, without any, one for each method. What the file says of all is in
// each of them.
func (s *File) settings() []Setting {
	if len(s.Settings) == 0 {
		return seq.Map(s.Methods, func(m *graphs.Method) Setting {
			return Setting{method: m, score: s.Score, Options: s.Options, Choose: s.Choose}
		})
	}
	all := slices.Clone(s.Settings)
	for i := range all {
		x := &all[i]
		x.score = s.Score
		if x.method == nil {
			x.method = s.Methods[0]
		}
		if x.Over == "" {
			x.Options = slices.Concat(s.Options, x.Options)
			if len(x.Choose) == 0 {
				x.Choose = s.Choose
			}
		}
	}
	return all
}

// checkProtocols finds settings of protocols that the file leaves out, which would be run under none.
func (s *File) checkProtocols() error {
	for _, x := range s.Settings {
		for _, name := range x.Protocols {
			if len(s.Protocols) > 0 && !slices.Contains(s.Protocols, name) {
				return fmt.Errorf("%d: setting %q has protocol %s, and the file %s: expected one of these", x.line, x.Name, name, strings.Join(s.Protocols, ", "))
			}
		}
	}
	return nil
}

// maxCandidates is how many runs a choice may need, far above any use: a typing error must not ask for a year.
const maxCandidates = 1000

// checkSettings finds options that methods do not read, or that are given twice, and choices that cannot be made.
func (s *File) checkSettings() error {
	if len(s.Settings) > 0 && len(s.Methods) > 1 {
		return fmt.Errorf("%d: several methods with settings: expected method: NAME in each setting", s.Settings[0].line)
	}
	for _, x := range s.settings() {
		seen := map[string]bool{}
		for _, o := range slices.Concat(x.Options, x.Choose) {
			switch {
			case !x.method.Reads(o.Name):
				return fmt.Errorf("%d: option %s: %s does not read it: expected method: %s", o.Line, o.Name, x.method, strings.Join(methods.Readers(o.Name), ", "))
			case seen[o.Name]:
				return fmt.Errorf("%d: option %s is given twice for one setting", o.Line, o.Name)
			}
			seen[o.Name] = true
		}
		for _, o := range x.Choose {
			if slices.Contains([]string{"select", "hold-out", "scoring"}, o.Name) {
				return fmt.Errorf("%d: choose %s: runs that differ in it are not comparable: expected it in options", o.Line, o.Name)
			}
		}
		if n := x.Choose.Count(); n > maxCandidates {
			return fmt.Errorf("%d: choose one of %.0f runs: expected at most %d", x.Choose[0].Line, n, maxCandidates)
		}
	}
	return nil
}

// Typed says whether the file's methods learn from papers and authors.
func (s *File) Typed() bool {
	return slices.ContainsFunc(s.settings(), func(x Setting) bool { return x.method.Typed })
}
