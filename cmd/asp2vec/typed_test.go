package main

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/results"
)

// A schema of one's own is trained on, evaluated and asked for recommendations.
func TestTyped(t *testing.T) {
	karate(t)
	must(t, "data", "generate", "typed", "--users", "60", "--items", "90", "--genres", "5", "--likes", "10", "--out", "music")
	train := []string{"train", "--out", "none", "--results", "results", "--schema", "music", "--dim", "8", "--batch", "500", "--learning-rate", "0.02", "--json", "--no-progress"}
	for _, c := range []struct {
		method string
		more   []string
		metric string
	}{
		{"metapath2vec", nil, "recall@20"},
		{"bpr", []string{"--walks", "10", "--hold-out", "0.1"}, "validation_recall@20"},
		{"asp2vec-het", []string{"--aspects", "2", "--scoring", "max", "--protocol", "validated", "--epochs", "4"}, "recall@20"},
		{"metapath2vec", []string{"--meta-paths", "user-item-user,user-user-item", "--window", "1", "--epochs", "2"}, "recall@20"},
	} {
		out := must(t, append(append(train, "--method", c.method, "--out", "runs/"+c.method, "--force"), c.more...)...)
		var doc struct{ Record results.Record }
		if err := json.Unmarshal([]byte(out.out), &doc); err != nil {
			t.Fatal(err)
		}
		r := doc.Record
		if x := r.Metrics[c.metric]; !(x > 0 && x <= 1) || r.Baselines["nearest-neighbours"] == nil || r.Dataset.Name != "music" {
			t.Errorf("%s: metrics %v, baselines %v", c.method, r.Metrics, r.Baselines)
		}
		if c.method == "asp2vec-het" && !strings.Contains(out.err, " validation_recall@20=") {
			t.Errorf("the score of epochs has another name:\n%s", out.err)
		}
		if c.method == "asp2vec-het" && !(r.Epochs[0].Metrics["validation_recall@20"] > 0) {
			t.Errorf("epochs are chosen by %v", r.Epochs[0].Metrics)
		}
	}
	known := map[string]bool{}
	for line := range strings.Lines(read(t, "runs/metapath2vec/known.tsv")) {
		if source, target, _ := strings.Cut(strings.TrimSpace(line), "\t"); source == "user:u7" {
			known[strings.TrimPrefix(target, "item:")] = true
		}
	}
	for _, method := range []string{"metapath2vec", "asp2vec-het"} {
		var doc recommendation
		out := must(t, "predict", "--model", "runs/"+method, "--vertex", "u7", "--top", "5", "--json")
		if err := json.Unmarshal([]byte(out.out), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Targets) != 5 || doc.Source != "user:u7" || doc.Known == 0 || doc.Targets[0].Score < doc.Targets[4].Score {
			t.Errorf("%s: %+v", method, doc)
		}
		for _, item := range doc.Targets {
			if method == "metapath2vec" && known[item.Target] {
				t.Errorf("%s recommends %s, which user u7 has", method, item.Target)
			}
		}
	}
	for _, method := range []string{"metapath2vec", "asp2vec-het"} {
		checkRecall(t, "music", "runs/"+method)
	}
	if out := must(t, "predict", "--model", "runs/metapath2vec", "--vertex", "u7", "--all"); !strings.Contains(out.out, "known") || !strings.Contains(out.out, "yes") {
		t.Errorf("with --all:\n%s", out.out)
	}
	must(t, "nearest", "user:u7", "--model", "runs/asp2vec-het")
}

