package hetnet

// Words are the vectors of a vocabulary, which models read and do not change.
type Words struct {
	Dim     int
	Vectors []float32 // (V,Dim); a word that no training paper has is all zeros
}
