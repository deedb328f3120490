package sweep

import (
	"fmt"
	"slices"
	"strings"

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

// settingKeys are those of a setting.
type settingKeys struct {
	Name        string                `yaml:"name"`
	Method      yamlfile.At[string]   `yaml:"method"`
	Options     grid.Grid             `yaml:"options"`
	Choose      grid.Grid             `yaml:"choose"`
	ChooseUnder yamlfile.List[string] `yaml:"choose-under"`
	Protocol    yamlfile.List[string] `yaml:"protocol"`
	InPaper     string                `yaml:"in-paper"`
	At          *float64              `yaml:"at"`
	Sizes       yamlfile.At[string]   `yaml:"sizes"`
	Best        yamlfile.List[string] `yaml:"best"`
	Over        string                `yaml:"over"`
	NotJudged   bool                  `yaml:"not-judged"`
}

// readSetting reads what stands on a line, and the following.
func (s *File) readSetting(k settingKeys, line int) (err error) {
	c := Setting{Name: k.Name, Options: k.Options, Choose: k.Choose, Sizes: k.Sizes.Value, Best: k.Best.Values(), Over: k.Over, NotJudged: k.NotJudged, InPaper: k.InPaper, At: k.At, line: line}
	if k.Method.Line > 0 {
		if c.Method, err = grid.MethodName(k.Method.Value); err != nil {
			return fmt.Errorf("%d: %w", k.Method.Line, err)
		}
	}
	if c.Choosing, err = yamlfile.Names(k.ChooseUnder, "protocol", grid.ProtocolName); err != nil {
		return err
	}
	if c.Protocols, err = yamlfile.Names(k.Protocol, "protocol", grid.ProtocolName); err != nil {
		return err
	}
	switch {
	case c.Name == "":
		err = fmt.Errorf("%d: a setting without a name: expected name: NAME", line)
	case (c.Over == "") != (len(c.Best) == 0) || c.Over != "" && len(c.Options)+len(c.Choose) > 0:
		err = fmt.Errorf("%d: setting %q: expected best and over for a gain, or options", line, c.Name)
	case len(c.Choosing) > 0 && len(c.Choose) == 0:
		err = fmt.Errorf("%d: setting %q: choose-under without choose: expected the options to choose among", line, c.Name)
	default:
		err = yamlfile.OneOf(k.Sizes, "sizes", sizesOthers, sizesOwn)
	}
	s.Settings = append(s.Settings, c)
	return err
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
		m, err := methods.Find(x.Method)
		if err != nil {
			return err
		}
		seen := map[string]bool{}
		for _, o := range slices.Concat(x.Options, x.Choose) {
			switch {
			case !m.Reads(o.Name):
				return fmt.Errorf("%d: option %s: %s does not read it: expected method: %s", o.Line, o.Name, x.Method, strings.Join(methods.Readers(o.Name), ", "))
			case seen[o.Name]:
				return fmt.Errorf("%d: option %s is given twice for one setting", o.Line, o.Name)
			}
			seen[o.Name] = true
		}
		for _, o := range x.Choose {
			if o.Name == "select" || o.Name == "hold-out" {
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
	return slices.ContainsFunc(s.settings(), func(x Setting) bool {
		m, err := methods.Find(x.Method)
		return err == nil && m.Typed
	})
}
