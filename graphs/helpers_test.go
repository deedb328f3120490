package graphs

import (
	"maps"
	"slices"
)

// defaults returns the options of a method under a protocol.
func defaults(method string, protocol func() Options) Options {
	return OptionsOf(MethodOf(method), protocol)
}

// registered returns the names of a registry, sorted.
func registered[V any](registry map[string]V) []string { return slices.Sorted(maps.Keys(registry)) }
