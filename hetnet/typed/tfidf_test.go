package typed

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"
)

// titled are users who like songs with titles, albums with songs, and labels with albums; a test pair has a song that nothing else has.
func titled(rank string) *Network {
	return &Network{
		Schema: Schema{
			Name:  "titled",
			Types: []Type{{Name: "user"}, {Name: "song", Content: Text}, {Name: "album"}, {Name: "label"}},
			Links: []LinkType{
				{Name: "likes", From: 0, To: 1}, {Name: "on", From: 1, To: 2, Directed: true}, {Name: "of", From: 3, To: 2}, {Name: "follows", From: 0, To: 3},
			},
			Rank: rank,
		},
		Names: [][]string{{"1", "2", "3"}, {"x", "y", "z", "new"}, {"a", "b", "c"}, {"l", "m"}},
		Words: []string{"night", "sun", "red", "moon", "blue"},
		Contents: []Content{{}, {Texts: [][]int32{
			{4, 4, 3},    // blue blue moon
			{2, 3},       // red moon
			{3, 2, 2, 1}, // moon red red sun
			{0, 4},       // night blue
		}}, {}, {}},
		Links: []Links{
			{From: []int32{0, 0, 1}, To: []int32{0, 1, 2}, Weight: []float32{9, 1, 1}}, {From: []int32{0, 1, 2}, To: []int32{0, 1, 1}},
			{From: []int32{0, 0, 1}, To: []int32{0, 1, 1}}, {From: []int32{1}, To: []int32{1}},
		},
	}
}

// Computed by a program in Python that knows dictionaries only: of three training titles, "moon" is in all (idf 0), "red" in two
// (log 3/2), "blue" and "sun" in one (log 3), and "night" in none.
func TestTFIDF(t *testing.T) {
	for _, c := range []struct {
		rank string
		test []Pair
		want [][]float64 // of each source
	}{
		{"likes", []Pair{{1, 3}}, [][]float64{ // of a user the titles that it likes, of a song its own
			{0.7071067811865475, 0.7071067811865475, 0.3747185165343985, 0.7071067811865475}, {0, 0.5299320081552733, 1, 0}, {0, 0, 0, 0},
		}},
		{"of", nil, [][]float64{ // of an album the titles on it, of a label its albums' and those of a user that follows it
			{0.7071067811865475, 0.7071067811865475, 0}, {0, 0.9681485810131611, 0},
		}},
	} {
		n := titled(c.rank)
		if c.rank == "of" { // without the song that nothing has
			n.Names[1], n.Contents[1].Texts = n.Names[1][:3], n.Contents[1].Texts[:3]
		}
		task := &Task{Link: n.Link(c.rank), Test: c.test}
		score, err := task.TFIDF(n)
		if err != nil {
			t.Fatal(err)
		}
		for u, want := range c.want {
			dst := make([]float32, len(want))
			score(int32(u), dst)
			for i := range want {
				if math.Abs(float64(dst[i])-want[i]) > 1e-6 {
					t.Errorf("%s: source %d, target %d: %v, expected %v", c.rank, u, i, dst[i], want[i])
				}
			}
		}
	}
	// A type takes the texts that are nearest: users have those of songs, not those of labels that they follow.
	n := titled("follows")
	n.Names[1], n.Contents[1].Texts = n.Names[1][:3], n.Contents[1].Texts[:3]
	task := &Task{Link: n.Link("follows")}
	score, err := task.TFIDF(n)
	if err != nil {
		t.Fatal(err)
	}
	for u, want := range [][]float64{{0.937311674917797, 0.5129226224490744}, {0.6184521016528428, 0.9681485810131611}} {
		dst := make([]float32, 2)
		score(int32(u), dst)
		for i := range want {
			if math.Abs(float64(dst[i])-want[i]) > 1e-6 {
				t.Errorf("user %d, label %d: %v, expected %v", u, i, dst[i], want[i])
			}
		}
	}
}

