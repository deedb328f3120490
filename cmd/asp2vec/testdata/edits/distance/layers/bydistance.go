package layers

import (
	"github.com/asp2vec/asp2vec/layers/op"
	G "gorgonia.org/gorgonia"
)

func init() {
	Readouts.Add("distance", Readout{Read: byDistance, Parameters: []Parameter{{Key: "readout-decay", Help: "decay of a context's weight by step", Default: 0.5, Max: 10}}})
}

// byDistance is the mean readout, in which a context counts the less the farther it is from the centre:
//
//	out[w,k] = Σ_c weight[w,c]·exp(-decay·|offset[w,c]|)·rows[w*C+c,k]
func byDistance(c Contexts, h Values) (summary *G.Node, err error) {
	defer op.Recover(&err, "layers: byDistance")
	distance := G.Must(G.Abs(c.Offset))                                       // (W,C)
	near := G.Must(G.Exp(G.Must(op.Scale(distance, -h.Of("readout-decay"))))) // (W,C)
	return op.BagMean(c.Rows, G.Must(G.HadamardProd(c.Weight, near)))         // (W,K,D)
}
