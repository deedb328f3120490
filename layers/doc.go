// Package layers holds the pieces that a model's graph is put together from: looking up embeddings, summing up a context
// window, scoring, choosing an aspect, and graph convolution. A layer is a pure function of graph nodes and owns nothing;
// parameters live in the models (package graphs), and random numbers come in as inputs, so that a step can be replayed.
//
// Letters in shapes: W windows, C context slots of a window, B = W*C pairs (target, context), M negatives of a pair,
// R rows (any multiple of W), K aspects, D embedding size, N vertices. Pair b belongs to window b/C and slot b%C; slots
// that a short window leaves empty are padding, and carry weight 0. Every layer takes float32 (to train) or float64 (to
// check gradients), the same for all its inputs.
//
// To add a variant of a layer that has a map of choices, write the function, add one entry to the map, and one case to
// the tests, which fail for an entry without one.
package layers
