package shelf

import (
	"math"
	"slices"
	"strconv"
	"testing"

	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Planted describes a synthetic bibliography: topics are the aspects of an author, and each paper is about one of them.
type Planted struct {
	Authors    int     // from 2 up; those who come to no training paper are left out
	Papers     int     // from 2 up, in the order of their years
	Topics     int     // from 1 up, all of about the same size
	Aspects    int     // an author has 1 to this many topics, each number equally likely
	Venues     int     // from 0 up, shared out among the topics
	Vocabulary int     // words, at least one for each topic; not all need occur
	Tokens     int     // words of a paper on average, from 0 up: half of that to half more
	CoAuthors  int     // of the first author, 0 to this many, each number equally likely
	References int     // of a paper to earlier ones, 0 to this many, each number equally likely
	TestShare  float64 // of the papers, in [0,1): the last ones
	Candidates int     // of a test paper with its authors, from 2 up
	Mixing     float64 // share of co-authors, words, venues and references drawn without regard to the topic, in [0,1]
	Seed       uint64
}

// Table returns the papers, in time linear in papers and their words. Each paper has a random first author and is about
// a random one of that author's topics. Co-authors are random authors of the topic, references go to random earlier papers
// about it, its venue is a random one of the topic's; its words are drawn from those typical of the topic, the r-th with
// probability proportional to 1/r (Zipf). Each of these draws disregards the topic with probability Mixing. The last papers
// are test papers. Topic t has the words and the venues whose number leaves t when divided by the number of topics; where
// there are fewer venues than topics, topics share them. The same options give the same bibliography.
//
// Test papers have no candidates: whoever reads the table draws them. Options are to be in range.
func (o Planted) Table(t testing.TB) *papers.Table {
	t.Helper()
	g := o.generator()
	table := papers.NewTable()
	table.Draw = papers.Draw{Total: o.Candidates, Seed: o.Seed}
	train := max(1, o.Papers-int(math.Round(o.TestShare*float64(o.Papers))))
	earlier := make([][]int, o.Topics) // papers so far
	known := map[string]bool{}         // authors of training papers
	key := rng.NewKey(o.Seed, "planted papers")
	for i := range o.Papers {
		stream := key.Stream(uint64(i))
		r, topic := g.paper(&stream, i, earlier)
		earlier[topic] = append(earlier[topic], i)
		if r.Test = i >= train; r.Test { // what nothing can be learnt of
			r.Authors = slices.DeleteFunc(r.Authors, func(name string) bool { return !known[name] })
			r.Cites = slices.DeleteFunc(r.Cites, func(name string) bool { return number(name) >= train })
		} else {
			for _, name := range r.Authors {
				known[name] = true
			}
		}
		if r.Test && len(r.Authors) == 0 {
			continue
		}
		call.OK(t, table.Add(r))
	}
	return table
}

// Bibliography returns the bibliography of Table.
func (o Planted) Bibliography(t testing.TB) *papers.Bibliography {
	t.Helper()
	return call.First(o.Table(t).Bibliography("planted"))(t)
}

// number returns that of a name such as a17.
func number(name string) int {
	i, _ := strconv.Atoi(name[1:]) // the generator made it
	return i
}

// plantedGenerator holds what papers are drawn from.
type plantedGenerator struct {
	o       Planted
	topics  [][]int32 // of each author, sorted
	authors [][]int   // of each topic
	upTo    []float64 // sums of 1/r
}

func (o Planted) generator() *plantedGenerator {
	g := &plantedGenerator{o: o, topics: make([][]int32, o.Authors), authors: make([][]int, o.Topics), upTo: make([]float64, o.Vocabulary)}
	key := rng.NewKey(o.Seed, "planted authors")
	for a := range g.topics {
		stream := key.Stream(uint64(a))
		for count := 1 + stream.Intn(o.Aspects); len(g.topics[a]) < count; {
			if t := int32(stream.Intn(o.Topics)); !slices.Contains(g.topics[a], t) {
				g.topics[a] = append(g.topics[a], t)
				g.authors[t] = append(g.authors[t], a)
			}
		}
		slices.Sort(g.topics[a])
	}
	var sum float64
	for r := range g.upTo {
		sum += 1 / float64(r+1)
		g.upTo[r] = sum
	}
	return g
}

// paper draws paper i; earlier are the papers so far, by topic.
func (g *plantedGenerator) paper(stream *rng.Stream, i int, earlier [][]int) (papers.Row, int) {
	o := g.o
	first := stream.Intn(o.Authors)
	topic := int(g.topics[first][stream.Intn(len(g.topics[first]))])
	mixed := func() bool { return stream.Float64() < o.Mixing }
	r := papers.Row{Name: "p" + strconv.Itoa(i), Authors: []string{"a" + strconv.Itoa(first)}}
	for range stream.Intn(o.CoAuthors + 1) {
		a := stream.Intn(o.Authors)
		if !mixed() {
			a = g.authors[topic][stream.Intn(len(g.authors[topic]))]
		}
		r.Authors = appendNew(r.Authors, "a"+strconv.Itoa(a))
	}
	for range stream.Intn(o.References + 1) {
		if i == 0 {
			break
		}
		q := stream.Intn(i)
		if of := earlier[topic]; len(of) > 0 && !mixed() {
			q = of[stream.Intn(len(of))]
		}
		r.Cites = appendNew(r.Cites, "p"+strconv.Itoa(q))
	}
	if o.Venues > 0 {
		v := stream.Intn(o.Venues)
		if !mixed() {
			v = topic % o.Venues
			if of := (o.Venues - v + o.Topics - 1) / o.Topics; of > 1 { // venues of the topic
				v += o.Topics * stream.Intn(of)
			}
		}
		r.Venue = "v" + strconv.Itoa(v)
	}
	for range o.Tokens/2 + stream.Intn(o.Tokens+1) {
		w := g.zipf(stream, o.Vocabulary)
		if !mixed() {
			w = topic + o.Topics*g.zipf(stream, (o.Vocabulary-topic+o.Topics-1)/o.Topics)
		}
		r.Words = append(r.Words, "w"+strconv.Itoa(w))
	}
	return r, topic
}

// zipf draws one of n ranks from 0, the r-th with probability proportional to 1/(r+1).
func (g *plantedGenerator) zipf(stream *rng.Stream, n int) int {
	r, _ := slices.BinarySearch(g.upTo[:n], stream.Float64()*g.upTo[n-1])
	return min(r, n-1)
}

func appendNew(list []string, s string) []string {
	if slices.Contains(list, s) {
		return list
	}
	return append(list, s)
}
