package run

import (
	"context"
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// Grown is a network with vertices that came later.
type Grown struct {
	Network *network.Network // first the vertices that were there, in their order, and then the new ones in the order of their links
	Old     int              // how many were there
	Links   int              // new ones
	Inner   int              // of them, between vertices that were there
	Known   int              // links given that were there already
	Apart   int              // new vertices that no path of links joins to one that was there: nothing ties their vectors to the others
}

// Grow joins the links of a network, whose vertices have vectors, and further ones. It returns an error where these have no new
// vertex, and for networks of which one alone is directed.
func Grow(old, later *network.Network) (*Grown, error) {
	if old.Directed() != later.Directed() {
		return nil, fmt.Errorf("experiments: directed and undirected links: expected both directed or both undirected")
	}
	g := &Grown{Old: old.Vertices()}
	names := append([]string(nil), old.Names()...)
	place := make([]int32, later.Vertices())
	for v, name := range later.Names() {
		at, ok := old.Index(name)
		if !ok {
			at = int32(len(names))
			names = append(names, name)
		}
		place[v] = at
	}
	if len(names) == g.Old {
		return nil, fmt.Errorf("experiments: all %d vertices of the links have vectors already: expected links of new vertices", later.Vertices())
	}
	links := old.List()
	for _, l := range later.List() {
		l = network.Link{From: place[l.From], To: place[l.To]}
		inner := int(l.From) < g.Old && int(l.To) < g.Old
		if inner && old.Has(l.From, l.To) {
			g.Known++
			continue
		}
		if g.Links++; inner {
			g.Inner++
		}
		links = append(links, l)
	}
	var err error
	if g.Network, err = network.New(names, links, nil, old.Directed()); err == nil {
		g.Apart = g.Network.Apart(g.Old)
	}
	return g, err
}

// Extend learns vectors of the new vertices of a grown network, by the method and the options of the model that the old ones'
// are of; see graphs.Extend. It returns what WriteRun writes, with a record that names the model as its parent. It returns an error for
// vectors that are not all that training moves, for a record whose method is not known, for a grown network without new vertices, and
// where ctx is done.
func (p *Parent) Extend(ctx context.Context, g *Grown, name string, threads int, step func(done, all int64)) (vectors.Run, error) {
	if p.Aspects == 0 {
		return vectors.Run{}, fmt.Errorf("experiments: a model without all that training moves: expected the whole folder of a run of %s", strings.Join(parents, " or "))
	}
	o, err := methods.Decode(p.Record.Method, p.Record.Options)
	if err != nil {
		return vectors.Run{}, err
	}
	o.Dim, o.Aspects = p.Dim, p.Aspects
	if learns := o.Learns(); len(learns) > 0 {
		return vectors.Run{}, fmt.Errorf("experiments: the model has learned %s, which new vertices do not have: expected one without", strings.Join(learns, ", "))
	}
	if x := p.Record.Pilot; x != nil {
		o = o.WithRateSum(x.Optimizer, x.RateSum)
	}
	r := results.NewRecord(p.Record.Method)
	old := [][]float32{p.vectors.Center, p.vectors.MultiVectors.Data}
	e, err := graphs.Extend(ctx, g.Network, o, old, p.vectors.Final, threads, step)
	if err != nil {
		return vectors.Run{}, err
	}
	n := g.Network
	r.Protocol, r.Seed, r.Options, r.Scoring, r.Definition = p.Record.Protocol, p.Record.Seed, p.Record.Options, p.Record.Scoring, p.Record.Definition
	r.Host.Threads = threads
	r.Dataset = results.Dataset{Name: name, SHA256: n.Checksum(), Vertices: n.Vertices(), Links: n.Links(), Train: n.Links(), Directed: n.Directed()}
	r.Parent = p.named()
	r.Finish(nil)
	return vectors.Run{Names: n.Names(), D: e.D, K: p.Aspects, Center: e.Center, Aspects: e.Vectors, Final: e.Final, Record: r}, nil
}
