package main

import (
	"context"
	"os"
	"path/filepath"
	"strconv"
	"time"

	"github.com/asp2vec/asp2vec/bench/internal/machine"
	"github.com/asp2vec/asp2vec/bench/internal/peer"
	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// net is a network with what its contestants need, and what is recorded of it.
type net struct {
	networkRecord
	split, tmp, walks string // folders, and the file of walks
	data              *network.Split
	names             []string // of the numbers in the walks
	threads           int
}

// newNet reads a split and writes the walks over its training links to a folder.
func newNet(o options, dir, tmp string) (*net, error) {
	data, err := network.ReadSplit(dir, false)
	if err != nil {
		return nil, err
	}
	train, err := data.TrainNetwork()
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(tmp, 0o755); err != nil {
		return nil, err
	}
	n := &net{split: dir, tmp: tmp, walks: filepath.Join(tmp, "walks.txt"), data: data, names: train.Names(), threads: o.threads}
	n.networkRecord = networkRecord{
		Name: peer.DatasetName(dir), Vertices: train.Vertices(), Links: len(data.Train), Test: len(data.Test), Directed: data.Directed, Checksum: data.Checksum(),
		Started: time.Now().UTC().Truncate(time.Second), Command: o.called, Rounds: o.rounds, Seed: o.seed, Threads: o.threads, Load: [2]string{machine.Load()},
		Dim: o.dim, Aspects: o.aspects, DeepWalkDim: o.dwDim, Limit: o.limit.Seconds(),
	}
	n.Code, n.Host = machine.Environment()
	if n.Degrees, err = degrees(data); err != nil {
		return nil, err
	}
	return n, peer.WriteWalks(train, o.seed, n.walks)
}

// degrees returns the test AUC of ranking links by the product of their ends' degrees in the training links, what takes no
// training. Of directed networks it is that with reversed links among the negatives, and a degree counts both directions.
func degrees(s *network.Split) (float64, error) {
	degree := make([]float64, len(s.Names))
	for _, l := range s.Train {
		degree[l.From]++
		degree[l.To]++
	}
	products := func(links []network.Link) []float64 {
		var x []float64
		for _, l := range links {
			x = append(x, degree[l.From]*degree[l.To])
		}
		return x
	}
	negative := s.TestNeg
	if s.Directed {
		negative = s.TestNegDirected
	}
	return eval.AUC(products(s.Test), products(negative))
}

// score returns the link-prediction score of an embedding in a file or a run's folder. names are those of vertices that the
// file knows by number only; a vertex that no walk has, and so no peer knows, is at the origin.
func (n *net) score(ctx context.Context, path string, names []string) (eval.Score, error) {
	v, err := vectors.ReadEmbedding(path, "")
	if err != nil {
		return eval.Score{}, err
	}
	if names != nil {
		if v, err = named(v, names); err != nil {
			return eval.Score{}, err
		}
	}
	aligned, err := v.Align(n.data.Names)
	if err != nil {
		return eval.Score{}, err
	}
	return run.Measure(ctx, n.data, graphs.Embedding{D: aligned.D, Final: aligned.Data}, eval.ScoringLR, n.threads)
}

// named returns the vectors of all names, given some under their numbers.
func named(v *vectors.Vectors, names []string) (*vectors.Vectors, error) {
	all := &vectors.Vectors{Names: names, N: len(names), D: v.D, Data: make([]float32, len(names)*v.D)}
	for i, s := range v.Names {
		at, err := strconv.Atoi(s)
		if err != nil {
			return nil, err
		}
		if at < 0 || at >= len(names) {
			return nil, &strconv.NumError{Func: "vertex", Num: s, Err: strconv.ErrRange}
		}
		copy(all.Data[at*v.D:][:v.D], v.Data[i*v.D:][:v.D])
	}
	return all, nil
}
