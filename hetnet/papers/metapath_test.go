package papers

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// newWalks returns the walks along a meta-path.
func newWalks(b *Bibliography, path string, o typed.WalkOptions) (*typed.Walks, error) {
	p, err := b.ParsePath(path)
	if err != nil {
		return nil, err
	}
	return b.NewWalks(p, b.Layout([]typed.Path{p}, Author), o)
}

func metaPath(t testing.TB, b *Bibliography, path string, o typed.WalkOptions) *typed.Walks {
	t.Helper()
	return call.Of(newWalks(b, path, o))(t)
}

// neighbours returns the vertices of a type that a step from a vertex may lead to, found from the papers themselves.
func neighbours(b flat, m *typed.Walks, v int32, to byte) (next []int32) {
	layout := m.Layout()
	first := func(kind byte) int32 {
		if t := strings.IndexByte("AVP", kind); slices.Contains(layout.Types, t) {
			return layout.First(t)
		}
		return math.MaxInt32
	}
	place := func(p int32) int32 { return first('P') + int32(slices.Index(b.Train, p)) }
	if v >= first('P') {
		p := b.Papers[b.Train[v-first('P')]]
		switch {
		case to == 'A':
			for _, a := range p.Own {
				next = append(next, first('A')+a)
			}
		case to == 'V' && p.Venue >= 0:
			next = append(next, first('V')+p.Venue)
		case to == 'P':
			for _, q := range p.Cites {
				next = append(next, place(q))
			}
		}
		return next
	}
	for _, p := range b.Train {
		paper := b.Papers[p]
		author := v < int32(len(b.Authors)) && slices.Contains(paper.Own, v)
		venue := v >= int32(len(b.Authors)) && paper.Venue == v-first('V')
		if author || venue {
			next = append(next, place(p))
		}
	}
	return next
}

// Every step of a walk is one that the path and the papers allow, each equally often: chi-square over the neighbours of each
// vertex, at each step of the path. Walks end early only where no step can be made.
func TestMetaPathSteps(t *testing.T) {
	f := small()
	b := f.bibliography(t)
	for _, path := range []string{"APA", "APPA", "APVPA", "PAP", "PVP", "VPV", "PP", "PPAP", "APPPA", "VPAPV"} {
		t.Run(path, func(t *testing.T) {
			m := metaPath(t, b, path, typed.WalkOptions{PerVertex: 4000, Length: 7, Seed: 1})
			counts := map[[2]int32]map[int32]int{} // of step and vertex: how often what came next
			for i := range m.Walks() {
				walk := m.Walk(i, nil)
				if len(walk) < 2 || len(walk) > 7 {
					t.Fatalf("walk %d has %d vertices, expected 2 to 7", i, len(walk))
				}
				k := 0
				for j, v := range walk {
					next := neighbours(f, m, v, path[k+1])
					for skipped := 0; len(next) == 0 && path[k:k+2] == "PP" && skipped < len(path); skipped++ {
						k = (k + 1) % (len(path) - 1) // a paper that cites nothing stands for the one it should cite
						next = neighbours(f, m, v, path[k+1])
					}
					if j == len(walk)-1 {
						if len(next) > 0 && len(walk) < 7 {
							t.Fatalf("walk %v ends early at %d, which has neighbours %v", walk, v, next)
						}
						break
					}
					if !slices.Contains(next, walk[j+1]) {
						t.Fatalf("walk %v steps from %d to %d: expected one of %v", walk, v, walk[j+1], next)
					}
					at := [2]int32{int32(k), v}
					if counts[at] == nil {
						counts[at] = map[int32]int{}
					}
					counts[at][walk[j+1]]++
					k = (k + 1) % (len(path) - 1)
				}
			}
			for at, count := range counts {
				var sum, chi float64
				for _, c := range count {
					sum += float64(c)
				}
				n := float64(len(neighbours(f, m, at[1], path[at[0]+1])))
				for _, c := range count {
					chi += math.Pow(float64(c)-sum/n, 2) / (sum / n)
				}
				if sum > 200 && (float64(len(count)) != n || chi > 20) { // 3 degrees of freedom at most: .0002
					t.Errorf("step %s from %d: counts %v of %v neighbours, chi-square %.1f", path[at[0]:at[0]+2], at[1], count, n, chi)
				}
			}
		})
	}
}

// Authors come first, then venues where the path has any, then training papers.
func TestMetaPathNumbering(t *testing.T) {
	b := small().bibliography(t)
	for _, c := range []struct {
		path          string
		kinds         []int
		types, starts []int32
	}{
		{"APA", []int{Author, Trained}, []int32{0, 3, 7}, []int32{0, 1, 2}},
		{"APVPA", []int{Author, Venue, Trained}, []int32{0, 3, 5, 9}, []int32{0, 1, 2}},
		{"PVP", []int{Author, Venue, Trained}, []int32{0, 3, 5, 9}, []int32{5, 6, 7}}, // the paper without a venue starts no walk
		{"VPV", []int{Author, Venue, Trained}, []int32{0, 3, 5, 9}, []int32{3, 4}},
		{"PP", []int{Author, Trained}, []int32{0, 3, 7}, []int32{3, 4}}, // the others cite nothing
		{"PPAP", []int{Author, Trained}, []int32{0, 3, 7}, []int32{3, 4, 5, 6}},
	} {
		m := metaPath(t, b, c.path, typed.WalkOptions{PerVertex: 2, Length: 5, Seed: 1})
		l := m.Layout()
		if !slices.Equal(l.Types, c.kinds) || !slices.Equal(l.Start, c.types) || l.Vertices() != int(c.types[len(c.types)-1]) || m.Path().Text != c.path || m.MaxLength() != 5 {
			t.Errorf("%s: types %v from %v, %d vertices, longest %d: expected %v, %v, 5", c.path, l.Types, l.Start, l.Vertices(), m.MaxLength(), c.kinds, c.types)
		}
		var starts []int32
		for i := range m.Walks() {
			starts = append(starts, m.Walk(i, nil)[0])
		}
		if want := append(slices.Clone(c.starts), c.starts...); !slices.Equal(starts, want) {
			t.Errorf("%s: walks start at %v, expected %v", c.path, starts, want)
		}
	}
}

// Whatever a meta-path says, its walks go along papers, authors and venues that are there, or it is an error.
func FuzzMetaPath(f *testing.F) {
	for _, path := range []string{"APA", "APPA", "APVPA", "AVA", "A", "", "apa", "AP", "APAPAPAPA", "ÄPA", "A\x00A"} {
		f.Add(path)
	}
	b := small().bibliography(f)
	f.Fuzz(func(t *testing.T, path string) {
		m, err := newWalks(b, path, typed.WalkOptions{PerVertex: 1, Length: 7})
		if err != nil {
			return
		}
		for i := range min(m.Walks(), 20) {
			for _, v := range m.Walk(i, nil) {
				if v < 0 || int(v) >= m.Layout().Vertices() {
					t.Fatalf("%q: vertex %d of %d", path, v, m.Layout().Vertices())
				}
			}
		}
	})
}
