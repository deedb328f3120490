package aspects

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math"
	"slices"
	"sync"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results/vectors"
)

const (
	// Most is how many aspects a vertex has at most, as many as in the paper.
	Most = 5

	// mostAtFirst is how many groups of links of a vertex there are at first. Communities make more of them, or fewer.
	mostAtFirst = 3

	// leastSilhouette is the silhouette from which groups are plain to see, and leastOfMany that times the root of the number of links, where there are
	// many. Links of Erdős–Rényi networks stay below for most vertices; chance parts few links more easily.
	leastSilhouette, leastOfMany = 0.35, 1.5

	passes     = 3   // of communities and mixtures
	resolution = 120 // of communities, in percent: at 100 those of similar size grow together, of which a mixture never parts any

	alike = 1e-9 // numbers that differ by no more are equal but for rounding

	numberSeed = 1 // of Louvain's method
)

// Aspects are those of the vertices of a network: groups of a vertex's links that lead to the same part of the network.
type Aspects struct {
	Network *network.Network    // of the links: simple, see network.Network.Simple
	Vectors eval.MultiEmbedding // (R,D) the middle of the links of each aspect; those of a vertex begin with the one of the most links
	Of      [][]int32           // (N) the aspect, among those of the vertex, of each of its links in the order of Network.Out
	Links   []int32             // (R) how many links each aspect has
	Group   []int32             // (R) of aspects of all vertices, from 0, the largest first
	Groups  int                 // how many there are
	points  eval.Embedding      // (N,D)
}

// Find returns the aspects of each vertex, by the final vectors (N,D) of any embedding of a network. It trains nothing. A vertex has one aspect
// where nothing speaks for more, at most as many as links, and none without links. Directions, weights and self-loops of links do not count.
//
// Vectors f are those of withoutDegrees, since degrees tell no parts of a network apart.
//
// A link of i to j is at f_j and at those of the neighbours that both share,
//
//	x_ij = unit(f_j + Σ_u f_u),   u linked with both
//
// and the links of i, without those to vertices that have no other, are parted by x into up to three groups. The group with the largest spread is
// parted along its first principal direction, as twenty rounds of the power method have it, and Lloyd's rounds put each link to the nearest
// mean (Boley, Data Mining and Knowledge Discovery 2, 1998). The links that were left out are in the group with the nearest mean.
//
// Each link belongs to a group at either end. So groups are linked with one another, as personas are, and have communities by Louvain's
// method at resolution 1.2 (after Epasto, Lattanzi and Paes Leme, KDD 2017). Then each link is in communities z by shares,
//
//	q_ij(z) ∝ θ_iz θ_jz / κ_z,   θ_iz = Σ_j q_ij(z),   κ_z = Σ_i θ_iz
//
// in twenty rounds of expectation and maximisation (Ball, Karrer and Newman, Physical Review E 84, 2011), and belongs to that with the largest. A vertex
// drops a community whose other links do not make those in it twice as likely as degrees do: each counts with the mean of both odds. It keeps all, up to
// five, where the groups at first were plain to see: of two or three the silhouette by cosines was above .35, or 1.5 over the root of the number of links
// if that is less (Rousseeuw, J. Comput. Appl. Math. 20, 1987). Communities that are left may merge, and mix again, twice. At last each link joins the aspect of
// its vertex with the nearest mean. The groups of aspects are these communities.
//
// The result depends on vectors and network alone, not on threads; on the order of vertices, since
// communities do. Time is that of listing all triangles, times D. It returns an error for vectors that are
// not finite or not one for each vertex, and ctx's at once when that ends. step is told how many of all steps
// are done; nil for nobody.
func Find(ctx context.Context, net *network.Network, final eval.Embedding, threads int, step func(done, all int)) (*Aspects, error) {
	var telling sync.Mutex
	defer telling.Lock() // for good: nobody is told after the return
	return par.Until(ctx, func() (*Aspects, error) {
		return find(ctx, net, final, threads, func(done int) {
			if step != nil && telling.TryLock() {
				step(done, passes+2)
				telling.Unlock()
			}
		})
	})
}

