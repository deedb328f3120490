package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

// An embedding that was trained on another split, or on the whole network, is told from one of the split that scores it, and how many
// of the test links it was trained on is counted; where its data are gone they are not, but it is still told.
func TestTrainedOnOtherData(t *testing.T) {
	karate(t)
	must(t, "split", "--network", "karate.tsv", "--remove", "0.3", "--rule", "ce1", "--seed", "9", "--out", "other")
	split := func(dir string) *network.Split {
		return call.Of(network.ReadSplit(dir, false))(t)
	}
	mine, other := split("split"), split("other")
	both := 0
	for _, l := range mine.Test {
		for _, m := range other.Train {
			a, b := other.Names[m.From], other.Names[m.To]
			u, v := mine.Names[l.From], mine.Names[l.To]
			if a == u && b == v || a == v && b == u {
				both++
			}
		}
	}
	if both == 0 || both == len(mine.Test) {
		t.Fatalf("%d of %d test links are training links of the other split: no test of counting", both, len(mine.Test))
	}
	train(t, "--split", "split", "--out", "same")
	train(t, "--split", "other", "--out", "another")
	train(t, "--network", "karate.tsv", "--out", "all")
	train(t, "--network", "karate.tsv", "--protocol", "validated", "--out", "held")
	write(t, "copy.tsv", read(t, "karate.tsv"))
	train(t, "--network", "copy.tsv", "--out", "gone")
	write(t, "copy.tsv", "1 2\n")
	write(t, "made.vec", read(t, "all/embedding.vec"))
	all := len(mine.Test)
	for _, c := range []struct {
		model string
		want  *int
		told  bool
	}{
		{"same", nil, false}, {"another", &both, true}, {"another/embedding.vec", &both, true}, {"all", &all, true}, {"held", &all, true},
		{"gone", nil, true}, {"made.vec", nil, false},
	} {
		for _, args := range [][]string{{"evaluate", "--embedding"}, {"predict", "--top", "1", "--model"}} {
			if args[0] != "evaluate" && strings.HasSuffix(c.model, ".vec") {
				continue // these read the record of a run's folder alone
			}
			r := must(t, append(append(args, c.model), "--split", "split", "--json")...)
			got := decode[struct {
				Other *struct {
					Checksum string `json:"sha256"`
					Trained  *int   `json:"test_links_trained_on"`
				} `json:"trained_on_other_data"`
			}](t, r.out).Other
			if (got != nil) != c.told || strings.Contains(r.err, "warn: trained on other data") != c.told {
				t.Errorf("%s of %s: %+v\n%s", args[0], c.model, got, r.err)
				continue
			}
			if got == nil {
				continue
			}
			if (got.Trained == nil) != (c.want == nil) || c.want != nil && *got.Trained != *c.want || got.Checksum == "" {
				t.Errorf("%s of %s: %+v, expected %v test links", args[0], c.model, got, c.want)
			}
		}
	}
	says(t, must(t, "evaluate", "--split", "split", "--embedding", "another", "--log-level", "error").out, "Trained on other data")
}

// The links that a run's record names are found from another working folder, and after network and embedding were moved together; a file of the
// same name that lies there is not mistaken for them.
func TestLinksBesideTheModel(t *testing.T) {
	karate(t)
	write(t, "project/links.tsv", read(t, "karate.tsv"))
	home := call.Of(os.Getwd())(t)
	t.Chdir("project")
	train(t, "./links.tsv", "--out", "runs/one")
	train(t, "--split", "../split", "--out", "../two")
	finds := func(model string) {
		t.Helper()
		says(t, must(t, "predict", "--model", model).err, "which the model was trained on")
	}
	finds("runs/one")
	finds("../two")
	t.Chdir(home)
	write(t, "links.tsv", "1 2\n")
	finds("project/runs/one")
	finds("two")
	finds(filepath.Join(home, "project", "runs", "one"))
	call.OK(t, os.Rename("project", "moved"))
	finds("moved/runs/one")
	t.Chdir("moved/runs/one")
	finds(".")
	t.Chdir(home)
	call.OK(t, os.Rename("moved/runs/one", "alone"))
	says(t, must(t, "predict", "--model", "alone").err, "missing or have changed")
	t.Chdir("moved")
	finds("../alone") // from where the run was
}
