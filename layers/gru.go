package layers

import (
	"fmt"

	"github.com/asp2vec/asp2vec/internal/op"
	G "gorgonia.org/gorgonia"
)

// GRUWeights are the parameters of a gated recurrent unit: IH (3D,W), HH (3D,D), BiasIH and BiasHH (3D), with the rows of the
// reset gate, the update gate and the candidate in this order. ResetBefore has no BiasHH: it may be nil.
type GRUWeights struct{ IH, HH, BiasIH, BiasHH *G.Node }

// GRUCell is one step of a gated recurrent unit: input x (B,W), state h (B,D), weights w as in GRUWeights, all of one float type -> the
// next state (B,D), unitless. It returns an error if a node is missing, or the shapes or types disagree.
type GRUCell func(x, h *G.Node, w GRUWeights) (*G.Node, error)

// GRUCells are the variants of the unit, by name.
var GRUCells = map[string]GRUCell{
	"reset-after":  ResetAfter,
	"reset-before": ResetBefore,
}

// FindGRUCell returns the cell of that name; the error for an unknown name lists the known ones.
func FindGRUCell(name string) (GRUCell, error) {
	return op.Named("layers: cell", GRUCells, name)
}

// ResetAfter returns the next state of a unit whose reset gate is applied to the product with the state.
//
//	r = σ(W_r x + b_r + U_r h + c_r)    z = σ(W_z x + b_z + U_z h + c_z)
//	n = tanh(W_n x + b_n + r∘(U_n h + c_n))
//	h' = (1-z)∘n + z∘h
//
// x (B,W), h (B,D), and weights as in GRUWeights, where W, U, b and c are parts of IH, HH, BiasIH and BiasHH -> (B,D), in [-1,1] if h
// is. It returns an error if a node is missing, or the shapes or types disagree.
//
// Source: PyTorch, nn.GRU. Differs: none known.
func ResetAfter(x, h *G.Node, w GRUWeights) (next *G.Node, err error) {
	if err := checkGRU("ResetAfter", x, h, w); err != nil {
		return nil, err
	}
	d := h.Shape()[1]
	if w.BiasHH == nil || w.BiasHH.Dims() != 1 || w.BiasHH.Shape()[0] != 3*d {
		return nil, fmt.Errorf("layers: ResetAfter: bias_hh %v: want (%d)", shapeOf(w.BiasHH), 3*d)
	}
	defer op.Recover(&err, "layers: ResetAfter")
	in := G.Must(op.Linear(x, w.IH, w.BiasIH))     // (B,3D)
	hidden := G.Must(op.Linear(h, w.HH, w.BiasHH)) // (B,3D)
	gates := G.Must(op.Sigmoid(G.Must(G.Add(G.Must(op.Columns(in, 0, 2*d)), G.Must(op.Columns(hidden, 0, 2*d))))))
	reset, update := G.Must(op.Columns(gates, 0, d)), G.Must(op.Columns(gates, d, 2*d))
	kept := G.Must(G.HadamardProd(reset, G.Must(op.Columns(hidden, 2*d, 3*d))))
	candidate := G.Must(op.Tanh(G.Must(G.Add(G.Must(op.Columns(in, 2*d, 3*d)), kept))))
	return mix(candidate, h, update), nil
}

// ResetBefore returns the next state of a unit whose reset gate is applied to the state before the product.
//
//	r = σ(W_r x + U_r h + b_r)    z = σ(W_z x + U_z h + b_z)
//	n = tanh(W_n x + U_n (r∘h) + b_n)
//	h' = (1-z)∘n + z∘h
//
// Inputs, result and errors as for ResetAfter, without BiasHH.
//
// Source: Cho et al., EMNLP 2014, arXiv:1406.1078, Eqs. (5) to (8); TensorFlow 1, GRUCell. Differs: TensorFlow's products with x
// and h are one, whose matrix is transposed.
func ResetBefore(x, h *G.Node, w GRUWeights) (next *G.Node, err error) {
	if err := checkGRU("ResetBefore", x, h, w); err != nil {
		return nil, err
	}
	defer op.Recover(&err, "layers: ResetBefore")
	d := h.Shape()[1]
	in := G.Must(op.Linear(x, w.IH, w.BiasIH))                        // (B,3D)
	gates := G.Must(op.Linear(h, G.Must(op.Rows(w.HH, 0, 2*d)), nil)) // (B,2D)
	gates = G.Must(op.Sigmoid(G.Must(G.Add(G.Must(op.Columns(in, 0, 2*d)), gates))))
	reset, update := G.Must(op.Columns(gates, 0, d)), G.Must(op.Columns(gates, d, 2*d))
	kept := G.Must(op.Linear(G.Must(G.HadamardProd(reset, h)), G.Must(op.Rows(w.HH, 2*d, 3*d)), nil))
	candidate := G.Must(op.Tanh(G.Must(G.Add(G.Must(op.Columns(in, 2*d, 3*d)), kept))))
	return mix(candidate, h, update), nil
}

