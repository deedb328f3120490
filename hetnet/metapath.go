package hetnet

import (
	"fmt"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/walks"
)

// MetaPathOptions say how many walks go along a meta-path, and how far.
type MetaPathOptions struct {
	PerAuthor int    // walks from each author, or each paper or venue that the path starts with, 1 to walks.MaxPerVertex; code: 5
	Length    int    // vertices of a walk, 2 to walks.MaxLength; code: 20
	Seed      uint64 // of the stream "meta-path NAME", NAME being the path's
}

// MetaPath is the corpus of random walks along a meta-path, such as APVPA: from an author (A) to one of its papers (P), its
// venue (V), a paper of that venue, an author of that paper, and on from there with the same steps. All neighbours of the
// wanted type are equally likely, and a walk may turn back. Walks know training papers alone.
//
// The schema has papers beside authors (AP, PA), papers beside venues (PV, VP), and papers that cite papers (PP), a step that
// goes from the citing paper to the cited one. Any path over these will do that ends with the type that it starts with.
//
// Walks start from every author with a training paper, PerAuthor rounds of them in the order of Bibliography.Authors; those
// of a path that starts with P or V, from every training paper or venue from which its first step can be made. A paper that
// cites nothing stands for the one that it should cite: the walk leaves it by the path's next step to another type, as if
// the step PP were not there. Where no other step can be made, for lack of a venue say, the walk ends.
//
// Vertices are numbered by type: authors from 0 in the order of Bibliography.Authors, then venues if the path has any, then
// training papers in the order of Bibliography.Train.
//
// It keeps the links and no walk: walk i is drawn anew from its own random stream whenever it is asked for.
//
// Source: Camel (Zhang et al., WWW 2018) as its authors' code has it; metapath2vec (Dong et al., KDD 2017). Differs: the code
// ends walks that lead to a paper without authors by an error, and has the paths APA, APPA and APVPA alone.
type MetaPath struct {
	path   string
	steps  []metaStep // of one round of the path
	starts []int32
	kinds  string
	types  []int32
	o      MetaPathOptions
	key    rng.Key
}

var _ walks.Source = (*MetaPath)(nil)

// metaStep goes from a vertex of one type to one of another.
type metaStep struct {
	from  int32     // first vertex of the type that the step leaves
	next  adjacency // of the vertices of that type
	cites bool      // from paper to paper
	other int       // for those: the next step, in rounds of the path, that goes to another type; -1 if none does
}

// adjacency lists the neighbours of the vertices of one type that are of another type.
type adjacency struct {
	offsets []int32
	targets []int32 // numbered among all vertices
}

func (a *adjacency) row(i int32) []int32 { return a.targets[a.offsets[i]:a.offsets[i+1]] }

// schema says what a step of a meta-path can be.
const schema = "steps AP, PA, PV, VP and PP (from a paper to one that it cites), and the last type as the first, as in APA, APPA or APVPA"

// checkPath returns an error unless the path goes by the schema.
func checkPath(path string) error {
	if len(path) < 2 || path[0] != path[len(path)-1] {
		return fmt.Errorf("hetnet: meta-path %q: want %s", path, schema)
	}
	for k := range len(path) - 1 {
		switch path[k : k+2] {
		case "AP", "PA", "PV", "VP", "PP":
		default:
			return fmt.Errorf("hetnet: meta-path %q has the step %q: want %s", path, path[k:k+2], schema)
		}
	}
	return nil
}

// validPaths returns an error unless all meta-paths of the options go by the schema.
func validPaths(o graphs.Options) error {
	if Own(o).MetaPaths == AllMetaPaths {
		return nil
	}
	for path := range strings.SplitSeq(Own(o).MetaPaths, ",") {
		if err := checkPath(strings.TrimSpace(path)); err != nil {
			return err
		}
	}
	return nil
}

// metaPaths returns the walks along the meta-paths of a list. AllMetaPaths are those of Camel's code that the bibliography has a
// walk along: APVPA takes venues, and APPA references.
func metaPaths(b *Bibliography, o graphs.Options) (paths []*MetaPath, err error) {
	list := Own(o).MetaPaths
	if list == AllMetaPaths {
		list = camelPaths
	}
	for name := range strings.SplitSeq(list, ",") {
		path, err := NewMetaPath(b, strings.TrimSpace(name), MetaPathOptions{PerAuthor: o.Walks, Length: o.Length, Seed: o.Seed})
		switch {
		case err == nil:
			paths = append(paths, path)
		case Own(o).MetaPaths != AllMetaPaths || name == "APA":
			return nil, err
		}
	}
	return paths, nil
}

const camelPaths = "APA,APVPA,APPA" // of its code

