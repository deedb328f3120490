// Package models has the commands that train a model, and those that use one: an embedding, its links, labels and aspects.
package models

import "github.com/asp2vec/asp2vec/cmd/asp2vec/shell"

// program is the shell that the commands of this package run in.
type program struct{ *shell.Program }
