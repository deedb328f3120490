package runner

import (
	"slices"

	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/results"
)

// place is what runs have in common that take about as long as each other: the method, the data set and, where it is not "", all options but the seed.
type place struct{ method, dataset, group string }

func placeOf(j store.Job) place { return place{j.Options.Method.Name, j.Dataset, j.Group()} }

// within returns a place and the one whose options are any.
func (p place) within() []place { return []place{p, {p.method, p.dataset, ""}} }

// times are the seconds that runs took which have ended. The zero value knows none.
type times struct {
	took map[place][]float64
	rate map[place]float64 // that a run may take in all, by how far it has come, where none has ended
}

// add takes over what a run took; 0 is for not known.
func (t *times) add(at place, seconds float64) {
	if t.took == nil {
		t.took = map[place][]float64{}
	}
	for _, p := range at.within() {
		if seconds > 0 {
			t.took[p] = append(t.took[p], seconds)
		}
	}
}

// addRecord takes over what the run of a record took. Failed and interrupted ones do not tell.
func (t *times) addRecord(r results.Record) {
	if j, err := store.JobOf(r); err == nil && r.Error == "" && !r.Interrupted {
		t.add(placeOf(j), r.TrainSeconds+r.EvalSeconds)
	}
}

// guess notes how long a run may take in all that has come so far, from 0 to 1, in so many seconds.
func (t *times) guess(at place, seconds, share float64) {
	if t.rate == nil {
		t.rate = map[place]float64{}
	}
	for _, p := range at.within() {
		t.rate[p] = seconds / share
	}
}

// of returns how long a run may take, in seconds: the median of those of its options, else what one under way lets expect; where there is neither, the
// same of its method on its data set; 0 for not known.
func (t *times) of(at place) float64 {
	for _, p := range at.within() {
		took := slices.Sorted(slices.Values(t.took[p]))
		if n := len(took); n > 0 {
			return (took[(n-1)/2] + took[n/2]) / 2
		}
		if t.rate[p] > 0 {
			return t.rate[p]
		}
	}
	return 0
}
