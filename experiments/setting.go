package experiments

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
	"github.com/asp2vec/asp2vec/methods"
)

// Setting is a method with options, as a file of a sweep or a table names it. Where options have several values it stands for several
// settings.
type Setting struct {
	Name      string // "" in a sweep without settings; {OPTION} in it stands for a value, {size} for one of the table's sizes
	Method    string
	Options   grid.Grid
	Choose    grid.Grid // of whose combinations the validation set chooses one
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

// column is one setting, or a gain of one setting over another.
type column struct {
	name      string
	method    string
	grid      grid.Grid        // options that differ from the method's defaults
	values    grid.Combination // and what they are
	size      int              // dimensions of a vertex in all its vectors; 0 for what the options say
	choice    *store.Choice    // nil for none
	protocols []string         // that it is of; nil for all
	paper     string           // as in the paper's table, if name is not; "" else
	x         *float64         // where it stands in a figure; nil for what its options say
	notJudged bool             // the paper's number is of another setting, so that ours need not be near it

	// Of a gain, in percent: of the best of some columns, by its mean, over another one.
	best []string
	over string
}

// columns returns a column for each combination of the setting's options, or for as many as are drawn.
func (s Setting) columns(draw int, seed uint64) (all []column) {
	c := column{method: s.Method, grid: s.Options, x: s.At, protocols: s.Protocols, notJudged: s.NotJudged, best: s.Best, over: s.Over}
	if len(s.Choose) > 0 {
		c.choice = &store.Choice{Grid: s.Choose}
	}
	combinations := s.Options.All()
	if draw > 0 {
		combinations = slices.Values(s.Options.Draw(draw, seed))
	}
	for values := range combinations {
		each := c
		each.name, each.paper, each.values = s.nameOf(s.Name, values), s.nameOf(s.InPaper, values), values
		all = append(all, each)
	}
	return all
}

// nameOf returns a name of the setting with a combination of its options: with what varies behind it, unless it stands in it.
func (s Setting) nameOf(name string, values grid.Combination) string {
	var behind []string
	named := name == s.InPaper && name != s.Name // all of it is given
	for i, o := range s.Options {
		if in := "{" + o.Name + "}"; strings.Contains(name, in) {
			name = strings.ReplaceAll(name, in, grid.Word(values[i]))
		} else if o.Varies() && !named {
			behind = append(behind, o.Name+"="+grid.Word(values[i]))
		}
	}
	return strings.Join(append([]string{name}, behind...), " ")
}

// options returns the options of the column under a protocol, and whether it has a hyperparameter that its entries do not read but
// others of its grid do: that is at its default then.
func (c column) options(protocol string) (o graphs.Options, unread bool, err error) {
	if o, err = methods.Options(c.method, run.Protocols[protocol]); err != nil {
		return o, false, err
	}
	c.grid.Give(&o)
	if c.choice != nil {
		c.choice.Grid.Give(&o)
	}
	if unread, err = c.grid.Set(&o, c.values); err == nil && c.size > 0 {
		o.Dim = c.size / c.vectors(o)
	}
	return o, unread, err
}

// vectors returns how many vectors of a vertex share the numbers of its size: those that the column gives it, or the paper's.
func (c column) vectors(o graphs.Options) int {
	switch _, given := c.grid.Option("aspects"); {
	case given:
		return o.Aspects
	case o.Method.MultiVector():
		return graphs.PaperAspects
	}
	return 1
}

// inPaper returns the name of the column in the paper's table.
func (c column) inPaper() string { return cmp.Or(c.paper, c.name) }

// at returns where the column stands on the axis of an option, and whether that is a number.
func (c column) at(option, protocol string) (x float64, ok bool) {
	if c.x != nil {
		return *c.x, true
	}
	o, _, err := c.options(protocol)
	if err != nil {
		return 0, false
	}
	words, err := grid.OptionWords(o)
	if err != nil {
		return 0, false
	}
	x, err = strconv.ParseFloat(words[option], 64)
	return x, err == nil
}

// label returns what stands there on the axis: the name of a named setting, else the value.
func (c column) label(option string) string {
	for i, o := range c.grid {
		if word := o.Name + "=" + grid.Word(c.values[i]); o.Name == option && c.name == word {
			return grid.Word(c.values[i])
		}
	}
	return c.name
}

// under says whether the column is of a protocol.
func (c column) under(protocol string) bool {
	return len(c.protocols) == 0 || slices.Contains(c.protocols, protocol)
}

// jobs is the one place that says which runs a cell is made of under a seed: one, or the candidates of its choice; see trials for the
// runs that choose. A gain has no runs of its own, nor has a setting under a protocol that it is not of.
func (c column) jobs(d source.DataSet, protocol string, seed uint64) []store.Job {
	o, _, err := c.options(protocol)
	if err != nil || c.over != "" || !c.under(protocol) {
		return nil
	}
	return store.Job{Dataset: d.Name, Protocol: protocol, Options: o, Own: d.Own, Choice: c.choice}.Candidates(seed)
}

// needed returns the runs of a cell under a seed and, with the first one, those that choose among them.
func (c column) needed(d source.DataSet, protocol string, seed uint64, first bool) []store.Job {
	jobs := c.jobs(d, protocol, seed)
	if c.choice != nil && first {
		jobs = append(store.Trials(c.jobs(d, protocol, store.FirstSeed)), jobs...)
	}
	return jobs
}

// check returns an error for options that are not valid.
func (c column) check(protocol string) error {
	o, _, err := c.options(protocol)
	if err == nil && c.size > 0 && c.size%c.vectors(o) != 0 {
		err = fmt.Errorf("size %d in %d vectors of a vertex: want a multiple", c.size, c.vectors(o))
	}
	if err == nil && c.choice != nil {
		_, err = c.choice.Grid.Candidates(o)
	} else if err == nil {
		_, err = o.Resolve()
	}
	return err
}

// readSettings reads the list of settings.
func (s *Sweep) readSettings(n *yaml.Node) error {
	list, err := yamlnode.Items(n, "setting")
	for _, item := range list {
		if err := s.readSetting(item); err != nil {
			return err
		}
	}
	return err
}

func (s *Sweep) readSetting(n *yaml.Node) error {
	c := Setting{line: n.Line}
	if err := yamlnode.Keys(n, "key of a setting", map[string]func(*yaml.Node) error{
		"name":    func(n *yaml.Node) error { return yamlnode.Scalar(n, &c.Name) },
		"method":  func(n *yaml.Node) (err error) { c.Method, err = yamlMethod(n); return err },
		"options": c.Options.Read,
		"choose":  c.Choose.Read,
		"protocol": func(n *yaml.Node) (err error) {
			c.Protocols, err = yamlnode.Names(n, "protocol", grid.ProtocolName)
			return err
		},
		"in-paper":   func(n *yaml.Node) error { return yamlnode.Scalar(n, &c.InPaper) },
		"at":         func(n *yaml.Node) error { c.At = new(float64); return yamlnode.Scalar(n, c.At) },
		"sizes":      func(n *yaml.Node) error { return yamlnode.Word(n, "sizes", &c.Sizes, sizesOthers, sizesOwn) },
		"best":       func(n *yaml.Node) (err error) { c.Best, err = yamlnode.Texts(n); return err },
		"over":       func(n *yaml.Node) error { return yamlnode.Scalar(n, &c.Over) },
		"not-judged": func(n *yaml.Node) error { return yamlnode.Scalar(n, &c.NotJudged) },
	}); err != nil {
		return err
	}
	switch {
	case c.Name == "":
		return yamlnode.Errorf(n, "a setting without a name: want name: NAME")
	case (c.Over == "") != (len(c.Best) == 0) || c.Over != "" && len(c.Options)+len(c.Choose) > 0:
		return yamlnode.Errorf(n, "setting %q: want best and over for a gain, or options", c.Name)
	}
	s.Settings = append(s.Settings, c)
	return nil
}

func yamlMethod(n *yaml.Node) (string, error) {
	name, err := grid.MethodName(n.Value)
	return name, yamlnode.Error(n, err)
}

// settings returns the settings of the file: those with a name or, without any, one for each method. What the file says of all is in
// each of them.
func (s *Sweep) settings() []Setting {
	if len(s.Settings) == 0 {
		var all []Setting
		for _, name := range s.Methods {
			all = append(all, Setting{Method: name, Options: s.Options, Choose: s.Choose})
		}
		return all
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

// checkProtocols finds settings of protocols that the file leaves out, which would be run under none.
func (s *Sweep) checkProtocols() error {
	for _, x := range s.Settings {
		for _, name := range x.Protocols {
			if len(s.Protocols) > 0 && !slices.Contains(s.Protocols, name) {
				return fmt.Errorf("%d: setting %q is of protocol %s, and the file of %s: want one of these", x.line, x.Name, name, strings.Join(s.Protocols, ", "))
			}
		}
	}
	return nil
}

// checkSettings finds options that methods do not read, or that are given twice, and choices that cannot be made.
func (s *Sweep) checkSettings() error {
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
