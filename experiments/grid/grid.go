// Package grid combines values of options, as files of sweeps list them, into the options of runs.
package grid

import (
	"encoding/json"
	"fmt"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Grid is options and the values that each is to have. It stands for all their combinations, of which none is made before it is
// asked for.
type Grid []Option

// Option is an option and the values that it is to have.
type Option struct {
	Name   string
	Values []any  // of the option's kind
	Range  *Range // instead of values: any number between two, for a random search
	Line   int    // of the file; 0 without one
}

// Combination is a value for each option of a grid.
type Combination []any

// Count returns how many combinations there are, +Inf for more than a float64 holds.
func (g Grid) Count() float64 {
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

// Varies says whether the option has several values.
func (o Option) Varies() bool { return len(o.Values) > 1 || o.Range != nil }

// Draw returns one of the option's values at random.
func (o Option) draw(s *rng.Stream) any {
	if o.Range != nil {
		return o.Range.at(s.Float64())
	}
	return o.Values[s.Intn(len(o.Values))]
}

// Range is the numbers between two, both of them positive where the scale is logarithmic.
type Range struct {
	From, To float64
	Log      bool
	Whole    bool // whole numbers alone
}

// Count returns how many numbers a range has at least, as at writes them.
func (r Range) count() float64 {
	if r.Whole {
		return math.Floor(r.To) - math.Ceil(r.From) + 1
	}
	// Six digits tell numbers apart by this, the most anywhere in the range.
	apart := math.Pow(10, math.Floor(math.Log10(max(math.Abs(r.From), math.Abs(r.To))))-5)
	return math.Floor((r.To-r.From)/apart) + 1
}

// at returns the number at a share of the way, in [0,1), with six digits.
func (r Range) at(share float64) any {
	from, to := r.From, r.To
	if r.Whole {
		from, to = math.Ceil(from), math.Floor(to)+1
	}
	x := from + share*(to-from)
	if r.Log {
		x = math.Exp(math.Log(from) + share*(math.Log(to)-math.Log(from)))
	}
	if r.Whole {
		return int(math.Floor(x))
	}
	return min(max(rounded(x, 6), r.From), r.To)
}

// rounded returns a number to so many digits.
func rounded(x float64, digits int) float64 {
	x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', digits, 64), 64) // which it is
	return x
}

// All returns every combination; the last option's value changes fastest.
func (g Grid) All() iter.Seq[Combination] {
	return func(yield func(Combination) bool) {
		at := make([]int, len(g))
		for {
			c := make(Combination, len(g))
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

// Draw returns n distinct combinations at random; n is at most count.
func (g Grid) Draw(n int, seed uint64) (list []Combination) {
	stream := rng.New(seed, "sweep")
	seen := map[string]bool{}
	for len(list) < n {
		c := seq.Map(g, func(o Option) any { return o.draw(stream) })
		if name := g.Name(c); !seen[name] {
			seen[name] = true
			list = append(list, c)
		}
	}
	return list
}

// Name returns what sets a combination apart, such as "p=0.25 q=4".
func (g Grid) Name(c Combination) string {
	words := make([]string, len(g))
	for i, o := range g {
		words[i] = o.Name + "=" + Word(c[i])
	}
	return strings.Join(words, " ")
}

// Word writes a value of an option as a word: a number as JSON has it.
func Word(v any) string {
	if word, is := v.(string); is {
		return word
	}
	text, _ := json.Marshal(v) // a number or a truth value
	return string(text)
}

// Give takes back of options what stands against those of the grid. It comes before any of these is set: what is given takes
// nothing back of what is given beside it.
func (g Grid) Give(o *graphs.Options) {
	for _, option := range g {
		o.Give(option.Name)
	}
}

// Set gives options the values of a combination; one that the method does not have is left out. Hyperparameters that the chosen entries do not read
// while other entries of the grid do get their defaults, of which unread tells: then another combination may be the same run.
func (g Grid) Set(o *graphs.Options, c Combination) (unread bool) {
	for i, x := range g {
		_ = o.Set(x.Name, c[i])
	}
	for _, x := range g {
		if p, ok := option.Find(graphs.Hyperparameters(), x.Name); ok && !o.Reads(p) && g.reads(p) {
			unread = true
			_ = o.Set(p.Key, p.Default)
		}
	}
	return unread
}

// reads says whether an entry that the grid names reads a hyperparameter.
func (g Grid) reads(h option.Param) bool {
	for _, o := range g {
		for _, v := range o.Values {
			if (o.Name == h.Option || o.Name == "warm-up-"+h.Option) && slices.Contains(h.Readers, Word(v)) {
				return true
			}
		}
	}
	return false
}

// Option returns an option of the grid, and whether it has it.
func (g Grid) Option(name string) (Option, bool) {
	for _, o := range g {
		if o.Name == name {
			return o, true
		}
	}
	return Option{}, false
}

// Check returns an error for a combination that gives options which are not valid.
func (g Grid) Check(o graphs.Options) error {
	for c := range g.All() {
		each := o
		g.Set(&each, c)
		if _, err := each.Resolve(); err != nil {
			return fmt.Errorf("%s: %w", g.Name(c), err)
		}
	}
	return nil
}
