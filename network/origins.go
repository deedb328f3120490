package network

import (
	"bufio"
	"fmt"
	"io"
	"strings"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// Origin says what made a link, seen from one of its ends.
type Origin struct{ Vertex, Neighbor, Of string }

// WriteOrigins writes one a line: the vertex, its neighbour, and what made the link, with tabs between. It returns an error for a name with a tab or a
// line end in it.
func WriteOrigins(w io.Writer, origins []Origin) error {
	b := bufio.NewWriter(w)
	for _, o := range origins {
		if strings.ContainsAny(o.Vertex+o.Neighbor+o.Of, "\t\r\n") {
			return fmt.Errorf("network: origins: %q, %q, %q: expected names without tabs and line ends", o.Vertex, o.Neighbor, o.Of)
		}
		fmt.Fprintf(b, "%s\t%s\t%s\n", o.Vertex, o.Neighbor, o.Of)
	}
	return b.Flush()
}

// ReadOrigins reads what WriteOrigins writes, also compressed; name is what errors call the file. It returns a *ParseError for a line without three fields, and
// for one of more than 64 KiB.
func ReadOrigins(r io.Reader, name string) ([]Origin, error) {
	var out []Origin
	const want = "a vertex, its neighbour and what made the link, with tabs between"
	lines, err := newLongLines(r, name, maxLine, want)
	if err != nil {
		return nil, err
	}
	for line, err := lines.next(); err != io.EOF; line, err = lines.next() {
		if err != nil {
			return nil, err
		}
		f := strings.Split(string(line), "\t")
		if len(f) != 3 || f[0] == "" || f[1] == "" || f[2] == "" {
			return nil, lines.errorf("%s: expected %s", quote(line), want)
		}
		out = append(out, Origin{f[0], f[1], f[2]})
	}
	return out, nil
}

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

// leastMerged is how many links a vertex must have to be merged with another.
const leastMerged = 5

// Merge joins pairs of vertices into one each, and returns the network with, for each link of such a vertex, the vertex that it was of, but for
// links that both had. That is a truth for aspects which needs no labels, as pseudowords are one for senses of words (Gale, Church and
// Yarowsky, 1992). Pairs are drawn at random among vertices of five links or more, until a share of these, in [0,1], is in one; the two of a pair are not
// linked. Directions, weights, self-loops, and what is outside the largest component are dropped. It returns an error for another share, and where no pair can be made.
func (n *Network) Merge(share float64, seed uint64) (*Network, []Origin, error) {
	if !(share >= 0 && share <= 1) {
		return nil, nil, fmt.Errorf("network: merge: share %v: expected 0 to 1", share)
	}
	n = n.LargestComponent().Simple()
	var able []int32
	for _, v := range rng.New(seed, "merge").Perm(n.Vertices()) {
		if n.Degree(int32(v)) >= leastMerged {
			able = append(able, int32(v))
		}
	}
	partner := make(map[int32]int32) // of both of a pair
	pairs := int(share * float64(len(able)) / 2)
	for i := 0; i+1 < len(able) && len(partner) < 2*pairs; i += 2 {
		if a, b := able[i], able[i+1]; !n.Has(a, b) {
			partner[a], partner[b] = b, a
		}
	}
	if len(partner) == 0 {
		return nil, nil, fmt.Errorf("network: merge: no pair among %d vertices with %d links or more: expected a larger share, or a larger network", len(able), leastMerged)
	}
	now, names := make([]int32, n.Vertices()), []string(nil) // number in the merged network
	for v := range now {
		if other, paired := partner[int32(v)]; paired && other < int32(v) {
			now[v] = now[other]
			continue
		}
		now[v] = int32(len(names))
		names = append(names, n.Name(int32(v)))
	}
	var links []Link
	var origins []Origin
	seen := map[Origin]bool{}
	for _, l := range n.List() {
		if now[l.From] != now[l.To] {
			links = append(links, Link{now[l.From], now[l.To]})
		}
		for _, end := range []Link{l, l.reversed()} {
			o := Origin{names[now[end.From]], names[now[end.To]], n.Name(end.From)}
			if n.mergedOrigin(partner, end) && !seen[o] { // one of a pair may be linked with both of another
				origins, seen[o] = append(origins, o), true
			}
		}
	}
	merged, err := New(names, links, nil, false)
	return merged, origins, err
}

// mergedOrigin says whether an end of a link is of one of a pair alone: the other of the pair is linked neither with the other end nor with the one that is
// merged with that.
func (n *Network) mergedOrigin(partner map[int32]int32, end Link) bool {
	other, paired := partner[end.From]
	if !paired || n.Has(other, end.To) {
		return false
	}
	to, merged := partner[end.To]
	return !merged || !n.Has(other, to)
}
