package graphs

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
	"gonum.org/v1/gonum/mat"
)

// sparse is a matrix (N,N) by rows, of whose numbers most are 0.
type sparse struct {
	offsets []int
	columns []int32 // increasing within a row
	values  []float64
}

// undirectedWeights returns the symmetric matrix of a network's links between two vertices, in units of their mean weight, so that no method on
// it depends on the unit of weights. Of two links of a pair in a directed network the heavier one counts.
func undirectedWeights(net *network.Network) (*sparse, error) {
	type entry struct {
		row, column int32
		weight      float64
	}
	var all []entry
	for v := range int32(net.Vertices()) {
		weights := net.OutWeights(v)
		for i, u := range net.Out(v) {
			w := 1.
			if weights != nil {
				w = float64(weights[i])
			}
			if u != v {
				all = append(all, entry{v, u, w})
			}
			if u != v && net.Directed() {
				all = append(all, entry{u, v, w})
			}
		}
	}
	if all == nil {
		return nil, fmt.Errorf("graphs: %d vertices without a link between two: expected at least one", net.Vertices())
	}
	slices.SortFunc(all, func(a, b entry) int { // the heavier first
		if c := int(a.row) - int(b.row); c != 0 {
			return c
		}
		if c := int(a.column) - int(b.column); c != 0 {
			return c
		}
		return int(math.Copysign(1, b.weight-a.weight))
	})
	all = slices.CompactFunc(all, func(a, b entry) bool { return a.row == b.row && a.column == b.column })
	m := &sparse{offsets: make([]int, net.Vertices()+1)}
	var sum float64
	for _, e := range all {
		m.offsets[e.row+1]++
		sum += e.weight
	}
	for v := range net.Vertices() {
		m.offsets[v+1] += m.offsets[v]
	}
	for _, e := range all {
		m.columns, m.values = append(m.columns, e.column), append(m.values, e.weight*float64(len(all))/sum)
	}
	return m, nil
}

func (m *sparse) rows() int { return len(m.offsets) - 1 }

// row returns the columns and the numbers of a row.
func (m *sparse) row(v int) ([]int32, []float64) {
	return m.columns[m.offsets[v]:m.offsets[v+1]], m.values[m.offsets[v]:m.offsets[v+1]]
}

// sums returns the sum of each row.
func (m *sparse) sums() []float64 {
	sums := make([]float64, m.rows())
	for v := range sums {
		_, values := m.row(v)
		for _, x := range values {
			sums[v] += x
		}
	}
	return sums
}

// with returns a matrix with numbers in the same places, which f makes of their places and of what is there.
func (m *sparse) with(f func(row, column int, x float64) float64) *sparse {
	other := &sparse{m.offsets, m.columns, make([]float64, len(m.values))}
	for v := range m.rows() {
		for i := m.offsets[v]; i < m.offsets[v+1]; i++ {
			other.values[i] = f(v, int(m.columns[i]), m.values[i])
		}
	}
	return other
}

// times returns m X, for X (N,k).
func (m *sparse) times(x []float64, k, threads int) []float64 {
	return byRow(m.rows(), k, threads, func(v int, to []float64) {
		columns, values := m.row(v)
		for i, u := range columns {
			addScaled(to, x[int(u)*k:][:k], values[i])
		}
	})
}

// addScaled adds c x to to, of the same length.
func addScaled(to, x []float64, c float64) {
	for i, a := range x {
		to[i] += c * a
	}
}

// rowsOfBlock is how many rows a worker takes at a time. Sums over rows are of each block and then over blocks, so that it is part of their
// rounding, and the number of threads is not.
const rowsOfBlock = 256

// byRow returns a matrix (n,k) each row of which set fills, on several threads.
func byRow(n, k, threads int, set func(v int, row []float64)) []float64 {
	out := make([]float64, n*k)
	par.Blocks(max(threads, 1), (n+rowsOfBlock-1)/rowsOfBlock, func(_, block int) {
		for v := block * rowsOfBlock; v < min((block+1)*rowsOfBlock, n); v++ {
			set(v, out[v*k:][:k])
		}
	})
	return out
}

// rightTimes returns X W, for X (n,k) and W (k,j).
func rightTimes(x []float64, n, k int, w []float64, j, threads int) []float64 {
	return byRow(n, j, threads, func(v int, to []float64) {
		for i, a := range x[v*k:][:k] {
			addScaled(to, w[i*j:][:j], a)
		}
	})
}

// gram returns XᵀX (k,k), for X (n,k).
func gram(x []float64, n, k, threads int) []float64 {
	blocks := (n + rowsOfBlock - 1) / rowsOfBlock
	parts := make([][]float64, blocks)
	par.Blocks(max(threads, 1), blocks, func(_, block int) {
		part := make([]float64, k*k)
		for v := block * rowsOfBlock; v < min((block+1)*rowsOfBlock, n); v++ {
			row := x[v*k:][:k]
			for i, a := range row {
				addScaled(part[i*k:][:k], row, a)
			}
		}
		parts[block] = part
	})
	sum := make([]float64, k*k)
	for _, part := range parts {
		addScaled(sum, part, 1)
	}
	return sum
}

