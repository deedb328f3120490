package main

import (
	"github.com/asp2vec/asp2vec/layers/op"
	"github.com/asp2vec/asp2vec/losses"
	G "gorgonia.org/gorgonia"
)

func init() {
	losses.Pairs.Add("mine", losses.Pair{Loss: focal, Parameters: []losses.Parameter{
		{Key: "pair-loss-focus", Help: "how much less a context counts that scores high", Default: 2, Max: 10},
	}})
}

// focal is the skip-gram loss, in which a context counts the less the higher it scores already:
//
//	loss[b,k] = (1 - σ(pos[b,k]))^focus · -log σ(pos[b,k]) - Σ_m log σ(-neg[b,m,k])
func focal(s losses.State, h losses.Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "focal")
	weight := G.Must(G.Exp(G.Must(op.Scale(G.Must(op.Softplus(s.Pos)), -h.Of("pair-loss-focus"))))) // (B,K)
	right := G.Must(op.Softplus(G.Must(G.Neg(s.Pos))))                                              // (B,K)
	wrong := G.Must(op.SumAxis1(G.Must(op.Softplus(s.Neg))))                                        // (B,K)
	return G.Add(G.Must(G.HadamardProd(weight, right)), wrong)
}
