package hetnet

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet/encode"
	"gonum.org/v1/gonum/mat"
	G "gorgonia.org/gorgonia"
	"gorgonia.org/tensor"
)

// axisTexts is how many texts principal axes are of, at most.
const axisTexts = 1 << 16

// directions returns x (B,W) of texts with some weights of words.
func (m *prototype) directions(ctx context.Context, texts []encode.Counted, weights *graphs.Table, threads int) ([]float32, error) {
	length, w := 1, m.words.Dim
	for _, t := range texts {
		length = max(length, len(t.Words))
	}
	chunk := newWordCounts(encode.TextsAtOnce, length)
	g := G.NewGraph()
	out, err := textDirections(chunk.nodes(g, tensor.Float32), weights.Node(g, tensor.Float32), graphs.FloatNode(g, tensor.Float32, "word vectors", m.words.Vectors, len(weights.X), w), threads)
	if err != nil {
		return nil, err
	}
	value, err := graphs.NewEvaluator(out)
	if err != nil {
		return nil, err
	}
	x := make([]float32, 0, len(texts)*w)
	for part := range slices.Chunk(texts, encode.TextsAtOnce) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for i := range encode.TextsAtOnce {
			if i < len(part) {
				chunk.fill(i, part[i])
			} else {
				chunk.fill(i, encode.Counted{})
			}
		}
		y, err := value.Run()
		if err != nil {
			return nil, err
		}
		x = append(x, y[:len(part)*w]...)
	}
	return x, nil
}

// mapped sets dst (B,D) to the function mapped of x (B,W).
func (m *prototype) mapped(dst, x []float32) error {
	w, d := m.words.Dim, m.o.Dim
	chunk := make([]float32, encode.TextsAtOnce*w)
	g := G.NewGraph()
	out, err := mapped(graphs.FloatNode(g, tensor.Float32, "vectors", chunk, encode.TextsAtOnce, w), m.matrix.Node(g, tensor.Float32))
	if err != nil {
		return err
	}
	value, err := graphs.NewEvaluator(out)
	if err != nil {
		return err
	}
	return encode.InChunks(chunk, x, w, func(lo, hi int) error {
		y, err := value.Run()
		if err == nil {
			copy(dst[lo*d:hi*d], y)
		}
		return err
	})
}

// principalAxes sets the rows of a matrix (D,W) to the axes along which vectors x (B,W) extend most, from the origin, the longest first; each points
// to where its largest number is positive. Of many vectors, it takes some that are evenly spaced.
func principalAxes(matrix *graphs.Table, x []float32) error {
	w := matrix.Width()
	n := len(x) / w
	every := (n + axisTexts - 1) / axisTexts
	products := mat.NewSymDense(w, nil)
	row := make([]float64, w)
	for i := 0; i < n; i += every {
		for j := range row {
			row[j] = float64(x[i*w+j])
		}
		products.SymRankOne(products, 1, mat.NewVecDense(w, row))
	}
	var eigen mat.EigenSym
	if extent := mat.Trace(products); math.IsNaN(extent) || math.IsInf(extent, 0) || !eigen.Factorize(products, true) {
		return fmt.Errorf("hetnet: the principal axes of %d texts cannot be computed: expected word vectors of finite numbers", n)
	}
	var axes mat.Dense
	eigen.VectorsTo(&axes) // columns, the shortest first
	for d := range matrix.Rows {
		largest := 0.
		for j := range row {
			row[j] = axes.At(j, w-1-d)
			if math.Abs(row[j]) > math.Abs(largest) {
				largest = row[j]
			}
		}
		for j, v := range row {
			matrix.Row(d)[j] = float32(math.Copysign(1, largest) * v)
		}
	}
	return nil
}
