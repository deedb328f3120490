package eval

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// kMeansRounds is after how many rounds KMeans stops at the latest; labels of real embeddings settle in a few dozen.
const kMeansRounds = 300

// KMeans parts vectors into k clusters, and returns the cluster of each, from 0 to k-1, with the sum of the squared distances
// to the clusters' means. Means start at vectors drawn far from one another (k-means++) by a stream of the seed, and Lloyd's
// rounds go on until no vector changes its cluster, or for 300 rounds. A cluster that loses all its vectors takes the one that is
// farthest from its mean. Ties go to the smaller cluster. The result does not depend on threads.
//
// It returns an error for vectors that are not finite, for k < 1 or more than there are vectors, and when ctx ends.
//
// Source: Lloyd, IEEE Trans. Inf. Theory 28 (1982); Arthur and Vassilvitskii, SODA 2007.
func KMeans(ctx context.Context, e Embedding, k int, seed uint64, threads int) (cluster []int32, inertia float64, err error) {
	if err := e.Validate(); err != nil {
		return nil, 0, err
	}
	if k < 1 || k > e.N {
		return nil, 0, fmt.Errorf("eval: KMeans: %d clusters of %d vectors: expected 1 to the number of vectors", k, e.N)
	}
	square, err := squares(ctx, e, threads)
	if err != nil {
		return nil, 0, err
	}
	m := means{e: e, k: k, square: square, center: make([]float64, k*e.D), distance: make([]float64, e.N), cluster: make([]int32, e.N)}
	m.start(rng.New(seed, "k-means"))
	for range kMeansRounds {
		old := slices.Clone(m.cluster)
		if err := m.assign(ctx, threads); err != nil {
			return nil, 0, err
		}
		m.update()
		if slices.Equal(old, m.cluster) {
			break
		}
	}
	if err := m.assign(ctx, threads); err != nil { // to the means as they are now
		return nil, 0, err
	}
	for _, d := range m.distance {
		inertia += d
	}
	return m.cluster, inertia, nil
}

// means is the state of k-means.
type means struct {
	e        Embedding
	k        int
	square   []float64 // (N) |x|²
	center   []float64 // (k,D)
	distance []float64 // (N) squared, of each vector to its mean
	cluster  []int32   // (N)
}

func (m *means) mean(c int) []float64 { return m.center[c*m.e.D : (c+1)*m.e.D] }

// start draws the first means: each vector with a chance that is proportional to its squared distance to the nearest mean.
func (m *means) start(r *rng.Stream) {
	first := r.Intn(m.e.N)
	for c := range m.k {
		if c > 0 {
			first = m.draw(r)
		}
		widen(m.mean(c), m.e.Row(first))
		own := m.square[first]
		for v := range m.distance {
			d := max(0, m.square[v]+own-2*dot(m.mean(c), m.e.Row(v)))
			if v == first {
				d = 0
			}
			if c == 0 || d < m.distance[v] {
				m.distance[v] = d
			}
		}
	}
	for v := range m.cluster {
		m.cluster[v] = -1
	}
}

func (m *means) draw(r *rng.Stream) int {
	var total float64
	for _, d := range m.distance {
		total += d
	}
	at := r.Float64() * total
	last := 0
	for v, d := range m.distance {
		if d > 0 {
			last = v
			if at -= d; at <= 0 {
				break
			}
		}
	}
	return last // 0 where all vectors are means already
}

// assign gives each vector the cluster of the nearest mean.
func (m *means) assign(ctx context.Context, threads int) error {
	norm := make([]float64, m.k)
	for c := range norm {
		for _, x := range m.mean(c) {
			norm[c] += x * x
		}
	}
	return forRows(ctx, m.e.N, threads, func(lo, hi int) {
		for v := lo; v < hi; v++ {
			best, least := 0, math.Inf(1)
			for c := range m.k {
				if d := norm[c] - 2*dot(m.mean(c), m.e.Row(v)); d < least {
					best, least = c, d
				}
			}
			m.cluster[v], m.distance[v] = int32(best), max(0, least+m.square[v])
		}
	})
}

// update moves each mean to the middle of its cluster.
func (m *means) update() {
	count := make([]int, m.k)
	for _, c := range m.cluster {
		count[c]++
	}
	for c := range count {
		if count[c] > 0 {
			continue
		}
		far := -1
		for v, d := range m.distance {
			if count[m.cluster[v]] > 1 && (far < 0 || d > m.distance[far]) {
				far = v
			}
		}
		count[m.cluster[far]]--
		m.cluster[far], m.distance[far] = int32(c), 0
		count[c]++
	}
	clear(m.center)
	for v, c := range m.cluster {
		axpy(m.mean(int(c)), 1/float64(count[c]), m.e.Row(v))
	}
}
