package results

// version and commit are set by the linker in a release (internal/release), whose binaries are built without a look at the repository
// so that the same sources give the same bytes; "" in other builds.
var version, commit string
