package typed

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// ErrNoTexts is of a ranking whose types have no texts, and no links to types that have.
var ErrNoTexts = errors.New("expected a type with content: " + Text + " that is ranked, or that links lead to")

// TextVectors makes tf-idf vectors of vertices: of their texts where their type has these, else of the texts that links lead to.
//
//	x_v = the unit vector with (1 + log count) log(N/df) at each word of v's text, for a type with texts
//	A_v = Σ_w A_w/|A_w| over the links of v, for a type without, where A_w = x_w for a type with texts
//
// The sum is over training links of all types, either way, to vertices w of the types that are one step nearer to texts than v's own,
// each link once whatever its weight. df is how many of N training texts have the word. Words of none of these or of all
// count nothing, and a vertex without other words has a vector of zeros.
type TextVectors struct {
	n     *Network
	steps []int       // from each type to texts: 0 for types with texts, -1 where no links lead to one
	ways  [][]textWay // of each type
	idf   []float64   // of each word; 0 for a word of no training text, or of all
}

// textWay leads from the vertices of a type to those of a type nearer to texts.
type textWay struct {
	to int
	adjacency
}

// TextVector is a vector over the words of a network, in memory that the next vector's takes over.
type TextVector struct {
	Words []int32   // ascending
	X     []float64 // at them, above 0
	Count []int32   // how often the text has them; of a sum, how many of its terms have them

	sorted []int32
	sum    []float64 // of each word of the network; zeros between two vectors
	terms  []int32
	text   *TextVector // of a term
}

// Norm returns the vector's length.
func (v *TextVector) Norm() float64 {
	square := 0.
	for _, x := range v.X {
		square += x * x
	}
	return math.Sqrt(square)
}

func (v *TextVector) clear() { v.Words, v.X, v.Count = v.Words[:0], v.X[:0], v.Count[:0] }

// stepsToTexts returns how many types of links there are on the shortest way from each type to one with texts; -1 without a way.
func (s *Schema) stepsToTexts() []int {
	steps := make([]int, len(s.Types))
	for t, typ := range s.Types {
		if typ.Content != Text {
			steps[t] = -1
		}
	}
	for step := range len(s.Types) {
		for _, l := range s.Links {
			for _, way := range [][2]int{{l.From, l.To}, {l.To, l.From}} {
				if steps[way[0]] < 0 && steps[way[1]] == step {
					steps[way[0]] = step + 1
				}
			}
		}
	}
	return steps
}

// madeOf returns the types that the vectors of some types are made of, these among them.
func madeOf(s *Schema, steps []int, types []int) []int {
	all := slices.Clone(types)
	for i := 0; i < len(all); i++ {
		for _, way := range s.toTexts(steps, all[i]) {
			if !slices.Contains(all, way.To) {
				all = append(all, way.To)
			}
		}
	}
	return all
}

// toTexts returns the steps from a type to those one step nearer to texts.
func (s *Schema) toTexts(steps []int, typ int) (ways []Step) {
	for i, l := range s.Links {
		for _, way := range []Step{{Link: i, From: l.From, To: l.To}, {Link: i, From: l.To, To: l.From, Backward: true}} {
			if way.From == typ && steps[typ] > 0 && steps[way.To] == steps[typ]-1 {
				ways = append(ways, way)
			}
		}
	}
	return ways
}

// NewTextVectors returns what makes the vectors of the vertices of some types, and of those that these are made of. Training texts are
// those of all vertices of these that have a type with texts, but for vertices that are without links and in pairs of t: what is to be ranked has no
// say. t may be nil. It returns an error that wraps ErrNoTexts for a type from which no links lead to texts.
func (n *Network) NewTextVectors(t *Task, types ...int) (*TextVectors, error) {
	v := &TextVectors{n: n, steps: n.stepsToTexts(), ways: make([][]textWay, len(n.Types)), idf: make([]float64, len(n.Words))}
	for _, typ := range types {
		if v.steps[typ] < 0 {
			return nil, fmt.Errorf("typed: tf-idf of %s: vertices %s have no texts, and no links to any: %w", n.Name, n.Types[typ].Name, ErrNoTexts)
		}
	}
	all := slices.Compact(slices.Sorted(slices.Values(madeOf(&n.Schema, v.steps, types))))
	v.weighWords(t, all)
	for _, typ := range all {
		for _, way := range n.toTexts(v.steps, typ) {
			a := n.adjacency(way, 0)
			a.sums = nil
			v.ways[typ] = append(v.ways[typ], textWay{way.To, a})
		}
	}
	return v, nil
}

