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
