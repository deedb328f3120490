package main

import (
	"encoding/json"
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
	train := []string{"train", "--schema", "music", "--dim", "8", "--batch", "500", "--learning-rate", "0.02", "--json", "--no-progress"}
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
		if x := r.Metrics[c.metric]; !(x > 0 && x <= 1) || r.Baselines["neighbours"] == nil || r.Dataset.Name != "music" {
			t.Errorf("%s: metrics %v, baselines %v", c.method, r.Metrics, r.Baselines)
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
		out := must(t, "recommend", "--model", "runs/"+method, "--source", "u7", "--top", "5", "--json")
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
		checkRecall(t, "runs/"+method)
	}
	if out := must(t, "recommend", "--model", "runs/metapath2vec", "--source", "u7", "--all"); !strings.Contains(out.out, "known") || !strings.Contains(out.out, "yes") {
		t.Errorf("with --all:\n%s", out.out)
	}
	must(t, "data", "generate", "typed", "--users", "20", "--items", "30", "--genres", "2", "--tastes", "1", "--likes", "5", "--tags", "3", "--out", "tagged")
	must(t, "train", "--schema", "tagged", "--method", "m2v++", "--dim", "2", "--word-dim", "2", "--epochs", "1", "--out", "runs/tagged")
	must(t, "nearest", "user:u7", "--model", "runs/asp2vec-het")
	must(t, "train", "--network", "karate.tsv", "--epochs", "1", "--out", "runs/links")
	write(t, "broken/schema.yaml", "vertices: {a: }\nlinks: {l: {from: a, to: b, file: x}}\n")
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"method of links", []string{"train", "--schema", "music", "--method", "deepwalk"}, []string{"music has types of its own", "want --method m2v++, asp2vec-het, metapath2vec, bpr"}},
		{"method of papers", []string{"train", "--schema", "music", "--method", "camel"}, []string{"--method camel does not learn"}},
		{"no schema", []string{"train", "--network", "karate.tsv", "--method", "bpr"}, []string{"want --schema DIR"}},
		{"no such folder", []string{"train", "--schema", "nowhere", "--method", "bpr"}, []string{"nowhere"}},
		{"folder without schema", []string{"train", "--schema", "runs", "--method", "bpr"}, []string{"schema.yaml"}},
		{"broken schema", []string{"train", "--schema", "broken", "--method", "bpr"}, []string{"broken/schema.yaml:2", `links l are of "b"`}},
		{"meta-path", []string{"train", "--schema", "music", "--method", "metapath2vec", "--meta-paths", "user-song-user"}, []string{`no type "song"`, "user-item and back"}},
		{"test chooses", []string{"train", "--schema", "music", "--method", "bpr", "--select", "test"}, []string{`select = "test"`}},
		{"directed", []string{"train", "--schema", "music", "--method", "bpr", "--directed"}, []string{"a schema with directed"}},
		{"no model", []string{"recommend", "--source", "u1"}, []string{"want --model DIR"}},
		{"no source", []string{"recommend", "--model", "runs/bpr"}, []string{"want --source NAME"}},
		{"unknown source", []string{"recommend", "--model", "runs/bpr", "--source", "u999"}, []string{`no vertex "user:u999"`}},
		{"targets without vectors", []string{"recommend", "--model", "runs/tagged", "--source", "u1"}, []string{"no vectors of type item", "an encoder makes"}},
		{"model of links", []string{"recommend", "--model", "runs/links", "--source", "1"}, []string{"no network with types"}},
		{"top", []string{"recommend", "--model", "runs/bpr", "--source", "u1", "--top", "0"}, []string{"--top 0"}},
		{"flags of another kind", []string{"data", "generate", "typed", "--topics", "3", "--out", "m"}, []string{"--topics with typed"}},
	} {
		refused(t, c.name, c.args, c.want...)
	}
}

// checkRecall holds what recommend ranks against the Recall@20 that the run came to: over users, the share of their test links that are
// among the first 20.
func checkRecall(t *testing.T, model string) {
	t.Helper()
	known := read(t, model+"/known.tsv")
	own := map[string][]string{} // items of test links
	for line := range strings.Lines(read(t, "music/likes.tsv")) {
		user, item, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if !strings.Contains(known, "user:"+user+"\titem:"+item+"\n") {
			own[user] = append(own[user], item)
		}
	}
	var r results.Record
	if err := json.Unmarshal([]byte(read(t, model+"/record.json")), &r); err != nil {
		t.Fatal(err)
	}
	recall := 0.0
	for user, items := range own {
		var doc recommendation
		if err := json.Unmarshal([]byte(must(t, "recommend", "--model", model, "--source", user, "--top", "20", "--json").out), &doc); err != nil {
			t.Fatal(err)
		}
		for _, target := range doc.Targets {
			if slices.Contains(items, target.Target) {
				recall += 1 / float64(len(items)*len(own))
			}
		}
	}
	if want := r.Metrics["recall@20"]; math.Abs(recall-want) > 1e-9 {
		t.Errorf("%s: recommend has a Recall@20 of %v over %d users, the run %v", model, recall, len(own), want)
	}
}
