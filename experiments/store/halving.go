package store

import (
	"cmp"
	"encoding/json"
	"math"
	"slices"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/asp2vec/asp2vec/experiments/grid"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/yamlnode"
)

// Halving is successive halving: all combinations are trained with a small budget, those that the validation set likes best, one of
// so many, with a larger one, and so on; the best of the last ones is what the search has found. Each run is one of its own, from the
// beginning, since how the learning rate falls depends on its length.
//
// Without the validation set, under protocol standard, a tenth of the training links is held out to score each run, and what was found is
// trained once more on all of them.
//
// Source: Jamieson and Talwalkar, "Non-stochastic best arm identification and hyperparameter optimization", AISTATS 2016; where
// Asynchronous, ASHA (Li et al., MLSys 2020). Differs from ASHA: who goes on depends on the scores in an order that is drawn beforehand,
// not on who ends first, so that a search comes to the same runs however many are done at a time.
type Halving struct {
	Budget string            `json:"budget"` // option of the budget: epochs or pairs-per-vertex
	Rungs  []json.RawMessage `json:"rungs"`  // its values, the smallest first
	Factor int               `json:"factor"` // one of so many goes on
	Seed   uint64            `json:"seed"`   // of the runs of all rungs
	// Asynchronous lets a combination go on as soon as it is among the best, one of Factor, of those before it and itself, instead of
	// when its whole rung has ended. Some more go on than otherwise.
	Asynchronous bool `json:"asynchronous,omitempty"`
}

// Budgets are the options that a budget can be told in.
var Budgets = []string{"epochs", "pairs-per-vertex"}

// maxRungs of a search, far above any use.
const maxRungs = 20

// Count returns how many runs n combinations may come to, under so many seeds.
func (h *Halving) Count(n float64, seeds int) (runs float64) {
	for range h.Rungs {
		runs += n
		n = math.Ceil(n / float64(h.Factor))
	}
	return runs + float64(seeds)
}

// BudgetOf is the rungs' option as a grid of one.
func (h *Halving) BudgetOf(rung int) (grid.Grid, grid.Combination) {
	return grid.Grid{{Name: h.Budget, Values: h.Rungs}}, grid.Combination{h.Rungs[rung]}
}

// Rung is the runs of all candidates with one budget, and their keys.
type Rung struct {
	Jobs []Job
	keys []string
}

// rungName tells the rungs of a choice apart.
type rungName struct {
	dataset, protocol, method string
	number                    int
	score                     bool
	seed                      uint64
}

// Rung returns the runs of all candidates with the budget of a rung: those that score them, or those of a seed that are shown of the best.
func (j Job) Rung(number int, score bool, seed uint64) Rung {
	h := j.Choice.Halving
	if score {
		seed = h.Seed
	}
	name := rungName{j.Dataset, j.Protocol, j.Options.Method.Name, number, score, seed}
	if known, there := j.Choice.rungs.Load(name); there {
		return known.(Rung)
	}
	j.Options.HoldOut = 0
	grid, budget := h.BudgetOf(number)
	all := Rung{Jobs: j.Candidates(seed)}
	if score {
		all.Jobs = Trials(all.Jobs)
	}
	for i := range all.Jobs {
		_, _ = grid.Set(&all.Jobs[i].Options, budget) // of a kind that was checked when the file was read
		all.keys = append(all.keys, all.Jobs[i].Key())
	}
	j.Choice.rungs.Store(name, all)
	return all
}

// place returns the rung that a run is of; that after the last one for what is shown of the best.
func (j Job) place() int {
	h := j.Choice.Halving
	words, err := grid.OptionWords(j.Options)
	scores := isTrial(j) || j.Options.Select != graphs.SelectLast && j.Options.Seed == h.Seed
	for i, r := range h.Rungs {
		if err == nil && scores && words[h.Budget] == grid.Word(r) {
			return i
		}
	}
	return len(h.Rungs)
}

// Order returns n candidates in the order in which they are tried: that of the file or, where the order matters to who goes on, one
// that is drawn, since neighbours in a grid have similar scores.
func (h *Halving) Order(n int) []int {
	if h.Asynchronous {
		return rng.New(h.Seed, "halving").Perm(n)
	}
	return seq.Upto(n)
}

// Alive returns the candidates that reach a rung, by their numbers, the best first or, in an asynchronous search, in the order in which
// they do; and whether these are all, which is not known before all runs of the rung before have ended. Those that failed do not go on.
func (r *Runs) Alive(j Job, number int) (all []int, known bool) {
	h := j.Choice.Halving
	if number == 0 {
		return h.Order(len(j.Rung(0, true, 0).Jobs)), true
	}
	before, known := r.Alive(j, number-1)
	scored, known := r.scored(before, j.Rung(number-1, true, 0), known)
	if h.Asynchronous && number < len(h.Rungs) {
		return h.promoted(scored, known), known
	}
	if !known {
		return nil, false
	}
	slices.SortStableFunc(scored, byScore)
	keep := h.keep(len(before))
	if number == len(h.Rungs) {
		keep = 1
	}
	for _, c := range scored[:min(keep, len(scored))] {
		if !c.failed {
			all = append(all, c.number)
		}
	}
	return all, true
}

