package typed

import "sync"

// TFIDF returns a scorer by the words that a target shares with the source: the cosine of their tf-idf vectors, see TextVectors.
//
//	score(u, i) = <A_u, A_i> / (|A_u| |A_i|), or 0 where either is a vector of zeros
//
// So a source without a text of its own, such as a user, has the texts of the targets that training links join it with, and
// where neither type has texts both have those of their other links. It returns an error that wraps ErrNoTexts if no links lead from
// the two types to texts.
func (t *Task) TFIDF(n *Network) (Scorer, error) {
	source, target := t.Ends(n)
	vectors, err := n.NewTextVectors(t, source, target)
	if err != nil {
		return nil, err
	}
	index := vectors.index(target)
	type memory struct {
		from TextVector
		sums []float64
	}
	free := sync.Pool{New: func() any { return &memory{sums: make([]float64, n.Vertices(target))} }}
	return func(u int32, dst []float32) error {
		m := free.Get().(*memory)
		defer free.Put(m)
		clear(m.sums)
		vectors.Vertex(&m.from, source, u)
		norm := m.from.Norm()
		for k, w := range m.from.Words {
			for _, p := range index.of(w) {
				m.sums[p.vertex] += m.from.X[k] / norm * float64(p.x)
			}
		}
		for i, x := range m.sums {
			dst[i] = float32(x)
		}
		return nil
	}, nil
}

// wordIndex lists the vertices that have each word.
type wordIndex struct {
	first    []int64 // of each word, and the end
	postings []posting
}

// posting is a vertex that has a word, and its vector, made a unit, at the word.
type posting struct {
	vertex int32
	x      float32
}

func (x *wordIndex) of(word int32) []posting { return x.postings[x.first[word]:x.first[word+1]] }

// index returns the vertices of a type by their words. Vectors are made twice, so that no others are held meanwhile.
func (v *TextVectors) index(typ int) (x wordIndex) {
	x.first = make([]int64, len(v.idf)+1)
	var own TextVector
	for i := range v.n.Vertices(typ) {
		v.Vertex(&own, typ, int32(i))
		for _, w := range own.Words {
			x.first[w+1]++
		}
	}
	for w := range v.idf {
		x.first[w+1] += x.first[w]
	}
	x.postings = make([]posting, x.first[len(v.idf)])
	at := append([]int64(nil), x.first...)
	for i := range v.n.Vertices(typ) {
		v.Vertex(&own, typ, int32(i))
		norm := own.Norm()
		for k, w := range own.Words {
			x.postings[at[w]] = posting{int32(i), float32(own.X[k] / norm)}
			at[w]++
		}
	}
	return x
}

// TFIDFBytes is about how much memory TFIDF takes: 0 where it returns an error.
func (t *Task) TFIDFBytes(n *Network) (bytes float64) {
	source, target := t.Ends(n)
	steps := n.stepsToTexts()
	if steps[source] < 0 {
		return 0
	}
	vocabulary := float64(len(n.Words))
	words := make([][]float64, len(n.Types)) // of each vertex, at most
	sum := func(typ int) (all float64) {
		for _, x := range words[typ] {
			all += x
		}
		return all
	}
	inner := make([]bool, len(n.Types)) // types that others' vectors are made of
	for _, typ := range madeOf(&n.Schema, steps, []int{source, target}) {
		own := make([]float64, n.Vertices(typ))
		words[typ] = own
		for i, text := range n.Contents[typ].Texts {
			own[i] = float64(len(text))
		}
		for _, way := range n.toTexts(steps, typ) {
			at, from := n.Links[way.Link].From, n.Links[way.Link].To
			if way.Backward {
				at, from = from, at
			}
			for k, v := range at {
				own[v] = min(own[v]+words[way.To][from[k]], vocabulary)
			}
			bytes += 4 * float64(len(at))
			if steps[way.To] > 0 && !inner[way.To] {
				inner[way.To] = true
				bytes += 8 * sum(way.To)
			}
		}
	}
	return bytes + 8*sum(target) + 3*8*vocabulary
}