// mix returns (1-z)∘n + z∘h as n + z∘(h-n).
func mix(n, h, z *G.Node) *G.Node {
	return G.Must(G.Add(n, G.Must(G.HadamardProd(z, G.Must(G.Sub(h, n))))))
}

func checkGRU(name string, x, h *G.Node, w GRUWeights) error {
	for _, n := range []*G.Node{x, h, w.IH, w.HH, w.BiasIH} {
		if n == nil {
			return fmt.Errorf("layers: %s: x %v, h %v, weights %v, %v, %v: want all", name, shapeOf(x), shapeOf(h), shapeOf(w.IH), shapeOf(w.HH), shapeOf(w.BiasIH))
		}
	}
	xs, hs, is, us, bs := x.Shape(), h.Shape(), w.IH.Shape(), w.HH.Shape(), w.BiasIH.Shape()
	if xs.Dims() != 2 || hs.Dims() != 2 || hs[0] != xs[0] || is.Dims() != 2 || is[0] != 3*hs[1] || is[1] != xs[1] ||
		us.Dims() != 2 || us[0] != 3*hs[1] || us[1] != hs[1] || bs.Dims() != 1 || bs[0] != 3*hs[1] {
		return fmt.Errorf("layers: %s: x %v, h %v, weight_ih %v, weight_hh %v, bias_ih %v: want (B,W), (B,D), (3D,W), (3D,D) and (3D)",
			name, xs, hs, is, us, bs)
	}
	return nil
}

// GRU returns the states (B,D) after each of T steps xs (B,W), from a state of zeros; each is in [-1,1]. Sequences shorter than T go
// on over whatever is there; what follows their end is for the caller to leave out, as MeanSteps does.
//
// It returns an error if there is no step, a weight is missing, or the shapes or types disagree.
func GRU(cell GRUCell, xs []*G.Node, w GRUWeights) (states []*G.Node, err error) {
	if len(xs) == 0 || xs[0] == nil || w.HH == nil || w.HH.Dims() != 2 {
		return nil, fmt.Errorf("layers: GRU: %d steps, weight_hh %v: want at least 1 and (3D,D)", len(xs), shapeOf(w.HH))
	}
	h, err := op.ZeroRows(xs[0], w.HH.Shape()[1])
	if err != nil {
		return nil, fmt.Errorf("layers: GRU: %w", err)
	}
	for _, x := range xs {
		if h, err = cell(x, h, w); err != nil {
			return nil, err
		}
		states = append(states, h)
	}
	return states, nil
}

// MeanSteps returns the vectors of sequences: the mean of their states.
//
//	out[b] = Σ_t weight[b,t] states[t][b]
//
// T states (B,D); weight (B,T) is 1 / length of the sequence for its own steps and 0 after its end -> (B,D), unitless. A state of
// weight 0 is not read, and a sequence of length 0 has a vector of zeros. It returns an error if the shapes or types disagree.
//
// Source: Zhang et al., WWW 2018 (Camel), section 3.1. Differs: none known.
func MeanSteps(states []*G.Node, weight *G.Node) (*G.Node, error) {
	out, err := op.WeightedSteps(weight, states...)
	if err != nil {
		return nil, fmt.Errorf("layers: MeanSteps: %w", err)
	}
	return out, nil
}
