// Package losses holds what is minimised: the loss of a pair, its mean over pairs and aspects, the penalty on aspects that
// are too much alike, and the cross-entropy of two classes. A loss is a pure function of graph nodes and owns nothing.
//
// Letters in shapes: B pairs (target, context), M negatives of a pair, K aspects, D embedding size, N vertices. Every
// loss takes float32 (to train) or float64 (to check gradients), the same for all its inputs. Losses are in nats.
//
// To change a loss, edit its function, and correct its golden value in the tests after computing it some other way. To add
// one, write a file with the function and, in an init function, its entry of the map (Pairs, Regularizers), with the hyperparameters that it reads, and one case
// to the tests, which fail for an entry without one.
package losses
