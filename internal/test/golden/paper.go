//go:build paper

package golden

const paper = true
