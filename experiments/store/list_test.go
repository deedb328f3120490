package store

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/recordtest"
	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// Runs are listed by what they came to, and by what they are of.
func TestListOfRuns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	var all []results.Record
	for i, epsilon := range []float64{.1, .5, .9} {
		o := graphs.Default()
		o.Epsilon, o.Seed = epsilon, uint64(i)
		all = append(all, recordtest.Of(t, "Cora", "validated", o, .8-epsilon/10, .5+epsilon/10))
	}
	tiny.Pack(t, path, all)
	s := call.Of(ReadStore(path))(t)
	for _, c := range []struct {
		sort, where, want string
		most, count       int
	}{
		{"", "", "epsilon=0.1||epsilon=0.9", 0, 3}, {"validation", "", "epsilon=0.9||epsilon=0.1", 0, 3}, {"auc", "", "epsilon=0.1|", 2, 3},
		{"-auc", "", "epsilon=0.9", 1, 3}, {"", "", "|epsilon=0.9", 2, 3}, {"seed", "epsilon=0.9", "epsilon=0.9", 0, 1}, {"", "dataset=ppi", "", 0, 0},
	} {
		f := call.Of(ParseFilter(c.where))(t)
		list, count, err := s.List(f, func(*Entry) bool { return true }, c.sort, c.most)
		var words []string
		for _, l := range list {
			j := call.Of(JobOf(l.Record))(t)
			words = append(words, j.Settings())
		}
		if got := strings.Join(words, "|"); err != nil || got != c.want || count != c.count {
			t.Errorf("by %q where %q: %q of %d, %v", c.sort, c.where, got, count, err)
		}
	}
	call.Refused(t, `sort "ac": expected one of auc`)(s.List(Filter{}, func(*Entry) bool { return true }, "ac", 0))
}
