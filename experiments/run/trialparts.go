package run

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/asp2vec/asp2vec/eval"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/network"
)

// tryWords trains vectors of words.
func tryWords(ctx context.Context) (outcome, error) {
	var out outcome
	b, err := trialBibliography()
	if err != nil {
		return out, err
	}
	o := hetnet.DefaultWords()
	o.Dim, o.Epochs = 6, 2
	w, err := hetnet.TrainWords(ctx, b, o, 1)
	if err != nil {
		return out, err
	}
	out.add(w.Vectors)
	return out, nil
}

// tryPilot has a pilot find something, by scores that do not depend on the embedding.
func tryPilot(ctx context.Context) (outcome, error) {
	out := outcome{Words: fmt.Sprint(HoldOutFraction, " ", pilotLinks, " ", pilotList)}
	o, err := trialOptions(graphs.MethodOf(graphs.MethodDeepWalk), StandardProtocol)
	if err != nil {
		return out, err
	}
	o.Pilot, o.Optimizer, o.PairsPerVertex, o.Steps = 0.2, graphs.OptimizerAuto, 5000, 200
	net, _ := network.Karate()
	calls := 0.
	scores, err := graphs.Pilot(ctx, graphs.Input{Network: net}, o, 1, func(_ context.Context, l graphs.Learner) (float64, error) {
		calls++
		e, err := l.Embedding()
		out.add(e.Final)
		return -math.Abs(math.Mod(calls, 15)-8) / 100, err
	}, nil)
	if err != nil {
		return out, err
	}
	for _, s := range append(scores, graphs.BestOfPilot(scores)) {
		out.Words += " " + s.Optimizer
		out.Numbers = append(out.Numbers, s.RateSum, s.Score)
	}
	return out, nil
}

// tryOptimizer moves a row by gradients of all sizes.
func tryOptimizer(kind string) (out outcome) {
	const rows, width, steps = 3, 8, 4
	t := graphs.NewTable("trial", rows, width)
	o := graphs.NewOptimizer(kind, 0.01, 1)
	for step := range steps {
		o.Begin(3)
		o.Move(graphs.RowWork{Table: t, Start: []int32{0, 1, 1, 2}, Prefetch: func(int) {}, Gradient: func(g []float32, v int) float64 {
			for i := range g {
				if v != 1 { // which the batch did not use
					g[i] += float32(math.Pow(10, float64(-2*i))) * float32(1+step-2*v)
				}
			}
			return 0
		}})
	}
	for _, x := range t.X {
		out.Numbers = append(out.Numbers, float64(x))
	}
	return out
}

// trialSplit parts the links of a small network.
func trialSplit(directed bool) *network.Split {
	net, _ := network.Karate()
	s := &network.Split{Names: net.Names(), Directed: directed}
	linked := map[network.Link]bool{}
	for i, l := range net.List() {
		linked[l] = true
		if i%2 == 0 {
			s.Train = append(s.Train, l)
		} else {
			s.Test = append(s.Test, l)
		}
	}
	for i, n := 0, int32(len(s.Names)); len(s.TestNeg) < len(s.Test); i++ {
		l := network.Link{From: int32(i) % n, To: int32(i*i+7*i+3) % n}
		switch {
		case l.From >= l.To || linked[l]:
		case len(s.TrainNeg) < len(s.Train):
			s.TrainNeg = append(s.TrainNeg, l)
		default:
			s.TestNeg = append(s.TestNeg, l)
		}
	}
	if directed {
		for _, l := range s.Test {
			s.TestNegDirected = append(s.TestNegDirected, network.Link{From: l.To, To: l.From})
		}
		s.TestNegDirected = append(s.TestNegDirected, s.TestNeg...)
	}
	return s
}

// tryScoring ranks links by vectors that were not trained.
func tryScoring(ctx context.Context, scoring string) (out outcome, err error) {
	const d, k = 6, 2
	for _, directed := range []bool{false, true} {
		s := trialSplit(directed)
		n := len(s.Names)
		e := graphs.Embedding{D: d, Final: make([]float32, n*d), Vectors: make([]float32, n*k*d), Share: make([]float32, n*k), First: make([]int32, n+1)}
		fill(e.Final, "final")
		fill(e.Vectors, "vectors")
		for v := range n {
			e.First[v+1] = int32((v + 1) * k)
			e.Share[v*k] = float32(v) / float32(n)
			e.Share[v*k+1] = 1 - e.Share[v*k]
		}
		score, weights, err := measure(ctx, s, e, scoring, eval.LinkOptions{Threads: 1})
		if err != nil {
			return out, err
		}
		out.Numbers = append(append(out.Numbers, score.AUC, score.AUCRandom), weights...)
	}
	return out, nil
}

// ranking scores authors and items by their numbers alone.
type ranking struct{}

func (ranking) Scores(_ context.Context, papers [][]int32, authors [][]int32, _ int) ([][]float32, error) {
	all := make([][]float32, len(papers))
	for p := range papers {
		for _, a := range authors[p] {
			all[p] = append(all[p], float32(math.Sin(float64(int(a)*7+p))))
		}
	}
	return all, nil
}

// addMetrics adds metrics in the order of their names.
func (t *outcome) addMetrics(m map[string]float64) {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		t.Words += " " + name
		t.Numbers = append(t.Numbers, m[name])
	}
}

// tryIdentification ranks the candidates of papers.
func tryIdentification(ctx context.Context) (out outcome, err error) {
	b, err := trialBibliography()
	if err != nil {
		return out, err
	}
	task, err := hetnet.NewTask(b, hetnet.TaskOptions{Halves: hetnet.HalvesPublished})
	if err != nil {
		return out, err
	}
	for _, papers := range [][]int32{task.Dev, task.Test} {
		score, err := task.Evaluate(ctx, ranking{}, papers, 1)
		if err != nil {
			return out, err
		}
		out.addMetrics(score.Metrics())
	}
	return out, nil
}

// tryRanking ranks items for users.
func tryRanking(ctx context.Context) (out outcome, err error) {
	n, task, err := trialMusic()
	if err != nil {
		return out, err
	}
	score, err := task.Evaluate(ctx, n, task.Test, nil, func(source int32, dst []float32) error {
		for i := range dst {
			dst[i] = float32(math.Sin(float64(i*7 + int(source))))
		}
		return nil
	}, 1)
	if err != nil {
		return out, err
	}
	out.addMetrics(score.Metrics())
	return out, nil
}
