package papers

import (
	"math"
	"slices"
	"testing"
)

// defaultPlanted are the options of shelf.Options.
func defaultPlanted() PlantedOptions {
	return PlantedOptions{Authors: 500, Papers: 1500, Topics: 10, Aspects: 2, Venues: 10, Vocabulary: 1000, Tokens: 8, CoAuthors: 3,
		References: 6, TestShare: 0.1, Candidates: 100, Mixing: 0.1, Seed: 1}
}

func planted(t testing.TB, o PlantedOptions) *Planted {
	t.Helper()
	p, err := o.Generate()
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Authors have as many topics as they may have; words, co-authors, references and venues are of the paper's topic but for the
// share that is mixed in, of which a tenth is of the topic by chance.
func TestPlantedTopics(t *testing.T) {
	o := defaultPlanted()
	o.Mixing = 0.2
	p := planted(t, o)
	b := p.Bibliography
	sound(t, b)
	if len(b.Test) < 120 || len(b.Test) > 150 || b.Vertices(Trained) != 1350 { // a few test papers have new authors alone
		t.Errorf("%d training and %d test papers, expected 1350 and up to 150", b.Vertices(Trained), len(b.Test))
	}
	aspects := make([]int, 3)
	for _, topics := range p.AuthorTopics {
		aspects[len(topics)]++
	}
	if aspects[0] > 0 || aspects[1] < 180 || aspects[2] < 180 {
		t.Errorf("authors by number of topics: %v, expected about as many with 1 as with 2", aspects)
	}
	var words, authors, cites, venues, all [2]float64
	f := flatten(b)
	for i := range f.Papers {
		paper := &f.Papers[i]
		topic := p.PaperTopics[number(paper.Name)]
		count := func(n *[2]float64, hit bool) {
			n[1]++
			if hit {
				n[0]++
			}
		}
		for _, w := range paper.Tokens {
			count(&words, number(b.Words[w])%o.Topics == int(topic))
		}
		if i < len(f.Train) { // all of their authors are there
			count(&all, slices.Contains(p.AuthorTopics[paper.Authors[0]], topic))
			for _, a := range paper.Authors[1:] {
				count(&authors, slices.Contains(p.AuthorTopics[a], topic))
			}
		}
		for _, q := range paper.Cites {
			if int(q) >= i {
				t.Fatalf("paper %d cites paper %d: expected an earlier one", i, q)
			}
			count(&cites, p.PaperTopics[number(f.Papers[q].Name)] == topic)
		}
		count(&venues, number(f.Venues[paper.Venue])%o.Topics == int(topic))
	}
	for _, c := range []struct {
		what string
		n    [2]float64
		want float64
	}{
		{"first authors", all, 1}, {"co-authors", authors, .8 + .2*.15}, {"words", words, .8 + .2*.1}, {"references", cites, .8 + .2*.1}, {"venues", venues, .8 + .2*.1},
	} {
		if share := c.n[0] / c.n[1]; math.Abs(share-c.want) > .03 {
			t.Errorf("%s of the paper's topic: %.3f of %.0f, expected %.3f", c.what, share, c.n[1], c.want)
		}
	}
	if mean := words[1] / float64(b.Papers()); math.Abs(mean-8) > .5 {
		t.Errorf("%.2f words a paper, expected 8", mean)
	}
}

// The r-th word of a topic is 1/r as frequent as the first.
func TestPlantedWordsAreZipf(t *testing.T) {
	o := defaultPlanted()
	o.Mixing, o.Papers, o.Tokens = 0, 4000, 20
	b := planted(t, o).Bibliography
	counts := make([]float64, o.Vocabulary/o.Topics)
	for p := range b.ordered() {
		for _, w := range p.Tokens {
			counts[number(b.Words[w])/o.Topics]++
		}
	}
	for _, r := range []int{2, 3, 10} {
		if ratio := counts[r-1] / counts[0] * float64(r); math.Abs(ratio-1) > .1 {
			t.Errorf("word %d comes %.0f times, the first %.0f: expected 1/%d of that", r, counts[r-1], counts[0], r)
		}
	}
}

func TestPlantedSizes(t *testing.T) {
	for name, change := range map[string]func(o *PlantedOptions){
		"smallest": func(o *PlantedOptions) {
			*o = PlantedOptions{Authors: 2, Papers: 2, Topics: 1, Aspects: 1, Vocabulary: 1, Candidates: 2}
		},
		"one topic":         func(o *PlantedOptions) { o.Topics, o.Aspects = 1, 1 },
		"all mixed":         func(o *PlantedOptions) { o.Mixing = 1 },
		"more venues":       func(o *PlantedOptions) { o.Venues = 33 },
		"fewer venues":      func(o *PlantedOptions) { o.Venues = 3 },
		"words and topics":  func(o *PlantedOptions) { o.Vocabulary = 10 },
		"odd vocabulary":    func(o *PlantedOptions) { o.Vocabulary = 13 },
		"nothing but names": func(o *PlantedOptions) { o.Venues, o.Tokens, o.References, o.CoAuthors, o.TestShare = 0, 0, 0, 0, 0 },
	} {
		o := defaultPlanted()
		change(&o)
		p := planted(t, o)
		sound(t, p.Bibliography)
		if o.Venues > 0 && p.Bibliography.Vertices(Venue) != o.Venues {
			t.Errorf("%s: %d venues, expected %d", name, p.Bibliography.Vertices(Venue), o.Venues)
		}
	}
	again := planted(t, defaultPlanted()).Bibliography.Checksum()
	other := defaultPlanted()
	other.Seed = 2
	if sum := planted(t, defaultPlanted()).Bibliography.Checksum(); sum != again {
		t.Errorf("the same options gave %s and %s", sum, again)
	}
	if planted(t, other).Bibliography.Checksum() == again {
		t.Error("another seed gave the same bibliography")
	}
}
