package hetnet

// Input is what a model learns from.
type Input struct {
	Bibliography *Bibliography
	Words        *Words // of its vocabulary
}
