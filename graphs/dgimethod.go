package graphs

import (
	"context"

	"github.com/asp2vec/asp2vec/internal/guard"
)

func dgiMethod() *Method {
	return &Method{
		Name: MethodDGI, Title: "DGI",
		Source: "Velickovic, Fedus, Hamilton, Lio, Bengio, Hjelm, ICLR 2019 (Deep Graph Infomax)",
		Differs: "without features the adjacency matrix of the training links stands for them, as in the paper of asp2vec, sparse " +
			"throughout; directed networks are made undirected; that links are ranked by logistic regression is inferred",
		Scorings:  []string{ScoringLR},
		Options:   []string{"features"},
		Formula:   "F·h + h² + h + 2, F = n without features",
		Published: func(n int64, o Options) int64 { h := int64(o.Dim); return n*h + h*h + h + 2 },
		defaults: func(o *Options) {
			o.Dim, o.LearningRate, o.Epochs, o.Patience, o.Select = 100, 0.001, 10000, 20, SelectLoss
		},
		fixed: oneVector,
		stages: func(_ context.Context, in Input, o Options, threads int) ([]stage, error) {
			d, err := newDGI(in.Network, in.Features, dgiOptionsOf(o), threads)
			if err != nil {
				return nil, err
			}
			return []stage{{name: StageMain, learner: d, epochs: o.Epochs, choose: o.Select}}, nil
		},
		guard: func(o Options) []guard.Model { return []guard.Model{guardDGI(dgiOptionsOf(o))} },
	}
}

func dgiOptionsOf(o Options) DGIOptions {
	return DGIOptions{Dim: o.Dim, LearningRate: o.LearningRate, Seed: o.Seed}
}
