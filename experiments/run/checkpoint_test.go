package run

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/results"
)

// lives does a run that is stopped after so many steps, again and again, until it comes to its end, with other threads in every other life.
// It returns how it ended, and how often it went on.
func lives(t *testing.T, steps int, run func(ctx context.Context, c *Checkpoints, threads int, watch Watch) (*Outcome, error)) (*Outcome, int) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "kept")
	for life := range 60 {
		ctx, cancel := context.WithCancel(context.Background())
		c := &Checkpoints{Dir: dir, Every: time.Hour}
		left := steps
		out, err := run(ctx, c, 1+life%2, graphs.On(func(graphs.Progress) {
			if left--; left == 0 {
				cancel()
			}
		}))
		stopped := ctx.Err() != nil
		cancel()
		if err != nil {
			t.Fatalf("life %d: %v", life, err)
		}
		if !stopped {
			call.OK(t, c.Remove())
			if _, err := os.Stat(dir); !errors.Is(err, os.ErrNotExist) {
				t.Errorf("%s is left: %v", dir, err)
			}
			if out.Record.Resumed != (life > 0) {
				t.Errorf("resumed: %v after %d lives", out.Record.Resumed, life+1)
			}
			return out, life
		}
		if !c.Kept() {
			t.Fatalf("life %d was stopped and left nothing", life)
		}
	}
	t.Fatal("not at its end")
	return nil, 0
}

