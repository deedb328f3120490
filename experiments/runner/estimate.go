package runner

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/source"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/network"
	"github.com/asp2vec/asp2vec/results"
)

// Size is what the time of a run depends on in its data.
type Size struct {
	Vertices int
	Links    int // for training and testing together
	Directed bool
}

// Estimate is how long a run may take.
type Estimate struct {
	Seconds float64
	First   float64 // seconds of them that are saved where another run has trained the same first stage
	Basis   string  // the runs that it is scaled from
}

// Estimator tells how long runs will take from how long others took. It is not safe for use by several goroutines at once.
type Estimator struct{ timings []timing }

// timing is what one run took, in seconds.
type timing struct {
	job     store.Job
	group   string
	size    Size
	threads int
	epochs  int     // of the main stage
	pairs   float64 // that the main stage trained, and the warm-up
	warmed  float64

	composed bool // by graphs of layers and losses rather than fused ops

	warmUp, main, eval, other float64
}

// Runs to start from where there are no records. asp2vec and DeepWalk: results/measured/runs.jsonl, seed 1, validated.
// The others: the same data and protocol with one thread of an Intel Xeon that had other work too, by commit de95e4f.
func builtIn() []timing {
	cora, filmtrust := Size{2485, 5066, false}, Size{610, 1601, true}
	var all []timing
	add := func(method, dataset string, size Size, threads, dim, epochs int, warmUp, main, eval, other float64) {
		o, err := methods.Options(method, graphs.Default)
		if err != nil {
			return // a method that this version does not have
		}
		if o.Dim = dim; !graphs.WarmsUp(o) {
			warmUp = 0
		}
		t := timing{job: store.Job{Dataset: dataset, Protocol: "validated", Options: o}, size: size, threads: threads, epochs: epochs, warmUp: warmUp, main: main, eval: eval, other: other}
		t.pairs = float64(epochs) * corpusWork(o, size)
		all = append(all, t)
	}
	add(graphs.MethodAsp2vec, "Cora", cora, 2, 20, 15, 31.1, 43.6, 0.2, 0.1)
	add(graphs.MethodAsp2vec, "Filmtrust", filmtrust, 2, 20, 43, 0.4, 0.9, 0.1, 0)
	add(graphs.MethodDeepWalk, "Cora", cora, 2, 100, 38, 0, 65.4, 0.7, 0.1)
	add(graphs.MethodDeepWalk, "Filmtrust", filmtrust, 2, 100, 23, 0, 0.5, 0.1, 0)
	add(graphs.MethodNode2vec, "Cora", cora, 2, 100, 38, 0, 65.4, 0.7, 0.5) // as DeepWalk
	add(graphs.MethodNode2vec, "Filmtrust", filmtrust, 1, 100, 23, 0, 0.9, 0.2, 0)
	add(graphs.MethodDGI, "Cora", cora, 1, 100, 398, 0, 2.8, 0, 0.1)
	add(graphs.MethodDGI, "Filmtrust", filmtrust, 1, 100, 350, 0, 0.9, 0, 0.1)
	add(graphs.MethodPolyDW, "Cora", cora, 1, 20, 5, 0, 618, 0, 14)
	add(graphs.MethodPolyDW, "Filmtrust", filmtrust, 1, 20, 5, 0, 98.2, 0, 0.7)
	add(graphs.MethodSplitter, "Cora", cora, 1, 20, 10, 34.6, 151, 0, 0.4)
	add(graphs.MethodSplitter, "Filmtrust", filmtrust, 1, 20, 10, 8.1, 17, 0, 0.1)
	// One thread of an AMD EPYC that had much other work.
	dblp := Size{43799, 58042, false}
	add(hetnet.MethodM2V, "DBLP", dblp, 1, 40, 8, 0, 240, 1, 8)
	add(hetnet.MethodCamel, "DBLP", dblp, 1, 40, 15, 0, 50, 1, 8)
	add(hetnet.MethodTaPEm, "DBLP", dblp, 1, 40, 12, 50, 300, 10, 8)
	add(hetnet.MethodAsp2vecHet, "DBLP", dblp, 1, 40, 10, 0, 320, 1, 8)
	add(hetnet.MethodPrototype, "DBLP", dblp, 1, 40, 8, 0, 3, 0, 8)
	return all
}

