package network

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/rng"
)

// plainForest is a linkCut whose paths are searched.
type plainForest struct {
	next   [][]int32
	weight []int32
}

// path returns the nodes from u to v; none if they are in two trees.
func (f *plainForest) path(u, v, from int32) []int32 {
	if u == v {
		return []int32{v}
	}
	for _, w := range f.next[u] {
		if w == from {
			continue
		}
		if rest := f.path(w, v, u); rest != nil {
			return append(rest, u)
		}
	}
	return nil
}

func (f *plainForest) cut(u, v int32) {
	for _, e := range [][2]int32{{u, v}, {v, u}} {
		f.next[e[0]] = slices.DeleteFunc(f.next[e[0]], func(w int32) bool { return w == e[1] })
	}
}

// A long row of random links, cuts, weights and questions gives what searches give.
func TestLinkCut(t *testing.T) {
	const n = 60
	r := rng.New(1, "test-link-cut")
	fast, plain := newLinkCut(n), &plainForest{next: make([][]int32, n), weight: make([]int32, n)}
	for v := range int32(n) {
		plain.weight[v] = int32(r.Intn(1 << 30))
		fast.setWeight(v, plain.weight[v])
	}
	var links, cuts, asked int
	for range 20000 {
		u, v := int32(r.Intn(n)), int32(r.Intn(n))
		path := plain.path(u, v, -1)
		switch {
		case path == nil:
			fast.link(u, v)
			plain.next[u], plain.next[v] = append(plain.next[u], v), append(plain.next[v], u)
			links++
		case len(path) == 2 || len(path) > 2 && r.Intn(3) == 0: // some edge of the path
			i := r.Intn(len(path) - 1)
			fast.cut(path[i], path[i+1])
			plain.cut(path[i], path[i+1])
			cuts++
		case r.Intn(2) == 0:
			plain.weight[v] = int32(r.Intn(1 << 30))
			fast.setWeight(v, plain.weight[v])
		default:
			want := slices.MinFunc(path, func(a, b int32) int { return int(plain.weight[a] - plain.weight[b]) })
			if got := fast.lightest(u, v); got != want {
				t.Fatalf("lightest of %v: %d, expected %d", path, got, want)
			}
			asked++
		}
	}
	if links < 1000 || cuts < 1000 || asked < 1000 {
		t.Errorf("%d links, %d cuts, %d questions: expected more of each", links, cuts, asked)
	}
}
