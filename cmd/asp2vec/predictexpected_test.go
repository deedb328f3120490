package main

import (
	"fmt"
	"math"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/predict"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// predicted is what predict prints with --json.
type predicted struct {
	Score string
	Count int
	Links []struct {
		From, To    string
		Score       float64
		Probability *float64
		Linked      *bool
	}
	Missing    float64
	Expected   []predict.Count
	Candidates []predict.Candidate
}

// Links are hidden at random from a generated network: about as many of the first pairs are among them as is expected, whichever threads work; none is a link that is
// there, and probabilities fall.
func TestPredictExpects(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "300", "--communities", "20", "--memberships", "1", "--mean-degree", "12", "--out", "links.tsv")
	must(t, "split", "--network", "links.tsv", "--remove", "0.2", "--rule", "ce1", "--out", "split")
	must(t, "train", "--split", "split", "--dim", "8", "--aspects", "2", "--pairs-per-vertex", "300", "--out", "run")
	s := call.Of(network.ReadSplit("split", false))(t)
	at := func(l network.Link) [2]string { return [2]string{s.Names[l.From], s.Names[l.To]} }
	hidden, there := map[[2]string]bool{}, map[[2]string]bool{}
	for _, l := range s.Test {
		hidden[at(l)] = true
	}
	for _, l := range s.Train {
		there[at(l)] = true
	}
	const top = 200
	args := []string{"predict", "--model", "run", "--top", fmt.Sprint(top), "--json"}
	first := must(t, append(args, "--threads", "1")...)
	if again := must(t, append(args, "--threads", "3")...); again.out != first.out {
		t.Error("another number of threads gives other bytes")
	}
	for _, score := range []string{"best", "adamic-adar", "degrees", "native", "fitted"} {
		d := answer[predicted](t, append(args, "--score", score)...)
		right, last := 0., 1.
		for _, l := range d.Links {
			pair := [2]string{l.From, l.To}
			if hidden[pair] || hidden[[2]string{l.To, l.From}] {
				right++
			}
			if there[pair] || there[[2]string{l.To, l.From}] || *l.Probability > last {
				t.Errorf("%s: %+v is there, or likelier than one before, of %v", score, l, last)
			}
			last = *l.Probability
		}
		if d.Missing != float64(len(s.Test)) || len(d.Expected) != 3 || d.Expected[2].First != top {
			t.Fatalf("%s: %+v", score, d)
		}
		x := d.Expected[2]
		if right < float64(x.Low) || right > float64(x.High) {
			t.Errorf("%s: %v of the first %d, expected %+v", score, right, top, x)
		}
		if score == "best" {
			for _, c := range d.Candidates {
				if c.Expected == nil {
					t.Errorf("%s is not measured: %s", c.Score, c.NotMeasured)
				}
			}
			if len(d.Candidates) != len(predict.Candidates)+4 || d.Links[0].Score == 0 || x.Precision < .2 {
				t.Errorf("%s: %+v", d.Score, d.Candidates)
			}
		}
	}
	// Half as many that are missing are half as many among the first.
	twice := answer[predicted](t, append(args, "--score", "degrees", "--missing", "0.1")...)
	once := answer[predicted](t, append(args, "--score", "degrees", "--missing", "0.05")...)
	if math.Abs(twice.Missing-float64(len(s.Train))/10) > 1e-9 || math.Abs(twice.Expected[2].Precision-2*once.Expected[2].Precision) > 1e-12 {
		t.Errorf("%+v and %+v", twice, once)
	}
	if d := answer[predicted](t, append(args, "--missing", "0")...); d.Expected != nil || d.Score != "lr" || d.Links[0].Probability != nil {
		t.Errorf("nothing to measure: %+v", d)
	}
	for _, share := range []string{"-0.1", "101", "NaN", "x"} {
		invoke("predict", "--model", "run", "--missing", share).exits(t, 2, "missing")
	}
	// Vectors that nobody knows how to train are not measured, and say so.
	write(t, "made.vec", read(t, "run/embedding.vec"))
	if d := answer[predicted](t, "predict", "--model", "made.vec", "--split", "split", "--score", "cosine"); d.Expected != nil || !strings.Contains(d.Candidates[0].NotMeasured, "no record") {
		t.Errorf("%+v", d)
	}
	// Of one vertex, and of given pairs, by where their scores lie among all.
	one := answer[predicted](t, "predict", "--model", "run", "--score", "adamic-adar", "--vertex", s.Names[0])
	if len(one.Expected) != 1 || *one.Links[0].Probability < *one.Links[9].Probability {
		t.Errorf("%+v", one)
	}
	all := answer[predicted](t, append(args, "--score", "adamic-adar")...)
	write(t, "pairs", fmt.Sprintf("%s %s\n%s %s\n", s.Names[s.Train[0].From], s.Names[s.Train[0].To], all.Links[0].To, all.Links[0].From))
	given := answer[predicted](t, "predict", "--model", "run", "--score", "adamic-adar", "--pairs", "pairs")
	if given.Links[0].Probability != nil || math.Abs(*given.Links[1].Probability-*all.Links[0].Probability) > .1 {
		t.Errorf("%+v, the first of all %+v", given.Links, all.Links[0])
	}
	if r := stoppedAt(t, "training again", args...); r.code != 1 || r.out != "" {
		t.Errorf("interrupted: %+v", r)
	}
}

