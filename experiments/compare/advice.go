package compare

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
)

// nothing says what there is where there are no pairs.
func (c *Comparison) nothing(a, b Side, setA, setB []*comparand) error {
	errs := []error{errors.New("compare: nothing to compare")}
	for _, s := range []struct {
		name string
		side Side
		set  []*comparand
	}{{"A", a, setA}, {"B", b, setB}} {
		text := fmt.Sprintf("%s (%s) is %s", s.name, s.side.Filter, described(recordsOf(s.set)))
		if len(s.set) == 0 {
			text += ", of a store with " + described(s.side.Records)
			for _, name := range s.side.Filter.Unmet(s.side.Records) {
				text += fmt.Sprintf("; none has the %s of --%s", name, strings.ToLower(s.name))
				if there := store.ValuesOf(s.side.Records, name); len(there) > 0 {
					text += ", they have " + strings.Join(there, ", ")
				}
			}
		}
		errs = append(errs, errors.New(text))
	}
	if len(c.Unpaired) > 0 && len(setA) > 0 && len(setB) > 0 {
		u := c.Unpaired[max(0, slices.IndexFunc(c.Unpaired, func(u Unpaired) bool { return u.Why != noMetrics }))]
		errs = append(errs, fmt.Errorf("%s of %s, seed %d: %s%s", u.Set, u.Dataset, u.Seeds[0], u.Why, u.advice))
	}
	return errors.Join(errs...)
}

// described says what runs there are, in words.
func described(runs []results.Record) string {
	if len(runs) == 0 {
		return "no runs"
	}
	parts := map[string]map[string]bool{}
	add := func(what, name string) {
		if parts[what] == nil {
			parts[what] = map[string]bool{}
		}
		parts[what][name] = true
	}
	for _, r := range runs {
		add("by", r.Method)
		add("on", r.Dataset.Name)
		add("seed", strconv.FormatUint(r.Seed, 10))
		add("protocol", r.Protocol)
	}
	list := func(what string) string { return strings.Join(slices.Sorted(maps.Keys(parts[what])), ", ") }
	return fmt.Sprintf("%d runs by %s on %s, protocol %s, seed %s", len(runs), list("by"), list("on"), list("protocol"), list("seed"))
}

// advice says which option makes a pair of two runs that differ in some names, "" where none does.
func advice(e, near *comparand, names []string) string {
	ofA, ofB := e, near
	if e.set == "B" {
		ofA, ofB = near, e
	}
	switch {
	case len(names) == 0:
		return ""
	case slices.Contains(names, "method"):
		return fmt.Sprintf("; to pair them, add method=%s to --a and method=%s to --b", ofA.words["method"], ofB.words["method"])
	}
	return "; to pair them, --ignore " + strings.Join(names, ",")
}

// ambiguous is the error of a run with several partners.
func ambiguous(e *comparand, partners []*comparand) error {
	other := "A"
	if e.set == "A" {
		other = "B"
	}
	// They agree with e in what it reads, so they differ in what is free.
	one, errOne := store.JobOf(partners[0].record)
	two, errTwo := store.JobOf(partners[1].record)
	var names, choices []string
	if errOne == nil && errTwo == nil {
		a, _ := grid.OptionWords(one.Options)
		b, _ := grid.OptionWords(two.Options)
		names = slices.DeleteFunc(differing(a, b), func(name string) bool { return freeOptions(nil)[name] })
		if one.Options.Method != two.Options.Method {
			names = []string{"method"}
			a["method"], b["method"] = one.Options.Method.Name, two.Options.Method.Name
		}
		if one.Protocol != two.Protocol {
			names = []string{"protocol"}
			a["protocol"], b["protocol"] = one.Protocol, two.Protocol
		}
		if len(names) > 0 {
			choices = []string{names[0] + "=" + a[names[0]], names[0] + "=" + b[names[0]]}
		}
	}
	if len(names) == 0 {
		names, choices = []string{"commit"}, []string{"commit=" + partners[0].record.Code.Commit, "commit=" + partners[1].record.Code.Commit}
	}
	return fmt.Errorf("compare: %d runs of %s on %s with seed %d could be paired with one of %s; they differ in %s: want one value of it: add %s to --%s",
		len(partners), other, e.record.Dataset.Name, e.record.Seed, e.set, strings.Join(names, ", "), strings.Join(choices, " or "), strings.ToLower(other))
}
