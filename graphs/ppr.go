package graphs

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/kernel"
	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"gonum.org/v1/gonum/mat"
)

func pprMethod() *Method {
	return &Method{
		Name: "ppr", Title: "PPR", Weights: true, Sides: true,
		Source: "Yin and Wei, KDD 2019 (Scalable Graph Embeddings via Sparse Transpose Proximities, STRAP), of factors of the logarithms of personalised PageRank; " +
			"Nakatsukasa, arXiv 2009.11392, of factors by some of the columns and rows",
		Differs: "PageRank is divided by its mean over sources before the logarithm, so that vectors say nothing of degrees; " +
			"the floor of the logarithm is lower; all pairs of a vertex and a landmark count, where the paper has the largest of each vertex",
		Scorings:  []string{"two-sided", ScoringLR},
		Own:       option.Defaults[PageRankOptions](),
		Formula:   "n·dim",
		Published: func(n int64, o Options) int64 { return n * int64(o.Dim) },
		Sets:      Sets{"always": {"dim": 100}},
		Bytes: func(vertices, links int, o Options) float64 { // tables of landmarks, what their factorisation holds, and walks
			n := float64(vertices)
			return 4*2*n*float64(landmarkCount(o, vertices)) + 8*9*n*float64(o.Dim+oversampling) + 2*4*pprBlock*n + 32*float64(links)
		},
		Embed: ppr,
	}
}

// PageRankOptions are ppr's own.
type PageRankOptions struct {
	Restart   float64 `json:"ppr-restart" default:"0.15" range:"(0,1)" group:"Model" help:"probability that a walk begins again at each step"`
	Floor     float64 `json:"ppr-floor" default:"0.0001" range:"(0,)" group:"Model" help:"PageRank over its mean, below which pairs are all alike"`
	Landmarks int     `json:"ppr-landmarks" range:"[1,)" zero:"all, or as many as 100 million pairs with them allow" group:"Model" help:"vertices from which PageRank is worked out, drawn at random"`
}

const (
	pprUndirected = 0.3 // of the dimensions, for a directed network without its directions
	pprSteps      = 20  // of walks with restart; with the default restart 4 % of the probability comes later
	pprIterations = 3   // of the factorisation
	pprPairs      = 1e8 // of vertices and landmarks, where the options do not say
	fewLandmarks  = 4   // for each dimension, at least
	pprBlock      = 32  // landmarks whose PageRank a worker finds together
)

var errNoSingularValues = errors.New("graphs: ppr: no singular values: expected finite numbers")

// landmarkCount returns how many landmarks there are.
func landmarkCount(o Options, vertices int) int {
	m := Own[PageRankOptions](o).Landmarks
	if m == 0 {
		m = max(fewLandmarks*o.Dim, int(pprPairs/float64(vertices)))
	}
	return min(m, vertices)
}

// ppr factorises what personalised PageRank says of a pair beyond degrees:
//
//	L_ij = log max(1, R_ij / (f π_j)),   R = Σ_t α (1-α)^t P^t   for t up to 20
//
// with the shares P of each vertex's weights, the restart α and the floor f; π_j is the mean of R_ij over i or, in an undirected network, the share of j in all
// weights, to which the former tends, and with which L is symmetric. X Yᵀ are the factors of L of rank d: vectors of sources and of targets, the roots of the singular values in
// both. The final vectors are the means of both.
//
// A directed network parts its dimensions, since pairs of matched degrees are told by what lies around either
// way: a share has the final vectors, U Uᵀ of the L of the network without directions, of its largest
// positive eigenvalues, and the sources and the targets have one half each of the others. Of 100 numbers of a
// vertex 30 are its final vector, 35 its source and 35 its target; further dimensions are 0.
//
// In a large network only the columns and the rows of L of some landmarks S are worked out. With the first d+10 left singular vectors U of the columns, and right ones V of the
// rows, L is taken to be U M Vᵀ, with the M by which the columns and rows that are known come nearest by least squares, and X and Y are the factors of that. With all vertices as
// landmarks they are those of L. Time is in proportion to landmarks times links, and to landmarks times vertices times dimensions. It returns an error for a network without
// links between two vertices, and for one dimension of a directed network.
func ppr(ctx context.Context, in Input, o Options, threads int) (Embedding, error) {
	net := in.Network
	if !net.Directed() {
		x, y, rank, err := pprFactors(ctx, net, o.Dim, o, threads)
		if err != nil {
			return Embedding{}, err
		}
		return twoSides(x, y, net.Vertices(), rank, o.Dim), ctx.Err()
	}
	without := int(pprUndirected * float64(o.Dim))
	dim := (o.Dim - without) / 2
	if dim == 0 {
		return Embedding{}, fmt.Errorf("graphs: ppr: dim = %d: expected 2 or more on a directed network, for sources and for targets", o.Dim)
	}
	x, y, rank, err := pprFactors(ctx, net, dim, o, threads)
	if err != nil {
		return Embedding{}, err
	}
	out := twoSides(x, y, net.Vertices(), rank, o.Dim)
	if without == 0 {
		return out, ctx.Err()
	}
	net = net.Undirected()
	if x, y, rank, err = pprFactors(ctx, net, 2*without, o, threads); err != nil {
		return Embedding{}, err
	}
	positive := make([]float64, len(x)/rank*without)
	k := 0
	for j := 0; j < rank && k < without; j++ {
		sign := 0.
		for v := range net.Vertices() {
			sign += x[v*rank+j] * y[v*rank+j]
		}
		if sign <= 0 {
			continue
		}
		for v := range net.Vertices() {
			positive[v*without+k] = (x[v*rank+j] + y[v*rank+j]) / 2
		}
		k++
	}
	turn(positive, net.Vertices(), without)
	out.Final = wide(positive, net.Vertices(), without, o.Dim)
	return out, ctx.Err()
}

