package experiments

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
)

// linkMethods are those of the paper's Table 1, in its order. Another method that is registered is no part of a published table.
var linkMethods = []string{
	graphs.MethodDeepWalk, graphs.MethodNode2vec, graphs.MethodDGI, graphs.MethodPolyDW, graphs.MethodSplitter, graphs.MethodAsp2vec,
}

// table1 is the main result: every method of the paper at the same count of numbers for a vertex.
func table1() Spec { return table1Sheet().spec() }

func table1Sheet() sheet {
	return sheet{
		number: 1, title: "Link prediction by every method", columns: table1Columns,
		notes: []string{
			"DW in the paper is the better of DeepWalk and node2vec; here it is DeepWalk, and node2vec stands beside it, with the best of p and q in {.25, 1, 4} by the links that choose epochs, under seed 1 where a seed has not tried them all. Under protocol standard a tenth of the training links is held out to choose them, under seed 1, and the runs shown are on all.",
			"Methods with several vectors for a vertex have a fifth of the numbers in each.",
			"DGI reports the epoch with the lowest loss, PolyDW and Splitter the last one, whatever the protocol; each such run counts under both.",
			"DGI on Cora: the paper gave it the words of each paper as features; here it has the training links, as on the other networks. With the words (dgi --features) it scores lower here.",
			"DW on Cora: the paper's .9181 and .8814 at 100 and 500 are its values of asp2vec at 500 and 100; columns may have slipped.",
		},
	}
}

func table1Columns(s Selection) []column {
	dims := s.Dims
	if len(dims) == 0 {
		dims = []int{100}
	}
	var all []column
	for _, dim := range slices.Compact(slices.Sorted(slices.Values(dims))) {
		for _, name := range linkMethods {
			m, err := methods.Find(name)
			if err != nil {
				continue // a program without it
			}
			c := column{name: fmt.Sprintf("dim=%d/%s", dim, m.Title), method: m.Name, set: func(o *graphs.Options) {
				if o.Dim = dim; m.Several() {
					o.Dim /= graphs.PaperAspects
				}
			}}
			switch m.Name {
			case graphs.MethodDeepWalk:
				c.name = fmt.Sprintf("dim=%d/DW", dim)
			case graphs.MethodNode2vec:
				c.among = node2vecGrid()
			}
			all = append(all, c)
		}
	}
	return all
}

// node2vecGrid returns the choices of p and q, every other one of those that the paper of node2vec tries.
func node2vecGrid() []func(*graphs.Options) {
	values := []float64{0.25, 1, 4}
	var all []func(*graphs.Options)
	for _, p := range values {
		for _, q := range values {
			all = append(all, func(o *graphs.Options) { graphs.Edit(o, func(n *graphs.Node2vecOptions) { n.P, n.Q = p, q }) })
		}
	}
	return all
}

// choseFrom says whether a run was chosen from at least the p and q of some jobs, and by nothing else.
func choseFrom(r results.Record, jobs []Job) bool {
	tried := map[graphs.Node2vecOptions]bool{}
	for _, t := range r.Tried {
		var c graphs.Node2vecOptions
		for _, setting := range strings.Fields(t.Name) {
			name, text, _ := strings.Cut(setting, "=")
			value, err := strconv.ParseFloat(text, 64)
			switch {
			case err != nil:
				return false
			case name == "p":
				c.P = value
			case name == "q":
				c.Q = value
			default:
				return false
			}
		}
		tried[c] = true
	}
	return !slices.ContainsFunc(jobs, func(j Job) bool { return !tried[graphs.Own[graphs.Node2vecOptions](j.Options)] })
}

// Settled says whether a table needs no run of the job any more: because there is its record or, for one of node2vec's
// grid, because another one of the grid was chosen, under its own seed or the first. A run that is only to choose, on links held
// out, is settled with the choice; what was chosen, once its own record is there.
func (r *Runs) Settled(j Job) bool {
	if _, ok := r.Find(j); ok || !j.Options.Is(graphs.MethodNode2vec) {
		return ok
	}
	if isTrial(j) {
		j.Options.HoldOut = 0
		_, ok := r.best(node2vecJobs(j, firstSeed))
		return ok
	}
	own := node2vecJobs(j, j.Options.Seed)
	chosen, ok := r.best(own)
	if !ok {
		chosen, ok = r.best(node2vecJobs(j, firstSeed))
	}
	return ok && own[chosen].Key() != j.Key()
}

// Deciders returns the runs that may settle a job, other than its own: of one of node2vec's grid, that grid under the first
// seed; where links are held out for the choice, with these held out.
func Deciders(j Job) []Job {
	held := j.Options.Select == graphs.SelectLast
	if !j.Options.Is(graphs.MethodNode2vec) || isTrial(j) || !held && j.Options.Seed == firstSeed {
		return nil
	}
	return trials(node2vecJobs(j, firstSeed))
}

// trials returns the runs whose scores choose among some jobs: those jobs or, where no links choose epochs, the same with
// links held out for that.
func trials(jobs []Job) []Job {
	all := slices.Clone(jobs)
	for i := range all {
		if o := &all[i].Options; o.Select == graphs.SelectLast && o.HoldOut == 0 {
			o.HoldOut = HoldOutFraction
		}
	}
	return all
}

// isTrial says whether a job is only to choose.
func isTrial(j Job) bool { return j.Options.Select == graphs.SelectLast && j.Options.HoldOut > 0 }

// node2vecJobs returns a job with each of the grid's p and q, under a seed.
func node2vecJobs(j Job, seed uint64) (all []Job) {
	j.Options.Seed = seed
	for _, choice := range node2vecGrid() {
		choice(&j.Options)
		all = append(all, j)
	}
	return all
}
