package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/vectors"
)

// later makes a planted network of single communities, links.tsv, and parts it into old.tsv and the links of every tenth vertex, new.tsv.
func later(t *testing.T) (late map[string]bool) {
	t.Helper()
	enter(t)
	must(t, "data", "generate", "planted", "--vertices", "200", "--communities", "4", "--memberships", "1", "--mean-degree", "14", "--out", "links.tsv")
	late = map[string]bool{}
	var old, new strings.Builder
	for line := range strings.Lines(read(t, "links.tsv")) {
		f := strings.Fields(line)
		to := &old
		for _, v := range f[:2] {
			if strings.HasSuffix(v, "7") {
				late[v], to = true, &new
			}
		}
		to.WriteString(line)
	}
	write(t, "old.tsv", old.String())
	write(t, "new.tsv", new.String())
	return late
}

// New vertices get vectors near those of their community, and the old ones keep theirs to the bit, whatever the number of threads.
// embedDoc is what embed prints with --json.
type embedDoc struct {
	Old   int `json:"old_vertices"`
	New   int `json:"new_vertices"`
	Links int `json:"new_links"`
}

func TestEmbed(t *testing.T) {
	late := later(t)
	labels := map[string]string{}
	for line := range strings.Lines(read(t, "links.memberships.tsv")) {
		f := strings.Fields(line)
		labels[f[0]] = f[1]
	}
	for _, method := range [][]string{{"asp2vec", "--aspects", "2"}, {"deepwalk"}} {
		must(t, append([]string{"train", "--network", "old.tsv", "--dim", "8", "--pairs-per-vertex", "600", "--steps", "200", "--out", method[0], "--method"}, method...)...)
		grown := method[0] + "-grown"
		d := answer[embedDoc](t, "embed", "--model", method[0], "--links", "new.tsv", "--out", grown, "--threads", "2")
		if d.New != len(late) || d.Old+d.New != 200 || d.Links != strings.Count(read(t, "new.tsv"), "\n") {
			t.Errorf("%+v: expected %d new vertices", d, len(late))
		}
		must(t, "embed", "--model", method[0], "--links", "new.tsv", "--out", grown+"1", "--threads", "1")
		for _, f := range []string{vectors.CenterFile, vectors.AspectsFile, vectors.EmbeddingFile} {
			if read(t, grown+"/"+f) != read(t, grown+"1/"+f) {
				t.Errorf("%s: another number of threads gives another %s", grown, f)
			}
		}
		before := call.Of(vectors.ReadWhole(method[0], ""))(t)
		after := call.Of(vectors.ReadWhole(grown, ""))(t)
		n := len(before.Names)
		if !slices.Equal(after.Names[:n], before.Names) || !slices.Equal(after.Final[:len(before.Final)], before.Final) ||
			!slices.Equal(after.Center[:len(before.Center)], before.Center) || !slices.Equal(after.MultiVectors.Data[:len(before.MultiVectors.Data)], before.MultiVectors.Data) {
			t.Errorf("%s: vectors of old vertices have moved", grown)
		}
		if r := after.Record; r.Parent == nil || r.Parent.Method != method[0] || r.Dataset.Vertices != 200 {
			t.Errorf("%s: record %+v", grown, r)
		}
		right, all := 0, 0
		for v := range late {
			for _, u := range answer[nearDoc](t, "nearest", v, "--model", grown, "--top", "5").names() {
				all++
				if labels[u] == labels[v] {
					right++
				}
			}
		}
		if share := float64(right) / float64(all); share < .8 { // .25 by chance
			t.Errorf("%s: %.2f of those near new vertices are of their community", grown, share)
		}
	}
}

// A run begins with the vectors that it is given, of its own method or of any, and says so in its record.
func TestTrainInit(t *testing.T) {
	later(t)
	short := []string{"--aspects", "2", "--steps", "200", "--pairs-per-vertex"}
	must(t, append([]string{"train", "--network", "old.tsv", "--dim", "8", "--embedding-scale", "0", "--out", "run"}, append(short, "600")...)...) // vectors as they are trained, also in the file
	loss := func(args ...string) float64 {
		must(t, slices.Concat([]string{"train", "--network", "links.tsv", "--out", "next", "--force", "--rate-sum", "0.05"}, args, short, []string{"30"})...)
		r := call.Of(results.ReadRecord("next"))(t)
		if (r.Parent != nil) != (len(args) > 2) {
			t.Errorf("%v: parent %+v", args, r.Parent)
		}
		return float64(r.Epochs[len(r.Epochs)-1].LossNats)
	}
	anew := loss("--dim", "8")
	for _, path := range []string{"run", "run/embedding.vec"} {
		if from := loss("--init", path, "--dim", "8"); !(from < anew-.03) {
			t.Errorf("the loss from %s is %v after some steps, and %v without", path, from, anew)
		}
	}
	var b bytes.Buffer
	call.OK(t, vectors.WriteVec(&b, []string{"nobody"}, []float32{1, 2}, 2))
	write(t, "other.vec", b.String())
	for args, want := range map[string]string{
		"--init none":                  "none",
		"--init other.vec":             "none of the 200 vertices has an initial vector",
		"--init run --dim 4":           "--dim 4 with --init run: expected 8",
		"--init run --warm-up":         "--warm-up with --init",
		"--init run --method dgi":      "dgi cannot start from vectors",
		"--init run --method splitter": "splitter cannot start from vectors",
	} {
		invoke(append([]string{"train", "--network", "links.tsv", "--out", "x"}, strings.Fields(args)...)...).exits(t, 2, want)
	}
}

// Who goes on from a model that has seen the test links, or the links held out, is told.
func TestInitTellsOfSeenLinks(t *testing.T) {
	enter(t)
	must(t, "data", "generate", "karate", "--out", "links.tsv")
	must(t, "split", "--network", "links.tsv", "--rule", "ce1", "--remove", "0.3", "--out", "split")
	train := func(args ...string) string {
		return must(t, with([]string{"train", "--out", "none", "--dim", "4", "--aspects", "2", "--pairs-per-vertex", "50", "--results="}, args...)...).err
	}
	train("--network", "links.tsv", "--out", "whole")
	train("--split", "split", "--out", "honest")
	says(t, train("--split", "split", "--init", "whole"), "of the split's", "test links were used for training")
	if told := train("--split", "split", "--init", "honest"); strings.Contains(told, "warn") && strings.Contains(told, "test links were used") {
		t.Errorf("a model of the split: %s", told)
	}
	says(t, train("--split", "split", "--init", "honest", "--hold-out", "0.2"), "links held out now")
}
