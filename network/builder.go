package network

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// Builder collects the vertices and links of a network in the order in which a reader of a file meets them.
type Builder struct {
	// Memory is how many bytes the network may take while it is built, 0 for no matter. More vertices or links than fit are an error.
	Memory uint64

	ids      *interner
	links    []Link
	weights  []float32      // of the links, where weighted
	weighted bool           // not all weights are 1
	named    uint64         // bytes of all ids
	padded   map[int32]bool // vertices whose names have had spaces at their ends

	whole  bool       // keeps all links, also those that repeat others
	recent []repeated // links that came lately, by their hash; nil while there are few
	again  []repeated // others that were repeated
}

// repeated is a link by its place among all, with how many that repeat it were left out.
type repeated struct{ at, more int32 }

// manyLinks are so many that links which repeat others with the same weight are left out as they come: small
// files may hold billions of those. Tests have fewer.
var manyLinks = 1 << 22

// NewBuilder returns a builder without vertices and links.
func NewBuilder() *Builder { return &Builder{ids: newInterner()} }

// Vertex returns the number of the vertex with an id, and whether it is a new one. The error completes "id X": the id is empty
// or too long, is not UTF-8, or has a control character.
func (b *Builder) Vertex(id []byte) (v int32, isNew bool, err error) {
	v, isNew = b.ids.intern(id)
	if isNew {
		if err := CheckID(id); err != nil {
			return 0, false, err
		}
		b.named += uint64(len(id))
		if err := b.another(); err != nil {
			return 0, false, err
		}
	}
	return v, isNew, nil
}

// Integer is Vertex for an id that is a whole number. It returns an error for more vertices than an int32 counts or than fit into
// memory.
func (b *Builder) Integer(id uint64) (v int32, isNew bool, err error) {
	if v, isNew = b.ids.integer(id); isNew {
		return v, isNew, b.another()
	}
	return v, isNew, nil
}

// another returns an error if the vertex that came last is one too many. It completes "id X".
func (b *Builder) another() error {
	if b.ids.full() {
		return fmt.Errorf("is one of more than %d vertices: expected fewer", math.MaxInt32-1)
	}
	if len(b.ids.names)%piece == 0 {
		if err := b.fits(); err != nil {
			return fmt.Errorf("is of %w", err)
		}
	}
	return nil
}

// piece is how many vertices or links come between looks at the memory that there is.
const piece = 1 << 16

// What a vertex and a link take, in bytes, when a network is built: names, the tables that find them, where lists of links begin; a
// link as it was read and twice among its sorted arcs, or with its weight in each.
const (
	vertexBytes   = 150
	linkBytes     = 24
	weightedBytes = 36
)

// fits returns an error if what was added needs more memory than there may be.
func (b *Builder) fits() error {
	return fits(b.Memory, b.named, len(b.ids.names), len(b.links), b.weighted)
}

// fits returns an error if vertices, with names of so many bytes, and links need more memory than there may be; 0 is no matter.
func fits(memory, named uint64, vertices, links int, weighted bool) error {
	need := named + vertexBytes*uint64(vertices) + linkBytes*uint64(links)
	if weighted {
		need += (weightedBytes - linkBytes) * uint64(links)
	}
	if memory == 0 || need <= memory {
		return nil
	}
	return fmt.Errorf("%d vertices and %d links so far need about %d MiB of memory, and %d are available: expected a smaller network, or more memory",
		vertices, links, need>>20, memory>>20)
}

// Spaced takes whether the id of a vertex had spaces at its ends, which are cut, where it stood just now. It returns an error for one that
// stood before in the other way, unless it may. The error completes "id X".
func (b *Builder) Spaced(v int32, may, spaced bool) error {
	if spaced == b.padded[v] {
		return nil
	}
	if !may {
		return errors.New("is in the file with spaces at its ends and without: expected it one way")
	}
	if spaced {
		if b.padded == nil {
			b.padded = map[int32]bool{}
		}
		b.padded[v] = true
	}
	return nil
}

// Vertices returns the number of vertices so far.
func (b *Builder) Vertices() int { return len(b.ids.names) }

// Name returns the name of a vertex. v is from 0 to the number of vertices less 1.
func (b *Builder) Name(v int32) string { return b.ids.names[v] }

// Rename gives a vertex another name, while Vertex still knows it by its id. No two vertices may have the same in the end. The error
// completes "name X", as that of Vertex.
func (b *Builder) Rename(v int32, name string) error {
	if err := CheckID([]byte(name)); err != nil {
		return err
	}
	b.ids.names[v] = name
	delete(b.padded, v)
	return nil
}