// No link of a data set that came without a split is proposed, since all are learnt from.
func TestPredictOfADataset(t *testing.T) {
	karate(t)
	write(t, filepath.Join("data", "cora", "edges.tsv"), read(t, "karate.tsv"))
	train(t, "--dataset", "cora", "--data", "data", "--out", "run")
	if d := answer[predicted](t, "predict", "run", "--data", "data", "--top", "1000"); d.Count != 34*33/2-78 {
		t.Errorf("%d new links, expected all but 78", d.Count)
	}
	refused(t, "nothing was hidden", []string{"evaluate", "run", "--data", "data"}, "no link was hidden")
}

// A model is measured by the links that its run held out, and knows its links after it has grown, or of what data it is.
func TestModelsKnowTheirData(t *testing.T) {
	karate(t)
	must(t, append([]string{"train", "karate.tsv", "--protocol", "validated", "--refit", "--out", "refit"}, quick...)...)
	refused(t, "trained on what was held out", []string{"evaluate", "refit"}, "no link was hidden")
	for _, how := range [][]string{{"--hold-out", "0.2"}, {"--protocol", "validated"}} {
		train(t, append(how, "--network", "karate.tsv", "--out", "held", "--force")...)
		rec := call.Of(results.ReadRecord("held"))(t)
		d := answer[struct {
			Split string
			AUC   float64
		}](t, "evaluate", "held")
		if was, _ := store.ChosenBy(rec); was != d.AUC || !strings.HasSuffix(d.Split, ", links held out") {
			t.Errorf("%v: AUC %v of %s, the run had %v", how, d.AUC, d.Split, was)
		}
	}
	write(t, "new.tsv", "new\t1\nnew\t2\n")
	must(t, "embed", "--model", "held", "--links", "new.tsv", "--out", "deep/grown")
	t.Chdir("deep")
	if d := answer[predicted](t, "predict", "grown", "--score", "common", "--vertex", "new", "--top", "100"); d.Count != 34-2 {
		t.Errorf("%d new links of the new vertex, expected those to all others but its two neighbours", d.Count)
	}
	t.Chdir("..")
	must(t, "embed", "held", "--links", "new.tsv", "--out", "held", "--force") // over what it began with
	r := must(t, "predict", "held", "--top", "3")
	says(t, r.out+r.err, "existing ones")
	library(t)
	must(t, "train", "--bibliography", "papers", "--dim", "4", "--word-dim", "4", "--epochs", "1")
	says(t, must(t, "evaluate", "papers.asp2vec").out, "tf-idf, not trained")
	must(t, "predict", "papers.asp2vec", "--text", "graph link")
}

// The reverse of a link is new for a score that tells it from the link, and for no other.
func TestPredictReverses(t *testing.T) {
	enter(t)
	write(t, "links.tsv", "# directed\na b\nb c\nc a\na d\nd e\ne a\nb e\n")
	train(t, "--network", "links.tsv", "--directed", "--out", "run")
	for score, want := range map[string]int{"walk": 20 - 7, "common": 10 - 7} {
		d := answer[predicted](t, "predict", "--model", "run", "--score", score, "--top", "100")
		reversed := strings.Contains(fmt.Sprint(d.Links), "{b a ")
		if d.Count != want || reversed != (score == "walk") {
			t.Errorf("%s: %d links, %v: expected %d", score, d.Count, d.Links, want)
		}
	}
}