func find(ctx context.Context, net *network.Network, final eval.Embedding, threads int, step func(done int)) (*Aspects, error) {
	if err := final.Validate(); err != nil {
		return nil, err
	}
	if final.N != net.Vertices() {
		return nil, fmt.Errorf("experiments: aspects: %d vectors for %d vertices: expected one for each", final.N, net.Vertices())
	}
	net = net.Simple()
	a := &Aspects{Network: net, Of: make([][]int32, final.N), points: pointsOf(net, final)}
	a.Vectors = eval.MultiEmbedding{First: make([]int32, final.N+1), D: final.D}
	of, plain := make([][]int32, final.N), make([]bool, final.N)
	parters := make([]parter, max(1, threads))
	err := net.Egos(ctx, threads, func(worker int, ego *network.Ego) {
		p := &parters[worker]
		near := net.Out(ego.Vertex)
		p.load(a.points, ego, near, func(i int) bool { return net.Degree(near[i]) == 1 })
		of[ego.Vertex], plain[ego.Vertex] = p.begin()
	})
	for pass := range passes {
		if step(pass + 1); err == nil {
			of, err = refine(ctx, net, of, pass > 0, plain, threads)
		}
	}
	if err != nil {
		return nil, err
	}
	step(passes + 1)
	means := make([][]float32, final.N)
	err = net.Egos(ctx, threads, func(worker int, ego *network.Ego) {
		p, v := &parters[worker], ego.Vertex
		p.load(a.points, ego, net.Out(v), func(i int) bool { return of[v][i] < 0 })
		a.Of[v], means[v], of[v] = p.end(of[v])
	})
	if err != nil {
		return nil, err
	}
	for v, m := range means {
		count := make([]int32, len(m)/final.D)
		for _, k := range a.Of[v] {
			count[k]++
		}
		a.Links = append(a.Links, count...)
		a.Group = append(a.Group, of[v]...)
		a.Vectors.Data = append(a.Vectors.Data, m...)
		a.Vectors.First[v+1] = int32(len(a.Links))
	}
	a.Group = numbered(a.Group)
	a.Groups = len(seq.Set(a.Group, func(g int32) int32 { return g }))
	return a, nil
}

// refine returns communities (N) of links, of the links as they are parted now: -1 for those of none that their vertex keeps. Again, communities only merge.
func refine(ctx context.Context, net *network.Network, of [][]int32, again bool, plain []bool, threads int) ([][]int32, error) {
	first, parts := make([]int32, len(of)+1), make([][]int32, len(of))
	for v := range of {
		parts[v] = numbered(of[v])
		first[v+1] = first[v]
		if len(of[v]) > 0 {
			first[v+1] += slices.Max(parts[v]) + 1
		}
	}
	if len(of) == 0 || first[len(of)] == 0 {
		return of, ctx.Err()
	}
	var begin []int32
	if again {
		begin = make([]int32, first[len(of)])
		for v, communities := range of {
			for i, c := range communities {
				begin[first[v]+parts[v][i]] = max(c, begin[first[v]+parts[v][i]])
			}
		}
	}
	community, err := net.SplitVertices(first, slices.Concat(parts...)).Network.Communities(ctx, resolution, begin, numberSeed)
	if err != nil {
		return nil, err
	}
	for v := range of {
		of[v] = seq.Map(parts[v], func(k int32) int32 { return community[first[v]+k] })
	}
	m := newMixture(net, of, int(slices.Max(community))+1, threads)
	for range mixtureRounds {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		m.round()
	}
	par.Blocks(threads, len(of), func(worker, v int) { of[v] = m.keep(worker, int32(v), plain[v], Most) })
	return of, ctx.Err()
}

// numbered returns groups numbered from 0, the largest first, and of one size the one that comes first. What is in none, below 0, joins the largest.
func numbered(of []int32) []int32 {
	count, first := map[int32]int{}, []int32(nil)
	for _, c := range of {
		if c < 0 {
			continue
		}
		if count[c]++; count[c] == 1 {
			first = append(first, c)
		}
	}
	slices.SortStableFunc(first, func(a, b int32) int { return cmp.Compare(count[b], count[a]) })
	place := seq.Places[int32, int32](first)
	return seq.Map(of, func(c int32) int32 { return place[c] })
}

