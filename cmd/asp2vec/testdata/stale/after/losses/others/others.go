// Package others has a number of a loss.
package others

// Scale is what scores are multiplied by.
const Scale = 2
