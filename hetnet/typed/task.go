package typed

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/internal/par"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/seq"
)

// Pair is a link that is to be predicted: the target is to be ranked high for the source.
type Pair struct{ Source, Target int32 }

// Task is to rank the targets of a type of links for each source: of all targets but those that training links join it with, the ones
// that test pairs have are to stand first.
type Task struct {
	Link       int    // place in Schema.Links
	Validation []Pair // what models and their epochs are chosen by; may be empty
	Test       []Pair
}

// Rules by which pairs are taken from links.
const (
	SplitShare       = "share"         // a share of each source's links
	SplitTime        = "time"          // the latest share of all links
	SplitLeaveOneOut = "leave-one-out" // one of each source's links: the latest, or any where times are not known
)

// SplitOptions say which links become test pairs.
type SplitOptions struct {
	Rule  string  // "" for SplitShare
	Share float64 // in (0,1); 0 for a fifth. Not of SplitLeaveOneOut
	Seed  uint64
}

// Split takes test pairs from the links of a type, which the network then lacks. A source keeps one link at least but by time, where
// pairs of sources or targets without any link left are dropped. It returns an error for another rule, a share outside (0,1), links
// without times that are to be split by these, and if nothing is left on either side.
func (n *Network) Split(link int, o SplitOptions) (*Task, error) {
	test, err := n.takeOut(link, o)
	return &Task{Link: link, Test: test}, err
}

// HoldOut returns the network without a share of each source's links of the task, and the task with these as validation pairs. share is
// above 0 and below 1, or 0 for .2. It returns an error for any other share, and where no links would be left on either side.
func (t *Task) HoldOut(n *Network, share float64, seed uint64) (*Network, *Task, error) {
	left := *n
	left.Links = slices.Clone(n.Links)
	held, err := left.takeOut(t.Link, SplitOptions{Rule: SplitShare, Share: share, Seed: seed})
	if err != nil {
		return nil, nil, err
	}
	return &left, &Task{Link: t.Link, Validation: held, Test: t.Test}, nil
}

// takeOut removes links by a rule, and returns them.
func (n *Network) takeOut(link int, o SplitOptions) (out []Pair, err error) {
	if o.Rule == "" {
		o.Rule = SplitShare
	}
	if o.Share == 0 {
		o.Share = 0.2
	}
	l, name := n.Links[link], n.Schema.Links[link].Name
	if !(o.Share > 0 && o.Share < 1) {
		return nil, fmt.Errorf("typed: a share of %v of links %s to be ranked: expected one above 0 and below 1", o.Share, name)
	}
	order := rng.New(o.Seed, "split "+o.Rule).Perm(len(l.From)) // of links, those that are taken first last
	if l.Time != nil && o.Rule != SplitShare {
		slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(l.Time[a], l.Time[b]) })
	}
	taken := make([]bool, len(l.From))
	switch o.Rule {
	case SplitTime:
		if l.Time == nil {
			return nil, fmt.Errorf("typed: links %s have no times: expected columns with time, or another split than %s", name, SplitTime)
		}
		for _, i := range order[len(order)-int(o.Share*float64(len(order))):] {
			taken[i] = true
		}
	case SplitShare:
		l.takeOfEach(taken, order, func(all int) int { return int(o.Share*float64(all) + 0.5) })
	case SplitLeaveOneOut:
		l.takeOfEach(taken, order, func(int) int { return 1 })
	default:
		return nil, fmt.Errorf("typed: split %q: expected %s, %s or %s", o.Rule, SplitShare, SplitTime, SplitLeaveOneOut)
	}
	n.Links[link], out = l.without(taken)
	if o.Rule == SplitTime {
		out = n.reachable(link, out)
	}
	if len(out) == 0 || len(n.Links[link].From) == 0 {
		return nil, fmt.Errorf("typed: of %d links %s a split by %s takes %d: expected some on either side", len(l.From), name, o.Rule, len(out))
	}
	return out, nil
}

// takeOfEach marks so many of each source's links as most says of the number of all of them, but leaves one; the last of an order come first.
func (l Links) takeOfEach(taken []bool, order []int, most func(all int) int) {
	all, some := map[int32]int{}, map[int32]int{}
	for _, v := range l.From {
		all[v]++
	}
	for _, i := range slices.Backward(order) {
		if v := l.From[i]; some[v] < min(most(all[v]), all[v]-1) {
			some[v]++
			taken[i] = true
		}
	}
}

// without returns the links but for those that are taken, and these.
func (l Links) without(taken []bool) (left Links, out []Pair) {
	for i := range l.From {
		if taken[i] {
			out = append(out, Pair{l.From[i], l.To[i]})
			continue
		}
		left.From, left.To = append(left.From, l.From[i]), append(left.To, l.To[i])
		if l.Weight != nil {
			left.Weight = append(left.Weight, l.Weight[i])
		}
		if l.Time != nil {
			left.Time = append(left.Time, l.Time[i])
		}
	}
	return left, out
}

