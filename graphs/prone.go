package graphs

import (
	"context"
	"math"

	"github.com/asp2vec/asp2vec/internal/option"
)

func proneMethod() *Method {
	return &Method{
		Name: "prone", Title: "ProNE", Weights: true,
		Source: "Zhang, Dong, Wang, Tang, Ding, IJCAI 2019 (ProNE: Fast and Scalable Network Representation Learning), and the authors' code",
		Differs: "the final vectors keep their lengths, which say how many links a vertex has (normalize-rows is the published way); weights of links " +
			"count, in units of their mean; directed networks are made undirected, as in the authors' code, and of two links of a pair the heavier one counts",
		Scorings:  []string{ScoringLR},
		Own:       option.Defaults[FilterOptions](),
		Formula:   "n·dim",
		Published: func(n int64, o Options) int64 { return n * int64(o.Dim) },
		Sets:      Sets{"always": {"dim": 100}},
		Bytes: func(vertices, links int, o Options) float64 { // twelve matrices of a filter and its factorisation, with garbage, eight sparse ones
			return 8*12*float64(vertices)*float64(o.Dim+oversampling) + 4*2*24*float64(links)
		},
		Embed: prone,
	}
}

// FilterOptions are ProNE's own.
type FilterOptions struct {
	// Code: 10.
	Order int `json:"filter-order" default:"10" range:"[1,1000]" group:"Model" help:"terms of the spectral filter; 1 leaves the factorisation as it is"`
	// Code: .2.
	Mu float64 `json:"filter-mu" default:"0.2" range:"[-10,10]" group:"Model" help:"eigenvalue of the Laplacian around which the filter lets pass"`
	// Code: .5.
	Theta     float64 `json:"filter-theta" default:"0.5" range:"[0,100]" group:"Model" help:"how narrow the filter is"`
	Normalize bool    `json:"normalize-rows" group:"Model" help:"scale the final vectors to length 1, as published"`
}

// proneIterations are those of the factorisation: the authors' n_iter.
const proneIterations = 5

// prone factorises the shifted logarithms of the links' shares, and spreads the vectors over the network by a filter of its spectrum.
//
// Source: Zhang et al., IJCAI 2019, sections 3.1 and 3.2, and proNE.py of the authors' code, whose filter ends with a product with I + A.
func prone(ctx context.Context, in Input, o Options, threads int) (Embedding, error) {
	links, err := undirectedWeights(in.Network)
	if err != nil {
		return Embedding{}, err
	}
	own := Own[FilterOptions](o)
	n, dim := links.rows(), min(o.Dim, links.rows())
	logs, transposed := shiftedLogs(links)
	x, err := truncatedSVD(ctx, factorized{
		rows: n, columns: n,
		times:      func(x []float64, k int) []float64 { return logs.times(x, k, threads) },
		transposed: func(x []float64, k int) []float64 { return transposed.times(x, k, threads) },
	}, dim, proneIterations, 0, o.Seed, threads)
	if err != nil {
		return Embedding{}, err
	}
	toUnitLength(x, n, dim)
	if own.Order > 1 {
		x = bandPass(links, x, dim, own, threads)
	}
	values, vectors, err := principal(x, n, dim, threads)
	if err != nil {
		return Embedding{}, err
	}
	x = rightTimes(x, n, dim, scaledColumns(vectors, values, -0.25), dim, threads) // U √S
	if own.Normalize {
		toUnitLength(x, n, dim)
	}
	return oneEach(x, n, dim, o.Dim), ctx.Err()
}

// shiftedLogs returns the matrix that is factorised, and its transpose: where there is a link from i to j the logarithm of p_ij / q_j, with the
// share p_ij of i's weights, and q_j in proportion to the power 3/4 of the sum of j's shares. All other numbers are 0.
func shiftedLogs(links *sparse) (logs, transposed *sparse) {
	degrees := links.sums()
	received := links.with(func(i, j int, w float64) float64 { return w / degrees[j] }).sums()
	var sum float64
	for j, r := range received {
		received[j] = math.Pow(r, 0.75)
		sum += received[j]
	}
	of := func(i, j int, w float64) float64 { return math.Log(w / degrees[i] * sum / received[j]) }
	return links.with(of), links.with(func(i, j int, w float64) float64 { return of(j, i, w) })
}

// bandPass returns (I+A)(X - g(L) X), where g(L) is the expansion of a Gaussian around mu in Chebyshev polynomials of the Laplacian L of
// I + A, in units of its degrees. X is (N,k).
func bandPass(links *sparse, x []float64, k int, own FilterOptions, threads int) []float64 {
	n, degrees := links.rows(), links.sums()
	shares := links.with(func(i, _ int, w float64) float64 { return w / (1 + degrees[i]) })
	shifted := func(y []float64) []float64 { // (L - mu I) Y
		out := shares.times(y, k, threads)
		for i := range out {
			self := 1 / (1 + degrees[i/k])
			out[i] = (1-own.Mu-self)*y[i] - out[i]
		}
		return out
	}
	before, term := x, shifted(shifted(x))
	smooth := make([]float64, n*k)
	addScaled(smooth, x, besselI(0, own.Theta))
	for i := range term {
		term[i] = term[i]/2 - x[i]
	}
	addScaled(smooth, term, -2*besselI(1, own.Theta))
	for order := 2; order < own.Order; order++ {
		next := shifted(shifted(term))
		for i := range next {
			next[i] -= 2*term[i] + before[i]
		}
		addScaled(smooth, next, math.Pow(-1, float64(order))*2*besselI(order, own.Theta))
		before, term = term, next
	}
	for i := range smooth {
		smooth[i] = x[i] - smooth[i]
	}
	out := links.times(smooth, k, threads)
	addScaled(out, smooth, 1)
	return out
}

// besselI returns the modified Bessel function of the first kind of a whole order n, at least 0, by its series; x is 0 to 100.
func besselI(n int, x float64) (sum float64) {
	term := 1.
	for i := 1; i <= n; i++ {
		term *= x / 2 / float64(i)
	}
	for m := 1; term > 1e-17*sum; m++ {
		sum += term
		term *= x * x / 4 / float64(m*(m+n))
	}
	return sum
}

// toUnitLength scales the rows of X (n,k) to length 1; rows of 0 stay what they are.
func toUnitLength(x []float64, n, k int) {
	for v := range n {
		row := x[v*k:][:k]
		length := max(math.Sqrt(squares(row)), math.SmallestNonzeroFloat64)
		for i := range row {
			row[i] /= length
		}
	}
}
