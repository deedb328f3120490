// Package data has the commands on data sets and splits, and reads the data that the flags of other commands name.
package data

import "github.com/asp2vec/asp2vec/cmd/asp2vec/shell"

// program is the shell that the commands of this package run in.
type program struct{ *shell.Program }