// Texts that only a pair to be ranked has do not change the weights of words.
func TestTFIDFOfTrainingTexts(t *testing.T) {
	n := titled("likes")
	task := &Task{Link: 0, Validation: []Pair{{1, 3}}}
	dst, other := make([]float32, 4), make([]float32, 4)
	scoreOf := func() Scorer {
		score, err := task.TFIDF(n)
		if err != nil {
			t.Fatal(err)
		}
		return score
	}
	scoreOf()(0, dst)
	n.Contents[1].Texts[3] = []int32{2, 2, 2, 1, 0}
	scoreOf()(0, other)
	if !slices.Equal(dst[:3], other[:3]) {
		t.Errorf("scores %v, and %v with another text of a test pair", dst, other)
	}
	task.Validation = nil // now the song is a training vertex without links
	scoreOf()(0, other)
	if slices.Equal(dst[:3], other[:3]) {
		t.Error("a training text has no say")
	}
}

// tagged returns a planted network whose items have words.
func tagged(t *testing.T) (*Network, *Task) {
	t.Helper()
	p, err := PlantedOptions{Users: 60, Items: 80, Genres: 5, Tastes: 2, Likes: 10, Friends: 2, Tags: 4, Mixing: 0.1, Seed: 1}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	n, task, err := p.Network()
	if err != nil {
		t.Fatal(err)
	}
	return n, task
}

// Words tell genres, so that tf-idf is far above popularity, and any number of threads comes to the same.
func TestTFIDFOfPlanted(t *testing.T) {
	n, task := tagged(t)
	measure := func(threads int) map[string]float64 {
		score, err := task.TFIDF(n)
		if err != nil {
			t.Fatal(err)
		}
		s, err := task.Evaluate(context.Background(), n, task.Test, nil, score, threads)
		if err != nil {
			t.Fatal(err)
		}
		return s.Metrics()
	}
	one := measure(1)
	if fmt.Sprint(measure(4)) != fmt.Sprint(one) {
		t.Error("four threads come to something else than one")
	}
	s, err := task.Evaluate(context.Background(), n, task.Test, nil, task.Popularity(n), 1)
	if err != nil {
		t.Fatal(err)
	}
	if popularity := s.Metrics(); one["auc"] < popularity["auc"]+0.2 || one["recall@20"] < 1.5*popularity["recall@20"] {
		t.Errorf("tf-idf %v, popularity %v", one, popularity)
	}
}

// Of sources with texts, the target with the same words, in whatever order, is first; one without words is last.
func TestTFIDFOfSameText(t *testing.T) {
	n, task := tagged(t)
	n.Types[0].Content = Text // users say what the items of their own number have
	for u := range n.Names[0] {
		text := slices.Clone(n.Contents[1].Texts[u])
		slices.Reverse(text)
		n.Contents[0].Texts = append(n.Contents[0].Texts, text)
	}
	n.Contents[1].Texts[70] = nil
	score, err := task.TFIDF(n)
	if err != nil {
		t.Fatal(err)
	}
	dst := make([]float32, len(n.Names[1]))
	for u := range n.Names[0] {
		score(int32(u), dst)
		if first := slices.Max(dst); dst[u] != first || math.Abs(float64(first)-1) > 1e-6 || dst[70] != 0 {
			t.Fatalf("user %d: its text's score is %v, the highest %v, that of no text %v", u, dst[u], first, dst[70])
		}
	}
}

func TestTFIDFErrors(t *testing.T) {
	p, err := PlantedOptions{Users: 20, Items: 30, Genres: 2, Tastes: 1, Likes: 5, Friends: 1, Seed: 1}.Generate()
	if err != nil {
		t.Fatal(err)
	}
	n, task, err := p.Network()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := task.TFIDF(n); !errors.Is(err, ErrNoTexts) || !strings.Contains(err.Error(), "vertices user have no texts, and no links to any: expected a type with content: text") {
		t.Errorf("without texts: error %v", err)
	}
	n, _ = tagged(t)
	n.Types = append(n.Types, Type{Name: "note", Content: Text}) // which nothing links to
	n.Types[1].Content = NoContent
	n.Names, n.Contents = append(n.Names, []string{"a"}), append(n.Contents, Content{Texts: [][]int32{{0}}})
	if _, err := task.TFIDF(n); !errors.Is(err, ErrNoTexts) {
		t.Errorf("texts that no links lead to: error %v", err)
	}
}