// Vertices of which only contents are known are ranked, and ranked for, as the run did, and are vertices of its folder.
func TestTypedContents(t *testing.T) {
	karate(t)
	must(t, "data", "generate", "typed", "--users", "12", "--items", "40", "--genres", "4", "--likes", "8", "--tags", "3", "--out", "tagged")
	for _, file := range []string{"likes.tsv", "friends.tsv", "tags.tsv"} {
		write(t, "context/"+file, read(t, "tagged/"+file))
	}
	write(t, "context/schema.yaml", strings.Replace(read(t, "tagged/schema.yaml"), "{content: text,", "{content: text, aspect: context,", 1))
	write(t, "both/likes.tsv", read(t, "tagged/likes.tsv"))
	write(t, "both/tags.tsv", read(t, "tagged/tags.tsv"))
	features := ""
	for u := range 12 {
		features += fmt.Sprintf("u%d %d %d\n", u, u%7, 7+u%3)
	}
	write(t, "both/users.tsv", features)
	write(t, "both/schema.yaml", "vertices: {user: {content: features, file: users.tsv}, item: {content: text, file: tags.tsv}}\n"+
		"links: {likes: {from: user, to: item, file: likes.tsv}}\nmeta-paths: [user-item-user]\nrank: {link: likes, split: share}\n")
	for _, c := range []struct{ data, method, scoring string }{
		{"tagged", "m2v++", "dot"}, {"tagged", "asp2vec-het", "dot"}, {"tagged", "asp2vec-het", "max"}, {"both", "m2v++", "dot"}, {"context", "asp2vec-het", "max"},
		{"tagged", "camel", "distance"}, {"tagged", "tapem", "pair"}, {"tagged", "metapath2vec", "dot"}, {"both", "bpr", "dot"},
	} {
		model := "runs/" + c.data + c.method + c.scoring
		args := []string{"train", "--out", "none", "--results", "results", "--schema", c.data, "--method", c.method, "--scoring", c.scoring, "--dim", "4", "--word-dim", "4", "--batch", "500",
			"--learning-rate", "0.02", "--epochs", "3", "--no-progress", "--out", model}
		switch c.method {
		case "tapem":
			args = append(args, "--warm-up=false")
		case "asp2vec-het":
			args = append(args, "--aspects", "2")
		case "metapath2vec", "bpr": // which ignore words and features
			args = slices.DeleteFunc(args, func(arg string) bool { return arg == "--word-dim" })
			args = slices.Delete(args, slices.Index(args, "--dim")+2, slices.Index(args, "--dim")+3)
		}
		must(t, args...)
		checkRecall(t, c.data, model)
		var doc struct{ Baselines map[string]results.Metrics }
		if err := json.Unmarshal([]byte(read(t, model+"/record.json")), &doc); err != nil {
			t.Fatal(err)
		}
		if x := doc.Baselines["tf-idf"]["auc"]; !(x > 0.5) { // tags tell genres
			t.Errorf("%s: tf-idf has an AUC of %v", model, x)
		}
		if out := must(t, "nearest", "item:i3", "--model", model, "--top", "3"); strings.Count(out.out, ":") < 3 {
			t.Errorf("%s: nearest to an item:\n%s", model, out.out)
		}
	}
	for vertex, model := range map[string]string{"user:u7": "runs/taggedasp2vec-hetmax", "item:i3": "runs/contextasp2vec-hetmax"} {
		if out := must(t, "aspects", vertex, "--model", model, "--learned"); !strings.Contains(out.out, "learned aspect") {
			t.Errorf("aspects of %s:\n%s", vertex, out.out)
		}
	}
	write(t, "own.yaml", "datasets: [{name: mine, schema: tagged}]\nrows: settings\nmetrics: [recall@20]\nmethod: m2v++\nseeds: 1\n"+
		"options: {dim: 4, word-dim: 4}\nsettings: [{name: short, options: {epochs: 1}}]\n")
	// Of data of one's own, none of the paper's need be there.
	out := must(t, "reproduce", "own.yaml", "--data", "nowhere", "--no-progress")
	for _, want := range []string{"popularity, not trained", "tf-idf, not trained", "nearest-neighbours, not trained", "low-pass, not trained", "tf-idf by the cosine of their words"} {
		if !strings.Contains(out.out, want) {
			t.Errorf("a table of one's own lacks %q:\n%s", want, out.out)
		}
	}
	refused(t, "no vertex with aspects", []string{"train", "--out", "none", "--results", "results", "--schema", "both", "--method", "asp2vec-het"}, "learns aspects of vertices without content")
}

// checkRecall holds what recommend ranks against the Recall@20 that the run came to: over users, the share of their test links that are
// among the first 20.
func checkRecall(t *testing.T, data, model string) {
	t.Helper()
	known := read(t, model+"/known.tsv")
	own := map[string][]string{} // items of test links
	for line := range strings.Lines(read(t, data+"/likes.tsv")) {
		user, item, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if !strings.Contains(known, "user:"+user+"\titem:"+item+"\n") {
			own[user] = append(own[user], item)
		}
	}
	var r results.Record
	if err := json.Unmarshal([]byte(read(t, model+"/record.json")), &r); err != nil {
		t.Fatal(err)
	}
	var e rankingsEvaluation
	if err := json.Unmarshal([]byte(must(t, "evaluate", model, "--schema", data, "--json").out), &e); err != nil {
		t.Fatal(err)
	}
	for name, x := range r.Metrics {
		if math.Abs(e.Metrics[name]-x) > 1e-9 {
			t.Errorf("%s: evaluate has %s %v, the run %v", model, name, e.Metrics[name], x)
		}
	}
	if r.Selection == results.Last && fmt.Sprint(e.Baselines) != fmt.Sprint(r.Baselines) { // else a tenth of the links were held out from those of the run
		t.Errorf("%s: evaluate has baselines %v, the run %v", model, e.Baselines, r.Baselines)
	}
	for baseline, want := range map[string]float64{"": r.Metrics["recall@20"], "low-pass": e.Baselines["low-pass"]["recall@20"]} {
		recall := 0.0
		for user, items := range own {
			var doc recommendation
			args := []string{"predict", "--model", model, "--vertex", user, "--top", "20", "--json", "--baseline", baseline}
			if baseline == "" {
				args = args[:len(args)-2]
			} else if r.Selection != results.Last {
				continue // validation links are known to the baseline too, here
			}
			if err := json.Unmarshal([]byte(must(t, args...).out), &doc); err != nil {
				t.Fatal(err)
			}
			for _, target := range doc.Targets {
				if slices.Contains(items, target.Target) {
					recall += 1 / float64(len(items)*len(own))
				}
			}
		}
		if math.Abs(recall-want) > 1e-9 && (baseline == "" || r.Selection == results.Last) {
			t.Errorf("%s: predict %s has a Recall@20 of %v over %d users, expected %v", model, baseline, recall, len(own), want)
		}
	}
}
