package eval

import (
	"context"
	"errors"
	"math"

	"gonum.org/v1/gonum/mat"
)

// spreadProduct has inner products of two sides in which a direction counts by how far vectors spread along
// it:
//
//	s(u,v) = (C_a^½ a_u) · (C_b^½ b_v),   C_a = (1/N) Σ_w a_w a_wᵀ
//
// with the one vector of each vertex on a side, or the mean of several. The first few directions of a
// factorisation say most of the AUC against random pairs, and the others most against pairs of matched
// degrees. Plain inner products have one weight for all. A rotation of both sides changes nothing.
type spreadProduct struct {
	sidePair
	rows    Embedding    // C_b^½ C_a^½ a_u
	targets Embedding    // b_v
	lengths [2][]float64 // |C_a^½ a_u| and |C_b^½ b_v|
}

// spreadOf returns that of two sides. It returns ctx's error.
func spreadOf(ctx context.Context, all []side, pair sidePair, threads int) (*spreadProduct, error) {
	a, b := &all[pair.from], &all[pair.to]
	s := &spreadProduct{sidePair: pair, targets: b.mean}
	var root [2]*mat.Dense
	for i, of := range []*side{a, b} {
		root[i] = of.root
		s.lengths[i] = make([]float64, of.mean.N)
		scaled, err := timesMatrix(ctx, of.mean, root[i], threads)
		if err != nil {
			return nil, err
		}
		square, err := squares(ctx, scaled, threads)
		if err != nil {
			return nil, err
		}
		for v, x := range square {
			s.lengths[i][v] = math.Sqrt(x)
		}
	}
	var both mat.Dense
	both.Mul(root[0], root[1])
	var err error
	s.rows, err = timesMatrix(ctx, a.mean, &both, threads)
	return s, err
}

// between returns the inner product and the cosine of a source u and a target v.
func (s *spreadProduct) between(u, v int, buf *[]float64) (product, cos float64) {
	product = dot(wide(s.rows, u, buf), s.targets.Row(v))
	if length := s.lengths[0][u] * s.lengths[1][v]; length > 0 {
		cos = product / length
	}
	return product, cos
}

// rootMoments returns the square root (D,D) of the second moments of vectors, (1/N) Σ_v x_v x_vᵀ.
func rootMoments(ctx context.Context, e Embedding) (*mat.Dense, error) {
	moments := make([]float64, e.D*e.D)
	x := make([]float64, e.D)
	for v := range e.N {
		if v%1024 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		widen(x, e.Row(v))
		for i, a := range x {
			if a == 0 {
				continue
			}
			for j := i; j < e.D; j++ {
				moments[i*e.D+j] += a * x[j] / float64(e.N)
			}
		}
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(e.D, moments), true) {
		return nil, errors.New("eval: score fitted: no eigenvalues of the moments of vectors: expected finite numbers")
	}
	var axes, scaled, root mat.Dense
	eigen.VectorsTo(&axes)
	scaled.CloneFrom(&axes)
	for j, x := range eigen.Values(nil) {
		for i := range e.D {
			scaled.Set(i, j, axes.At(i, j)*math.Sqrt(max(x, 0)))
		}
	}
	root.Mul(&scaled, axes.T())
	return &root, nil
}

// timesMatrix returns the rows of an embedding times a matrix (D,D).
func timesMatrix(ctx context.Context, e Embedding, m *mat.Dense, threads int) (Embedding, error) {
	out := Embedding{N: e.N, D: e.D, Data: make([]float32, len(e.Data))}
	err := forRows(ctx, e.N, threads, func(lo, hi int) {
		sum := make([]float64, e.D)
		for v := lo; v < hi; v++ {
			clear(sum)
			for i, x := range e.Row(v) {
				if x == 0 {
					continue
				}
				for j, y := range m.RawRowView(i) {
					sum[j] += float64(x) * y
				}
			}
			for j, x := range sum {
				out.Data[v*e.D+j] = float32(x)
			}
		}
	})
	return out, err
}
