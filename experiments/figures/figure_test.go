package figures

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/golden"

	"github.com/asp2vec/asp2vec/experiments/aspects"
	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/experiments/sweep"
	"github.com/asp2vec/asp2vec/graphs"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/internal/test/call"
	"github.com/asp2vec/asp2vec/methods"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
)

var update = flag.Bool("update", false, "draw the committed figures anew")

func TestSummaryOfUse(t *testing.T) {
	n := figurePoints + 700
	use := &aspects.Use{Count: make([]int64, n), Variants: []aspects.Variance{{Name: "noisy", Y: make([]float64, n)}}}
	for v := range n {
		use.Count[v] = int64(v) // the corpus has not got vertex 0
		use.Variants[0].Y[v] = 1 / float64(v)
	}
	use.Variants[0].Y[0] = math.NaN()
	d := summarizeUse(use, 5, 1)
	v := d.Variants[0]
	if d.Vertices != n-1 || len(d.Count) != figurePoints || len(v.Variance) != figurePoints || v.Spearman != -1 {
		t.Errorf("%d vertices, %d and %d of them kept, rank correlation %v", d.Vertices, len(d.Count), len(v.Variance), v.Spearman)
	}
	total := 0
	for i, q := range v.Curve {
		total += q.Vertices
		if lo := math.Exp2(float64(i)); !(q.Frequency > lo*(1-1e-9) && q.Frequency < 2*lo) {
			t.Errorf("point %d is of frequency %v", i, q.Frequency)
		}
	}
	if q := v.Curve[1]; total != n-1 || q.Vertices != 2 || math.Abs(float64(q.Variance)-(1./2+1./3)/2) > 1e-15 || math.Abs(q.Frequency-math.Sqrt(6)) > 1e-12 {
		t.Errorf("the curve is of %d vertices, its second point %+v", total, v.Curve[1])
	}
	for i, c := range d.Count {
		if d.Count[max(i-1, 0)] > c || float64(v.Variance[i]) != 1/float64(c) {
			t.Fatalf("point %d is %v at %d", i, v.Variance[i], c)
		}
	}
	if again := summarizeUse(use, 5, 1); !slices.Equal(again.Count, d.Count) {
		t.Error("another sample of the same seed")
	}
}

func smallJob(t *testing.T, method, selectBy string) store.Job {
	t.Helper()
	o := call.Of(methods.Options(method, graphs.Validated))(t)
	small := tiny.Options(selectBy)
	o.Dim, o.Aspects, o.Walks, o.Length, o.Batch = small.Dim, small.Aspects, small.Walks, small.Length, small.Batch
	graphs.Edit(&o, func(p *graphs.FacetOptions) { p.Copies = 1 })
	o.Epochs, o.WarmUpEpochs, o.Patience, o.Select = 3, 2, 3, selectBy
	return store.Job{Dataset: "Cora", Protocol: "custom", Options: o}
}

// runFigure runs a job and keeps what figures show of it.
func runFigure(ctx context.Context, dataDir, path string, j store.Job, threads int, tell ...func(runner.Event)) error {
	r := &runner.Runner{Store: path, DataDir: dataDir, Threads: threads, Retry: true}
	for _, f := range tell {
		r.Monitor = f
	}
	Keep(r, []store.Job{j})
	report, err := r.Run(ctx, []store.Job{j})
	for _, f := range report.Failed {
		err = errors.Join(err, errors.New(f.Error))
	}
	return err
}

// figureFile returns where the data of a run's figure lie.
func figureFile(t *testing.T, path string, j store.Job) string {
	t.Helper()
	all := call.Of(store.ReadOwn(path))(t)
	entry, there := all.Runs(nil).Entry(j)
	if !there || entry.Dir == "" {
		t.Fatalf("no folder of %s", j)
	}
	return filepath.Join(entry.Dir, results.FigureFile)
}

func readOf(t *testing.T, path string, j store.Job) (*plot.FigureData, error) {
	t.Helper()
	return plot.ReadFigureData(figureFile(t, path, j))
}

