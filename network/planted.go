package network

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// PlantedOptions describes a synthetic network with overlapping communities: the aspects of a vertex are the communities it
// belongs to, and each link comes from one of them.
type PlantedOptions struct {
	Vertices    int     `json:"vertices"`    // from 2 up
	Communities int     `json:"communities"` // from 1 up, all of about the same size
	Memberships int     `json:"memberships"` // a vertex belongs to 1 to this many communities, each number equally likely
	MeanDegree  float64 `json:"mean_degree"` // links per vertex times two, > 0, before small components are left out
	Mixing      float64 `json:"mixing"`      // share of links between random vertices, in [0,1]
	Skew        float64 `json:"skew"`        // of degrees, in [0,2]; 0: vertices are alike; from 0.5 up there are hubs, as in most real networks
	Seed        uint64  `json:"seed"`
}

// DefaultPlanted returns options for a small network whose communities are plain to see.
func DefaultPlanted() PlantedOptions {
	return PlantedOptions{Vertices: 1000, Communities: 20, Memberships: 3, MeanDegree: 12, Mixing: 0.1, Seed: 1}
}

// Validate returns all that is wrong with the options. It returns nil, or an error that joins them.
func (o PlantedOptions) Validate() error {
	var errs []error
	want := func(ok bool, format string, args ...any) {
		if !ok {
			errs = append(errs, fmt.Errorf("network: planted: "+format, args...))
		}
	}
	want(o.Vertices >= 2 && o.Vertices <= math.MaxInt32, "vertices = %d: expected 2 to %d", o.Vertices, math.MaxInt32)
	want(o.Communities >= 1 && o.Communities <= max(o.Vertices, 1), "communities = %d: expected 1 to the number of vertices, %d", o.Communities, o.Vertices)
	want(o.Memberships >= 1 && o.Memberships <= max(o.Communities, 1), "memberships = %d: expected 1 to the number of communities, %d", o.Memberships, o.Communities)
	want(o.MeanDegree > 0 && o.MeanDegree <= float64(o.Vertices-1), "mean degree = %v: expected above 0, at most vertices - 1", o.MeanDegree)
	want(o.Mixing >= 0 && o.Mixing <= 1, "mixing = %v: expected a share from 0 to 1", o.Mixing)
	want(o.Skew >= 0 && o.Skew <= 2, "skew = %v: expected 0 to 2", o.Skew)
	return errors.Join(errs...)
}

// PlantedNetwork is a synthetic network with the truth that it was made from.
type PlantedNetwork struct {
	Network     *Network
	Memberships [][]int32 // (N) the communities of each vertex, sorted
	Origins     []int32   // (links) the community that made each link of Network.List, or -1 for a random link
}

// Generate makes the network in time linear in vertices and links. Vertices take turns in starting a link; each goes to a random
// vertex of a random one of its start's communities, or with probability Mixing to any vertex. With Skew > 0 a vertex has a
// weight (r/N)^-Skew, where r is its place in a random order, cut off at hubWeight, and both ends of a link are chosen with
// probability proportional to it (cf. Karrer and Newman, Phys. Rev. E 83 (2011) 016107). The result is undirected, its
// largest component, with ids 0 to Vertices-1 less those left out. The same options give the same network.
//
// It fails when the options are out of range, or ask for more links than the communities can hold.
func (o PlantedOptions) Generate() (*PlantedNetwork, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	memberships, members := o.memberships()
	links, origins, err := o.links(memberships, members)
	if err != nil {
		return nil, err
	}
	names := make([]string, o.Vertices)
	for v := range names {
		names[v] = strconv.Itoa(v)
	}
	full, _ := build(names, links, nil, false)
	full.index = lazyIndex(names)
	net, old := full.largestComponent()
	p := &PlantedNetwork{Network: net, Memberships: memberships}
	inside := make([]bool, o.Vertices)
	if old == nil {
		for v := range inside {
			inside[v] = true
		}
	} else {
		p.Memberships = make([][]int32, len(old))
		for i, v := range old {
			p.Memberships[i], inside[v] = memberships[v], true
		}
	}
	// The component keeps the order of the vertices, so sorting the links by their old ends gives the order of List.
	order := make([]int32, 0, len(links))
	for i, l := range links {
		if inside[l.From] {
			order = append(order, int32(i))
		}
	}
	slices.SortFunc(order, func(a, b int32) int { return compareLinks(links[a], links[b]) })
	for _, i := range order {
		p.Origins = append(p.Origins, origins[i])
	}
	return p, nil
}