// IDF returns log(N/df) of each word, df being how many of the network's N texts have it; 0 for a word of none or of all. It returns an error that
// wraps ErrNoTexts for a network without texts.
func (n *Network) IDF() ([]float64, error) {
	var types []int
	for t, typ := range n.Types {
		if typ.Content == Text {
			types = append(types, t)
		}
	}
	if types == nil {
		return nil, fmt.Errorf("typed: words of %s: %w", n.Name, ErrNoTexts)
	}
	v, err := n.NewTextVectors(nil, types...)
	if err != nil {
		return nil, err
	}
	return v.idf, nil
}

// weighWords sets idf by the training texts of some types.
func (v *TextVectors) weighWords(t *Task, types []int) {
	texts := 0
	var own TextVector
	for _, typ := range types {
		if v.steps[typ] > 0 {
			continue
		}
		untrained := t.untrained(v.n, typ)
		for i, tokens := range v.n.Contents[typ].Texts {
			if untrained[int32(i)] {
				continue
			}
			texts++
			own.sort(tokens)
			for _, w := range slices.Compact(own.sorted) {
				v.idf[w]++
			}
		}
	}
	for w, df := range v.idf {
		if df > 0 {
			v.idf[w] = math.Log(float64(texts) / df)
		}
	}
}

// untrained returns the vertices of a type that pairs have and no link has.
func (t *Task) untrained(n *Network, typ int) map[int32]bool {
	if t == nil {
		return nil
	}
	source, target := t.Ends(n)
	only := map[int32]bool{}
	for _, pairs := range [][]Pair{t.Validation, t.Test} {
		for _, p := range pairs {
			if source == typ {
				only[p.Source] = true
			}
			if target == typ {
				only[p.Target] = true
			}
		}
	}
	for i, l := range n.Schema.Links {
		for k := range n.Links[i].From {
			if l.From == typ {
				delete(only, n.Links[i].From[k])
			}
			if l.To == typ {
				delete(only, n.Links[i].To[k])
			}
		}
	}
	return only
}

func (v *TextVector) sort(tokens []int32) {
	v.sorted = append(v.sorted[:0], tokens...)
	slices.Sort(v.sorted)
}

// Text sets dst to the vector of a text, whose words are places in Network.Words.
func (v *TextVectors) Text(dst *TextVector, tokens []int32) {
	dst.sort(tokens)
	dst.clear()
	var square float64
	for i := 0; i < len(dst.sorted); {
		w, first := dst.sorted[i], i
		for i < len(dst.sorted) && dst.sorted[i] == w {
			i++
		}
		if v.idf[w] == 0 {
			continue
		}
		weight := (1 + math.Log(float64(i-first))) * v.idf[w]
		dst.Words, dst.X, dst.Count, square = append(dst.Words, w), append(dst.X, weight), append(dst.Count, int32(i-first)), square+weight*weight
	}
	for i := range dst.X {
		dst.X[i] /= math.Sqrt(square)
	}
}

// Vertex sets dst to the vector of vertex i of a type that NewTextVectors was asked for: x or A above.
func (v *TextVectors) Vertex(dst *TextVector, typ int, i int32) {
	if v.steps[typ] == 0 {
		v.Text(dst, v.n.Contents[typ].Texts[i])
		return
	}
	if dst.sum == nil {
		dst.sum, dst.terms, dst.text = make([]float64, len(v.idf)), make([]int32, len(v.idf)), &TextVector{}
	}
	words := dst.Words[:0] // each once
	add := func(w int32, x float64) {
		if dst.terms[w] == 0 {
			words = append(words, w)
		}
		dst.sum[w] += x
		dst.terms[w]++
	}
	for _, way := range v.ways[typ] {
		for _, u := range way.row(i) {
			term := dst.text
			v.Vertex(term, way.to, u)
			norm := term.Norm()
			for k, w := range term.Words {
				x := term.X[k]
				if v.steps[way.to] > 0 {
					x = float64(float32(x / norm))
				}
				add(w, x)
			}
		}
	}
	slices.Sort(words)
	dst.clear()
	dst.Words = words
	for _, w := range words {
		dst.X, dst.Count = append(dst.X, dst.sum[w]), append(dst.Count, dst.terms[w])
		dst.sum[w], dst.terms[w] = 0, 0
	}
}