// candidate is one whose run in a rung has ended.
type candidate struct {
	number int
	score  float64
	failed bool
}

// byScore puts the best first, and failures last.
func byScore(a, b candidate) int {
	if a.failed != b.failed {
		if a.failed {
			return 1
		}
		return -1
	}
	return cmp.Compare(b.score, a.score)
}

// scored returns those of the candidates of a rung that come before the first one whose run has not ended, and whether these are all of the
// rung; known says whether the candidates are.
func (r *Runs) scored(candidates []int, at Rung, known bool) (all []candidate, complete bool) {
	for _, i := range candidates {
		e, failed := r.byKey[at.keys[i]], r.failed[at.keys[i]] != ""
		if e == nil && !failed {
			return all, false
		}
		c := candidate{number: i, failed: true}
		if e != nil {
			if record, there := e.load(); there {
				if score, on := ChosenBy(record); on != "" {
					c.score, c.failed = score, false
				}
			}
		}
		all = append(all, c)
	}
	return all, known
}

// promoted returns the candidates that are among the best, one of Factor, of those up to some one, in the order in which they come to be;
// the best one where there are too few for that.
func (h *Halving) promoted(scored []candidate, complete bool) (all []int) {
	var best []candidate // so far, in their order
	on := map[int]bool{}
	promote := func(c candidate) {
		if !c.failed && !on[c.number] {
			on[c.number] = true
			all = append(all, c.number)
		}
	}
	for n, c := range scored {
		at, _ := slices.BinarySearchFunc(best, c, func(a, b candidate) int {
			return cmp.Or(byScore(a, b), -1) // after those of the same score
		})
		best = slices.Insert(best, at, c)
		if most := (n + 1) / h.Factor; at < most { // at most one is new among so many
			promote(c)
		} else if most > 0 {
			promote(best[most-1])
		}
	}
	if complete && len(all) == 0 && len(best) > 0 {
		promote(best[0])
	}
	return all
}

// Reached returns the keys of the runs that are known to be needed of a search that is asynchronous, while others of their rungs are not.
func (r *Runs) Reached(j Job) (keys []string) {
	if j.Choice == nil || j.Choice.Halving == nil || !j.Choice.Halving.Asynchronous {
		return nil
	}
	for number := 1; number < len(j.Choice.Halving.Rungs); number++ {
		all, _ := r.Alive(j, number)
		at := j.Rung(number, true, 0)
		for _, i := range all {
			keys = append(keys, at.keys[i])
		}
	}
	return keys
}

// keep returns how many of n go on.
func (h *Halving) keep(n int) int { return max(1, (n+h.Factor-1)/h.Factor) }

// Kept returns how many of n runs that the same others decide about will be done.
func (j Job) Kept(n int) int {
	if h := j.Choice.Halving; h != nil {
		if number := j.place(); number < len(h.Rungs) {
			kept := n
			for range number {
				kept = h.keep(kept)
			}
			return kept
		}
	}
	return 1
}

// halved says of a run of a search whether it is known to be needless.
func (r *Runs) halved(j Job) bool {
	number, key := j.place(), j.Key()
	all, known := r.Alive(j, number)
	last := len(j.Choice.Halving.Rungs)
	at := j.Rung(min(number, last-1), number < last, j.Options.Seed)
	return known && !slices.ContainsFunc(all, func(i int) bool { return at.keys[i] == key })
}

// ReadHalving reads {budget, from, to, factor, asynchronous}. It returns an error with the line for whatever it does not know.
func ReadHalving(n *yaml.Node) (*Halving, error) {
	h, from, to := &Halving{Factor: 3}, 0, 0
	if err := yamlnode.Keys(n, "key of halving", map[string]func(*yaml.Node) error{
		"budget":       func(n *yaml.Node) error { return yamlnode.Word(n, "budget", &h.Budget, Budgets...) },
		"from":         func(n *yaml.Node) error { return yamlnode.Scalar(n, &from) },
		"to":           func(n *yaml.Node) error { return yamlnode.Scalar(n, &to) },
		"factor":       func(n *yaml.Node) error { return yamlnode.Scalar(n, &h.Factor) },
		"asynchronous": func(n *yaml.Node) error { return yamlnode.Scalar(n, &h.Asynchronous) },
	}); err != nil {
		return nil, err
	}
	switch {
	case h.Budget == "":
		return nil, yamlnode.Errorf(n, "halving without a budget: want budget: epochs or pairs-per-vertex")
	case from < 1 || to <= from || to > math.MaxInt32:
		return nil, yamlnode.Errorf(n, "halving from %d to %d %s: want two whole numbers, the lower first, from 1 up", from, to, h.Budget)
	case h.Factor < 2:
		return nil, yamlnode.Errorf(n, "halving by a factor of %d: want 2 or more", h.Factor)
	}
	for budget := from; budget < to; budget *= h.Factor {
		h.Rungs = append(h.Rungs, strconv.AppendInt(nil, int64(budget), 10))
	}
	if h.Rungs = append(h.Rungs, strconv.AppendInt(nil, int64(to), 10)); len(h.Rungs) > maxRungs {
		return nil, yamlnode.Errorf(n, "halving in %d rungs: want at most %d", len(h.Rungs), maxRungs)
	}
	return h, nil
}
