package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
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
