package golden

import (
	_ "embed"
	"encoding/json"
	"maps"
)

//go:embed entries.json
var entriesFile []byte

// Entries are values, on the worked example, of the entries of registries that it does not have; entries.py writes them.
type Entries struct {
	Cases    map[string]Case `json:"cases"` // of selections, as those of Asp2vec
	Entmax15 struct {        // with zeros among the probabilities
		Logits [][]float64 `json:"logits"`
		Prob   [][]float64 `json:"prob"`
	} `json:"entmax15"`
	Pairs map[string]struct {
		Value float64     `json:"value"` // of its hyperparameter
		Two   [][]float64 `json:"two"`   // (pairs,K)
		One   []float64   `json:"one"`   // under the first aspect alone
	} `json:"pairs"`
	Readouts     map[string][][][]float64 `json:"readouts"` // (K,D) of each pair
	Regularizers struct {
		Cosine2 struct {
			Value float64       `json:"value"`
			GradQ [][][]float64 `json:"grad_Q"` // (K,N,D)
		} `json:"cosine2"`
		Entropy struct { // of the probabilities of the case gumbel_pair
			Value    float64     `json:"value"`
			GradProb [][]float64 `json:"grad_prob"`
		} `json:"entropy"`
	} `json:"regularizers"`
}

// LoadEntries reads the file. It returns an error if the file is no valid JSON.
func LoadEntries() (*Entries, error) {
	e := new(Entries)
	return e, json.Unmarshal(entriesFile, e)
}

// LoadAll is Load with the cases of LoadEntries beside its own. It returns the errors of both.
func LoadAll() (*Asp2vec, *Entries, error) {
	g, err := Load()
	if err != nil {
		return nil, nil, err
	}
	e, err := LoadEntries()
	if err != nil {
		return nil, nil, err
	}
	maps.Copy(g.Cases, e.Cases)
	return g, e, nil
}