// Add adds a link of weight 1. It returns an error for more links than an int32 counts or than fit into memory.
func (b *Builder) Add(from, to int32) error { return b.AddWeighted(from, to, 1) }

// AddWeighted adds a link. It returns an error unless the weight is a finite number > 0.
func (b *Builder) AddWeighted(from, to int32, weight float64) error {
	if !validWeight(float32(weight)) {
		return fmt.Errorf("weight %v: expected a finite number > 0 that a float32 can hold", weight)
	}
	if len(b.links) == math.MaxInt32 {
		return fmt.Errorf("more than %d links: expected fewer", math.MaxInt32)
	}
	if weight != 1 && !b.weighted {
		b.weighted = true
		b.weights = slices.Repeat([]float32{1}, len(b.links))
	}
	if len(b.links) >= manyLinks && !b.whole && b.repeats(Link{from, to}, float32(weight)) {
		return nil
	}
	if b.links = append(b.links, Link{from, to}); b.weighted {
		b.weights = append(b.weights, float32(weight))
	}
	if len(b.links)%piece == 0 {
		return b.fits()
	}
	return nil
}

// repeats reports whether a link is one that came lately, and counts it as left out.
func (b *Builder) repeats(l Link, weight float32) bool {
	if b.recent == nil {
		b.recent = make([]repeated, 1<<16)
	}
	r := &b.recent[(uint32(l.From)*0x9E3779B1^uint32(l.To)*0x85EBCA6B^math.Float32bits(weight)*0xC2B2AE35)>>16]
	if b.links[r.at] == l && (!b.weighted || b.weights[r.at] == weight) && r.more < math.MaxInt32 {
		r.more++
		return true
	}
	if r.more > 0 {
		b.again = append(b.again, *r)
	}
	*r = repeated{at: int32(len(b.links))}
	return false
}

// forgetWeights gives all links so far the weight 1.
func (b *Builder) forgetWeights() {
	b.weighted, b.weights = false, nil
}

// Links returns the number of links so far.
func (b *Builder) Links() int { return len(b.links) }

// ErrNoLink is the error of Build when no link was added.
var ErrNoLink = errors.New("no link: expected at least one")

// Build returns the network of all links, its vertices numbered as ReadFrom numbers them, with notes of what it dropped. The builder cannot be
// used any more. It fails when there is no link.
func (b *Builder) Build(directed bool) (*Network, Notes, error) {
	if len(b.links) == 0 {
		return nil, nil, ErrNoLink
	}
	b.ids.forget()
	isolated := b.dropIsolated()
	names, rank := b.ids.ranked()
	b.ids = nil
	b.renumber(rank)
	links, weights := b.links, b.weights
	b.links, b.weights = nil, nil // build lets go of them
	type left struct {
		Link
		weight float32
		more   int32
	}
	var all []left
	for _, r := range append(b.again, b.recent...) {
		if r.more > 0 {
			x := left{links[r.at], 1, r.more}
			if weights != nil {
				x.weight = weights[r.at]
			}
			all = append(all, x)
		}
	}
	net, dropped := build(names, links, weights, directed)
	net.index = lazyIndex(names)
	for _, x := range all {
		if dropped.repeated += int(x.more); net.weight(x.Link) != x.weight {
			dropped.conflicting += int(x.more)
		}
	}
	var notes Notes
	notes.Add("repeated_links_dropped", dropped.repeated, "")
	notes.Add("self_loops", net.loops, "")
	notes.Add("vertices_without_links_left_out", isolated, "")
	notes.Add("names_without_their_outer_spaces", len(b.padded), "")
	notes.Warn("conflicting_links", dropped.conflicting, "", "links repeated with another weight; the first weight counts; if links have directions: --directed; "+
		"if the two columns number different things, such as users and films: --schema")
	if net.loops == net.Links() {
		notes.Warn("links", 0, "self-loops alone", "no link joins two different vertices: vectors will say nothing about who is near whom")
	}
	return net, notes, nil
}

// renumber replaces every vertex of the links by its place.
func (b *Builder) renumber(place []int32) {
	for i, l := range b.links {
		b.links[i] = Link{place[l.From], place[l.To]}
	}
}

// dropIsolated leaves out the vertices without a link, and returns how many there were.
func (b *Builder) dropIsolated() int {
	n := len(b.ids.names)
	place := make([]int32, n)
	for _, l := range b.links {
		place[l.From], place[l.To] = 1, 1
	}
	kept := b.ids.names[:0]
	for v, used := range place {
		if place[v] = int32(len(kept)); used > 0 {
			kept = append(kept, b.ids.names[v])
		}
	}
	if len(kept) < n {
		b.ids.names = kept
		b.renumber(place)
	}
	return n - len(kept)
}
