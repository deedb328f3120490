package runner

import (
	"hash/fnv"

	"github.com/asp2vec/asp2vec/experiments/store"
)

// Shard returns the i-th of n parts of jobs, i from 1 to n, in their order. Together the parts are all jobs, each once. Runs of a
// choice are in one part with those that make it.
//
// A part depends on the jobs alone, not on what was run, so that machines need not know of each other. A data set is parted without
// a look at the others: where one machine lacks another data set, its part of this one is the same.
func Shard(jobs []store.Job, i, n int) (part []store.Job) {
	setOf := together(jobs)
	turn := map[string]int{} // of the next set, by data set
	place := map[string]int{}
	for _, j := range jobs {
		set := setOf(j)
		if _, known := place[set]; !known {
			first, started := turn[j.Dataset]
			if !started {
				h := fnv.New32a()
				h.Write([]byte(j.Dataset))
				first = int(h.Sum32() % uint32(n)) // else all data sets of one run would be in the first part
			}
			place[set], turn[j.Dataset] = first%n, first+1
		}
		if place[set] == i-1 {
			part = append(part, j)
		}
	}
	return part
}

// together returns what names the set of runs that stay in one part with a run. A run that makes two choices, which are few, stays with one
// of them.
func together(jobs []store.Job) func(store.Job) string {
	nameOf := func(j store.Job) (name string, choosing []store.Job) {
		choosing = store.Choosing(j.Candidates(store.FirstSeed))
		return choosing[0].Key(), choosing
	}
	decides := map[string]string{} // keys of runs that choose, and their sets
	for _, j := range jobs {
		if j.Choice == nil {
			continue
		}
		name, choosing := nameOf(j)
		if decides[name] != "" {
			continue
		}
		for _, d := range choosing {
			decides[d.Key()] = name
		}
	}
	return func(j store.Job) string {
		key := j.Key()
		if set := decides[key]; set != "" {
			return set
		}
		if j.Choice != nil {
			key, _ = nameOf(j)
		}
		return key
	}
}
