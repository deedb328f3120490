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
			for _, p := range index[w] {
				m.sums[p.vertex] += m.from.X[k] / norm * float64(p.x)
			}
		}
		for i, x := range m.sums {
			dst[i] = float32(x)
		}
		return nil
	}, nil
}

// posting is a vertex that has a word, and its vector, made a unit, at the word.
type posting struct {
	vertex int32
	x      float32
}

// index returns, for each word, the vertices of a type that have it.
func (v *TextVectors) index(typ int) [][]posting {
	of := make([][]posting, len(v.idf))
	var own TextVector
	for i := range v.n.Vertices(typ) {
		v.Vertex(&own, typ, int32(i))
		norm := own.Norm()
		for k, w := range own.Words {
			of[w] = append(of[w], posting{int32(i), float32(own.X[k] / norm)})
		}
	}
	return of
}
