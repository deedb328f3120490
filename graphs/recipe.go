package graphs

// Standard returns the options of a protocol that is fixed before it sees any data: nothing is held out, and the last epoch is
// reported. Method.Standard has what differs by method.
func Standard() Options {
	o := Default()
	o.Select = SelectLast
	return o
}
