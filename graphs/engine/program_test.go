package engine

import (
	"runtime"
	"testing"
	"weak"

	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// The first collection after a program's last use frees its graph: runs one after the other need the memory of one.
func TestProgramIsFreedAtOnce(t *testing.T) {
	g := G.NewGraph()
	x := FloatNode(g, tensor.Float32, "x", []float32{1, 2, 3}, 3)
	p := call.Of(Compile(G.Must(G.Sum(G.Must(G.Square(x)))), nil, x))(t)
	if loss, err := p.Run(); err != nil || loss != 14 {
		t.Fatal(loss, err)
	}
	graph := weak.Make(g)
	runtime.KeepAlive(p)
	runtime.GC()
	if graph.Value() != nil {
		t.Error("the graph is still there")
	}
}