// NewEstimator returns an estimator that knows the records, those of failed runs aside.
func NewEstimator(records []results.Record) *Estimator {
	e := &Estimator{timings: builtIn()}
	for _, r := range records {
		e.Add(r)
	}
	return e
}

// Add takes over what a run took. A record that does not tell is left out.
func (e *Estimator) Add(r results.Record) {
	j, err := store.JobOf(r)
	if err != nil || r.Error != "" || r.Interrupted || len(r.Epochs) == 0 || r.Dataset.Vertices == 0 {
		return
	}
	s := timing{job: j, group: j.Group(), size: Size{r.Dataset.Vertices, r.Dataset.Links, r.Dataset.Directed}, threads: r.Host.Threads, eval: r.EvalSeconds,
		composed: j.Options.Method.Models != nil && strings.HasPrefix(r.Engine, graphs.EngineGraph)}
	for _, epoch := range r.Epochs {
		if epoch.Stage == r.Method {
			s.main += epoch.Seconds
			s.pairs += float64(epoch.Pairs)
			s.epochs++
		} else {
			s.warmUp += epoch.Seconds
			s.warmed += float64(epoch.Pairs)
		}
	}
	if s.pairs == 0 {
		s.pairs = float64(s.epochs) * corpusWork(j.Options, s.size)
	}
	if len(r.Tried) == 0 { // else the whole time is that of several runs
		s.other = max(0, r.Finished.Sub(r.Started).Seconds()-s.warmUp-s.main-s.eval)
		if r.Pilot != nil { // which is estimated by its pairs
			s.other = max(0, s.other-r.Pilot.Seconds)
		}
	}
	e.timings = append(e.timings, s)
}

// Estimate returns how long a run on data of the given size may take with so many threads: what the nearest runs took, in
// the proportion of the work. The same run with other seeds is nearest, then other runs of the method on the data set, then
// those on networks of its kind and about its size; of several that are as near the median counts. How many epochs a run
// needs is taken to be the same, which is often wrong by half; how many pairs one trains that ends after pairs is known. A method
// that has never run is timed by the pairs of another one (standIn).
func (e *Estimator) Estimate(j store.Job, size Size, threads int) Estimate {
	j.Options = j.Options.Complete()
	group := j.Group()
	nearest := math.Inf(1)
	var near []timing
	method := j.Options.Method.Name
	if !slices.ContainsFunc(e.timings, func(s timing) bool { return s.job.Options.Is(method) }) {
		method = standIn(j.Options)
	}
	for _, s := range e.timings {
		if !s.job.Options.Is(method) {
			continue
		}
		d := s.distance(j, group, size)
		if d < nearest {
			nearest, near = d, near[:0]
		}
		if d == nearest {
			near = append(near, s)
		}
	}
	if len(near) == 0 {
		return Estimate{Basis: "nothing"}
	}
	slower := 1.0
	if composed := byGraph(j.Options); composed && !near[0].composed {
		slower = graphWork
	} else if near[0].composed && !composed {
		slower = 1 / graphWork
	}
	var seconds, ofFirst []float64
	for _, s := range near {
		all, warmUp := s.scaled(j.Options, size, threads)
		slower := slower * textWork(j) / textWork(s.job)
		seconds, ofFirst = append(seconds, slower*all), append(ofFirst, slower*warmUp)
	}
	first := near[0]
	basis := fmt.Sprintf("%s on %s", method, first.job.Dataset)
	switch {
	case first.group == group:
		basis = "other seeds"
	case first.group == "":
		basis += ", built in"
	}
	got := Estimate{Seconds: median(seconds), Basis: basis}
	if graphs.FirstStage(j.Options) != "" {
		got.First = min(median(ofFirst), got.Seconds)
	}
	return got
}

// standIn returns the method whose time tells of one that was never timed, by what it trains on: its pairs, in the proportion of
// their work.
func standIn(o graphs.Options) string {
	m := o.Method
	switch {
	case m.Typed && graphs.WarmsUp(o):
		return hetnet.MethodAsp2vecHet
	case m.Typed:
		return hetnet.MethodM2V
	case !m.Reads("walks"):
		return graphs.MethodDGI
	case graphs.WarmsUp(o):
		return graphs.MethodAsp2vec
	}
	return graphs.MethodDeepWalk
}

