package results

// EscapeName returns a vertex's name as embedding.vec holds it: without white space, so that other files of
// space-separated names, such as walks, can call it the same. See WriteVec.
func EscapeName(name string) string { return escapeName(name) }