// pointsOf returns f (N,D) of Find.
func pointsOf(net *network.Network, final eval.Embedding) eval.Embedding {
	degrees := make([]float64, final.N)
	for v := range degrees {
		degrees[v] = float64(net.Degree(int32(v)))
	}
	return withoutDegrees(final, degrees)
}

// To returns the aspect of v, a row of Vectors, that a link to u belongs to, whether there is such a link or not; -1 where v has no aspects.
func (a *Aspects) To(v, u int32) int32 {
	first, end := a.Vectors.First[v], a.Vectors.First[v+1]
	if first == end {
		return -1
	}
	near := a.Network.Out(v)
	if i, linked := slices.BinarySearch(near, u); linked {
		return first + a.Of[v][i]
	}
	x := make([]float64, a.points.D)
	add(x, a.points.Row(int(u)))
	for _, w := range near {
		if a.Network.Has(w, u) {
			add(x, a.points.Row(int(w)))
		}
	}
	toUnit(x)
	best, least := first, math.Inf(1)
	for r := first; r < end; r++ {
		var distance float64
		for j, y := range a.Vectors.Data[int(r)*len(x):][:len(x)] {
			distance += (float64(y) - x[j]) * (float64(y) - x[j])
		}
		if distance < least {
			best, least = r, distance
		}
	}
	return best
}

// Write writes the aspects of links as a table with tabs between: for each end of a link a line with the vertex, its neighbour, the aspect of
// the vertex that the link belongs to, from 1, and the group of this aspect, from 1. names (N) are the vertices'; white space in them is
// escaped as in word2vec text.
func (a *Aspects) Write(w io.Writer, names []string) error {
	spelled, err := vectors.Spell(names, vectors.SpellingEscaped)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintln(b, "vertex\tneighbour\taspect\tgroup")
	for v := range names {
		for i, u := range a.Network.Out(int32(v)) {
			k := a.Of[v][i]
			fmt.Fprintf(b, "%s\t%s\t%d\t%d\n", spelled[v], spelled[u], k+1, a.Group[a.Vectors.First[v]+k]+1)
		}
	}
	return b.Flush()
}

// Near returns the vertices that are near each aspect's vector, of the rows first to end-1, the nearest first and up to top of them, without the
// vertex of the aspect. Cosines are in [-1,1], with the vectors f of Find. It returns ctx's error when that ends.
func (a *Aspects) Near(ctx context.Context, first, end int32, top, threads int) ([][]eval.Neighbor, error) {
	rows := eval.Embedding{N: int(end - first), D: a.points.D, Data: a.Vectors.Data[int(first)*a.points.D : int(end)*a.points.D]}
	owner := owners(a.Vectors.First)[first:]
	return eval.Neighbors(ctx, rows, a.points, top, func(row, u int32) bool { return owner[row] == u }, threads)
}

// Laid returns the vectors of vertices as aspects see them, of length 1 and without degrees, and after them those of the aspects from row first to
// end-1: what a map of both shows.
func (a *Aspects) Laid(vertices []int32, first, end int32) eval.Embedding {
	d := a.points.D
	out := eval.Embedding{N: len(vertices) + int(end-first), D: d}
	for _, v := range vertices {
		out.Data = append(out.Data, a.points.Row(int(v))...)
	}
	out.Data = append(out.Data, a.Vectors.Data[int(first)*d:int(end)*d]...)
	return out
}

// owners returns the vertex of each row.
func owners(first []int32) []int32 {
	var of []int32
	for v := range len(first) - 1 {
		of = append(of, slices.Repeat([]int32{int32(v)}, int(first[v+1]-first[v]))...)
	}
	return of
}

func add(y []float64, x []float32) {
	for j, z := range x {
		y[j] += float64(z)
	}
}

func inner(x, y []float64) (sum float64) {
	for j, z := range y {
		sum += x[j] * z
	}
	return sum
}

// toUnit brings a vector to length 1; 0 stays.
func toUnit(x []float64) {
	if s := inner(x, x); s > 0 {
		s = math.Sqrt(s)
		for j := range x {
			x[j] /= s
		}
	}
}
