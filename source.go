// Package asp2vec holds the program's own source, by which runs of an edited program are told from those of before.
package asp2vec

import "embed"

// Source is the code that the numbers of runs can depend on. Package experiments/run says which of it a run passes through.
//
//go:embed layers losses walks graphs hetnet eval network internal methods experiments/run experiments/source go.mod
var Source embed.FS
