//go:build !paper

package golden

const paper = false