// NewMetaPath returns the walks of a bibliography along a meta-path. It returns an error if an option is out of range, if
// the schema does not have such a path, or if the bibliography has no walk that follows the path once from its start to its
// end: APVPA, say, where no training paper has a venue.
func NewMetaPath(b *Bibliography, path string, o MetaPathOptions) (*MetaPath, error) {
	switch {
	case o.PerAuthor < 1 || o.PerAuthor > walks.MaxPerVertex:
		return nil, fmt.Errorf("hetnet: %d walks from each author: want 1 to %d", o.PerAuthor, walks.MaxPerVertex)
	case o.Length < 2 || o.Length > walks.MaxLength:
		return nil, fmt.Errorf("hetnet: walks of %d vertices: want 2 to %d", o.Length, walks.MaxLength)
	}
	if err := checkPath(path); err != nil {
		return nil, err
	}
	if err := b.Check(); err != nil {
		return nil, err
	}
	m := &MetaPath{path: path, kinds: "AP", o: o, key: rng.NewKey(o.Seed, "meta-path "+path)}
	authors, venues, papers := int32(len(b.Authors)), int32(0), int32(len(b.Train))
	if strings.Contains(path, "V") {
		m.kinds, venues = "AVP", int32(len(b.Venues))
		m.types = []int32{0, authors, authors + venues, authors + venues + papers}
	} else {
		m.types = []int32{0, authors, authors + papers}
	}
	m.steps = make([]metaStep, len(path)-1)
	for k := range m.steps {
		s := &m.steps[k]
		s.from = m.types[strings.IndexByte(m.kinds, path[k])]
		s.next = m.adjacency(b, path[k], path[k+1])
		s.cites, s.other = path[k:k+2] == "PP", -1
	}
	for k := range m.steps {
		for j := range m.steps {
			if ahead := (k + 1 + j) % len(m.steps); m.steps[k].cites && !m.steps[ahead].cites {
				m.steps[k].other = ahead
				break
			}
		}
	}
	if err := m.follow(b.Name); err != nil {
		return nil, err
	}
	first := m.steps[0]
	for i := range int32(len(first.next.offsets) - 1) {
		if _, ok := m.step(0, first.from+i); ok >= 0 {
			m.starts = append(m.starts, first.from+i)
		}
	}
	return m, nil
}

// adjacency returns the links of training papers between two types.
func (m *MetaPath) adjacency(b *Bibliography, from, to byte) adjacency {
	paperVertex := make([]int32, len(b.Papers)) // -1 for test papers
	for p := range paperVertex {
		paperVertex[p] = -1
	}
	first := func(kind byte) int32 { return m.types[strings.IndexByte(m.kinds, kind)] }
	for i, p := range b.Train {
		paperVertex[p] = first('P') + int32(i)
	}
	rows := int32(len(b.Train))
	switch from {
	case 'A':
		rows = int32(len(b.Authors))
	case 'V':
		rows = int32(len(b.Venues))
	}
	// Links of each training paper with what is not a paper, or with those that it cites.
	each := func(yield func(row, target int32)) {
		for i, p := range b.Train {
			paper := &b.Papers[p]
			switch {
			case from == 'P' && to == 'P':
				for _, q := range paper.Cites {
					yield(int32(i), paperVertex[q])
				}
			case from == 'A' || to == 'A':
				for _, a := range paper.Authors {
					if from == 'A' {
						yield(a, paperVertex[p])
					} else {
						yield(int32(i), first('A')+a)
					}
				}
			case paper.Venue >= 0 && from == 'V':
				yield(paper.Venue, paperVertex[p])
			case paper.Venue >= 0:
				yield(int32(i), first('V')+paper.Venue)
			}
		}
	}
	a := adjacency{offsets: make([]int32, rows+1)}
	each(func(row, _ int32) { a.offsets[row+1]++ })
	for i := range rows {
		a.offsets[i+1] += a.offsets[i]
	}
	a.targets = make([]int32, a.offsets[rows])
	at := append([]int32(nil), a.offsets[:rows]...)
	each(func(row, target int32) {
		a.targets[at[row]] = target
		at[row]++
	})
	return a
}

// follow returns an error unless some walk can make every step of the path once, in turn.
func (m *MetaPath) follow(name string) error {
	here := make([]bool, m.Vertices())
	for i := range int32(len(m.steps[0].next.offsets) - 1) {
		here[m.steps[0].from+i] = true
	}
	for k := range m.steps {
		s := &m.steps[k]
		there, any := make([]bool, len(here)), false
		for i := range int32(len(s.next.offsets) - 1) {
			if !here[s.from+i] {
				continue
			}
			for _, u := range s.next.row(i) {
				there[u], any = true, true
			}
		}
		if !any {
			return fmt.Errorf("hetnet: meta-path %s: no walk in bibliography %q can make step %d, %s: want training papers linked that way",
				m.path, name, k+1, m.path[k:k+2])
		}
		here = there
	}
	return nil
}

// step returns the neighbours of vertex v that step k leads to, and the number of the step that follows; -1 where there are
// none.
func (m *MetaPath) step(k int, v int32) (next []int32, then int) {
	s := &m.steps[k]
	if next = s.next.row(v - s.from); len(next) == 0 && s.other >= 0 {
		k = s.other
		s = &m.steps[k]
		next = s.next.row(v - s.from)
	}
	if len(next) == 0 {
		return nil, -1
	}
	if k++; k == len(m.steps) {
		k = 0
	}
	return next, k
}

// Walks returns the number of walks: PerAuthor from each vertex that they start from.
func (m *MetaPath) Walks() int { return len(m.starts) * m.o.PerAuthor }

// MaxLength returns MetaPathOptions.Length.
func (m *MetaPath) MaxLength() int { return m.o.Length }

// Walk draws walk i: round i/S from start i%S of the S starts.
func (m *MetaPath) Walk(i int, buf []int32) []int32 {
	stream, v := m.key.Stream(uint64(i)), m.starts[i%len(m.starts)]
	walk := append(buf[:0], v)
	for k := 0; len(walk) < m.o.Length; {
		var next []int32
		if next, k = m.step(k, v); k < 0 {
			break
		}
		v = next[stream.Intn(len(next))]
		walk = append(walk, v)
	}
	return walk
}

// Path returns the meta-path.
func (m *MetaPath) Path() string { return m.path }

// Vertices returns the number of vertices that walks are numbered in, whether or not a walk visits them.
func (m *MetaPath) Vertices() int { return int(m.types[len(m.types)-1]) }

// Kinds returns a letter for each type in the order of their vertices: "AP" or, for a path with venues, "AVP".
func (m *MetaPath) Kinds() string { return m.kinds }

// Types returns the first vertex of each type of Kinds, and the number of vertices after the last; it is only read.
func (m *MetaPath) Types() []int32 { return m.types }
