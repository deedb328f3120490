package store

import (
	"cmp"
	"slices"

	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
)

// CompareNetworks puts the names of networks in the order of the paper, and others after them.
func CompareNetworks(a, b string) int {
	rank := func(name string) int {
		all := network.Datasets()
		if i := slices.IndexFunc(all, func(d network.Dataset) bool { return d.Name == name }); i >= 0 {
			return i
		}
		return len(all)
	}
	return cmp.Or(rank(a)-rank(b), cmp.Compare(a, b))
}

// CompareMethods puts the names of methods in the order of the paper, and those that are not known before them.
func CompareMethods(a, b string) int {
	all := methods.Names()
	return slices.Index(all, a) - slices.Index(all, b)
}
