package losses

import (
	"math"

	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

// Losses that somebody might try: those that train, and those that are refused.
func init() {
	Pairs.Add("tempered", Pair{Loss: tempered, Parameters: []Parameter{{Key: "pair-loss-heat", Help: "temperature of contexts", Default: 0.5, Min: 0.01, Max: 100}}})
	Pairs.Add("smoothed", Pair{Loss: smoothed, Parameters: []Parameter{{Key: "pair-loss-smoothing", Help: "share of wrong labels", Default: 0.1, Max: 1}}})
	for name, loss := range map[string]func(State, Values) (*G.Node, error){
		"nearby": nearby, "one-type": ofOneType, "confident": confident, "nan": notANumber, "constant": notAConstant, "shape": ofAnotherShape, "shapes": ofTwoShapes,
		"matrices": ofMatrices, "no-node": nothing, "steep": steepAtZero, "steps": inSteps, "falling": bottomless, "crowd": crowded,
	} {
		Pairs.Add(name, Pair{Loss: loss})
	}
	Regularizers.Add("hubs", Regularizer{Batch: hubEntropy})
	Regularizers.Add("scores", Regularizer{Batch: shortScores})
	Regularizers.Add("rows", Regularizer{Table: func(a Aspects, _ Values) (*G.Node, error) { return op.Cosines(a.Rows) }})
	Regularizers.Add("crowd", Regularizer{Table: func(a Aspects, _ Values) (*G.Node, error) { return G.Square(G.Must(op.Total(a.Rows))) }})
}

func tempered(s State, h Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: tempered")
	return SkipGram(G.Must(op.Scale(s.Pos, 1/h.Of("pair-loss-heat"))), s.Neg)
}

func smoothed(s State, h Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: smoothed")
	e := h.Of("pair-loss-smoothing")
	right := G.Must(op.Scale(G.Must(op.Softplus(G.Must(G.Neg(s.Pos)))), 1-e))
	wrong := G.Must(op.Scale(G.Must(op.Softplus(s.Pos)), e))
	return G.Add(G.Must(G.Add(right, wrong)), G.Must(op.SumAxis1(G.Must(op.Softplus(s.Neg)))))
}

func nearby(s State, _ Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: nearby")
	return op.ScaleRows(G.Must(SkipGram(s.Pos, s.Neg)), G.Must(G.Exp(G.Must(G.Neg(G.Must(G.Abs(s.Offset)))))))
}

// ofOneType leaves out pairs of two types.
func ofOneType(s State, _ Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: ofOneType")
	other := G.Must(op.Positive(G.Must(G.Abs(G.Must(G.Sub(s.Center.Type, s.Context.Type))))))
	return op.ScaleRows(G.Must(SkipGram(s.Pos, s.Neg)), G.Must(op.Shift(G.Must(G.Neg(other)), 1)))
}

// confident gives the more weight to a pair the surer its aspect is.
func confident(s State, _ Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: confident")
	return G.HadamardProd(G.Must(SkipGram(s.Pos, s.Neg)), s.Prob)
}

func notANumber(s State, _ Values) (*G.Node, error) {
	return G.Neg(G.Must(G.Log(s.Pos)))
}

func notAConstant(s State, _ Values) (*G.Node, error) { return op.Scale(s.Pos, math.NaN()) }

func ofAnotherShape(s State, _ Values) (*G.Node, error) {
	return op.Reshape(s.Pos, s.Pos.Shape().TotalSize())
}

func ofTwoShapes(s State, _ Values) (*G.Node, error) { return G.Add(s.Neg, s.Pos) }

func ofMatrices(s State, _ Values) (*G.Node, error) { return G.Mul(s.Pos, s.Pos) }

func nothing(State, Values) (*G.Node, error) { return nil, nil }

func steepAtZero(s State, _ Values) (*G.Node, error) {
	return G.Add(G.Must(G.Sqrt(G.Must(G.Rectify(s.Pos)))), G.Must(op.SumAxis1(s.Neg)))
}

func inSteps(s State, _ Values) (*G.Node, error) {
	return G.Add(G.Must(G.Ceil(s.Pos)), G.Must(op.SumAxis1(G.Must(G.Ceil(s.Neg)))))
}

func bottomless(s State, _ Values) (*G.Node, error) {
	return G.Add(G.Must(G.Neg(G.Must(G.Square(s.Pos)))), G.Must(op.SumAxis1(s.Neg)))
}

// crowded is of each pair what all pairs of the batch say.
func crowded(s State, _ Values) (loss *G.Node, err error) {
	defer op.Recover(&err, "losses: crowded")
	return G.HadamardProd(G.Must(SkipGram(s.Pos, s.Neg)), G.Must(op.Total(s.Pos)))
}

// hubEntropy is the mean entropy of the aspects of pairs, by the degree of the centre.
func hubEntropy(s State, _ Values) (penalty *G.Node, err error) {
	defer op.Recover(&err, "losses: hubEntropy")
	weight := G.Must(G.HadamardProd(s.Weight, G.Must(G.Log1p(s.Center.Degree))))
	return op.WeightedTotal(G.Must(op.Entropy(s.Prob)), weight)
}

// shortScores is the mean square of the scores.
func shortScores(s State, _ Values) (penalty *G.Node, err error) {
	defer op.Recover(&err, "losses: shortScores")
	pos := G.Must(op.WeightedTotal(G.Must(G.Square(s.Pos)), s.Weight))
	return G.Add(pos, G.Must(op.WeightedTotal(G.Must(op.SumAxis1(G.Must(G.Square(s.Neg)))), s.Weight)))
}