// reachable returns the pairs whose vertices have links of the type.
func (n *Network) reachable(link int, pairs []Pair) (kept []Pair) {
	from, to := map[int32]bool{}, map[int32]bool{}
	for i := range n.Links[link].From {
		from[n.Links[link].From[i]], to[n.Links[link].To[i]] = true, true
	}
	for _, p := range pairs {
		if from[p.Source] && to[p.Target] {
			kept = append(kept, p)
		}
	}
	return kept
}

// EachRanked calls do for the ends of each link of the task's type: either way round where the type is undirected and within a type of
// vertices.
func (t *Task) EachRanked(n *Network, do func(source, target int32)) {
	l, typ := n.Links[t.Link], n.Schema.Links[t.Link]
	for i, v := range l.From {
		do(v, l.To[i])
		if typ.From == typ.To && !typ.Directed && v != l.To[i] {
			do(l.To[i], v)
		}
	}
}

// Known returns the targets, sorted, that each source is joined with by training links: they are not ranked.
func (t *Task) Known(n *Network) [][]int32 {
	known := make([][]int32, n.Vertices(n.Schema.Links[t.Link].From))
	t.EachRanked(n, func(source, target int32) { known[source] = append(known[source], target) })
	for _, targets := range known {
		slices.Sort(targets)
	}
	return known
}

// Ends returns the types of sources and of targets.
func (t *Task) Ends(n *Network) (source, target int) {
	l := n.Schema.Links[t.Link]
	return l.From, l.To
}

// Checksum returns the SHA-256, in hexadecimal, of the network and the pairs.
func (t *Task) Checksum(n *Network) string {
	sum := sha256.New()
	fmt.Fprintln(sum, n.Checksum(), t.Link, t.Validation, t.Test)
	return hex.EncodeToString(sum.Sum(nil))
}

// AtFirst are the numbers of first targets that a Task is scored for.
func AtFirst() []int { return []int{5, 10, 20, 50} }

// Scorer writes the scores of all targets for one source into dst, of as many elements as there are targets: higher is likelier. The
// source is its number among the vertices of its type, from 0. Several goroutines call it at once. Task.Evaluate returns its error; of
// several, that of the lowest source.
type Scorer func(source int32, dst []float32) error

// A model is measured by so many scores at most, of sources in even steps, but by fewestSources at least.
const (
	mostScores    = 1_000_000_000
	fewestSources = 1000
)

// Evaluate measures a scorer by some pairs: for each source that has any (in large networks, for as many as a billion scores allow) its
// targets are ranked among all targets that no link of n joins it with, and that other, if it is not nil, does not have for it: pairs
// of the other part of the split. It uses up to threads goroutines, whose number does not change the result. It returns an error if
// there are no pairs, the scorer fails, a score is NaN, or ctx is cancelled.
func (t *Task) Evaluate(ctx context.Context, n *Network, pairs, other []Pair, score Scorer, threads int) (eval.RankingScore, error) {
	source, target := t.Ends(n)
	known := t.Known(n)
	if source == target {
		for v := range known {
			known[v] = append(known[v], int32(v)) // nothing is ranked for itself
		}
	}
	for _, p := range other {
		known[p.Source] = append(known[p.Source], p.Target)
	}
	own := map[int32][]int32{}
	var sources []int32
	for _, p := range pairs {
		if len(own[p.Source]) == 0 {
			sources = append(sources, p.Source)
		}
		own[p.Source] = append(own[p.Source], p.Target)
	}
	slices.Sort(sources)
	sources = seq.Evenly(sources, max(fewestSources, mostScores/max(1, n.Vertices(target))))
	ranked := make([]eval.SourceRanking, len(sources))
	errs := make([]error, len(sources))
	workers := make([]targetRanker, threads)
	par.Blocks(threads, len(sources), func(worker, i int) {
		if errs[i] = ctx.Err(); errs[i] == nil {
			v := sources[i]
			ranked[i], errs[i] = workers[worker].rank(v, n.Vertices(target), score, known[v], own[v])
		}
	})
	for i, err := range errs {
		if err != nil {
			return eval.RankingScore{}, fmt.Errorf("typed: ranking for %s: %w", n.Names[n.Schema.Links[t.Link].From][sources[i]], err)
		}
	}
	return eval.MeanRanking(ranked)
}

// targetRanker is the memory in which the targets of a source are ranked.
type targetRanker struct {
	scores, others []float32
	marks          []byte // of each target: 1 known, 2 own
}

// rank ranks a source's own targets among all of so many that are not known.
func (r *targetRanker) rank(source int32, targets int, score Scorer, known, own []int32) (eval.SourceRanking, error) {
	if r.scores == nil {
		r.scores, r.marks = make([]float32, targets), make([]byte, targets)
	}
	if err := score(source, r.scores); err != nil {
		return eval.SourceRanking{}, err
	}
	clear(r.marks)
	for _, v := range known {
		r.marks[v] = 1
	}
	for _, v := range own {
		r.marks[v] = 2
	}
	var mine []float32
	r.others = r.others[:0]
	for v, x := range r.scores {
		switch r.marks[v] {
		case 0:
			r.others = append(r.others, x)
		case 2:
			mine = append(mine, x)
		}
	}
	return eval.RankSource(mine, r.others, AtFirst())
}
