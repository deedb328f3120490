package graphs

// listed are the methods of this package: those of the paper's Table 1 in its order, and then the others. A new one is a function of its own
// file, and a word here.
func listed() []*Method {
	return []*Method{deepWalkMethod(), node2vecMethod(), dgiMethod(), polyDWMethod(), splitterMethod(), asp2vecMethod(), proneMethod(), netMFMethod()}
}
