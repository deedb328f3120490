package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// manyFaced writes the folder of a run with counts[v % len(counts)] vectors for each vertex v of the karate club's split, and
// returns them in the order of the split; the folder has another order.
func manyFaced(t *testing.T, dir, scoring string, shares bool, counts ...int) (eval.MultiEmbedding, *network.Split) {
	t.Helper()
	const d = 3
	split := call.Of(network.ReadSplit("split", false))(t)
	r := rng.New(7, dir)
	s := eval.MultiEmbedding{First: []int32{0}, D: d}
	for v := range split.Names {
		k := counts[v%len(counts)]
		s.First = append(s.First, s.First[v]+int32(k))
		for range k {
			for range d {
				s.Data = append(s.Data, float32(r.Normal()))
			}
			if shares {
				s.Share = append(s.Share, float32(r.Float64()))
			}
		}
	}
	run := vectors.Run{D: d, First: []int32{0}, Record: results.Record{Method: "m", Scoring: scoring}}
	for v, name := range slices.Backward(split.Names) {
		lo, hi := int(s.First[v]), int(s.First[v+1])
		run.Names = append(run.Names, name)
		run.First = append(run.First, run.First[len(run.First)-1]+int32(hi-lo))
		run.Aspects = append(run.Aspects, s.Data[lo*d:hi*d]...)
		if shares {
			run.Share = append(run.Share, s.Share[lo:hi]...)
		}
	}
	for range len(run.Names) * d {
		run.Final = append(run.Final, float32(r.Normal()))
	}
	call.OK(t, vectors.WriteRun(dir, false, run))
	return s, split
}

type evaluated struct {
	Scoring   string
	Dim       int
	AUC       float64
	AUCRandom float64 `json:"auc_random"`
}

func evaluateJSON(t *testing.T, args ...string) evaluated {
	t.Helper()
	return answer[evaluated](t, append([]string{"evaluate", "--split", "split"}, args...)...)
}

// Without a word a folder is scored as its record says, with --scoring as asked; vectors find their vertices by name.
func TestEvaluateScorings(t *testing.T) {
	karate(t)
	for dir, c := range map[string]struct {
		native string
		counts []int
	}{"facets": {"sum", []int{3}}, "personas": {"max", []int{2, 0, 5, 1}}} {
		s, split := manyFaced(t, dir, c.native, true, c.counts...)
		for _, scoring := range []string{"sum", "max"} {
			want := call.Of(eval.Measure(t.Context(), scoring, eval.Vectors{Several: s}, split, eval.ScoreOptions{}, eval.Measurement{}))(t)
			got := evaluateJSON(t, "--embedding", dir, "--scoring", scoring)
			if got.AUC != want["auc"] || got.AUCRandom != want["auc_random"] || got.Scoring != scoring || got.Dim != 3 {
				t.Errorf("%s: %+v, expected %s with %v", dir, got, scoring, want)
			}
			if scoring != c.native {
				continue
			}
			for _, args := range [][]string{nil, {"--scoring", "native"}} {
				if native := evaluateJSON(t, append(args, "--embedding", dir)...); native != got {
					t.Errorf("%s %v: %+v, expected %+v", dir, args, native, got)
				}
			}
			text := must(t, "evaluate", "--split", "split", "--embedding", dir).out
			says(t, text, "score", " "+scoring+" ")
		}
		one := evaluateJSON(t, "--embedding", dir, "--scoring", "lr")
		if file := evaluateJSON(t, "--embedding", dir+"/embedding.vec"); file != one || one.Scoring != "lr" {
			t.Errorf("%s: %+v of the folder by lr, %+v of its embedding.vec", dir, one, file)
		}
	}
	// An array of three axes, named by the file beside it or by another.
	for _, args := range [][]string{nil, {"--vertices", "facets/vertices.txt"}} {
		for _, scoring := range []string{"sum", "max"} {
			args := append([]string{"--scoring", scoring, "--embedding"}, args...)
			args = slices.Insert(args, 3, "facets/aspects.npy")
			if got, want := evaluateJSON(t, args...), evaluateJSON(t, "--scoring", scoring, "--embedding", "facets"); got != want {
				t.Errorf("%v: %+v, expected %+v", args, got, want)
			}
		}
	}
	// A run of asp2vec says nothing: lr. So does a folder without a record.
	train(t, "--split", "split", "--out", "run")
	want := evaluateJSON(t, "--embedding", "run")
	if sum := evaluateJSON(t, "--embedding", "run", "--scoring", "sum"); want.Scoring != "lr" || sum.Scoring != "sum" {
		t.Errorf("%+v, %+v", want, sum)
	}
	call.OK(t, os.Remove("run/record.json"))
	if got := evaluateJSON(t, "--embedding", "run"); got != want {
		t.Errorf("without a record %+v, expected %+v", got, want)
	}
}

