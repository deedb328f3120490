package runner

import (
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
)

// Shards are a partition that does not depend on what other data sets there are, and keep together what decides about each other.
func TestShard(t *testing.T) {
	all := sweep.Paper("table1").PartJobs(sweep.Scope{Datasets: []string{"Cora", "PPI", "Filmtrust"}, Methods: []string{"asp2vec", "node2vec"}, Protocols: []string{"standard"}, Seeds: 2})
	fewer := slices.DeleteFunc(slices.Clone(all), func(j store.Job) bool { return j.Dataset == "Cora" })
	for _, n := range []int{1, 3} {
		in := map[string]int{}
		sizes := make([]int, n)
		for i := 1; i <= n; i++ {
			part := Shard(all, i, n)
			for _, j := range part {
				if before, twice := in[j.Key()]; twice && before != i {
					t.Fatalf("%v is in shards %d and %d of %d", j, before, i, n)
				}
				in[j.Key()] = i
			}
			sizes[i-1] = len(part)
			rest := slices.DeleteFunc(part, func(j store.Job) bool { return j.Dataset == "Cora" })
			if got := Shard(fewer, i, n); !slices.EqualFunc(got, rest, func(a, b store.Job) bool { return a.Key() == b.Key() }) {
				t.Errorf("shard %d of %d is another one without Cora", i, n)
			}
		}
		for _, j := range all {
			if in[j.Key()] == 0 {
				t.Fatalf("%v is in no shard of %d", j, n)
			}
			for _, d := range store.Deciders(j) {
				if in[d.Key()] != 0 && in[d.Key()] != in[j.Key()] {
					t.Fatalf("%v is in another shard than what decides about it", j)
				}
			}
		}
		if slices.Min(sizes) == 0 {
			t.Errorf("shards of %v runs", sizes)
		}
	}
}
