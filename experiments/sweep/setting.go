package sweep

import (
	"fmt"
	"slices"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
	"github.com/asp2vec/asp2vec/methods"
)

// Setting is a method with options, as a file of a sweep or a table names it. Where options have several values it stands for several
// settings.
type Setting struct {
	Name      string // "" in a sweep without settings; {OPTION} in it stands for a value, {size} for one of the table's sizes
	Method    string
	Options   grid.Grid
	Choose    grid.Grid // of whose combinations the validation set chooses one
	Choosing  []string  // protocols under which it does, others having the defaults; nil for all
	Protocols []string  // that it is of; nil for all of the file
	Sizes     string    // own, others, or "" for both: see tableView
	Best      []string  // of a gain: the settings whose best, by its mean, is set over another one
	Over      string
	NotJudged bool     // the paper's number is of something else, so that ours need not be near it
	InPaper   string   // its name in the paper's table, if that is another one
	At        *float64 // where it stands in a figure, if its options do not say
	line      int
}

// Sizes that a setting is of.
const (
	sizesOwn    = "own"    // those of its file, and others where a selection names its method
	sizesOthers = "others" // sizes that its file does not have
)

// readSettings reads the list of settings.
func (s *File) readSettings(n ast.Node) error {
	list, err := yamlfile.Items(n, "setting")
	for _, item := range list {
		if err := s.readSetting(item); err != nil {
			return err
		}
	}
	return err
}

// settingKeys are those of a setting.
type settingKeys struct {
	Name        string         `yaml:"name"`
	Method      yamlfile.Node  `yaml:"method"`
	Options     grid.Grid      `yaml:"options"`
	Choose      grid.Grid      `yaml:"choose"`
	ChooseUnder yamlfile.Node  `yaml:"choose-under"`
	Protocol    yamlfile.Node  `yaml:"protocol"`
	InPaper     string         `yaml:"in-paper"`
	At          *float64       `yaml:"at"`
	Sizes       yamlfile.Node  `yaml:"sizes"`
	Best        yamlfile.Texts `yaml:"best"`
	Over        string         `yaml:"over"`
	NotJudged   bool           `yaml:"not-judged"`
}

func (s *File) readSetting(n ast.Node) error {
	var k settingKeys
	if err := yamlfile.Fields(n, "key of a setting", &k); err != nil {
		return err
	}
	c := Setting{Name: k.Name, Options: k.Options, Choose: k.Choose, Best: k.Best, Over: k.Over, NotJudged: k.NotJudged, InPaper: k.InPaper, At: k.At, line: yamlfile.Line(n)}
	method, err := yamlfile.Names(k.Method, "method", grid.MethodName)
	if err != nil {
		return err
	}
	if len(method) > 1 {
		return yamlfile.Errorf(k.Method.Part, "setting %q: %d methods: want one", c.Name, len(method))
	}
	c.Method = strings.Join(method, "")
	if c.Choosing, err = yamlfile.Names(k.ChooseUnder, "protocol", grid.ProtocolName); err != nil {
		return err
	}
	if c.Protocols, err = yamlfile.Names(k.Protocol, "protocol", grid.ProtocolName); err != nil {
		return err
	}
	if c.Sizes, err = yamlfile.OneOf(k.Sizes, "sizes", sizesOthers, sizesOwn); err != nil {
		return err
	}
	switch {
	case c.Name == "":
		return yamlfile.Errorf(n, "a setting without a name: want name: NAME")
	case (c.Over == "") != (len(c.Best) == 0) || c.Over != "" && len(c.Options)+len(c.Choose) > 0:
		return yamlfile.Errorf(n, "setting %q: want best and over for a gain, or options", c.Name)
	case len(c.Choosing) > 0 && len(c.Choose) == 0:
		return yamlfile.Errorf(n, "setting %q: choose-under without choose: want the options to choose among", c.Name)
	}
	s.Settings = append(s.Settings, c)
	return nil
}

// settings returns the settings of the file: those with a name or, without any, one for each method. What the file says of all is in
// each of them.
func (s *File) settings() []Setting {
	if len(s.Settings) == 0 {
		return seq.Map(s.Methods, func(name string) Setting { return Setting{Method: name, Options: s.Options, Choose: s.Choose} })
	}
	all := slices.Clone(s.Settings)
	for i := range all {
		x := &all[i]
		if x.Method == "" {
			x.Method = s.Methods[0]
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

// checkProtocols finds settings, or choices, of protocols that the file leaves out, which would be run under none.
func (s *File) checkProtocols() error {
	for _, x := range s.Settings {
		for _, name := range slices.Concat(x.Protocols, x.Choosing) {
			if len(s.Protocols) > 0 && !slices.Contains(s.Protocols, name) {
				return fmt.Errorf("%d: setting %q has protocol %s, and the file %s: want one of these", x.line, x.Name, name, strings.Join(s.Protocols, ", "))
			}
		}
	}
	return nil
}

// checkSettings finds options that methods do not read, or that are given twice, and choices that cannot be made.
func (s *File) checkSettings() error {
	if len(s.Settings) > 0 && len(s.Methods) > 1 {
		return fmt.Errorf("%d: several methods with settings: want method: NAME in each setting", s.Settings[0].line)
	}
	for _, x := range s.settings() {
		m, err := methods.Find(x.Method)
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, o := range slices.Concat(x.Options, x.Choose) {
			switch {
			case !m.Reads(o.Name):
				return fmt.Errorf("%d: option %s: %s does not read it: want method: %s", o.Line, o.Name, x.Method, strings.Join(methods.Readers(o.Name), ", "))
			case seen[o.Name]:
				return fmt.Errorf("%d: option %s is given twice for one setting", o.Line, o.Name)
			}
			seen[o.Name] = true
		}
		for _, o := range x.Choose {
			if slices.Contains(grid.Incomparable, o.Name) {
				return fmt.Errorf("%d: choose %s: %w", o.Line, o.Name, grid.ErrComparable)
			}
		}
		if n := x.Choose.Count(); n > grid.MaxCandidates {
			return fmt.Errorf("%d: choose one of %.0f runs: want at most %d", x.Choose[0].Line, n, grid.MaxCandidates)
		}
	}
	return nil
}

// Typed says whether the file's methods learn from papers and authors.
func (s *File) Typed() bool {
	return slices.ContainsFunc(s.settings(), func(x Setting) bool {
		m, err := methods.Find(x.Method)
		return err == nil && m.Typed
	})
}
