package sweep

import (
	"reflect"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/experiments/store"
)

// Varied returns what differs between the rows of a sweep beside the data set: "protocol", "method" or "setting", options and, of those that
// are chosen, what was chosen.
func (s *File) Varied() (names []string) {
	if len(s.Protocols) > 1 {
		names = append(names, VaryProtocol)
	}
	chosen := s.Choose
	if len(s.Settings) > 0 {
		names = append(names, varySetting)
		for _, x := range s.Settings {
			chosen = append(chosen[:len(chosen):len(chosen)], x.Choose...)
		}
	} else {
		if len(s.Methods) > 1 {
			names = append(names, varyMethod)
		}
		for _, o := range s.Options {
			if o.Varies() {
				names = append(names, o.Name)
			}
		}
	}
	for _, o := range chosen {
		if !slices.Contains(names, o.Name) {
			names = append(names, o.Name)
		}
	}
	return names
}

// What varies beside options.
const VaryProtocol, varyMethod, varySetting = "protocol", "method", "setting"

// Values returns what a row of a sweep has for Varied: that of the run that it shows. Of a choice that is not made yet, and of an
// option that the setting leaves to others, "".
func (s *File) Values(c Cell, j store.Job, chosen bool) (values []string) {
	words := grid.OptionWords(j.Options)
	for _, name := range s.Varied() {
		v := words[name]
		_, own := c.Options.Option(name)
		if choice := c.choice; choice != nil && !own {
			if _, own = choice.Grid.Option(name); own && !chosen {
				v = ""
			}
		}
		switch {
		case name == VaryProtocol:
			v = j.Protocol
		case name == varySetting:
			v = c.Name
		case name == varyMethod:
			v = c.Method.Name
		case !own:
			v = ""
		}
		values = append(values, v)
	}
	return values
}

// NumbersVaried returns the options of which several numbers are swept.
func (s *File) NumbersVaried() (names []string) {
	for _, o := range s.Options {
		if declared, ok := grid.FindOption(o.Name); ok && o.Varies() && (declared.Kind() == reflect.Int || declared.Kind() == reflect.Float64) {
			names = append(names, o.Name)
		}
	}
	return names
}
