package graphs

import (
	"errors"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/option"
)

// listed are the methods of this package: those of the paper's Table 1 in its order, and then the others. A new one is a file of its own, which
// adds itself to others in its init function.
func listed() []func() *Method {
	return []func() *Method{deepWalkMethod, node2vecMethod, dgiMethod, polyDWMethod, splitterMethod, asp2vecMethod, proneMethod, pprMethod}
}

// Conflict returns an error where two entries of a registry, or two methods, have one name, where two entries declare a hyperparameter with another default or range,
// where its key does not begin with the registry's option, and where a method declares an option that all have: no run is right then.
func Conflict() error {
	errs := []error{eval.Metrics.Err(), eval.NegativesKinds.Err()}
	for _, c := range append((Options{}).choices(), choice{option: "score", entries: eval.Scorers}) {
		declared, err := option.Declared(c.option, c.entries)
		errs = append(errs, err)
		for _, p := range declared {
			if _, field := option.Find(fields(), p.Key); !field && !strings.HasPrefix(p.Key, c.option+"-") {
				errs = append(errs, fmt.Errorf("hyperparameter %s of %s: expected a key that starts with %s-", p.Key, strings.Join(p.Readers, ", "), c.option))
			}
		}
	}
	names := map[string]bool{}
	for _, m := range Methods() {
		if names[m.Name] {
			errs = append(errs, fmt.Errorf("method %s: there are two of that name: expected another one", m.Name))
		}
		names[m.Name] = true
		errs = append(errs, ConflictOf(m))
	}
	return errors.Join(errs...)
}

// ConflictOf returns an error for a method that declares an option of its own by the key of one that all have, which would be read in its place.
func ConflictOf(m *Method) error {
	common := (Options{}).Options()
	for _, p := range (Options{Own: m.Own}).own() {
		if _, there := option.Find(common, p.Key); there {
			return fmt.Errorf("method %s (%T) declares the option %s, which all methods have: expected another key", m.Name, m.Own, p.Key)
		}
	}
	return nil
}
