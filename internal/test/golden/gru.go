package golden

import (
	_ "embed"
	"encoding/json"
)

//go:embed gru.json
var gruFile []byte

// GRU holds worked examples of recurrent encoders, computed in float64 by PyTorch's nn.GRU and printed to nine digits: compare
// to 1e-7, or 1e-5 in float32. Each has a loss, the sum of its result times LossWeights, and the gradients of that.
type GRU struct {
	Origin  string
	Full    GRUCase    `json:"case_full"`            // all texts of 4 steps
	Packed  GRUCase    `json:"case_packed_in2_hid3"` // 4 and 2 steps
	Context GRUContext `json:"case_tapem_context"`
}

// GRUCase is a GRU over sequences, of which the mean of the hidden states is taken. Rows of weights are those of the reset
// gate, the update gate and the candidate.
type GRUCase struct {
	In          int           `json:"input_size"`
	Dim         int           `json:"hidden_size"`
	Lengths     []int         `json:"lengths"`
	WeightIH    [][]float64   `json:"weight_ih"`
	WeightHH    [][]float64   `json:"weight_hh"`
	BiasIH      []float64     `json:"bias_ih"`
	BiasHH      []float64     `json:"bias_hh"`
	X           [][][]float64 `json:"x"`       // (B,T,In)
	Outputs     [][][]float64 `json:"outputs"` // (B,T,Dim), 0 after the end
	Mean        [][]float64   `json:"mean_pooled"`
	LossWeights [][]float64   `json:"loss_weights"`
	Loss        float64       `json:"loss"`

	GradWeightIH [][]float64   `json:"grad_weight_ih"`
	GradWeightHH [][]float64   `json:"grad_weight_hh"`
	GradBiasIH   []float64     `json:"grad_bias_ih"`
	GradBiasHH   []float64     `json:"grad_bias_hh"`
	GradX        [][][]float64 `json:"grad_x"`
}

// GRUContext is TaPEm's encoder of a path: o, the outputs of a GRU in both directions; q = o P^T + p; attention α = softmax over
// steps of <k,q> + b; and the vector Σ α q W.
type GRUContext struct {
	In             int           `json:"input_size"`
	Dim            int           `json:"hidden_size"`
	Weights        GRUDirections `json:"gru"`
	ProjWeight     [][]float64   `json:"proj_weight"`
	ProjBias       []float64     `json:"proj_bias"`
	AttentionK     [][]float64   `json:"att_k_weight"`
	AttentionBias  []float64     `json:"att_k_bias"`
	AttentionW     [][]float64   `json:"att_W"`
	X              [][][]float64 `json:"x"` // (B,T,In)
	Outputs        [][][]float64 `json:"gru_outputs"`
	Attention      [][]float64   `json:"attention"`
	Vector         [][]float64   `json:"context_vector"`
	LossWeights    [][]float64   `json:"loss_weights"`
	Loss           float64       `json:"loss"`
	GradWeights    GRUDirections `json:"grad_gru"`
	GradProjWeight [][]float64   `json:"grad_proj_weight"`
	GradAttentionK [][]float64   `json:"grad_att_k_weight"`
	GradAttentionW [][]float64   `json:"grad_att_W"`
	GradX          [][][]float64 `json:"grad_x"`
}

// GRUDirections are the weights of a GRU in both directions, or their gradients.
type GRUDirections struct {
	WeightIH        [][]float64 `json:"weight_ih_l0"`
	WeightHH        [][]float64 `json:"weight_hh_l0"`
	BiasIH          []float64   `json:"bias_ih_l0"`
	BiasHH          []float64   `json:"bias_hh_l0"`
	ReverseWeightIH [][]float64 `json:"weight_ih_l0_reverse"`
	ReverseWeightHH [][]float64 `json:"weight_hh_l0_reverse"`
	ReverseBiasIH   []float64   `json:"bias_ih_l0_reverse"`
	ReverseBiasHH   []float64   `json:"bias_hh_l0_reverse"`
}

// LoadGRU reads the file. It returns an error if the file is no valid JSON.
func LoadGRU() (*GRU, error) {
	g := new(GRU)
	return g, json.Unmarshal(gruFile, g)
}
