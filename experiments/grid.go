package experiments

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
)

// Grid is options and the values that each is to have. It stands for all their combinations, of which none is made before it is
// asked for.
type Grid []GridOption

// GridOption is an option and the values that it is to have.
type GridOption struct {
	Name   string            `json:"name"`
	Values []json.RawMessage `json:"values"`
	Range  *Range            `json:"range,omitempty"` // instead of values: any number between two, for a random search
	Line   int               `json:"-"`               // of the file; 0 without one
}

// combination is a value for each option of a grid.
type combination []json.RawMessage

// count returns how many combinations there are, +Inf for more than a float64 holds.
func (g Grid) count() float64 {
	n := 1.0
	for _, o := range g {
		if o.Range != nil {
			n *= o.Range.count()
		} else {
			n *= float64(len(o.Values))
		}
	}
	return n
}

// ranged returns an option that has a range, and whether there is one: of such a grid combinations can only be drawn.
func (g Grid) ranged() (GridOption, bool) {
	i := slices.IndexFunc(g, func(o GridOption) bool { return o.Range != nil })
	if i < 0 {
		return GridOption{}, false
	}
	return g[i], true
}

// varies says whether the option has several values.
func (o GridOption) varies() bool { return len(o.Values) > 1 || o.Range != nil }

// draw returns one of the option's values at random.
func (o GridOption) draw(s *rng.Stream) json.RawMessage {
	if o.Range != nil {
		return o.Range.at(s.Float64())
	}
	return o.Values[s.Intn(len(o.Values))]
}

// Range is the numbers between two, both of them positive where the scale is logarithmic.
type Range struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Log   bool    `json:"log,omitempty"`
	Whole bool    `json:"whole,omitempty"` // whole numbers alone
}

// count returns how many numbers a range has at least, as at writes them.
func (r Range) count() float64 {
	if r.Whole {
		return math.Floor(r.To) - math.Ceil(r.From) + 1
	}
	// Six digits tell numbers apart by this, the most anywhere in the range.
	apart := math.Pow(10, math.Floor(math.Log10(max(math.Abs(r.From), math.Abs(r.To))))-5)
	return math.Floor((r.To-r.From)/apart) + 1
}

// at returns the number at a share of the way, in [0,1), with six digits.
func (r Range) at(share float64) json.RawMessage {
	from, to := r.From, r.To
	if r.Whole {
		from, to = math.Ceil(from), math.Floor(to)+1
	}
	x := from + share*(to-from)
	if r.Log {
		x = math.Exp(math.Log(from) + share*(math.Log(to)-math.Log(from)))
	}
	if r.Whole {
		return strconv.AppendFloat(nil, math.Floor(x), 'f', 0, 64)
	}
	text := strconv.FormatFloat(x, 'g', 6, 64)
	x, _ = strconv.ParseFloat(text, 64) // which it is
	v, _ := json.Marshal(min(max(x, r.From), r.To))
	return v
}

// all returns every combination; the last option's value changes fastest.
func (g Grid) all() iter.Seq[combination] {
	return func(yield func(combination) bool) {
		at := make([]int, len(g))
		for {
			c := make(combination, len(g))
			for i, o := range g {
				c[i] = o.Values[at[i]]
			}
			if !yield(c) {
				return
			}
			i := len(g) - 1
			for ; i >= 0; i-- {
				if at[i]++; at[i] < len(g[i].Values) {
					break
				}
				at[i] = 0
			}
			if i < 0 {
				return
			}
		}
	}
}

// draw returns n distinct combinations at random; n is at most count.
func (g Grid) draw(n int, seed uint64) (list []combination) {
	stream := rng.New(seed, "sweep")
	seen := map[string]bool{}
	for len(list) < n {
		c := make(combination, len(g))
		for i, o := range g {
			c[i] = o.draw(stream)
		}
		if name := g.name(c); !seen[name] {
			seen[name] = true
			list = append(list, c)
		}
	}
	return list
}

// name returns what sets a combination apart, such as "p=0.25 q=4".
func (g Grid) name(c combination) string {
	words := make([]string, len(g))
	for i, o := range g {
		words[i] = o.Name + "=" + wordOf(c[i])
	}
	return strings.Join(words, " ")
}

// wordOf writes a value of an option as a word.
func wordOf(v json.RawMessage) string { return strings.Trim(string(v), `"`) }

// give takes back of options what stands against those of the grid. It comes before any of these is set: what is given takes
// nothing back of what is given beside it.
func (g Grid) give(o *graphs.Options) {
	for _, option := range g {
		o.Give(option.Name)
	}
}