func median(x []float64) float64 {
	slices.Sort(x)
	return (x[(len(x)-1)/2] + x[len(x)/2]) / 2
}

// distance orders runs by how much they tell of a job. What weighs more than the rest together is first.
func (s timing) distance(j store.Job, group string, size Size) float64 {
	if s.group == group {
		return 0
	}
	d := 1.0
	if s.size.Directed != size.Directed {
		d += 1000
	}
	if s.job.Dataset != j.Dataset {
		d += 100 + math.Abs(math.Log(float64(s.size.Vertices+1)/float64(size.Vertices+1)))
	}
	if s.group == "" { // built in
		d += 50
	}
	if budgeted(s.job.Options) && !budgeted(j.Options) {
		d += 1e6 // it does not tell how many epochs are needed
	}
	if s.job.Options.WarmUp != j.Options.WarmUp {
		d += 20
	}
	if s.job.Options.Select != j.Options.Select {
		d += 10
	}
	return d + math.Abs(math.Log(pairWork(s.job.Options, true)/pairWork(j.Options, true)))
}

// scaled returns what the run, and its warm-up, would have taken with other options, data and threads.
func (s timing) scaled(o graphs.Options, size Size, threads int) (seconds, warmUp float64) {
	epochs := 1.0
	if s.epochs > 0 {
		epochs = min(1, float64(o.Epochs)/float64(s.epochs))
	}
	was := s.job.Options
	if recipe, ok := o.Recipe(size.Vertices, size.Links, 1); ok && s.pairs > 0 {
		return s.scaledTo(recipe, o, size, threads)
	}
	corpus := corpusWork(o, size) / corpusWork(was, s.size)
	seconds = s.other*corpus + s.main*epochs*corpus*pairWork(o, true)/pairWork(was, true)
	if graphs.WarmsUp(o) {
		warmUp = s.warmUp * corpus * pairWork(o, false) / pairWork(was, false)
	}
	seconds += warmUp + s.eval*epochs*float64(size.Links+1)/float64(s.size.Links+1)*float64(o.Dim)/float64(max(1, was.Dim))
	faster := speedup(threads) / speedup(s.threads)
	return seconds / faster, warmUp / faster
}

// scaledTo is scaled for a run that ends after a number of pairs, which is scored once.
func (s timing) scaledTo(recipe graphs.Recipe, o graphs.Options, size Size, threads int) (seconds, warmUp float64) {
	was := s.job.Options
	if s.warmUp > 0 && s.warmed > 0 {
		warmUp = s.warmUp / s.warmed * pairWork(o, false) / pairWork(was, false)
	} else {
		warmUp = s.main / s.pairs * pairWork(o, false) / pairWork(was, true)
	}
	warmUp *= recipe.WarmUp
	seconds = warmUp + s.main/s.pairs*pairWork(o, true)/pairWork(was, true)*(recipe.Pairs+recipe.Pilot-recipe.WarmUp)
	seconds += s.other * corpusWork(o, size) / corpusWork(was, s.size)
	eval := s.eval
	if was.Select == graphs.SelectValidation || was.Select == graphs.SelectTest {
		eval /= float64(s.epochs + 1)
	}
	seconds += eval * float64(size.Links+1) / float64(s.size.Links+1) * float64(o.Dim) / float64(max(1, was.Dim))
	faster := speedup(threads) / speedup(s.threads)
	return seconds / faster, warmUp / faster
}

// budgeted says whether a run ends after a number of pairs.
func budgeted(o graphs.Options) bool {
	_, ok := o.Recipe(1, 1, 1)
	return ok
}

// EstimateRun returns how long a run may take by what is built in alone.
func EstimateRun(d run.Data, o graphs.Options, threads int) Estimate {
	if d.Split == nil {
		return Estimate{}
	}
	s := d.Split
	return NewEstimator(nil).Estimate(store.Job{Dataset: d.Name, Options: o}, Size{len(s.Names), len(s.Train) + len(s.Test), s.Directed}, threads)
}

