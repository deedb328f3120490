package store

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/unknown"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// Filter picks records; see ParseFilter. The zero value picks all.
type Filter struct {
	text  string
	names []string            // in the order given
	want  map[string][]string // values of each, one of which a record must have
	given map[string][]any    // of options, the same values
}

type recordKey struct {
	name string
	of   func(results.Record) string
	fits func(has, want string) bool
}

// recordKeys are what a filter can name beside options: what a record has of each, and whether that is what is wanted.
var recordKeys = []recordKey{
	{"method", func(r results.Record) string { return r.Method }, isSame},
	{"protocol", func(r results.Record) string { return r.Protocol }, isSame},
	{"dataset", func(r results.Record) string { return r.Dataset.Name }, func(has, want string) bool {
		d, err := network.Lookup(has)
		return strings.EqualFold(has, want) || err == nil && strings.EqualFold(d.Folder, want)
	}},
	{"seed", func(r results.Record) string { return strconv.FormatUint(r.Seed, 10) }, func(has, want string) bool {
		seed, err := strconv.ParseUint(want, 10, 64)
		return err == nil && has == strconv.FormatUint(seed, 10)
	}},
	{"commit", func(r results.Record) string { return r.Code.Commit }, strings.HasPrefix},
	{"definition", func(r results.Record) string { return r.Definition }, strings.HasPrefix},
}

func isSame(a, b string) bool { return a == b }

// recordNames are the names of recordKeys. An option has none of them.
var recordNames = seq.Map(recordKeys, func(k recordKey) string { return k.name })

// ParseFilter reads "name=value,name=value,…". A name is method, protocol, dataset, seed, commit or definition, whose
// values are how they begin, or an option by its flag's name; one given more than once may have any of its values. An option that lists words has
// commas in its value: "meta-paths=APA,APVPA,dim=20". It returns an error for what
// is not of this form, an unknown.Name for a name that is none of these, and an error for a value that its name cannot have.
func ParseFilter(text string) (Filter, error) {
	f := Filter{text: text, want: map[string][]string{}, given: map[string][]any{}}
	if strings.TrimSpace(text) == "" {
		return f, nil
	}
	for _, part := range filterParts(text) {
		name, value, ok := strings.Cut(part, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if !ok || name == "" || value == "" {
			return f, fmt.Errorf("experiments: filter %q: %q: expected name=value", text, part)
		}
		var err error
		switch name {
		case "method":
			_, err = methods.Find(value)
		case "protocol":
			_, err = grid.ProtocolName(value)
		case "dataset": // or a network of the user's own
		case "commit", "definition":
		case "seed":
			if _, no := strconv.ParseUint(value, 10, 64); no != nil {
				err = fmt.Errorf("seed %q: expected a whole number, at least 0", value)
			}
		default:
			declared, known := FilterOption(name)
			if err = known; err == nil {
				var v any
				v, err = declared.Parse(value)
				f.given[name] = append(f.given[name], v)
			}
		}
		if err != nil {
			return f, fmt.Errorf("experiments: filter %q: %w", text, err)
		}
		if f.want[name] == nil {
			f.names = append(f.names, name)
		}
		f.want[name] = append(f.want[name], value)
	}
	return f, nil
}

// filterParts cuts a filter at its commas but those within the value of an option that may have some: behind these stands no name.
func filterParts(text string) (parts []string) {
	for part := range strings.SplitSeq(text, ",") {
		if last := len(parts) - 1; last >= 0 && strings.TrimSpace(part) != "" && !strings.Contains(part, "=") {
			name, _, _ := strings.Cut(parts[last], "=")
			if declared, _ := grid.FindOption(strings.TrimSpace(name)); declared.Commas {
				parts[last] += "," + part
				continue
			}
		}
		parts = append(parts, part)
	}
	return parts
}

// FilterOption returns the option of a name, and an unknown.Name error for what is neither an option nor another name that a filter can have.
func FilterOption(name string) (option.Param, error) {
	declared, ok := grid.FindOption(name)
	if !ok {
		return declared, unknown.Name{What: "name", Name: name, Known: slices.Concat(recordNames, grid.OptionNames())}
	}
	return declared, nil
}

// Names returns the names of which the filter asks for values, in the order given.
func (f Filter) Names() []string { return f.names }

// String returns the filter as it was given, "everything" for none.
func (f Filter) String() string {
	if len(f.names) == 0 {
		return "everything"
	}
	return f.text
}

// Pick returns the records that a filter fits, in their order.
func (f Filter) Pick(records []results.Record) (picked []results.Record) {
	return seq.Filter(records, f.fits)
}

// Unmet returns the names of which no record has a value that the filter asks for.
func (f Filter) Unmet(records []results.Record) []string {
	return slices.DeleteFunc(slices.Clone(f.names), func(name string) bool {
		return slices.ContainsFunc(records, func(r results.Record) bool {
			return Filter{want: map[string][]string{name: f.want[name]}, given: f.given}.fits(r)
		})
	})
}

func (f Filter) fits(r results.Record) bool {
	for name, values := range f.want {
		if !f.fitsOne(r, name, values) {
			return false
		}
	}
	return true
}

// fitsOne says whether a record has one of the values of a name.
func (f Filter) fitsOne(r results.Record, name string, values []string) bool {
	if key := slices.Index(recordNames, name); key >= 0 {
		has := recordKeys[key].of(r)
		return slices.ContainsFunc(values, func(want string) bool { return recordKeys[key].fits(has, want) })
	}
	return f.hasOption(r, name)
}

// hasOption says whether a record has one of the values of an option.
func (f Filter) hasOption(r results.Record, name string) bool {
	m, err := methods.Find(r.Method)
	if err != nil || !m.Reads(name) {
		return false
	}
	j, err := JobOf(r)
	p, hyper := option.Find(graphs.Hyperparameters(), name)
	if err != nil || hyper && !slices.Contains(m.All(), name) && !j.Options.Reads(p) {
		return false
	}
	has := j.Options.Complete()
	return slices.ContainsFunc(f.given[name], func(value any) bool { // it has the value if setting it changes nothing
		other := j.Options
		return other.Set(name, value) == nil && has.Equal(other.Complete())
	})
}
