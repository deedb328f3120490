package sweep

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// Column is a setting with one value for each of its options, or a gain of one setting over another. It says which runs its cells are
// made of; what these came to is read off their records elsewhere.
type Column struct {
	Setting
	Name   string // with the values
	Method string
	values grid.Combination
	size   int           // dimensions of a vertex in all its vectors; 0 for what the options say
	choice *store.Choice // nil for none
}

// columns returns a column for each combination of the setting's options, or for as many as are drawn.
func (s Setting) columns(draw int, seed uint64) (all []Column) {
	c := Column{Setting: s, Method: s.Method.Value}
	if len(s.Choose) > 0 {
		c.choice = &store.Choice{Grid: s.Choose}
	}
	combinations := s.Options.All()
	if draw > 0 {
		combinations = slices.Values(s.Options.Draw(draw, seed))
	}
	for values := range combinations {
		each := c
		each.Name, each.InPaper, each.values = s.nameOf(s.Name, values), s.nameOf(s.InPaper, values), values
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

// under returns the options of the column under a protocol, and whether it has a hyperparameter that its entries do not read but
// others of its grid do: that is at its default then.
func (c Column) under(protocol string) (o graphs.Options, unread bool, err error) {
	if o, err = methods.Options(c.Method, run.Protocols[protocol]); err != nil {
		return o, false, err
	}
	c.Options.Give(&o)
	if choice := c.choiceUnder(protocol); choice != nil {
		choice.Grid.Give(&o)
	}
	if unread, err = c.Options.Set(&o, c.values); err == nil && c.size > 0 {
		o.Dim = c.size / c.vectors(o)
	}
	return o, unread, err
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
	o, _, err := c.under(protocol)
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
	o, _, err := c.under(protocol)
	if err != nil || c.Over != "" || !c.Under(protocol) {
		return nil
	}
	return store.Job{Dataset: d.Name, Protocol: protocol, Options: o, Own: d.Own, Choice: c.choiceUnder(protocol)}.Candidates(seed)
}

// Needed returns the runs of a cell under a seed and, with the first one, those that choose among them.
func (c Column) Needed(d source.DataSet, protocol string, seed uint64, first bool) []store.Job {
	jobs := c.Jobs(d, protocol, seed)
	if c.Chooses(protocol) && first {
		jobs = append(store.Choosing(c.Jobs(d, protocol, store.FirstSeed)), jobs...)
	}
	return jobs
}

// Chooses says whether the validation set chooses an option of the column under a protocol.
func (c Column) Chooses(protocol string) bool { return c.choiceUnder(protocol) != nil }

// choiceUnder returns the choice that is made under a protocol, or nil.
func (c Column) choiceUnder(protocol string) *store.Choice {
	if len(c.Choosing) > 0 && !slices.Contains(c.Choosing, protocol) {
		return nil
	}
	return c.choice
}

// check returns an error for options that are not valid.
func (c Column) check(protocol string) error {
	o, _, err := c.under(protocol)
	if err == nil && c.size > 0 && c.size%c.vectors(o) != 0 {
		err = fmt.Errorf("size %d in %d vectors of a vertex: expected a multiple", c.size, c.vectors(o))
	}
	if choice := c.choiceUnder(protocol); err == nil && choice != nil {
		err = choice.Grid.Check(o)
	} else if err == nil {
		_, err = o.Resolve()
	}
	return err
}