// A run leaves its record and the data of figures, which are those of its own model and walks; what is there is not run again.
func TestRunFigure(t *testing.T) {
	dataDir, path := tiny.DataFolder(t), filepath.Join(t.TempDir(), "store")
	ctx := context.Background()
	for _, c := range []struct {
		job      store.Job
		variants int
		cosines  int
	}{
		{smallJob(t, graphs.MethodAsp2vec, graphs.SelectValidation), 5, 3},
		{smallJob(t, graphs.MethodAsp2vec, graphs.SelectTest), 5, 3},
		{smallJob(t, graphs.MethodPolyDW, graphs.SelectLast), 1, 0},
	} {
		t.Run(c.job.Options.Method.Name+" "+c.job.Options.Select, func(t *testing.T) {
			call.OK(t, runFigure(ctx, dataDir, path, c.job, 2))
			d := call.Of(readOf(t, path, c.job))(t)
			if len(d.Use.Variants) != c.variants || len(d.Cosines) != c.cosines || d.Dataset != "Cora" || d.Protocol != "custom" {
				t.Errorf("%d variants and %d cosines of %s, %s", len(d.Use.Variants), len(d.Cosines), d.Dataset, d.Protocol)
			}
			for _, v := range d.Use.Variants {
				if !slices.Contains([]string{aspects.UseShare, aspects.UseNoisy, aspects.UseNoiseFree, aspects.UseRandom, aspects.UseShuffled, aspects.UseShuffledFree}, v.Name) {
					t.Errorf("variant %q is in no list", v.Name)
				}
			}
			var windows int64
			for _, n := range d.Use.Count {
				windows += n
			}
			if want := int64(d.Use.Vertices * c.job.Options.Walks * c.job.Options.Length); windows != want && d.Use.Vertices == 60 {
				t.Errorf("%d windows, expected %d", windows, want)
			}
			records := call.First(results.ReadStore(path))(t)
			r, ok := store.NewRuns(records).Find(c.job)
			if !ok || r.Metrics["auc"] != d.Metrics["auc"] {
				t.Errorf("record %v, %v: expected that of the figure's run, %v", ok, r.Metrics, d.Metrics)
			}
			if err := runFigure(ctx, dataDir, path, c.job, 2); err != nil {
				t.Errorf("again: %v: expected nothing done", err)
			}
			// Without the figure's data the run is repeated, and the path keeps one record of it.
			call.OK(t, os.Remove(figureFile(t, path, c.job)))
			call.OK(t, runFigure(ctx, dataDir, path, c.job, 1))
			again, err := readOf(t, path, c.job)
			if err != nil || fmt.Sprint(again.Use, again.Cosines) != fmt.Sprint(d.Use, d.Cosines) {
				t.Errorf("%v: one thread gives other numbers", err)
			}
			if now, _, _ := results.ReadStore(path); len(now) != len(records) {
				t.Errorf("%d records, expected %d", len(now), len(records))
			}
		})
	}
}

func drawingOf(t *testing.T, f Figure, store string, panels []Panel) *Drawing {
	t.Helper()
	return call.Of(f.Drawing(store, nil, panels))(t)
}

