package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/music"
	"github.com/asp2vec/asp2vec/internal/test/shelf"
	"github.com/asp2vec/asp2vec/results"
)

// writeMusic writes a network of users and items with so many words each into the folder music.
func writeMusic(t *testing.T, tags int) {
	music.Write(t, "music", music.Options{Users: 12, Items: 40, Genres: 4, Tastes: 2, Likes: 8, Friends: 2, Tags: tags, Mixing: 0.1})
}

// plantPapers writes a bibliography into the folder papers.
func plantPapers(t *testing.T, authors, papers, topics, vocabulary int) {
	o := shelf.Options()
	o.Authors, o.Papers, o.Topics, o.Vocabulary = authors, papers, topics, vocabulary
	shelf.Write(t, "papers", o)
}

// Every method learns from a schema of one's own, and its folder has the vectors of all vertices, those of which only contents are known among them.
func TestTyped(t *testing.T) {
	karate(t)
	writeMusic(t, 3)
	schema := read(t, "music/schema.yaml")
	for _, file := range []string{music.LikesFile, music.FriendsFile, music.TagsFile} {
		write(t, "context/"+file, read(t, "music/"+file))
		write(t, "both/"+file, read(t, "music/"+file))
	}
	write(t, "context/schema.yaml", strings.Replace(schema, "{content: text,", "{content: text, aspect: context,", 1))
	features := ""
	for u := range 12 {
		features += fmt.Sprintf("u%d %d %d\n", u, u%7, 7+u%3)
	}
	write(t, "both/users.tsv", features)
	write(t, "both/schema.yaml", strings.Replace(schema, "user:\n", "user: {content: features, file: users.tsv}\n", 1))
	for _, c := range []struct{ data, method, scoring string }{
		{"music", "m2v++", "dot"}, {"music", "asp2vec-het", "dot"}, {"music", "asp2vec-het", "max"}, {"both", "m2v++", "dot"}, {"context", "asp2vec-het", "max"},
		{"music", "camel", "distance"}, {"music", "tapem", "pair"}, {"music", "metapath2vec", "dot"},
	} {
		model := "runs/" + c.data + c.method + c.scoring
		args := []string{"train", "--out", model, "--results", "results", "--schema", c.data, "--method", c.method, "--scoring", c.scoring, "--dim", "4", "--word-dim", "4", "--batch", "500",
			"--learning-rate", "0.02", "--epochs", "3", "--no-progress"}
		switch c.method {
		case "tapem":
			args = append(args, "--warm-up=false")
		case "asp2vec-het":
			args = append(args, "--aspects", "2")
		case "metapath2vec": // which ignores words and features
			at := slices.Index(args, "--word-dim")
			args = slices.Delete(args, at, at+2)
		}
		r := answer[struct{ Record results.Record }](t, args...).Record
		if len(r.Metrics) > 0 || r.Dataset.Name != c.data || r.Dataset.Train == 0 {
			t.Errorf("%s: metrics %v of %+v", model, r.Metrics, r.Dataset)
		}
		if out := must(t, "nearest", "item:i3", "--model", model, "--top", "3"); strings.Count(out.out, ":") < 3 {
			t.Errorf("%s: nearest to an item:\n%s", model, out.out)
		}
	}
	for vertex, model := range map[string]string{"user:u7": "runs/musicasp2vec-hetmax", "item:i3": "runs/contextasp2vec-hetmax"} {
		says(t, must(t, "aspects", vertex, "--model", model, "--learned").out, "learned  yes")
	}
	refused(t, "no vertex with aspects", []string{"train", "--out", "none", "--results", "results", "--schema", "both", "--method", "asp2vec-het"}, "learns aspects of vertices without content")
}
