package experiments

// Selection says which runs of a table or a figure are wanted. Empty lists stand for the default of each.
type Selection struct {
	Datasets  []string
	Methods   []string
	Dims      []int
	Seeds     int
	Protocols []string
}
