package papers

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// flat is a bibliography as lists, with papers, training and test, in the order of the source, which references are places in.
type flat struct {
	Name                   string
	Authors, Venues, Words []string
	Train, Test            []int32
	Papers                 []Paper
}

// flatten returns the lists of a bibliography.
func flatten(b *Bibliography) flat {
	f := flat{Name: b.Name, Authors: b.Names[Author], Venues: b.Names[Venue], Words: b.Words, Train: b.places}
	for _, p := range b.Test {
		f.Test = append(f.Test, p.place)
	}
	for p := range b.ordered() {
		p.place, p.Cites = 0, slices.Clone(p.Cites)
		for i, q := range p.Cites {
			p.Cites[i] = b.places[q]
		}
		f.Papers = append(f.Papers, p)
	}
	return f
}

// bibliography returns the lists as a bibliography.
func (f flat) bibliography(t testing.TB) *Bibliography {
	t.Helper()
	a := &assembly{Table: NewTable()}
	a.authors.Names, a.venues.Names, a.words.Names = f.Authors, f.Venues, f.Words
	for i, p := range f.Papers {
		p.place, p.Cites = int32(i), slices.Clone(p.Cites)
		for k, q := range p.Cites {
			p.Cites[k] = int32(slices.Index(f.Train, q))
		}
		if slices.Contains(f.Train, int32(i)) {
			a.trained = append(a.trained, p)
		} else {
			a.tested = append(a.tested, p)
		}
	}
	return call.Of(a.network(f.Name))(t)
}

// small has three authors and two venues. Paper 1 is a test paper, so that the places of training papers are not those of
// papers: training papers 0, 1, 2, 3 are papers 0, 2, 3, 4. The last has neither venue nor references.
func small() flat {
	return flat{
		Name: "small", Authors: []string{"ann", "bob", "cyd"}, Venues: []string{"x", "y"}, Words: []string{"w"},
		Papers: []Paper{
			{Question: typed.Question{Name: "p0", Own: []int32{0, 1}}, Venue: 0, Cites: []int32{2, 3, 4}},
			{Question: typed.Question{Name: "t", Own: []int32{0}, Among: []int32{2}}, Venue: 0, Cites: []int32{2}},
			{Question: typed.Question{Name: "p1", Own: []int32{1}}, Venue: 0, Cites: []int32{0}},
			{Question: typed.Question{Name: "p2", Own: []int32{1, 2}}, Venue: 1},
			{Question: typed.Question{Name: "p3", Own: []int32{0, 1, 2}}, Venue: -1},
		},
		Train: []int32{0, 2, 3, 4}, Test: []int32{1},
	}
}

// files is a folder: names and contents.
type files map[string]string

// dir writes the files into a folder called dir.
func (f files) dir(t testing.TB) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "dir")
	call.OK(t, os.Mkdir(dir, 0o777))
	for name, text := range f {
		call.File(t, filepath.Join(dir, name), text)
	}
	return dir
}

// read reads the files.
func (f files) read(t testing.TB) (*Bibliography, network.Notes, error) {
	t.Helper()
	return Read(f.dir(t))
}

// with returns the files with one changed; an empty text removes it.
func (f files) with(name, text string) files {
	g := files{}
	for n, t := range f {
		g[n] = t
	}
	if g[name] = text; text == "" {
		delete(g, name)
	}
	return g
}

// shortly writes sizes and notes, sorted.
func shortly(b *Bibliography, notes network.Notes) string {
	var all []string
	for _, x := range append(b.Sizes(), notes...) {
		all = append(all, fmt.Sprint(x.Name, " ", x.Count, x.First))
	}
	slices.Sort(all)
	return strings.Join(all, "; ")
}

// sound reports what is wrong with a bibliography: numbers that are no places, papers without what they need.
func sound(t testing.TB, b *Bibliography) {
	t.Helper()
	if len(b.AuthorsOf) == 0 || len(b.places) != b.Vertices(Trained) {
		t.Errorf("%d training papers at %d places", b.Vertices(Trained), len(b.places))
	}
	within := func(what string, list []int32, n int, distinct bool) {
		for i, x := range list {
			if x < 0 || int(x) >= n || distinct && slices.Contains(list[:i], x) {
				t.Errorf("%s %v: expected numbers below %d", what, list, n)
			}
		}
	}
	for p := range b.ordered() {
		within("authors", p.Own, b.Vertices(Author), true)
		within("references", p.Cites, b.Vertices(Trained), true)
		within("tokens", p.Text, len(b.Words), false)
		within("candidates", p.Among, b.Vertices(Author), false)
	}
	for _, p := range b.Test {
		if len(p.Own) == 0 || len(p.Among) == 0 {
			t.Errorf("paper %s has %d authors and %d others", p.Name, len(p.Own), len(p.Among))
		}
		for _, a := range p.Own {
			if slices.Contains(p.Among, a) {
				t.Errorf("paper %s has its author %d among its candidates", p.Name, a)
			}
		}
	}
}
