// Package asp2vec holds the program's own source, by which runs of an edited program are told from those of before.
package asp2vec

import "embed"

// Source is the code that the numbers of runs depend on. Package experiments/run says which of it a run passes through.
//
//go:embed layers/*.go losses/*.go walks/*.go graphs/*.go hetnet/*.go hetnet/encode/*.go hetnet/papers/*.go hetnet/typed/*.go eval/*.go
//go:embed experiments/run/authors.go experiments/run/measured.go experiments/run/pilot.go experiments/run/run.go experiments/run/typed.go
//go:embed internal/gru/*.go internal/kernel/*.go internal/kernel/*.s layers/op/*.go internal/par/*.go internal/plan/*.go internal/rng/*.go internal/symnmf/*.go
//go:embed network/features.go network/holdout.go network/labelprop.go network/negatives.go network/personas.go network/remove.go network/simple.go network/triangles.go
var Source embed.FS
