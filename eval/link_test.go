package eval

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/option"
	"github.com/asp2vec/asp2vec/internal/rng"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/network"
)

type golden struct {
	U         [][]float32
	TrainPos  [][2]int32 `json:"train_pos"`
	TrainNeg  [][2]int32 `json:"train_neg"`
	TestPos   [][2]int32 `json:"test_pos"`
	TestNeg   [][2]int32 `json:"test_neg"`
	Coef      []float64
	Intercept float64
	Objective float64
	TestProb  []float64 `json:"test_prob"`
	AUC       float64
}

func links(pairs [][2]int32) []network.Link {
	var out []network.Link
	for _, p := range pairs {
		out = append(out, network.Link{From: p[0], To: p[1]})
	}
	return out
}

func readGolden(t *testing.T) (g golden, e Embedding, s *network.Split) {
	t.Helper()
	b := call.Of(os.ReadFile("testdata/link_prediction.json"))(t)
	call.OK(t, json.Unmarshal(b, &g))
	e = Embedding{N: len(g.U), D: len(g.U[0])}
	for _, u := range g.U {
		e.Data = append(e.Data, u...)
	}
	return g, e, &network.Split{Train: links(g.TrainPos), TrainNeg: links(g.TrainNeg), Test: links(g.TestPos), TestNeg: links(g.TestNeg)}
}

// measured is what a score comes to on a split.
type measured struct {
	AUC, AUCRandom float64
	*LinkScorer
}

// score fits a score and measures it.
func score(ctx context.Context, name string, v Vectors, s *network.Split, o ScoreOptions) (m measured, err error) {
	if m.LinkScorer, err = Fit(ctx, name, v, s, o); err != nil {
		return m, err
	}
	all, err := m.Measure(ctx, s, Measurement{})
	m.AUC, m.AUCRandom = all["auc"], all["auc_random"]
	return m, err
}

func linkPrediction(ctx context.Context, e Embedding, s *network.Split, o ScoreOptions) (measured, error) {
	return score(ctx, "lr", Vectors{One: e}, s, o)
}

func TestGolden(t *testing.T) {
	g, e, s := readGolden(t)
	label := make([]bool, len(s.Train)+len(s.TrainNeg))
	for i := range s.Train {
		label[i] = true
	}
	const tol = 2e-7 // 1e-7 of the golden values themselves, and float32 features rounded at 6e-8
	for name, solver := range solvers {
		t.Run(name, func(t *testing.T) {
			fit := call.Of(Logistic(context.Background(), edges{e, product, s.Train, s.TrainNeg}, label, LogisticOptions{solve: solver, Tolerance: 1e-11}))(t)
			near(t, "objective", fit.Objective, g.Objective, tol)
			for j, w := range append(slices.Clone(g.Coef), g.Intercept) {
				near(t, fmt.Sprintf("weight %d", j), fit.Weights[j], w, tol)
			}
			exact := call.Of(Fit(context.Background(), "lr", Vectors{One: e}, s, ScoreOptions{Start: fit.Weights}))(t)
			odds := call.Of(exact.Score(slices.Concat(s.Test, s.TestNeg)))(t)
			for i, z := range odds {
				near(t, fmt.Sprintf("probability %d", i), 1/(1+math.Exp(-z)), g.TestProb[i], tol)
			}
			score := call.Of(linkPrediction(context.Background(), e, s, ScoreOptions{}))(t)
			if score.AUC != g.AUC || score.AUCRandom != g.AUC {
				t.Errorf("AUC %v and %v, expected %v", score.AUC, score.AUCRandom, g.AUC)
			}
		})
	}
}

func near(t *testing.T, what string, got, want, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol) {
		t.Errorf("%s = %v, expected %v within %g", what, got, want, tol)
	}
}

// The reversed arcs among the negatives tie with their arcs bit for bit, and only the headline number sees them.
func TestDirected(t *testing.T) {
	e, s := twoBlocks(120, 6, 400, 3)
	random := call.Of(linkPrediction(context.Background(), e, s, ScoreOptions{}))(t)
	d := *s
	d.Directed = true
	for _, l := range s.Test {
		d.TestNegDirected = append(d.TestNegDirected, network.Link{From: l.To, To: l.From})
	}
	got := call.Of(linkPrediction(context.Background(), e, &d, ScoreOptions{}))(t)
	if got.AUC != 0.5 { // a list against its own reverse: every score stands on both sides
		t.Errorf("AUC against the reversed test links alone = %v, expected exactly 0.5", got.AUC)
	}
	if got.AUCRandom != random.AUC || random.AUC < 0.6 {
		t.Errorf("AUCRandom = %v, undirected AUC = %v: expected them equal and well above chance", got.AUCRandom, random.AUC)
	}
}

