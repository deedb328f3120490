package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
)

// Column is a setting with one value for each of its options, or a gain of one setting over another. It says which runs its cells are
// made of; what these came to is read off their records elsewhere.
type Column struct {
	Setting
	Name   string // with the values
	Method *graphs.Method
	values grid.Combination
	size   int           // dimensions of a vertex in all its vectors; 0 for what the options say
	choice *store.Choice // nil for none
}

// columns returns a column for each combination of each setting's options, or for as many as are drawn: of what a selection leaves of methods and sizes, at each of
// these where the table has sizes, with settings that only some methods have where these are asked for.
func (s *File) columns(sel Scope) (all []Column) {
	sizes := []int{0}
	if len(s.Sizes) > 0 {
		if sizes = s.Sizes; len(sel.Dims) > 0 {
			sizes = sel.Dims
		}
	}
	for _, size := range slices.Compact(slices.Sorted(slices.Values(sizes))) {
		own := slices.Contains(s.Sizes, size)
		for _, x := range s.settings() {
			asked := slices.Contains(sel.Methods, x.method.Name)
			if score := x.untrained(); score != "" { // of no method, whichever trained beside it
				asked = slices.Contains(sel.Methods, score)
			}
			if len(sel.Methods) > 0 && !asked || x.Sizes.Value == sizesOwn && !own && !asked || x.Sizes.Value == sizesOthers && own {
				continue
			}
			if x.Name == "" && !(len(s.Methods) < 2 && slices.ContainsFunc(s.Options, grid.Option.Varies)) {
				x.Name = x.method.Title
			}
			for _, name := range []*string{&x.Name, &x.InPaper} {
				*name = strings.ReplaceAll(*name, "{size}", fmt.Sprint(size))
			}
			var choice *store.Choice
			if len(x.Choose) > 0 {
				choice = &store.Choice{Grid: x.Choose, Against: eval.NegativesKinds.Get(sel.Negatives).Suffix}
			}
			combinations := x.Options.All()
			if s.Random > 0 {
				combinations = slices.Values(x.Options.Draw(s.Random, s.Seed))
			}
			for values := range combinations {
				c := Column{Setting: x, Name: strings.TrimSpace(x.nameOf(x.Name, values)), Method: x.method, values: values, size: size, choice: choice}
				c.InPaper = x.nameOf(x.InPaper, values)
				all = append(all, c)
			}
		}
	}
	return all
}

// untrained returns the score of a setting whose links are ranked without vectors; "" for others.
func (s Setting) untrained() string {
	for _, o := range s.Options {
		if o.Name == "scoring" && len(o.Values) == 1 && isUntrained(grid.Word(o.Values[0])) {
			return grid.Word(o.Values[0])
		}
	}
	return ""
}

func isUntrained(name string) bool { return eval.Scorers.Get(name).Untrained }

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

// under returns the options of the column under a protocol, and whether it has a hyperparameter that its entries do not read but
// others of its grid do: that is at its default then.
func (c Column) under(protocol string) (o graphs.Options, unread bool) {
	o = graphs.OptionsOf(c.Method, graphs.Protocol(protocol))
	o.Scoring = cmp.Or(c.score[protocol], o.Scoring)
	c.Options.Give(&o)
	if c.choice != nil {
		c.choice.Grid.Give(&o)
	}
	if unread = c.Options.Set(&o, c.values); c.size > 0 {
		o.Dim = c.size / c.vectors(o)
	}
	return o, unread
}

// vectors returns how many vectors of a vertex share the numbers of its size: those that the column gives it, or the paper's.
func (c Column) vectors(o graphs.Options) int {
	switch _, given := c.Options.Option("aspects"); {
	case given:
		return o.Aspects
	case o.Method.MultiVector():
		return graphs.PaperAspects
	}
	return 1
}

// PaperName returns the name of the column in the paper's table.
func (c Column) PaperName() string { return cmp.Or(c.InPaper, c.Name) }

// Place returns where the column stands on the axis of an option, and whether that is a number.
func (c Column) Place(option, protocol string) (x float64, ok bool) {
	if c.At != nil {
		return *c.At, true
	}
	o, _ := c.under(protocol)
	x, err := strconv.ParseFloat(grid.OptionWords(o)[option], 64)
	return x, err == nil
}

// Label returns what stands there on the axis of an option, and the rest of the column's name, which is that of a line: the value of an
// option that the name gives, or else all of the name.
func (c Column) Label(option string) (label, line string) {
	words := strings.Fields(c.Name)
	for i, word := range words {
		if value, is := strings.CutPrefix(word, option+"="); is {
			return value, strings.Join(slices.Delete(words, i, i+1), " ")
		}
	}
	return c.Name, ""
}

// Under says whether the column is of a protocol.
func (c Column) Under(protocol string) bool {
	return len(c.Protocols) == 0 || slices.Contains(c.Protocols, protocol)
}

// Jobs is the one place that says which runs a cell is made of under a seed: one, or the candidates of its choice; see store.Choosing for the
// runs that choose. A gain has no runs of its own, nor has a setting under a protocol that it is not of.
func (c Column) Jobs(d source.DataSet, protocol string, seed uint64) []store.Job {
	o, _ := c.under(protocol)
	if c.Over != "" || !c.Under(protocol) {
		return nil
	}
	return store.Job{Dataset: d.Name, Protocol: protocol, Options: o, Own: d.Own, Choice: c.choice}.Candidates(seed)
}

// Needed returns the runs of a cell under a seed and, with the first one, those that choose among them.
func (c Column) Needed(d source.DataSet, protocol string, seed uint64, first bool) []store.Job {
	jobs := c.Jobs(d, protocol, seed)
	if c.Chooses() && first {
		jobs = append(store.Choosing(c.Jobs(d, protocol, store.FirstSeed)), jobs...)
	}
	return jobs
}

// Chooses reports whether the validation set chooses an option of the column.
func (c Column) Chooses() bool { return c.choice != nil }

// check returns an error for options that are not valid, and for a choice where nothing is held out to choose by.
func (c Column) check(protocol string) error {
	o, _ := c.under(protocol)
	choice := c.choice
	switch n := c.vectors(o); {
	case c.size%n != 0:
		return fmt.Errorf("size %d in %d vectors of a vertex: expected a multiple", c.size, n)
	case choice == nil:
		_, err := o.Resolve()
		return err
	case c.Method.Typed && protocol == run.StandardProtocol:
		return fmt.Errorf("a choice on papers under protocol %s, where nothing is held out to choose by: expected protocol: validated", protocol)
	}
	return choice.Grid.Check(o)
}
