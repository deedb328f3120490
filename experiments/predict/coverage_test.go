//go:build paper

package predict

import (
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"testing"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/network"
)

// Nine of ten intervals hold the count: of published splits, and of networks without 5 % of their links, with five seeds. Its lines are what results/log.md counts. It takes
// about an hour; -run TestCoverage/cora takes one network.
func TestCoverage(t *testing.T) {
	data := os.Getenv("ASP2VEC_DATA")
	if data == "" {
		t.Skip("no ASP2VEC_DATA")
	}
	for _, name := range []string{"filmtrust", "cora", "ppi", "wiki-vote", "ca-hepth", "4area", "ca-astroph", "ciaodvd"} {
		held, all := 0, 0
		t.Run(name, func(t *testing.T) {
			directed := name == "filmtrust" || name == "wiki-vote" || name == "ciaodvd"
			for seed := range uint64(6) { // 0 is the published split
				t.Run(fmt.Sprint(seed), func(t *testing.T) {
					s, err := network.ReadSplit(filepath.Join(data, name, "split"), directed)
					if seed > 0 {
						whole, _, failed := network.Read(filepath.Join(data, name, "edges.tsv.gz"), network.ReadOptions{Directed: directed})
						if failed != nil {
							t.Fatal(failed)
						}
						s, err = network.MakeSplit(t.Context(), whole, network.SplitOptions{Remove: .05, Rule: "ce1", Seed: seed})
					}
					if err != nil {
						t.Fatal(err)
					}
					h, a := covered(t, name, s)
					held, all = held+h, all+a
				})
			}
		})
		if 10*held < 9*all-10 { // of one network, chance leaves out a case more
			t.Errorf("%s: %d of %d intervals hold the count", name, held, all)
		}
	}
}

// covered says how many intervals hold the count of test links, of those of the score that is chosen, and logs those of all candidates.
func covered(t *testing.T, name string, s *network.Split) (held, all int) {
	net, err := s.TrainNetwork()
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Network: net, Test: s.Test, Hidden: s.Options, Native: Candidates[0], First: 500, Unmeasured: func(score, why string) { t.Log(score, why) }}
	chosen, found, err := Choose(t.Context(), in)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range found.Candidates {
		if c.held == nil {
			continue
		}
		scorer, err := eval.Fit(t.Context(), c.Score, eval.Vectors{}, net.TrainOnly(), eval.ScoreOptions{})
		if err != nil {
			t.Fatal(err)
		}
		var kept []network.Link
		if s.Directed {
			kept = s.Train
		}
		truth, err := eval.RankHeldOut(t.Context(), scorer, kept, s.Test, Linked(net, scorer), pooled, 0, 1, 0)
		if err != nil {
			t.Fatal(err)
		}
		steps := eval.Steps(c.held, c.missing, pooled)
		for n := 10; n <= 1000; n *= 10 {
			x, right := count(steps, ranks(n)), sort.SearchFloat64s(truth.Above, float64(n))
			t.Logf("%s\tseed %d\t%s\tchosen %v\tfirst %d\texpected %.1f\tfrom %d\tto %d\tcounted %d", name, s.Options.Seed, c.Score, c.Score == chosen, n, float64(n)*x.Precision, x.Low, x.High, right)
			if c.Score == chosen {
				if all++; x.Low <= right && right <= x.High {
					held++
				}
			}
		}
	}
	return held, all
}