// Swapping the ends of links changes nothing; a rescaled embedding with C rescaled to match gives the same ranking; the
// number of threads and a warm start do not matter.
func TestLinkPredictionInvariances(t *testing.T) {
	ctx := context.Background()
	e, s := twoBlocks(500, 9, 3000, 4)
	base := call.Of(linkPrediction(ctx, e, s, ScoreOptions{Threads: 1}))(t)
	same := func(name string, e Embedding, s *network.Split, o ScoreOptions, bits bool) {
		t.Run(name, func(t *testing.T) {
			got := call.Of(linkPrediction(ctx, e, s, o))(t)
			if bits && (got.AUC != base.AUC || !slices.Equal(got.Weights, base.Weights)) {
				t.Errorf("got AUC %v and weights %v, expected exactly %v and %v", got.AUC, got.Weights, base.AUC, base.Weights)
			}
			near(t, "AUC", got.AUC, base.AUC, 1e-5)
		})
	}
	for _, n := range []int{2, 3, 8} {
		same(fmt.Sprintf("threads=%d", n), e, s, ScoreOptions{Threads: n}, true)
	}
	swapped := *s
	for _, l := range []*[]network.Link{&swapped.Train, &swapped.TrainNeg, &swapped.Test, &swapped.TestNeg} {
		*l = slices.Clone(*l)
		for i := range *l {
			(*l)[i].From, (*l)[i].To = (*l)[i].To, (*l)[i].From
		}
	}
	same("swapped ends", e, &swapped, ScoreOptions{}, true)
	double := Embedding{e.N, e.D, slices.Clone(e.Data)}
	for i := range double.Data {
		double.Data[i] *= 2 // features by 4, exactly: weights by 1/4, so the penalty by 1/16
	}
	same("doubled vectors", double, s, ScoreOptions{Values: option.Values{"score-c": 1. / 16}}, false)
	same("warm start", e, s, ScoreOptions{Start: base.Weights}, false)
	far := slices.Clone(base.Weights)
	for i := range far {
		far[i] = -5 * far[i]
	}
	same("bad start", e, s, ScoreOptions{Start: far}, false)
}

// Embeddings as a trainer may hand them in at either end of a run: hardly trained ones, whose features are so small that the
// penalty rules, ones with all vectors alike, and ones with twin dimensions.
func TestDegenerateEmbeddings(t *testing.T) {
	e, s := twoBlocks(200, 40, 2000, 9)
	for name, change := range map[string]func(i int, x float32) float32{
		"untrained": func(_ int, x float32) float32 { return x * 1e-3 },
		"tiny":      func(_ int, x float32) float32 { return x * 1e-9 },
		"underflow": func(_ int, x float32) float32 { return x * 1e-30 },
		"large":     func(_ int, x float32) float32 { return x * 1e4 },
		"all zero":  func(int, float32) float32 { return 0 },
		"all alike": func(int, float32) float32 { return 0.3 },
		"twins":     func(i int, _ float32) float32 { return e.Data[i-i%2] },
		"one column": func(i int, x float32) float32 {
			if i%e.D != 1 {
				return 0
			}
			return x
		},
	} {
		for _, d := range []int{newtonMax, e.D} { // by either solver
			c := Embedding{N: e.N, D: d}
			for v := range e.N {
				for j, x := range e.Row(v)[:d] {
					c.Data = append(c.Data, change(v*e.D+j, x))
				}
			}
			got, err := linkPrediction(context.Background(), c, s, ScoreOptions{})
			if err != nil {
				t.Errorf("%s, %d dimensions: %v", name, d, err)
			} else if alike := name[:3] == "all" || name == "underflow"; alike != (got.AUC == 0.5) {
				t.Errorf("%s, %d dimensions: AUC = %v", name, d, got.AUC)
			}
		}
	}
}

func TestLBFGSThreads(t *testing.T) {
	e, s := twoBlocks(300, 40, 2000, 5)
	var first []float64
	for _, n := range []int{1, 2, 5} {
		got := call.Of(linkPrediction(context.Background(), e, s, ScoreOptions{Threads: n}))(t)
		if first == nil {
			first = got.Weights
		}
		if !slices.Equal(got.Weights, first) {
			t.Errorf("threads=%d: weights differ from those of one thread", n)
		}
	}
}

func TestWarmStartIsShorter(t *testing.T) {
	for _, d := range []int{12, newtonMax + 1} { // by either solver
		e, s := twoBlocks(300, d, 3000, 6)
		cold := call.Of(linkPrediction(context.Background(), e, s, ScoreOptions{}))(t)
		r := rng.New(7, "drift") // as an epoch moves the vectors a little
		for i := range e.Data {
			e.Data[i] += float32(0.01 * r.Normal())
		}
		warm := call.Of(linkPrediction(context.Background(), e, s, ScoreOptions{Start: cold.Weights}))(t)
		if warm.Iterations >= cold.Iterations {
			t.Errorf("%d dimensions: %d iterations from a warm start, %d from zero: expected fewer", d, warm.Iterations, cold.Iterations)
		}
	}
}

// twoBlocks is an embedding of n vertices with links of both labels: positives join vertices of one of eight groups, which
// share a direction, negatives join any two. Features are correlated and their scales differ, as those of real embeddings do.
func twoBlocks(n, d, pairs int, seed uint64) (Embedding, *network.Split) {
	r := rng.New(seed, "twoBlocks")
	const groups = 8
	dirs := make([]float64, groups*d)
	for i := range dirs {
		dirs[i] = r.Normal() * math.Exp(-2*float64(i%d)/float64(d))
	}
	e := Embedding{N: n, D: d, Data: make([]float32, n*d)}
	for v := range n {
		for j := range d {
			e.Data[v*d+j] = float32(0.5*dirs[v%groups*d+j] + 0.5*r.Normal()*math.Exp(-2*float64(j)/float64(d)))
		}
	}
	s := &network.Split{}
	draw := func(same bool) network.Link {
		u := r.Intn(n)
		v := r.Intn(n)
		if same {
			v = v - v%groups + u%groups
			if v >= n {
				v -= groups
			}
		}
		return network.Link{From: int32(u), To: int32(v)}
	}
	for range pairs {
		s.Train = append(s.Train, draw(true))
		s.TrainNeg = append(s.TrainNeg, draw(false))
		s.Test = append(s.Test, draw(true))
		s.TestNeg = append(s.TestNeg, draw(false))
	}
	return e, s
}
