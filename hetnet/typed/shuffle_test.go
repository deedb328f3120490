package typed

import (
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// Shuffled links are other ones, with as many of each vertex, none twice or from a vertex to itself; weights stay with sources.
func TestShuffled(t *testing.T) {
	for name, typ := range map[string]LinkType{
		"between": {Name: "l", From: 0, To: 1}, "within": {Name: "l", From: 0, To: 0}, "directed": {Name: "l", From: 0, To: 0, Directed: true},
	} {
		t.Run(name, func(t *testing.T) {
			const vertices, links = 40, 150
			n := &Network{
				Schema: Schema{Types: []Type{{Name: "a"}, {Name: "b"}}, Links: []LinkType{typ, {Name: "other", From: 0, To: 1}}},
				Names:  [][]string{make([]string, vertices), make([]string, vertices)}, Contents: make([]Content, 2),
			}
			was, s := Links{}, rng.New(1, "links")
			there := map[[2]int32]bool{}
			for len(was.From) < links {
				u, v := int32(s.Intn(vertices)), int32(s.Intn(vertices))
				if u == v || there[[2]int32{u, v}] || there[[2]int32{v, u}] {
					continue
				}
				there[[2]int32{u, v}] = true
				was.From, was.To, was.Weight = append(was.From, u), append(was.To, v), append(was.Weight, float32(u+1))
			}
			n.Links = []Links{was, was}
			before := n.Checksum()
			out, err := n.Shuffled([]string{"l"}, 1)
			if err != nil {
				t.Fatal(err)
			}
			if n.Checksum() != before || !reflect.DeepEqual(out.Links[1], was) {
				t.Fatal("other links than those of the copy have changed")
			}
			again, _ := n.Shuffled([]string{"l"}, 1)
			other, _ := n.Shuffled([]string{"l"}, 2)
			if again.Checksum() != out.Checksum() || other.Checksum() == out.Checksum() {
				t.Error("the seed does not say which links there are")
			}
			l, same, seen := out.Links[0], 0, map[[2]int32]bool{}
			degree := func(l Links) (of [2][vertices]int) {
				for k := range l.From {
					of[0][l.From[k]]++
					to := 1
					if typ.From == typ.To && !typ.Directed {
						to = 0
					}
					of[to][l.To[k]]++
				}
				return of
			}
			if degree(l) != degree(was) {
				t.Error("vertices have other numbers of links")
			}
			for k := range l.From {
				u, v := l.From[k], l.To[k]
				within := typ.From == typ.To
				if seen[[2]int32{u, v}] || within && !typ.Directed && seen[[2]int32{v, u}] || within && u == v {
					t.Fatalf("%d and %d are linked twice, or one vertex with itself", u, v)
				}
				seen[[2]int32{u, v}] = true
				if there[[2]int32{u, v}] {
					same++
				}
				if (!within || typ.Directed) && l.Weight[k] != float32(u+1) {
					t.Fatalf("a link of %d has the weight %v", u, l.Weight[k])
				}
			}
			if same > links/3 { // as many as chance has: about a tenth
				t.Errorf("%d of %d links are as before", same, links)
			}
		})
	}
	if _, err := (&Network{Schema: *music()}).Shuffled([]string{"plays"}, 1); err == nil {
		t.Error("links that there are not: expected an error")
	}
	full := Links{From: []int32{0, 0, 1, 1}, To: []int32{0, 1, 0, 1}}
	full.shuffle(LinkType{From: 0, To: 1}, rng.New(1, "full")) // nothing can change, and it ends
	if !reflect.DeepEqual(full.From, []int32{0, 0, 1, 1}) {
		t.Errorf("links %v", full)
	}
}