// Done returns how much of the work of a run that ends after pairs is done, and all of it: pairs of the main stage take longer
// than those of a warm-up.
func Done(o graphs.Options, p graphs.Progress) (done, all float64) {
	warm := float64(p.RunWarmUp)
	o = o.Complete()
	work := func(pairs float64) float64 {
		return min(pairs, warm)*pairWork(o, false) + max(0, pairs-warm)*pairWork(o, true)
	}
	return work(float64(p.RunPairs)), work(float64(p.RunTotal))
}

// directedShare is the part of its pairs that a network with directed links has, since walks end early: .06 in Filmtrust and
// .02 in Wiki-vote (results/measured/runs.jsonl).
const directedShare = 0.04

// corpusWork is about the number of pairs of an epoch; of a method without walks, in its own unit.
func corpusWork(o graphs.Options, size Size) float64 {
	work := float64(size.Vertices + 1)
	if !o.Method.Reads("walks") {
		return work
	}
	if size.Directed {
		work *= directedShare
	}
	if o.Is(graphs.MethodPolyDW) {
		work *= float64(max(1, graphs.Own[graphs.FacetOptions](o).Copies))
	}
	if o.Shrink { // the reach of a window is half as far, in the mean
		work *= float64(o.Window+1) / float64(2*o.Window)
	}
	return work * float64(o.Walks) * float64(max(1, run.PairsOfWalk(int64(o.Length), int64(o.Window))))
}

// textWork is how many words of a paper's text a run reads, in the mean: an encoder takes most of the time of a run on papers. It is
// that of titles where nobody knows, and 1 for other runs. The encoder mean reads a word in a tenth of the time, and has as much to do for each paper
// as for twenty words; prototypes, most of whose time goes into word vectors, have as much as for ten, beside the words.
func textWork(j store.Job) float64 {
	if !j.Options.Method.Typed {
		return 1
	}
	words := 6.0
	if d, err := network.Lookup(j.Dataset); err == nil && d.Words > 0 {
		words = d.Words
	}
	words = min(words, float64(hetnet.Own(j.Options).TextLength))
	if j.Options.Is(hetnet.MethodPrototype) {
		return (words + 10) / 10
	}
	if hetnet.Own(j.Options).Encoder == hetnet.EncoderMean {
		return (words + 20) / 10
	}
	return words
}

// pairWork is the work of a pair in the main stage, or in the warm-up, in numbers touched. What a pair costs beside its
// numbers is as much as 40 of them: 90 ns a pair with 20 dimensions against 200 ns with 100 (results/measured/runs.jsonl).
func pairWork(o graphs.Options, main bool) float64 {
	const beside = 40
	numbers := float64(max(1, o.Dim))
	m := o.Method
	own := !slices.Contains(methods.OfPaper, m.Name) && m.Reads("aspects") // a pair of it is taken to touch them all
	if main && (o.Is(graphs.MethodAsp2vec) || own) {
		numbers *= float64(max(1, o.Aspects))
	}
	switch {
	case m.Typed: // most of it is the reading of texts
		return numbers * float64(hetnet.Own(o).WordDim+o.Dim)
	case !m.Reads("negatives"):
		return beside + numbers
	}
	return (beside + numbers) * float64(1+max(1, o.Negatives))
}

// speedup is how much faster so many threads are than one. A seventh of the time is not shared: 3.38 million pairs a second
// with one thread and 5.95 with two (results/benchmarks/scale.md, adam, 5000 vertices).
func speedup(threads int) float64 {
	const alone = 0.14
	return 1 / (alone + (1-alone)/float64(max(1, threads)))
}

// sizeOf returns the size of what a source holds, and data of that size, with a split that runs will not get where there is
// none.
func sizeOf(l source.Loaded) (Size, run.Data) {
	if l.Bibliography != nil || l.Typed != nil {
		data := run.Data{Bibliography: l.Bibliography, Typed: l.Typed, Task: l.Task}
		d := data.Describe()
		return Size{d.Vertices, d.Links, false}, data
	}
	split := l.Split
	if split == nil {
		n := l.Network.LargestComponent()
		links := n.List()
		half := int(source.DatasetRemove * float64(len(links)))
		split = &network.Split{
			Names: n.Names(), Directed: n.Directed(), Test: links[:half], TestNeg: links[:half], Train: links[half:], TrainNeg: links[half:],
		}
	}
	return Size{len(split.Names), len(split.Train) + len(split.Test), split.Directed}, run.Data{Split: split}
}
