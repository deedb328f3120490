package results

// Words says what the vectors of words were like that a run on papers read.
type Words struct {
	Epochs        int              `json:"epochs,omitempty"` // passes over the texts; 0 for vectors that were read from a file
	Counted       int              `json:"counted"`          // words with five occurrences or more in training texts: those that what follows is of
	Dim           int              `json:"dim"`
	MeanCosine    float64          `json:"mean_cosine"`    // of two different words
	EffectiveRank float64          `json:"effective_rank"` // 1 where all words point the same way, Dim where no direction is preferred
	Collapsed     bool             `json:"collapsed"`      // the vectors hardly tell words apart
	Neighbours    []WordNeighbours `json:"neighbours,omitempty"`
}

// WordNeighbours are the words that are nearest to one by cosine, the nearest first.
type WordNeighbours struct {
	Word string   `json:"word"`
	Near []string `json:"near"`
}
