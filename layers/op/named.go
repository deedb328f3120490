package op

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Named returns the entry of a map of choices, or an error that lists the known names in order; what says which choice it
// is, as in "layers: readout".
func Named[V any](what string, choices map[string]V, name string) (V, error) {
	v, ok := choices[name]
	if !ok {
		return v, fmt.Errorf("%s %q: expected one of %s", what, name, strings.Join(slices.Sorted(maps.Keys(choices)), ", "))
	}
	return v, nil
}