// Names of folders are no patterns: the checkpoint of another run stays, and one's own goes.
func TestRemoveIsNoPattern(t *testing.T) {
	folder := t.TempDir()
	for _, name := range []string{"links1", "links[1]", "a[b", "q*", "qq"} {
		if err := os.MkdirAll(filepath.Join(folder, name), 0o777); err == nil {
			err = os.WriteFile(filepath.Join(folder, name, "train"+checkpointSuffix), nil, 0o666)
			if err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, name := range []string{"links[1]", "a[b", "q*"} {
		call.OK(t, (&Checkpoints{Dir: filepath.Join(folder, name)}).Remove())
	}
	left, err := os.ReadDir(folder)
	if err != nil || len(left) != 2 || left[0].Name() != "links1" || left[1].Name() != "qq" {
		t.Errorf("left: %v, %v", left, err)
	}
}

// sameOutcome compares two runs to the bit, clocks and threads aside.
func sameOutcome(t *testing.T, got, want *Outcome) {
	t.Helper()
	a, b := got.Result.Embedding, want.Result.Embedding
	if !slices.Equal(a.Final, b.Final) || !slices.Equal(a.Center, b.Center) || !slices.Equal(a.Vectors, b.Vectors) {
		t.Error("another embedding")
	}
	for i, table := range want.Result.Learner.Parameters() {
		if !slices.Equal(got.Result.Learner.Parameters()[i].X, table.X) {
			t.Errorf("another table %s", table.Name)
		}
	}
	x, y := tiny.Timeless(got.Record), tiny.Timeless(want.Record)
	if !reflect.DeepEqual(x, y) {
		t.Errorf("another record:\n%+v, want\n%+v", x, y)
	}
}

// A run on links that is stopped again and again is the run that was left alone: of each protocol, trained once more or not.
func TestRunResumes(t *testing.T) {
	refit := tiny.Options(graphs.SelectValidation)
	refit.Refit = true
	standard := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Standard)
	standard.Dim, standard.Aspects, standard.Walks, standard.Length, standard.Steps, standard.PairsPerVertex = 6, 3, 2, 20, 20, 300
	lr := tiny.Options(graphs.SelectTest)
	lr.SetMethod(graphs.MethodOf(graphs.MethodDeepWalk))
	lr.Select = graphs.SelectValidation
	for name, o := range map[string]graphs.Options{
		"validated": tiny.Options(graphs.SelectValidation), "refit": refit, "paper": tiny.Options(graphs.SelectTest), "standard": standard, "deepwalk": lr.Complete(), "pilot": pilotOptions(),
	} {
		t.Run(name, func(t *testing.T) {
			d, steps := data(t, false), 7
			if o.Piloted() {
				d, steps = clustered(t, 0.3), 70 // each life has a pilot of its own
			}
			got, n := lives(t, steps, func(ctx context.Context, c *Checkpoints, threads int, watch Watch) (*Outcome, error) {
				d := d
				d.Checkpoints = c
				return Run(ctx, d, o, "custom", threads, func(e graphs.Event) {
					if p, step := e.(graphs.Progress); step && p.Stage != graphs.StagePilot { // it has no checkpoints, and is run again
						watch(e)
					}
				})
			})
			if n < 2 {
				t.Errorf("resumed %d times: expected several", n)
			}
			sameOutcome(t, got, execute(t, d, o, nil))
		})
	}
}

// The same of methods on papers and authors.
func TestAuthorsResume(t *testing.T) {
	b := tiny.Papers(t)
	protocols := []string{"validated", "paper", "standard"}
	for i, method := range typedMethods {
		for j, protocol := range protocols {
			if os.Getenv("ASP2VEC_FAULTS") == "" && j != (i+i/2)%len(protocols) {
				continue // one protocol of each method, and each protocol; just faults asks for all, which take minutes
			}
			t.Run(strings.Join([]string{method, protocol}, " "), func(t *testing.T) {
				o := typedOptions(t, method, protocol)
				o.Epochs = min(o.Epochs, 3)
				d := Data{Name: "planted", Bibliography: b, Words: &WordCache{}}
				steps := 0
				want := execute(t, d, o, graphs.On(func(graphs.Progress) { steps++ }))
				got, n := lives(t, steps/3+1, func(ctx context.Context, c *Checkpoints, threads int, watch Watch) (*Outcome, error) {
					d := d
					d.Checkpoints = c
					return Run(ctx, d, o, "custom", threads, watch)
				})
				if n < 1 {
					t.Error("never resumed")
				}
				sameOutcome(t, got, want)
			})
		}
	}
}

// A checkpoint of another run, or one that is not as it was written, is refused and left, or taken away if that is asked for.
func TestCheckpointRefused(t *testing.T) {
	o := tiny.Options(graphs.SelectLast)
	dir := filepath.Join(t.TempDir(), "kept")
	stop := func(d Data, o graphs.Options, anew bool) (*Outcome, error) {
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		d.Checkpoints = &Checkpoints{Dir: dir, Every: time.Hour}
		d.Checkpoints.Anew = anew
		return Run(ctx, d, o, "custom", 1, graphs.On(func(graphs.Progress) { cancel() }))
	}
	call.Of(stop(data(t, false), o, false))(t)
	file := filepath.Join(dir, "train.checkpoint")
	whole := call.Of(os.ReadFile(file))(t)
	damaged := slices.Clone(whole)
	damaged[len(damaged)/2] ^= 1
	wide, seed := o, o
	wide.Dim, seed.Seed = 9, 2
	for name, c := range map[string]struct {
		data Data
		o    graphs.Options
		file []byte
		want error
	}{
		"options": {data(t, false), wide, whole, ErrOtherRun},
		"seed":    {data(t, false), seed, whole, ErrOtherRun},
		"data":    {data(t, true), o, whole, ErrOtherRun},
		"damaged": {data(t, false), o, damaged, ErrDamaged},
		"cut off": {data(t, false), o, whole[:len(whole)/2], ErrDamaged},
		"empty":   {data(t, false), o, nil, ErrDamaged},
	} {
		t.Run(name, func(t *testing.T) {
			call.File(t, file, c.file)
			if _, err := stop(c.data, c.o, false); !errors.Is(err, c.want) {
				t.Fatalf("%v, expected %v", err, c.want)
			}
			if now, err := os.ReadFile(file); err != nil || !slices.Equal(now, c.file) {
				t.Errorf("the refused checkpoint was touched: %v", err)
			}
			call.Of(stop(c.data, c.o, true))(t)
		})
	}
}

// Between epochs the state is kept more often than within them, and seldom where that takes long.
func TestDue(t *testing.T) {
	for _, c := range []struct {
		every, since, cost time.Duration
		epoch, within      bool
	}{
		{0, time.Second, 0, false, false}, {0, 11 * time.Second, 0, true, false}, {0, 61 * time.Second, 0, true, true},
		{0, 61 * time.Second, time.Second, false, false}, {time.Millisecond, time.Second, time.Minute, true, true},
	} {
		w := &checkpointWriter{Checkpoints: &Checkpoints{Dir: "", Every: c.every}, last: time.Now().Add(-c.since), cost: c.cost}
		if epoch, within := w.due(true), w.due(false); epoch != c.epoch || within != c.within {
			t.Errorf("%+v: due %v after an epoch, %v within one", c, epoch, within)
		}
	}
}

// A checkpoint is that of a training: of a run that differs in the score of links it is the same, but where the score chooses the epoch.
func TestCheckpointOfAnotherScore(t *testing.T) {
	of := func(choose, score string) string {
		o := graphs.OptionsOf(graphs.MethodOf(graphs.MethodAsp2vec), graphs.Validated)
		o.Select, o.Scoring = choose, score
		r := results.Record{Method: o.Method.Name}
		r.Options = call.Of(results.MarshalOptions(o.Complete()))(t)
		return identityOf(&r, "", nil)
	}
	if of(graphs.SelectLast, "native") != of(graphs.SelectLast, "dot") {
		t.Error("another score makes another training")
	}
	if of(graphs.SelectValidation, "native") == of(graphs.SelectValidation, "dot") {
		t.Error("another score that chooses the epoch makes the same training")
	}
}
