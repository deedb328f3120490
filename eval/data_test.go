package eval

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/network"
)

// On the published splits of directed networks, a scorer that knows the whole undirected network and nothing else gets
// 1 - ½ (reversed arcs) / (negatives): all positives score 1, and so do the reversed arcs. The counts were taken from the
// files by a separate program. Some random negatives are reversed arcs by accident and score 1 too, which costs a little.
func TestPublishedDirectedSplits(t *testing.T) {
	data := os.Getenv("ASP2VEC_DATA")
	if data == "" {
		t.Skip("ASP2VEC_DATA is not set: the published splits are not at hand")
	}
	for _, c := range []struct {
		name               string
		reversed, negative float64
	}{{"filmtrust", 633, 1179}, {"wiki-vote", 97809, 149640}} {
		s, err := network.ReadSplit(filepath.Join(data, c.name, "split"), true)
		if err != nil {
			t.Fatal(err)
		}
		known := map[network.Link]bool{}
		for _, list := range [][]network.Link{s.Train, s.Test} {
			for _, l := range list {
				known[l] = true
				known[network.Link{From: l.To, To: l.From}] = true
			}
		}
		score := func(links []network.Link) (out []float64) {
			for _, l := range links {
				v := 0.
				if known[l] {
					v = 1
				}
				out = append(out, v)
			}
			return out
		}
		got, err := AUC(score(s.Test), score(s.TestNegDirected))
		if err != nil {
			t.Fatal(err)
		}
		if want := 1 - 0.5*c.reversed/c.negative; got > want+1e-12 || got < want-1e-3 {
			t.Errorf("%s: %v, want at most %v, and little less", c.name, got, want)
		}
	}
}