// pprFactors returns the factors X and Y (N,rank) of L, of rank dim or less.
func pprFactors(ctx context.Context, net *network.Network, dim int, o Options, threads int) (x, y []float64, rank int, err error) {
	n := net.Vertices()
	w := newPageRank(net, Own[PageRankOptions](o), landmarkCount(o, n), o.Seed)
	if len(w.landmarks) == 0 {
		return nil, nil, 0, fmt.Errorf("graphs: %d vertices without a link between two: expected at least one", n)
	}
	toLandmarks := w.logsOfWalks(ctx, w.out, func(_, landmark int32) float64 { return w.mean[landmark] }, threads) // L_is (N,m)
	source, err := w.spaceOf(ctx, toLandmarks, dim, o.Seed, threads)
	if err != nil {
		return nil, nil, 0, err
	}
	target := source
	core, err := source.coreWith(w.landmarks, source)
	if err != nil {
		return nil, nil, 0, err
	}
	across := mat.DenseCopyOf(core)
	if net.Directed() {
		fromLandmarks := w.logsOfWalks(ctx, w.in, func(v, _ int32) float64 { return w.mean[v] }, threads) // L_si (N,m)
		if target, err = w.spaceOf(ctx, fromLandmarks, dim, o.Seed, threads); err != nil {
			return nil, nil, 0, err
		}
		if core, err = source.coreWith(w.landmarks, target); err != nil {
			return nil, nil, 0, err
		}
		if across, err = target.coreWith(w.landmarks, source); err != nil {
			return nil, nil, 0, err
		}
	}
	core.Add(core, across.T())
	core.Scale(0.5, core)
	var svd mat.SVD
	if !svd.Factorize(core, mat.SVDThin) {
		return nil, nil, 0, errNoSingularValues
	}
	rank = min(dim, source.k, target.k)
	return source.rootFactor(&svd, true, rank, threads), target.rootFactor(&svd, false, rank, threads), rank, ctx.Err()
}

// pageRank walks with restart over a network.
type pageRank struct {
	PageRankOptions
	n         int
	in, out   restarts  // of each vertex those that lead to it, and those that it leads to
	mean      []float64 // π (N)
	landmarks []int32   // (m) ascending
}

// restarts are steps of walks with restart between vertices, with (1-α) of the share of each.
type restarts struct {
	near   [][]int32
	shares [][]float32
}

func newPageRank(net *network.Network, own PageRankOptions, landmarks int, seed uint64) *pageRank {
	n := net.Vertices()
	w := &pageRank{PageRankOptions: own, n: n, in: restarts{make([][]int32, n), make([][]float32, n)}, out: restarts{make([][]int32, n), make([][]float32, n)}, mean: make([]float64, n)}
	var all float64
	for v := range int32(n) {
		near, weights := net.Out(v), net.OutWeights(v)
		weight := func(i int) float64 {
			switch {
			case near[i] == v:
				return 0
			case weights == nil:
				return 1
			}
			return float64(weights[i])
		}
		for i := range near {
			w.mean[v] += weight(i)
		}
		all += w.mean[v]
		for i, u := range near {
			if x := weight(i); x > 0 {
				share := float32((1 - own.Restart) * x / w.mean[v])
				w.out.near[v], w.out.shares[v] = append(w.out.near[v], u), append(w.out.shares[v], share)
				w.in.near[u], w.in.shares[u] = append(w.in.near[u], v), append(w.in.shares[u], share)
			}
		}
	}
	linked := seq.Filter(seq.Upto(int32(n)), func(v int32) bool { return len(w.in.near[v])+len(w.out.near[v]) > 0 })
	r := rng.New(seed, "landmarks")
	for i := range min(landmarks, len(linked)) {
		j := i + r.Intn(len(linked)-i)
		linked[i], linked[j] = linked[j], linked[i]
	}
	w.landmarks = linked[:min(landmarks, len(linked))]
	slices.Sort(w.landmarks)
	if !net.Directed() {
		for v := range w.mean {
			w.mean[v] /= all
		}
		return w
	}
	first := own.Restart / float64(n)
	for v := range w.mean {
		w.mean[v] = first
	}
	for range pprSteps {
		next := make([]float64, n)
		for v := range next {
			next[v] = first
			for i, u := range w.in.near[v] {
				next[v] += float64(w.in.shares[v][i]) * w.mean[u]
			}
		}
		w.mean = next
	}
	return w
}

