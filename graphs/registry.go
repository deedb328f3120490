package graphs

// listed are the methods of this package: those of the paper's Table 1 in its order, and then the others. A new one is a file of its own, which
// adds itself to others in its init function.
func listed() []func() *Method {
	return []func() *Method{deepWalkMethod, node2vecMethod, dgiMethod, polyDWMethod, splitterMethod, asp2vecMethod, proneMethod, pprMethod}
}
