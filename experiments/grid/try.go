package grid

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/yamlfile"
)

// MaxCandidates is how many runs a choice may need, far above any use: a typing error must not ask for a year.
const MaxCandidates = 1000

// Try returns options with every combination of values that settings name, "option=value,value,…" each, of options that the method
// reads. It returns an error for anything else, or for options that are out of range.
func Try(o graphs.Options, settings []string) ([]run.Candidate, error) {
	var g Grid
	for _, setting := range settings {
		option, err := tryOption(o.Method, setting)
		if _, twice := g.Option(option.Name); twice && err == nil {
			err = ErrComparable
		}
		if err != nil {
			return nil, fmt.Errorf("experiments: try %q: %w", setting, err)
		}
		if g = append(g, option); g.Count() > MaxCandidates {
			return nil, fmt.Errorf("experiments: at least %.0f runs to choose from: want at most %d", g.Count(), MaxCandidates)
		}
	}
	g.Give(&o)
	all, err := g.Candidates(o)
	if err != nil {
		return nil, fmt.Errorf("experiments: try %w", err)
	}
	return all, nil
}

// ErrComparable is of options that a choice must leave alone.
var ErrComparable = errors.New("want each option once, and none of method, seed, select and hold-out, because such runs are not comparable")

// Incomparable are those options.
var Incomparable = []string{"method", "seed", "select", "hold-out"}

// tryOption reads "option=value,value".
func tryOption(m *graphs.Method, setting string) (o Option, err error) {
	name, list, ok := strings.Cut(setting, "=")
	o.Name = name
	_, known := FindOption(name)
	switch {
	case !ok || name == "" || list == "":
		return o, errors.New("want option=value,value")
	case slices.Contains(Incomparable, name):
		return o, ErrComparable
	case !known || !m.Reads(name):
		return o, fmt.Errorf("%s has no option %q: want one of %s", m.Name, name, strings.Join(m.All(), ", "))
	}
	var from given
	for word := range strings.SplitSeq(list, ",") {
		from.list = append(from.list, yamlfile.At[yamlfile.Scalar]{Value: yamlfile.Scalar{Text: word}})
	}
	return o, o.read(from)
}
