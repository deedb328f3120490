// Package runs has the commands that do many runs, and those on the store of their records.
package runs

import "github.com/asp2vec/asp2vec/cmd/asp2vec/shell"

// program is the shell that the commands of this package run in.
type program struct{ *shell.Program }