// set gives options the values of a combination. Hyperparameters that the chosen entries do not read while other entries of the
// grid do get their defaults, of which unread tells: then another combination may be the same run.
func (g Grid) set(o *graphs.Options, c combination) (unread bool, err error) {
	for i, option := range g {
		if err := setOption(o, option.Name, c[i]); err != nil {
			return false, gridError{option, fmt.Errorf("option %s = %s: %w", option.Name, c[i], err)}
		}
	}
	for _, option := range g {
		if h, ok := graphs.FindHyperparameter(option.Name); ok && !o.ReadsHyperparameter(h) && g.reads(h) {
			o.SetHyperparameter(h.Key, h.Default)
			unread = true
		}
	}
	return unread, nil
}

// gridError is an error of an option, which knows its line.
type gridError struct {
	option GridOption
	error
}

// reads says whether an entry that the grid names reads a hyperparameter.
func (g Grid) reads(h graphs.Hyperparameter) bool {
	for _, o := range g {
		for _, v := range o.Values {
			if (o.Name == h.Option || o.Name == "warm-up-"+h.Option) && slices.Contains(h.Readers, wordOf(v)) {
				return true
			}
		}
	}
	return false
}

// option returns an option of the grid, and whether it has it.
func (g Grid) option(name string) (GridOption, bool) {
	i := slices.IndexFunc(g, func(o GridOption) bool { return o.Name == name })
	if i < 0 {
		return GridOption{}, false
	}
	return g[i], true
}

// setOption sets an option from JSON.
func setOption(o *graphs.Options, option string, value json.RawMessage) error {
	return json.Unmarshal(fmt.Appendf(nil, "{%q:%s}", option, value), o)
}

// candidates returns options with each combination of the grid, each run once. It returns an error for options that are not valid.
func (g Grid) candidates(o graphs.Options) (all []run.Candidate, err error) {
	seen := map[graphs.Options]bool{}
	for c := range g.all() {
		each := run.Candidate{Options: o}
		unread, err := g.set(&each.Options, c)
		if each.Name = g.name(c); unread {
			each.Name = g.nameOf(each.Options, c)
		}
		if err == nil {
			_, err = each.Options.Resolve()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", each.Name, err)
		}
		if !unread || !seen[each.Options] {
			all = append(all, each)
		}
		seen[each.Options] = true
	}
	return all, nil
}

// nameOf is name without the hyperparameters that are not read.
func (g Grid) nameOf(o graphs.Options, c combination) string {
	var read Grid
	var values combination
	for i, option := range g {
		if h, ok := graphs.FindHyperparameter(option.Name); !ok || o.ReadsHyperparameter(h) {
			read, values = append(read, option), append(values, c[i])
		}
	}
	return read.name(values)
}

// MaxCandidates is how many runs a choice may need, far above any use: a typing error must not ask for a year.
const MaxCandidates = 1000

// Try returns options with every combination of values that settings name, "option=value,value,…" each, of options that the method
// reads. It returns an error for anything else, or for options that are out of range.
func Try(o graphs.Options, settings []string) ([]run.Candidate, error) {
	var g Grid
	for _, setting := range settings {
		option, err := tryOption(o.Method, setting)
		if _, twice := g.option(option.Name); twice && err == nil {
			err = errComparable
		}
		if err != nil {
			return nil, fmt.Errorf("experiments: try %q: %w", setting, err)
		}
		if g = append(g, option); g.count() > MaxCandidates {
			return nil, fmt.Errorf("experiments: %.0f runs to choose from and more: want at most %d", g.count(), MaxCandidates)
		}
	}
	g.give(&o)
	all, err := g.candidates(o)
	if err != nil {
		return nil, fmt.Errorf("experiments: try %w", err)
	}
	return all, nil
}

// errComparable is of options that a choice must leave alone.
var errComparable = errors.New("want each option once, and none of method, seed, select, hold-out and scoring, by which runs do not compare")

// incomparable are those options.
var incomparable = []string{"method", "seed", "select", "hold-out", "scoring"}

// tryOption reads "option=value,value".
func tryOption(m *graphs.Method, setting string) (o GridOption, err error) {
	name, list, ok := strings.Cut(setting, "=")
	o.Name = name
	declared, known := optionOf(name)
	switch {
	case !ok || name == "" || list == "":
		return o, errors.New("want option=value,value")
	case slices.Contains(incomparable, name):
		return o, errComparable
	case !known || !m.Reads(name):
		return o, fmt.Errorf("%s has no option %q: want one of %s", m.Name, name, strings.Join(m.All(), ", "))
	}
	for word := range strings.SplitSeq(list, ",") {
		parsed, err := declared.Parse(word)
		if err != nil {
			return o, fmt.Errorf("%s=%s: %w", name, word, err)
		}
		v, err := json.Marshal(parsed)
		if err != nil {
			return o, fmt.Errorf("%s=%s: %w", name, word, err)
		}
		if slices.ContainsFunc(o.Values, func(other json.RawMessage) bool { return string(other) == string(v) }) {
			return o, errors.New("want each value once")
		}
		o.Values = append(o.Values, v)
	}
	return o, nil
}