// A figure of tables shows the mean over the seeds that there are beside the paper's value; what is not there is missing.
func TestFigureOfRecords(t *testing.T) {
	golden.StillPaper(t)
	store := t.TempDir()
	f, _ := Find("aspects")
	panels := call.Of(f.Panels(sweep.Scope{Datasets: []string{"Cora"}, Seeds: 3}, 0))(t)
	if missing := drawingOf(t, f, store, panels).Missing(); len(missing) != 27 {
		t.Errorf("%d missing in a store that is not there: expected all 27", len(missing))
	}
	for i, j := range panels[0].Series[3].Jobs[:2] { // K = 5
		r := results.NewRecord(graphs.MethodAsp2vec)
		r.Dataset.Name, r.Protocol, r.Seed = j.Dataset, j.Protocol, j.Options.Seed
		r.Options, _ = results.MarshalOptions(j.Options)
		r.Metrics = results.Metrics{"auc": .85 + .02*float64(i)}
		call.OK(t, r.Write(filepath.Join(store, fmt.Sprint(i))))
	}
	if missing := drawingOf(t, f, store, panels).Missing(); len(missing) != 25 {
		t.Errorf("%d missing: expected 25", len(missing))
	}
	table := drawingOf(t, f, store, panels).Values()
	v := table.Rows[0].Values[3]
	if v.N != 2 || math.Abs(v.Mean-.86) > 1e-12 || math.Abs(v.SD-.02/math.Sqrt2) > 1e-12 || *v.Paper != .8814 { // table 10, Cora, K=5
		t.Errorf("K = 5: %+v", v)
	}
	if v := table.Rows[0].Values[0]; v.N != 0 || v.Paper == nil {
		t.Errorf("K = 2: %+v, expected the paper's alone", v)
	}
	for _, f := range seq.Map(figureNames, figure) {
		panels := call.Of(f.Panels(sweep.Scope{Datasets: []string{"Cora"}}, 0))(t)
		if p, err := drawingOf(t, f, store, panels).Draw(); err != nil || p == nil {
			t.Errorf("figure %s of what there is: %v", f.Name, err)
		}
	}
	epsilon, _ := Find("epsilon")
	panels, _ = epsilon.Panels(sweep.Scope{Datasets: []string{"Cora"}}, 0)
	table = drawingOf(t, epsilon, store, panels).Values()
	if v := table.Rows[0].Values; v[2].Mean != .85 || v[2].SD != 0 || *v[0].Paper == *v[5].Paper || *v[5].Paper != .879 { // table 4, Cora
		t.Errorf("epsilon: %+v", v)
	}
}

func TestMeanOffDiagonal(t *testing.T) {
	if x := MeanOffDiagonal([][]results.Float{{1, .5}, {-.1, 1}}); math.Abs(x-.2) > 1e-15 {
		t.Errorf("%v, expected .2", x)
	}
	if x := MeanOffDiagonal(nil); !math.IsNaN(x) {
		t.Errorf("%v, expected NaN", x)
	}
}

// The pictures that lie beside the committed records are those of these records.
func TestPicturesAreOfTheRecords(t *testing.T) {
	golden.StillPaper(t)
	const folder = "../../results/measured"
	for name, sel := range map[string]sweep.Scope{
		"4": {}, "5": {}, "aspects": {Seeds: 3}, "epsilon": {Seeds: 3},
	} {
		f := call.Of(Find(name))(t)
		panels := call.Of(f.Panels(sel, 0))(t)
		d := drawingOf(t, f, folder, panels)
		if missing := d.Missing(); len(missing) > 0 {
			t.Errorf("figure %s: no records of %v", name, missing)
		}
		picture := call.Of(d.Draw())(t)
		var b bytes.Buffer
		call.OK(t, picture.Encode(&b, "svg"))
		call.Same(t, filepath.Join(folder, "figures", "figure-"+name+".svg"), b.Bytes(), *update)
	}
}

// Figure's data of other code are as if they were not there.
func TestFigureDataOfOtherCode(t *testing.T) {
	golden.StillPaper(t)
	dir := t.TempDir()
	j := store.Job{Dataset: "Cora", Protocol: "validated", Options: graphs.Default()}
	entry := &store.Entry{Run: store.ID{Key: j.Key()}}
	const other = "0123456789abcdef"
	for definitions, want := range map[[2]string]error{{"", ""}: nil, {other, ""}: fs.ErrNotExist, {"", other}: fs.ErrNotExist} {
		d := plot.FigureData{Key: j.Key(), Definition: definitions[0], FigureDefinition: definitions[1]}
		call.OK(t, plot.WriteFigureData(filepath.Join(dir, "figures", entry.Run.Name()+".json"), d))
		if _, err := read(dir, j, entry); !errors.Is(err, want) {
			t.Errorf("definitions %q: %v, expected %v", definitions, err, want)
		}
	}
}