// Stored runs are scored from kept vectors: all of a sweep, one by its name, those of a filter; what comes is in the store from then on.
func TestEvaluateStored(t *testing.T) {
	asCora(t)
	write(t, "s.yaml", "datasets: cora\nmethod: [asp2vec, deepwalk]\nseeds: 2\noptions: {dim: 4, pairs-per-vertex: 50, steps: 20}\n")
	must(t, "sweep", "s.yaml", "--data", "data")
	type stored struct {
		Run, Key string
		Error    string
		Scores   []struct {
			Score   string
			Metrics map[string]float64
		}
	}
	evaluate := func(args ...string) []stored {
		return answer[[]stored](t, append([]string{"evaluate", "--data", "data"}, args...)...)
	}
	all := evaluate("s.yaml", "--score", "dot,lr", "--metric", "ap")
	if len(all) != 4 || len(all[0].Scores) != 2 || !(all[0].Scores[0].Metrics["ap"] > 0) {
		t.Fatalf("%+v", all)
	}
	models, err := filepath.Glob("results/*/embedding.npz") // a run of a sweep is a model
	if err != nil || len(models) != 4 {
		t.Fatal(models, err)
	}
	must(t, "nearest", "1", "--model", filepath.Dir(models[0]))
	if one := evaluate(all[3].Key[:8], "--score", "dot", "--metric", "ap"); len(one) != 1 || one[0].Run != all[3].Run || one[0].Scores[0].Metrics["ap"] != all[3].Scores[0].Metrics["ap"] {
		t.Errorf("one run: %+v", one)
	}
	if some := evaluate("runs", "--where", "method=asp2vec", "--score", "max"); len(some) != 2 || some[0].Error != "" {
		t.Errorf("runs of asp2vec: %+v", some)
	}
	if r := must(t, "evaluate", "s.yaml", "--data", "data", "--score", "max"); !strings.Contains(r.err, "could not be scored") || !strings.Contains(r.out, "max AUC") {
		t.Errorf("of one vector: %s%s", r.err, r.out)
	}
	// One score that cannot be had, or kept, loses no other.
	if some := evaluate("s.yaml", "--score", "max,cosine"); len(some) != 4 || some[2].Error == "" || len(some[2].Scores) != 1 || len(some[0].Scores) != 2 {
		t.Errorf("of one vector, by two: %+v", some)
	}
	folders, _ := filepath.Glob("results/*/record.json")
	for _, record := range folders { // so that they cannot be written, were this not the superuser
		scores := filepath.Join(filepath.Dir(record), results.ScoresFolder)
		call.OK(t, os.RemoveAll(scores), os.WriteFile(scores, nil, 0o666))
	}
	if r := invoke("evaluate", "s.yaml", "--data", "data", "--score", "dot"); r.code != 2 || !strings.Contains(r.err, "could not be kept") || !strings.Contains(r.out, "dot AUC") {
		t.Errorf("a store that cannot be written: %d, %s%s", r.code, r.err, r.out)
	}
	says(t, must(t, "results", "clean", "--json").out, `"runs": 4`)
	if r := invoke("evaluate", "s.yaml", "--data", "data", "--score", "dot"); r.code == 0 || !strings.Contains(r.err, "no run was scored") || r.out != "" {
		t.Errorf("without vectors: %d, %s%s", r.code, r.err, r.out)
	}
	for want, args := range map[string][]string{
		"no run 12345678":              {"12345678"},
		"--where applies to runs":      {"s.yaml", "--where", "seed=1"},
		"have their own score":         {"runs"},
		`metric "auk": expected one`:   {"runs", "--score", "dot", "--metric", "auk"},
		"score-c = 0: expected a numb": {"runs", "--score", "lr", "--score-c", "0"},
	} {
		invoke(append([]string{"evaluate", "--data", "data"}, args...)...).exits(t, 2, want)
	}
}

