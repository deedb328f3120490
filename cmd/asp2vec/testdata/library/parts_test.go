package main

import (
	"testing"

	"github.com/asp2vec/asp2vec/layers/op/gradcheck"
	G "gorgonia.org/gorgonia"
)

func TestShares(t *testing.T) {
	build := func(_ *G.ExprGraph, in []*G.Node) (*G.Node, error) { return shares(in[0]) }
	x := []gradcheck.Input{{Name: "x", Shape: []int{2, 3}, Floats: []float64{1, -2, 0.5, 0, 3, 0.1}, Diff: true}}
	if err := gradcheck.Check(build, x); err != nil {
		t.Error(err)
	}
}
