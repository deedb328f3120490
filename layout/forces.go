package layout

import (
	"context"
	"fmt"
	"math"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/network"
	"gonum.org/v1/gonum/spatial/barneshut"
	"gonum.org/v1/gonum/spatial/r2"
)

const (
	forceSteps = 400
	forceTheta = 0.7
	gravity    = 0.15 // towards the middle, so that parts of the network that are not connected stay near
)

// Forces returns places (N,2) of the vertices of a small network, around 0, for a drawing in which links are short and vertices
// keep apart: links pull like springs, vertices push each other away, and moves become smaller from step to step. Directions
// and weights of links do not matter. The same seed gives the same places. It takes some 100·N·log N operations for each of 400
// steps, and returns an error when ctx ends.
//
// Source: Fruchterman, Reingold, Software: Practice and Experience, 1991. Differs: a pull to the middle; the push of distant
// vertices is that of a group (Barnes-Hut).
func Forces(ctx context.Context, net *network.Network, seed uint64) ([]float64, error) {
	n := net.Vertices()
	at := make([]barneshut.Particle2, n)
	key := rng.NewKey(seed, "forces")
	side := math.Sqrt(float64(n)) // of the square they begin in, so that the ideal length of a link is 1
	for v := range at {
		s := key.Stream(uint64(v))
		at[v] = &point{r2.Vec{X: side * (s.Float64() - .5), Y: side * (s.Float64() - .5)}}
	}
	links := net.Simple().List()
	force := make([]r2.Vec, n)
	plane := &barneshut.Plane{Particles: at}
	for step := range forceSteps {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := plane.Reset(); err != nil {
			return nil, fmt.Errorf("layout: Forces: %w", err)
		}
		for v, p := range at {
			push := plane.ForceOn(p, forceTheta, func(_, _ barneshut.Particle2, _, mass float64, d r2.Vec) r2.Vec {
				if square := d.X*d.X + d.Y*d.Y; square > 0 {
					return r2.Scale(-mass/square, d)
				}
				return r2.Vec{}
			})
			force[v] = r2.Sub(push, r2.Scale(gravity, p.Coord2()))
		}
		for _, l := range links {
			d := r2.Sub(at[l.To].Coord2(), at[l.From].Coord2())
			pull := r2.Scale(r2.Norm(d), d)
			force[l.From], force[l.To] = r2.Add(force[l.From], pull), r2.Sub(force[l.To], pull)
		}
		longest := side / 10 * (1 - float64(step)/forceSteps)
		for v, f := range force {
			if length := r2.Norm(f); length > longest {
				f = r2.Scale(longest/length, f)
			}
			p := at[v].(*point)
			p.Vec = r2.Add(p.Vec, f)
		}
	}
	return coordinates(at), nil
}