// A run that is scored by fitted trains again without a tenth of its training links, five times on a small
// network, and keeps what evaluate needs to say the same.
func TestFittedScore(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "120", "--communities", "6", "--mean-degree", "10", "--out", "links.tsv")
	must(t, "split", "--network", "links.tsv", "--remove", "0.3", "--rule", "ce1", "--out", "split")
	type scores struct {
		Scores []struct {
			Score   string
			Metrics map[string]float64
		}
	}
	for _, method := range []string{"prone", "ppr"} {
		says(t, must(t, "train", "--split", "split", "--method", method, "--dim", "8", "--scoring", "fitted", "--out", method, "--results", "none").out, "test AUC, by fitted")
		record := call.Of(results.ReadRecord(method))(t)
		want := record.MetricsBy("fitted")
		got := answer[scores](t, "evaluate", method, "--split", "split", "--score", "fitted", "--baselines", "none", "--negatives", "published,matched")
		if len(want) == 0 || got.Scores[0].Score != "fitted" || got.Scores[0].Metrics["auc"] != want["auc"] || got.Scores[0].Metrics["auc_matched"] != want["auc_matched"] {
			t.Errorf("%s: trained with %v, evaluated %v", method, want, got)
		}
		var held []string
		for seed := range 5 { // which hold 200 links out
			held = append(held, fmt.Sprint(method, "-", seed))
			says(t, must(t, "train", "--split", "split", "--method", method, "--dim", "8", "--hold-out", "0.1", "--scoring", "fitted", "--seed", fmt.Sprint(seed+1), "--out", held[seed], "--results", "none").out, "validation AUC, by fitted")
		}
		apart := answer[scores](t, "evaluate", method, "--split", "split", "--held-out", strings.Join(held, ","), "--baselines", "none", "--negatives", "published,matched")
		if got := apart.Scores[0]; got.Score != "fitted" || math.Abs(got.Metrics["auc"]-want["auc"]) > 1e-12 {
			t.Errorf("%s: by the models with links held out %v, expected %v, of the same training", method, got, want)
		}
	}
	says(t, invoke("evaluate", "prone", "--split", "split", "--score", "fitted").out, "fitted")
	train(t, "--split", "split", "--out", "plain", "--results", "none")
	invoke("evaluate", "plain", "--split", "split", "--score", "fitted").exits(t, 2, "expected --held-out DIR", "train --scoring fitted")
}

// Stored runs on one's own data are scored on the data that their sweep's file names, or said to have none
// that is here.
func TestEvaluateStoredOwnData(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "karate", "--out", "links.tsv")
	write(t, "s.yaml", "datasets: links.tsv\nmethod: deepwalk\nseeds: 2\noptions: {dim: 4, pairs-per-vertex: 50}\n")
	must(t, "sweep", "s.yaml")
	r := must(t, "evaluate", "runs", "--score", "cosine")
	if again := must(t, "evaluate", "s.yaml", "--score", "cosine"); !strings.Contains(r.out, "cosine AUC") || r.out != again.out || strings.Contains(r.err, "not kept") {
		t.Errorf("%s%s\nof its file:\n%s", r.err, r.out, again.out)
	}
	call.OK(t, os.Rename("s.yaml", "other.yaml"))
	none := invoke("evaluate", "runs", "--score", "dot")
	none.exits(t, 2, "runs are of data that is not here", "data_set=links", "evaluate FILE.yaml")
	if strings.Contains(none.err, "not kept") || strings.Contains(none.err, "0 sources") {
		t.Error(none.err)
	}
}
