// Package golden holds values of the asp2vec model computed by independent means, for tests.
package golden

import (
	_ "embed"
	"encoding/json"
	"testing"
)

//go:embed asp2vec.json
var file []byte

// Asp2vec is the worked example: 6 vertices, 2 aspects of 2 dimensions, two windows (0; 1,2,1) and (3; 0,2), tau 0.5. Its
// numbers are float64 printed to nine digits: compare to 1e-7, or 1e-5 in float32. Origin, in the file, says where they are from.
type Asp2vec struct {
	Origin string
	N      int           `json:"n"`
	D      int           `json:"d"`
	K      int           `json:"K"`
	P      [][]float64   `json:"P"` // (N,D)
	Q      [][][]float64 `json:"Q"` // (K,N,D): aspect by aspect, as the authors' code stores it

	Windows []struct {
		Center  int32   `json:"center"`
		Context []int32 `json:"context"`
	} `json:"windows"`
	Pairs       [][2]int32  `json:"pairs"`                   // in the order of the corpus
	Negatives   [][]int32   `json:"negatives"`               // of each pair
	PairNoise   [][]float64 `json:"gumbel_noise_per_pair"`   // of each pair
	WindowNoise [][]float64 `json:"gumbel_noise_per_window"` // of each window
	Tau         float64     `json:"tau"`
	Lambda      float64     `json:"lambda"`
	Epsilon     float64     `json:"epsilon"`

	Readout [][][]float64 `json:"readout"` // (K,D) of each pair

	Cases    map[string]Case `json:"cases"`
	DeepWalk struct {
		Loss    float64     `json:"loss"`
		PerPair []float64   `json:"per_pair"`
		GradP   [][]float64 `json:"grad_P"`
		GradC   [][]float64 `json:"grad_C"`
	} `json:"deepwalk_warmup"` // its context table is Q[0]
	Regularizer Regularizer `json:"regularizer"`
	Adam        struct {
		Rate  float64    `json:"lr"`
		Steps []AdamStep `json:"steps"`
	} `json:"adam_two_steps"`
	Final struct {
		CodeHalf [][]float64 `json:"code_half"`
	} `json:"final_embedding"`
	Walk struct {
		Walk    []int32 `json:"walk"`
		Size    int     `json:"window_size"`
		Windows []struct {
			Center  int32   `json:"center"`
			Context []int32 `json:"context"`
		} `json:"windows_in_walk_order"`
		Pairs [][2]int32 `json:"pairs_in_corpus_order"`
		Bags  [][]int32  `json:"readout_bags"`
	} `json:"windows_from_walk"`
}

// Case is one variant of the loss.
type Case struct {
	Logits  [][]float64   `json:"logits"`           // (pairs,K), before noise and temperature
	Prob    [][]float64   `json:"aspect_prob"`      // (pairs,K)
	PerPair [][]float64   `json:"ell_pos_plus_neg"` // (pairs,K): the skip-gram loss under each aspect
	Loss    float64       `json:"sg_loss"`          // mean over pairs and aspects
	Total   float64       `json:"total_loss"`
	GradP   [][]float64   `json:"grad_P"`
	GradQ   [][][]float64 `json:"grad_Q"` // (K,N,D)
}

// Regularizer has a table of its own, and the penalty of it, the sum over vertices before the weight λ.
type Regularizer struct {
	K     int           `json:"K"`
	N     int           `json:"n"`
	D     int           `json:"d"`
	Q     [][][]float64 `json:"Q"` // (K,N,D)
	Cases []struct {
		Epsilon    float64       `json:"epsilon"`
		Comparison string        `json:"comparison"` // of a cosine with epsilon: ">", or ">=" of another variant
		Value      float64       `json:"value"`
		GradQ      [][][]float64 `json:"grad_Q"` // (K,N,D)
	} `json:"cases"`
}

// AdamStep is one of two steps of dense Adam on the loss gumbel_pair_plus_reg, each on some of the five pairs.
type AdamStep struct {
	Pairs  []int         `json:"batch_pairs"`
	Loss   float64       `json:"loss"`
	PAfter [][]float64   `json:"P_after"`
	QAfter [][][]float64 `json:"Q_after"`
}

// StillPaper skips a test that compares with the paper's formulas, but in a program built with the tag paper: who edits a loss or a layer is not to
// be told so by thirty tests.
func StillPaper(t testing.TB) {
	t.Helper()
	if !paper {
		t.Skip("compares with the paper's formulas: go test -tags paper")
	}
}

// Load reads the file. It returns an error if the file is no valid JSON.
func Load() (*Asp2vec, error) {
	g := new(Asp2vec)
	return g, json.Unmarshal(file, g)
}

// VertexMajor returns a (K,N,D) table as (N,K,D), flat.
func VertexMajor[T float32 | float64](q [][][]float64) []T {
	var flat []T
	for v := range q[0] {
		for _, aspect := range q {
			for _, x := range aspect[v] {
				flat = append(flat, T(x))
			}
		}
	}
	return flat
}

// Flat returns a matrix row by row.
func Flat[T float32 | float64](m [][]float64) []T { return VertexMajor[T]([][][]float64{m}) }
