package typed

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Scores of neighbours and of the low pass are those of their formulas with dense matrices and a complete decomposition.
func TestLowPass(t *testing.T) {
	p, err := PlantedOptions{Users: 64, Items: 96, Genres: 4, Tastes: 1, Likes: 8, Friends: 1, Seed: 1}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	n, task, err := p.Network()
	if err != nil {
		t.Fatal(err)
	}
	users, items := n.Vertices(0), n.Vertices(1)
	r := mat.NewDense(users, items, nil)
	task.EachRanked(n, func(u, i int32) { r.Set(int(u), int(i), 1) })
	perUser, perItem := make([]float64, users), make([]float64, items)
	for u := range users {
		perUser[u] = mat.Sum(r.RowView(u))
	}
	for i := range items {
		perItem[i] = mat.Sum(r.ColView(i))
	}
	scaled := mat.NewDense(users, items, nil)
	scaled.Apply(func(u, i int, x float64) float64 {
		return x / max(math.Sqrt(perUser[u]*perItem[i]), 1) // 0 where there are no links
	}, r)
	var filter, neighbours, passed mat.Dense
	filter.Mul(scaled.T(), scaled)
	neighbours.Mul(r, &filter)
	var svd mat.SVD
	if !svd.Factorize(scaled, mat.SVDThin) {
		t.Fatal("no decomposition")
	}
	var v mat.Dense
	svd.VTo(&v)
	first := v.Slice(0, items, 0, users/lowPassShare)
	var projection mat.Dense
	projection.Mul(first, first.T())
	projection.Apply(func(i, j int, x float64) float64 {
		if perItem[i] == 0 {
			return 0
		}
		return lowPassWeight * x * math.Sqrt(perItem[j]/perItem[i])
	}, &projection)
	passed.Mul(r, &projection)
	passed.Add(&passed, &neighbours)

	low, err := task.LowPass(context.Background(), n, 1)
	if err != nil {
		t.Fatal(err)
	}
	same, err := task.LowPass(context.Background(), n, 3)
	if err != nil {
		t.Fatal(err)
	}
	dst, again := make([]float32, items), make([]float32, items)
	for name, c := range map[string]struct {
		score Scorer
		want  *mat.Dense
	}{"neighbours": {task.Neighbours(n), &neighbours}, "low pass": {low, &passed}} {
		for u := range int32(users) {
			if err := c.score(u, dst); err != nil {
				t.Fatal(err)
			}
			for i, x := range dst {
				if want := c.want.At(int(u), i); math.Abs(float64(x)-want) > 1e-3*(1+math.Abs(want)) {
					t.Fatalf("%s: score of user %d for item %d is %v, expected %v", name, u, i, x, want)
				}
			}
		}
	}
	for u := range int32(users) {
		if low(u, dst); same(u, again) != nil || !slices.Equal(dst, again) {
			t.Fatalf("scores of user %d depend on the number of threads", u)
		}
	}
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := task.LowPass(cancelled, n, 1); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: error %v", err)
	}
	n = &Network{Schema: n.Schema, Names: slices.Clone(n.Names), Links: n.Links}
	n.Names[0] = make([]string, mostFiltered)
	if _, err := task.LowPass(context.Background(), n, 1); !errors.Is(err, ErrTooLarge) {
		t.Errorf("too large: error %v", err)
	}
}