// memberships draws the communities of each vertex, and returns also the vertices of each community.
func (o PlantedOptions) memberships() (of, members [][]int32) {
	r := rng.New(o.Seed, "planted-memberships")
	of, members = make([][]int32, o.Vertices), make([][]int32, o.Communities)
	for v := range of {
		count := 1 + r.Intn(o.Memberships)
		for len(of[v]) < count {
			if c := int32(r.Intn(o.Communities)); !slices.Contains(of[v], c) {
				of[v] = append(of[v], c)
				members[c] = append(members[c], int32(v))
			}
		}
		slices.Sort(of[v])
	}
	return of, members
}

// triesPerLink bounds the search for links that are not there yet, far above what sparse communities need.
const triesPerLink = 50

// links draws different links, smaller vertex first, and what made each.
func (o PlantedOptions) links(of, members [][]int32) (links []Link, origins []int32, err error) {
	r := rng.New(o.Seed, "planted-links")
	count := max(1, int(math.Round(o.MeanDegree*float64(o.Vertices)/2)))
	links, origins = make([]Link, 0, count), make([]int32, 0, count)
	taken := make(map[Link]bool, count)
	weights := o.weights()
	anyone := newUrn(seq.Upto(int32(o.Vertices)), weights)
	urns := make([]urn, len(members))
	for c := range members {
		urns[c] = newUrn(members[c], weights)
	}
	for try := 0; len(links) < count; try++ {
		if try > triesPerLink*count {
			return nil, nil, fmt.Errorf("network: planted: mean degree = %v, communities = %d: after %d draws only %d of %d different links: expected larger communities or fewer links",
				o.MeanDegree, o.Communities, try, len(links), count)
		}
		u, v, c := int32(try%o.Vertices), int32(0), int32(-1)
		if o.Skew > 0 {
			u = anyone.draw(r)
		}
		if r.Float64() < o.Mixing {
			v = anyone.draw(r)
		} else {
			c = of[u][r.Intn(len(of[u]))]
			v = urns[c].draw(r)
		}
		if l := (Link{u, v}).ordered(); u != v && !taken[l] {
			taken[l] = true
			links = append(links, l)
			origins = append(origins, c)
		}
	}
	return links, origins, nil
}

// hubWeight is the largest weight of a vertex, times the smallest: without a bound the first few would be linked to everyone.
const hubWeight = 30

// weights returns the weight of each vertex, or nil if all are alike.
func (o PlantedOptions) weights() []float64 {
	if o.Skew == 0 {
		return nil
	}
	w := make([]float64, o.Vertices)
	for r, v := range rng.New(o.Seed, "planted-weights").Perm(o.Vertices) {
		w[v] = min(hubWeight, math.Pow(float64(r+1)/float64(o.Vertices), -o.Skew))
	}
	return w
}

// urn holds vertices that are drawn with replacement.
type urn struct {
	vertices []int32
	upTo     []float64 // the sum of the weights of the vertices so far; nil if all are alike
}

func newUrn(vertices []int32, weights []float64) urn {
	u := urn{vertices: vertices}
	if weights == nil {
		return u
	}
	u.upTo = make([]float64, len(vertices))
	var sum float64
	for i, v := range vertices {
		sum += weights[v]
		u.upTo[i] = sum
	}
	return u
}

func (u urn) draw(r *rng.Stream) int32 {
	if u.upTo == nil {
		return u.vertices[r.Intn(len(u.vertices))]
	}
	i, _ := slices.BinarySearch(u.upTo, r.Float64()*u.upTo[len(u.upTo)-1])
	return u.vertices[min(i, len(u.vertices)-1)]
}

// Origin says what made a link, seen from one of its ends.
type Origin struct{ Vertex, Neighbor, Of string }

// LinkOrigins returns the community of each link that one made, from either end.
func (p *PlantedNetwork) LinkOrigins() []Origin {
	var out []Origin
	for i, l := range p.Network.List() {
		if c := p.Origins[i]; c >= 0 {
			u, v, of := p.Network.Name(l.From), p.Network.Name(l.To), fmt.Sprint(c)
			out = append(out, Origin{u, v, of}, Origin{v, u, of})
		}
	}
	return out
}
