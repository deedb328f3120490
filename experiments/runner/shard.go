package runner

import (
	"hash/fnv"

	"github.com/asp2vec/asp2vec/experiments/store"
)

// Shard returns the i-th of n parts of jobs, i from 1 to n, in their order. Together the parts are all jobs, each once. Runs that
// decide about each other are in one part.
//
// A part depends on the jobs alone, not on what was run, so that machines need not know of each other. A data set is parted without
// a look at the others: where one machine lacks another data set, its part of this one is the same.
func Shard(jobs []store.Job, i, n int) (part []store.Job) {
	sets := newUnion()
	for _, j := range jobs {
		sets.find(j.Key())
		for _, d := range store.Deciders(j) {
			sets.join(d.Key(), j.Key())
		}
	}
	turn := map[string]int{} // of the next set, by data set
	place := map[string]int{}
	for _, j := range jobs {
		set := sets.find(j.Key())
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

// union parts keys into sets.
type union struct{ up map[string]string }

func newUnion() union { return union{map[string]string{}} }

// find returns the key that stands for the set of a key, which is new if it was not there.
func (u union) find(key string) string {
	up, there := u.up[key]
	switch {
	case !there:
		u.up[key] = key
		return key
	case up == key:
		return key
	}
	root := u.find(up)
	u.up[key] = root
	return root
}

func (u union) join(a, b string) { u.up[u.find(b)] = u.find(a) }
