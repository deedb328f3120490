package figures

import (
	"context"
	"errors"
	"io/fs"
	"sync"

	"github.com/asp2vec/asp2vec/experiments/run"
	"github.com/asp2vec/asp2vec/experiments/runner"
	"github.com/asp2vec/asp2vec/experiments/store"
	"github.com/asp2vec/asp2vec/internal/seq"
	"github.com/asp2vec/asp2vec/results/plot"
)

// Keep makes a runner leave in the store what figures show of the jobs, and do those again of which it is not there.
func Keep(r *runner.Runner, jobs []store.Job) {
	dir, before, lacks := r.Store, r.Keep, r.Lacks
	open := sync.OnceValues(func() (Folder, error) { return OpenFolder(dir) }) // what runs add has the names of today, and needs no look
	shown := seq.Set(jobs, store.Job.Key)
	r.Lacks = func(j store.Job) bool {
		if !shown[j.Key()] {
			return lacks != nil && lacks(j)
		}
		folder, err := open()
		if err == nil {
			_, err = folder.Read(j)
		}
		return errors.Is(err, fs.ErrNotExist)
	}
	r.Keep = func(ctx context.Context, data run.Data, j store.Job, out *run.Outcome, threads int) error {
		if !shown[j.Key()] {
			if before != nil {
				return before(ctx, data, j, out, threads)
			}
			return nil
		}
		d, err := DataOf(ctx, data, j, out, threads)
		if err != nil {
			return err
		}
		return plot.WriteFigureData(dir, d)
	}
}