// principal returns the eigenvalues of XᵀX, the largest first and none below 0, and its eigenvectors in the columns of a matrix (k,k): the
// squares of the singular values of X (n,k), and its right singular vectors.
func principal(x []float64, n, k, threads int) (values, vectors []float64, err error) {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(k, gram(x, n, k, threads)), true) {
		return nil, nil, fmt.Errorf("graphs: no singular values of a matrix (%d,%d): expected finite numbers", n, k)
	}
	values = e.Values(nil)
	slices.Reverse(values)
	for i, x := range values {
		values[i] = max(x, 0)
	}
	var columns mat.Dense
	e.VectorsTo(&columns)
	vectors = make([]float64, k*k)
	for i := range k {
		for j := range k {
			vectors[i*k+j] = columns.At(i, k-1-j)
		}
	}
	return values, vectors, nil
}

// negligible is the share of the largest eigenvalue below which another one is rounding.
const negligible = 1e-14

// scaledColumns multiplies column j of vectors (k,k) by values[j] to a power; those of negligible values become 0.
func scaledColumns(vectors, values []float64, power float64) []float64 {
	k := len(values)
	scaled := make([]float64, len(vectors))
	for i, x := range vectors {
		if value := values[i%k]; value > negligible*values[0] {
			scaled[i] = x * math.Pow(value, power)
		}
	}
	return scaled
}

// orthonormal returns X (n,k) with orthonormal columns that span the same; where they are fewer, columns of 0. It is done twice, for the
// rounding of the first time.
func orthonormal(x []float64, n, k, threads int) ([]float64, error) {
	for range 2 {
		values, vectors, err := principal(x, n, k, threads)
		if err != nil {
			return nil, err
		}
		x = rightTimes(x, n, k, scaledColumns(vectors, values, -0.5), k, threads)
	}
	return x, nil
}

// factorized is a matrix that a truncatedSVD is of: what it makes of a matrix (columns,k), and its transpose of one (rows,k).
type factorized struct {
	rows, columns     int
	times, transposed func(x []float64, k int) []float64
}

// oversampling is how many dimensions the subspaces of a truncatedSVD have more than are asked for, as in scikit-learn.
const oversampling = 10

// truncatedSVD returns U √S (rows,rank) of the largest singular values S of a matrix and its left singular vectors U, by iterations over a random
// subspace of rank+10 dimensions: so many of them, or fewer where an iteration changes no square of a singular value by more than tolerance
// times the largest. rank is 1 to the smaller of rows and columns. It returns an error for numbers that are not finite, and ctx's.
//
// Source: Halko, Martinsson, Tropp, SIAM Review 53(2), 2011, algorithms 4.4 and 5.1.
func truncatedSVD(ctx context.Context, m factorized, rank, iterations int, tolerance float64, seed uint64, threads int) ([]float64, error) {
	n, k := m.columns, min(rank+oversampling, m.rows, m.columns)
	draws := rng.NewKey(seed, "factor")
	x := byRow(n, k, threads, func(v int, row []float64) {
		s := draws.Stream(uint64(v))
		for i := range row {
			row[i] = s.Normal()
		}
	})
	last := make([]float64, k)
	for i := 0; ; i++ {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		q, err := orthonormal(m.times(x, k), m.rows, k, threads)
		if err != nil {
			return nil, err
		}
		x = m.transposed(q, k)
		values, vectors, err := principal(x, n, k, threads)
		if err != nil {
			return nil, err
		}
		change := 0.
		for j := range rank {
			change = max(change, math.Abs(values[j]-last[j]))
		}
		if i == iterations || change <= tolerance*values[0] {
			u := rightTimes(q, m.rows, k, scaledColumns(vectors, values, 0.25), k, threads) // values are squares
			return columns(u, m.rows, k, rank), nil
		}
		last = values
		x = rightTimes(x, n, k, scaledColumns(vectors, values, -0.5), k, threads)
	}
}

// columns returns the first columns of X (n,k), and columns of 0 after its own.
func columns(x []float64, n, k, first int) []float64 {
	out := make([]float64, n*first)
	for v := range n {
		copy(out[v*first:][:first], x[v*k:][:k])
	}
	return out
}

// oneEach is the embedding of vectors (N,k) of at most D dimensions, one for each vertex; further dimensions are 0.
func oneEach(x []float64, n, k, dim int) Embedding {
	turn(x, n, k)
	return Embedding{D: dim, Final: wide(x, n, k, dim)}
}

// twoSides is the embedding of vectors (N,k) of vertices as sources and as targets, and of their means.
func twoSides(source, target []float64, n, k, dim int) Embedding {
	turn(source, n, k, target)
	means := make([]float64, len(source))
	for i := range means {
		means[i] = (source[i] + target[i]) / 2
	}
	return Embedding{D: dim, Final: wide(means, n, k, dim), Center: wide(source, n, k, dim), Vectors: wide(target, n, k, dim), First: each(n, 1)}
}

// turn gives each dimension of vectors (N,k), whose sign is free, that with which its largest number is positive, and those of others with it.
func turn(x []float64, n, k int, others ...[]float64) {
	for i := range k {
		var largest float64
		for v := range n {
			if a := x[v*k+i]; math.Abs(a) > math.Abs(largest) {
				largest = a
			}
		}
		for v := range n {
			for _, y := range append(others, x) {
				y[v*k+i] = math.Copysign(1, largest) * y[v*k+i]
			}
		}
	}
}

// wide returns vectors (N,k) in float32 with as many dimensions as are asked for.
func wide(x []float64, n, k, dim int) []float32 {
	out := make([]float32, n*dim)
	for i, a := range columns(x, n, k, dim) {
		out[i] = float32(a)
	}
	return out
}
