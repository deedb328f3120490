package run

import (
	"context"
	"errors"
	"maps"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/hetnet"
	"github.com/asp2vec/asp2vec/hetnet/papers"
	"github.com/asp2vec/asp2vec/hetnet/typed"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// typedOptions returns a method that trains in milliseconds.
func typedOptions(t *testing.T, method, protocol string) graphs.Options {
	return tiny.TypedOptions(t, method, graphs.Protocol(protocol))
}

func taskOf(t *testing.T, b *papers.Bibliography) *typed.Task {
	t.Helper()
	return call.Of(b.Task())(t)
}

// otherCandidates is the bibliography with other candidates for some papers.
func otherCandidates(b *papers.Bibliography, some []typed.Question) *papers.Bibliography {
	c := *b
	c.Test = slices.Clone(b.Test)
	n := int32(b.Vertices(papers.Author))
	for k := range c.Test {
		p := &c.Test[k]
		if !slices.ContainsFunc(some, func(other typed.Question) bool { return other.Name == p.Name }) {
			continue
		}
		list := slices.Clone(p.Among)
		for i, a := range list {
			for list[i] = (a + 7) % n; slices.Contains(p.Own, list[i]); {
				list[i] = (list[i] + 1) % n
			}
		}
		p.Among = list
	}
	return &c
}

// mainEpochs returns the epochs of the stage that is reported.
func mainEpochs(r results.Record) (list []results.Epoch) {
	for _, e := range r.Epochs {
		if e.Stage == r.BestStage {
			list = append(list, e)
		}
	}
	return list
}

var typedMethods = []string{hetnet.MethodM2V, hetnet.MethodCamel, hetnet.MethodTaPEm, hetnet.MethodAsp2vecHet}

// One half of the test papers chooses the epoch; of the other half nothing is known before the end, and the record's metrics are
// those of the chosen epoch on it.
func TestAuthorsValidated(t *testing.T) {
	b := tiny.Papers(t)
	task := taskOf(t, b)
	for _, method := range typedMethods {
		t.Run(method, func(t *testing.T) {
			o := typedOptions(t, method, "validated")
			out := execute(t, Data{Name: "planted", Bibliography: b}, o, nil)
			r := out.Record
			if r.Selection != results.ValidationBest || r.BestStage != method || len(r.Metrics) != 16 || r.Dataset.SHA256 != b.Checksum() || r.Dataset.Test != len(b.Test) {
				t.Errorf("record %+v", r)
			}
			best, most := 0, math.Inf(-1)
			for _, e := range r.Epochs {
				if len(e.Metrics) != 16 || e.ValidationAUC != nil || e.TestAUC != nil {
					t.Errorf("epoch %+v", e)
				}
				for name := range e.Metrics {
					if !strings.HasPrefix(name, "dev_") {
						t.Errorf("epoch %d of %s knows %s", e.Epoch, e.Stage, name)
					}
				}
			}
			for _, e := range mainEpochs(r) {
				if x := e.Metrics["dev_recall@5"]; x > most {
					best, most = e.Epoch, x
				}
			}
			if r.BestEpoch != best {
				t.Errorf("epoch %d reported, and %d has the best recall@5 of the half that chooses", r.BestEpoch, best)
			}
			ranker := out.Result.Learner.(typed.Ranker)
			for name, half := range map[string][]typed.Question{"": task.Test, "dev_": task.Validation} {
				score := call.Of(typed.Evaluate(t.Context(), ranker, half, 1))(t)
				of := r.Metrics
				if name != "" {
					of = mainEpochs(r)[best-1].Metrics
				}
				for metric, x := range score {
					if of[name+metric] != x {
						t.Errorf("%s%s is %v, and that of the model %v", name, metric, of[name+metric], x)
					}
				}
			}
			if line, err := r.Line(); err != nil || strings.Contains(string(line), "validation_auc") || strings.Contains(string(line), "test_auc") {
				t.Errorf("line %s, %v", line, err)
			}
			// With other candidates for the half that is reported all is the same but what is reported.
			blind := execute(t, Data{Name: "planted", Bibliography: otherCandidates(b, task.Test)}, o, nil).Record
			if blind.BestEpoch != r.BestEpoch || len(blind.Epochs) != len(r.Epochs) || maps.Equal(blind.Metrics, r.Metrics) {
				t.Errorf("%+v\nwith other test candidates, and before\n%+v", blind, r)
			}
			for i, e := range blind.Epochs {
				if !maps.Equal(e.Metrics, r.Epochs[i].Metrics) {
					t.Errorf("epoch %d depends on the half that is reported", i)
				}
			}
		})
	}
}

// With select = test each metric is the best of the last stage's epochs on the reported half, as published, while the other half
// ends the training.
func TestAuthorsPublished(t *testing.T) {
	b := tiny.Papers(t)
	task := taskOf(t, b)
	for _, method := range []string{hetnet.MethodCamel, hetnet.MethodAsp2vecHet} {
		t.Run(method, func(t *testing.T) {
			r := execute(t, Data{Name: "planted", Bibliography: b}, typedOptions(t, method, "paper"), nil).Record
			if r.Selection != results.TestBest || len(r.Metrics) != 16 || r.BestStage != method {
				t.Errorf("record %+v", r)
			}
			most, dev, best := results.Metrics{}, math.Inf(-1), 0
			for _, e := range mainEpochs(r) {
				if len(e.Metrics) != 32 || e.ValidationAUC != nil || e.TestAUC != nil {
					t.Errorf("epoch %+v", e)
				}
				for name := range r.Metrics {
					most[name] = math.Max(most[name], e.Metrics["test_"+name])
				}
				if x := e.Metrics["dev_recall@2"]; x > dev {
					dev, best = x, e.Epoch
				}
			}
			if !maps.Equal(r.Metrics, most) {
				t.Errorf("metrics %v\nwant the best of each, %v", r.Metrics, most)
			}
			if r.BestEpoch != best {
				t.Errorf("epoch %d, and %d has the best recall@2 of the half that chooses", r.BestEpoch, best)
			}
			// What the test half looks like ends nothing.
			blind := execute(t, Data{Name: "planted", Bibliography: otherCandidates(b, task.Test)}, typedOptions(t, method, "paper"), nil).Record
			if blind.BestEpoch != r.BestEpoch || len(blind.Epochs) != len(r.Epochs) || maps.Equal(blind.Metrics, r.Metrics) {
				t.Errorf("%+v\nwith other test candidates, and before\n%+v", blind, r)
			}
		})
	}
}

// counting counts the questions that a model is asked.
type counting struct {
	graphs.Learner
	typed.Ranker
	papers []int
}

func (c *counting) Rank(ctx context.Context, questions []typed.Question, dst [][]float32, threads int) error {
	c.papers = append(c.papers, len(questions))
	return c.Ranker.Rank(ctx, questions, dst, threads)
}

// A validated run asks about the papers of one half after each epoch, and about those of the other once.
func TestAuthorsLookOnce(t *testing.T) {
	b := tiny.Papers(t)
	task := taskOf(t, b)
	out := execute(t, Data{Name: "planted", Bibliography: b}, typedOptions(t, hetnet.MethodCamel, "validated"), nil)
	dev, test := len(task.Validation), len(task.Test)
	if dev == test {
		t.Fatal("halves of one size cannot be told apart")
	}
	for paper, want := range map[bool][]int{false: {dev, dev, test}, true: {dev, test, dev, test, test}} {
		c := &counting{Learner: out.Result.Learner, Ranker: out.Result.Learner.(typed.Ranker)}
		a := &typedRun{b: b.Authorship, task: task, threads: 1, paper: paper}
		for range 2 {
			call.Of(a.score(context.Background(), c))(t)
		}
		call.OK(t, a.finish(context.Background(), &Outcome{Result: &graphs.Result{Learner: c}}))
		if !slices.Equal(c.papers, want) {
			t.Errorf("paper %v: asked about %v papers, expected %v", paper, c.papers, want)
		}
	}
	// Of the published maxima, those of the warm-up are none.
	a := &typedRun{b: b.Authorship, task: task, threads: 1, paper: true, epochs: []results.Metrics{{"test_auc": 1, "test_f1@1": 1}, {"test_auc": .99}, {"test_auc": .98}}}
	reported := &Outcome{Result: out.Result, Record: results.Record{Method: "main", BestStage: "main", Epochs: []results.Epoch{{Stage: "warm-up"}, {Stage: "main"}, {Stage: "main"}}}}
	call.OK(t, a.finish(context.Background(), reported))
	if m := reported.Record.Metrics; m["auc"] != .99 || m["f1@1"] == 1 {
		t.Errorf("metrics %v, expected an AUC of .99", m)
	}
	// A run that was stopped in the warm-up reports the model that is kept, and no maximum of the other one.
	a = &typedRun{b: b.Authorship, task: task, threads: 1, paper: true, epochs: []results.Metrics{{"test_auc": 1}}}
	stopped := &Outcome{Result: out.Result, Record: results.Record{Method: "main", BestStage: "warm-up", Epochs: []results.Epoch{{Stage: "warm-up"}}}}
	if err := a.finish(context.Background(), stopped); err != nil || stopped.Record.Metrics["auc"] == 1 {
		t.Errorf("stopped in the warm-up: %v, %v", stopped.Record.Metrics, err)
	}
	call.Refused(t)((&typedRun{task: task}).score(context.Background(), ranksNobody{}))
}

type ranksNobody struct{ graphs.Learner }

// A run that is stopped reports what it has; before the first step there is nothing.
func TestAuthorsInterrupted(t *testing.T) {
	b := tiny.Papers(t)
	for _, stage := range []string{graphs.StageWarmUp, graphs.StageMain} {
		ctx, cancel := context.WithCancel(context.Background())
		var now string
		watch := func(e graphs.Event) {
			switch e := e.(type) {
			case graphs.Begun:
				now = e.Stage
			case graphs.Epoch:
				if now == stage {
					cancel()
				}
			}
		}
		out := call.Of(Run(ctx, Data{Name: "planted", Bibliography: b}, typedOptions(t, hetnet.MethodAsp2vecHet, "validated"), "custom", 1, watch))(t)
		if r := out.Record; !r.Interrupted || r.BestEpoch != 1 || len(r.Metrics) != 16 || len(r.Epochs[len(r.Epochs)-1].Metrics) != 16 || r.Error != "" {
			t.Errorf("in %s: %+v", stage, r)
		}
	}
	ctx := call.Stopped(t)
	out, err := Run(ctx, Data{Name: "planted", Bibliography: b}, typedOptions(t, hetnet.MethodCamel, "validated"), "custom", 1, nil)
	if !errors.Is(err, context.Canceled) || out.Result != nil || len(out.Record.Metrics) > 0 {
		t.Errorf("before the first step: %+v, %v", out.Record, err)
	}
}

func TestAuthorsErrors(t *testing.T) {
	b := tiny.Papers(t)
	few := *b
	few.Test = b.Test[:2]
	for _, c := range []struct {
		name   string
		data   Data
		change func(*graphs.Options)
		want   string
	}{
		{"a network", data(t, false), func(*graphs.Options) {}, "or a bibliography"},
		{"a method of links", Data{Name: "planted", Bibliography: b}, func(o *graphs.Options) { *o = tiny.Options("validation") }, "expected method "},
		{"few papers", Data{Name: "planted", Bibliography: &few}, func(*graphs.Options) {}, "at least 3"},
		{"word vectors", Data{Name: "planted", Bibliography: b}, func(o *graphs.Options) {
			graphs.Edit(o, func(p *hetnet.PaperOptions) { p.WordVectors = "nowhere.vec" })
		}, "nowhere.vec"},
		{"meta-path", Data{Name: "planted", Bibliography: b}, func(o *graphs.Options) { graphs.Edit(o, func(p *hetnet.PaperOptions) { p.MetaPaths = "AXA" }) }, `no type with the initial "X"`},
	} {
		o := typedOptions(t, hetnet.MethodCamel, "validated")
		c.change(&o)
		out, err := Run(context.Background(), c.data, o, "custom", 1, nil)
		if err == nil || !strings.Contains(err.Error(), c.want) || errors.Is(err, ErrModel) || out.Record.Error == "" {
			t.Errorf("%s: error %v, expected %q", c.name, err, c.want)
		}
	}
}

// Without test papers a model is learnt all the same, where none is to choose its epoch.
func TestAuthorsWithoutTestPapers(t *testing.T) {
	b := tiny.Papers(t)
	b.Test = nil
	o := typedOptions(t, hetnet.MethodM2V, "validated")
	data := Data{Name: "planted", Bibliography: b}
	call.Refused(t, `select = "last" needs none`)(Run(context.Background(), data, o, "validated", 1, nil))
	o.Select, o.Epochs = graphs.SelectLast, 1
	out, err := Run(context.Background(), data, o, "validated", 1, nil)
	if err != nil || out.Result == nil || len(out.Record.Metrics) > 0 {
		t.Errorf("select = last: %+v, %v", out.Record.Metrics, err)
	}
}
