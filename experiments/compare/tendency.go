package compare

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/figures"
	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
)

// Tendency is what figure 4 shows of one network under one seed: rank correlations of the variance of a vertex's aspect
// distribution with its frequency in the walks, in [-1,1].
type Tendency struct {
	Dataset, Protocol string
	Seed              uint64
	Noisy             float64 // asp2vec, from draws with Gumbel noise
	NoiseFree         float64 // asp2vec, from the probabilities without noise
	Null              float64 // a random assigner in asp2vec's place, with the same draws
	PolyDW            float64
}

// Tendencies reads what the files beside a store, in the folder of figures under dir, say of figure 4: of each network,
// protocol and seed whose runs of asp2vec and PolyDW at their defaults have both left one. It returns an error for a file
// that cannot be read.
func Tendencies(dir string, runs *store.Runs) ([]Tendency, error) {
	type place struct {
		dataset string
		seed    uint64
	}
	places := map[place]bool{}
	for _, r := range runs.All() {
		places[place{r.Dataset.Name, r.Seed}] = true
	}
	ordered := slices.SortedFunc(maps.Keys(places), func(a, b place) int {
		return cmp.Or(cmp.Compare(a.dataset, b.dataset), cmp.Compare(a.seed, b.seed))
	})
	folder, err := figures.OpenFolder(dir)
	if err != nil {
		return nil, err
	}
	var all []Tendency
	for _, protocol := range slices.Sorted(maps.Keys(run.Protocols)) {
		for _, at := range ordered {
			t := Tendency{Dataset: at.dataset, Protocol: protocol, Seed: at.seed}
			ours, err := spearmans(folder, at.dataset, protocol, graphs.MethodAsp2vec, at.seed)
			if err != nil {
				return nil, err
			}
			theirs, err := spearmans(folder, at.dataset, protocol, graphs.MethodPolyDW, at.seed)
			if err != nil {
				return nil, err
			}
			if ours == nil || theirs == nil {
				continue
			}
			t.Noisy, t.NoiseFree, t.Null = ours[aspects.UseNoisy], ours[aspects.UseNoiseFree], ours[aspects.UseRandom]
			t.PolyDW = theirs[aspects.UseShare]
			all = append(all, t)
		}
	}
	return all, nil
}

// spearmans returns the rank correlations that a method's default run has left, by variant; nil if it has left none.
func spearmans(folder figures.Folder, dataset, protocol, method string, seed uint64) (map[string]float64, error) {
	o, err := methods.Options(method, run.Protocols[protocol])
	if err != nil {
		return nil, err
	}
	o.Seed = seed
	data, err := folder.Read(store.Job{Dataset: dataset, Protocol: protocol, Options: o})
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("compare: figure 4 of %s on %s: %w", method, dataset, err)
	}
	if data.Use == nil {
		return nil, nil
	}
	by := map[string]float64{}
	for _, v := range data.Use.Variants {
		by[v.Name] = float64(v.Spearman)
	}
	return by, nil
}
