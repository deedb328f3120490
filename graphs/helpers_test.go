package graphs

import (
	"maps"
	"slices"
)

// defaults returns the options of a method under a protocol; the error is for tests that get options in other ways too.
func defaults(method string, protocol func() Options) (Options, error) {
	return OptionsOf(MethodOf(method), protocol), nil
}

// registered returns the names of a registry, sorted.
func registered[V any](registry map[string]V) []string { return slices.Sorted(maps.Keys(registry)) }