// logsOfWalks returns the logarithms (N,m) for all vertices and landmarks of what walks between them come to, along some restarts, over the mean of the pair.
func (w *pageRank) logsOfWalks(ctx context.Context, along restarts, mean func(v, landmark int32) float64, threads int) []float32 {
	m := len(w.landmarks)
	table := make([]float32, w.n*m)
	scratch := make([][2][]float32, max(threads, 1))
	par.Blocks(len(scratch), (m+pprBlock-1)/pprBlock, func(worker, block int) {
		if ctx.Err() != nil {
			return
		}
		some := w.landmarks[block*pprBlock : min((block+1)*pprBlock, m)]
		if scratch[worker][0] == nil {
			scratch[worker] = [2][]float32{make([]float32, w.n*pprBlock), make([]float32, w.n*pprBlock)}
		}
		at, next := scratch[worker][0], scratch[worker][1]
		begin := func(x []float32) {
			for i, v := range some {
				x[int(v)*pprBlock+i] += float32(w.Restart)
			}
		}
		clear(at)
		begin(at)
		for range pprSteps { // R = α + (1-α) P R, from the last step to the first
			clear(next)
			for v := range w.n {
				kernel.Combine(next[v*pprBlock:][:pprBlock], along.shares[v], at, along.near[v], 1, pprBlock)
			}
			begin(next)
			at, next = next, at
		}
		for v := range w.n {
			row := table[v*m+block*pprBlock:][:len(some)]
			for i, x := range at[v*pprBlock:][:len(some)] {
				row[i] = 1 // to as much as a float32 holds, beside a vertex whose links weigh next to nothing
				if mean := mean(int32(v), some[i]); mean > 0 {
					row[i] = float32(min(max(1, float64(x)/(w.Floor*mean)), math.MaxFloat32))
				}
			}
			kernel.Log(row, row)
		}
	})
	return table
}

// landmarkSpace has k orthonormal columns U (N,k): the first left singular vectors of a table of landmarks.
type landmarkSpace struct {
	n, k, m int
	u       []float64
	across  []float64 // Uᵀ table, transposed: (m,k)
}

func (w *pageRank) spaceOf(ctx context.Context, table []float32, dim int, seed uint64, threads int) (landmarkSpace, error) {
	b := landmarkSpace{n: w.n, m: len(w.landmarks)}
	b.k = min(dim+oversampling, b.m)
	product := func(transposed bool, rows, inner int) func(x []float64, k int) []float64 {
		return func(x []float64, k int) []float64 {
			narrow, out := make([]float32, len(x)), make([]float32, rows*k)
			for i, a := range x {
				narrow[i] = float32(a)
			}
			kernel.Gemm(max(threads, 1), transposed, false, rows, k, inner, table, b.m, narrow, k, false, out, k)
			wide := make([]float64, len(out))
			for i, a := range out {
				wide[i] = float64(a)
			}
			return wide
		}
	}
	m := factorized{rows: b.n, columns: b.m, times: product(false, b.n, b.m), transposed: product(true, b.m, b.n)}
	left, err := truncatedSVD(ctx, m, b.k, pprIterations, 0, seed, threads)
	if err != nil {
		return b, err
	}
	if b.u, err = orthonormal(left, b.n, b.k, threads); err != nil {
		return b, err
	}
	b.across = m.transposed(b.u, b.k)
	return b, nil
}

// coreWith returns the M (k,l) by which U M V_Sᵀ comes nearest to the table of the space, with the rows V_S of another one at the landmarks.
func (b landmarkSpace) coreWith(landmarks []int32, other landmarkSpace) (*mat.Dense, error) {
	at := mat.NewDense(b.m, other.k, nil)
	for s, v := range landmarks {
		at.SetRow(s, other.u[int(v)*other.k:][:other.k])
	}
	var solution mat.Dense // (l,k): V_S Mᵀ = Uᵀ table, transposed
	var svd mat.SVD
	if !svd.Factorize(at, mat.SVDThin) {
		return nil, errNoSingularValues
	}
	rank := svd.Rank(1e-6)
	svd.SolveTo(&solution, mat.NewDense(b.m, b.k, b.across), max(rank, 1))
	return mat.DenseCopyOf(solution.T()), nil
}

// rootFactor returns U A √S (N,rank) for the left singular vectors A of a core, or its right ones, and its singular values S.
func (b landmarkSpace) rootFactor(svd *mat.SVD, left bool, rank, threads int) []float64 {
	var vectors mat.Dense
	if left {
		svd.UTo(&vectors)
	} else {
		svd.VTo(&vectors)
	}
	values := svd.Values(nil)
	scaled := make([]float64, b.k*rank)
	for i := range b.k {
		for j := range rank {
			scaled[i*rank+j] = vectors.At(i, j) * math.Sqrt(values[j])
		}
	}
	return rightTimes(b.u, b.n, b.k, scaled, rank, threads)
}
