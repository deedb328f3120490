// Package asp2vec holds the program's own source, by which runs of an edited program are told from those of before.
package asp2vec

import "embed"

// Source is the code of the program. Package experiments/run finds in it what the numbers of a run can depend
// on.
//
//go:embed all:layers all:losses all:walks all:graphs all:hetnet all:eval all:internal all:methods
//go:embed all:experiments/run all:experiments/source go.mod go.sum
//go:embed network cmd/asp2vec/*.go cmd/asp2vec/*/*.go experiments/*/*.go experiments/internal/*/*.go bench/*.go results/*.go results/*/*.go explore/*.go layout/*.go
var Source embed.FS
