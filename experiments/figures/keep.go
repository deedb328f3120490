package figures

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results"
	"github.com/asp2vec/asp2vec/results/plot"
)

// Keep makes a runner leave what figures show of the jobs in their folders, and do those again of which it is not there.
func Keep(r *runner.Runner, jobs []store.Job) {
	shown := seq.Set(jobs, store.Job.Key)
	r.Lacks = func(j store.Job, there *store.Entry) bool {
		if !shown[j.Key()] {
			return false
		}
		_, err := read(r.Store, j, there)
		return errors.Is(err, fs.ErrNotExist)
	}
	r.Keep = func(ctx context.Context, dir string, data run.Data, j store.Job, out *run.Outcome, threads int) error {
		if !shown[j.Key()] {
			return nil
		}
		d, err := DataOf(ctx, data, j, out, threads)
		if err != nil {
			return err
		}
		return plot.WriteFigureData(filepath.Join(dir, results.FigureFile), d)
	}
}

// read reads what figures show of a job with an entry in a store: in the folder of the run or, of a packed record, in the folder figures. The error is fs.ErrNotExist
// where there is nothing of the present code.
func read(dir string, j store.Job, there *store.Entry) (*plot.FigureData, error) {
	if there == nil {
		return nil, fmt.Errorf("experiments: figure of a run that is not there: %w", fs.ErrNotExist)
	}
	path := filepath.Join(dir, results.FigureFolder, there.Run.Name()+".json")
	if there.Dir != "" {
		path = filepath.Join(there.Dir, results.FigureFile)
	}
	d, err := plot.ReadFigureData(path)
	switch {
	case err != nil:
		return nil, err
	case d.Key != j.Key():
		return nil, fmt.Errorf("experiments: %s is of the run %q: expected that of %s", path, d.Key, j.Key())
	case !run.Present(d.Definition, j.Options) || d.FigureDefinition != run.FigureDefinition():
		return nil, fmt.Errorf("experiments: figure of other code: %w", fs.ErrNotExist)
	}
	return d, nil
}
