package store

import (
	"fmt"
	"slices"

	"github.com/asp2vec/asp2vec/internal/seq"
)

// leftOut counts records that have the options of a run that is asked for, and are not of it.
type leftOut struct{ data, code int }

// Notes returns what a table of some cells has to say of the records that it does not show, a line each:
// those of other code and of other data, data that cannot be read, files that are no record; and of records
// that contradict each other. A cell is the jobs of which it shows one.
func (r *Runs) Notes(cells [][]Job) (notes []string) {
	var all leftOut
	var unreadable []string
	seen := map[string]bool{}
	for _, j := range seq.Flat(cells, r.looked) {
		key := j.Key()
		if seen[key] {
			continue
		}
		seen[key] = true
		if _, err := r.checksums(j); err != nil && !slices.Contains(unreadable, j.Dataset) {
			unreadable = append(unreadable, j.Dataset)
			notes = append(notes, fmt.Sprintf("No run on %s is shown, since its data cannot be read: %v.", j.Dataset, err))
		}
		e, there := r.Entry(j)
		switch {
		case !there:
			all.data, all.code = all.data+r.others[key].data, all.code+r.others[key].code
		case e.Conflict != nil:
			c := e.Conflict
			notes = append(notes, fmt.Sprintf("Two records of %s contradict each other: AUC %.4f (shown, of %s) and %.4f (of %s).", j,
				c.Kept.Metrics["auc"], c.Kept.Finished.Format("2006-01-02 15:04"), c.Other.Metrics["auc"], c.Other.Finished.Format("2006-01-02 15:04")))
		}
	}
	if all.code > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s of other code than this program; losses, layers, or what trains and scores them, have been edited since.", count(all.code, "run", "runs")))
	}
	if all.data > 0 {
		notes = append(notes, fmt.Sprintf("Left out: %s of other data with the same name.", count(all.data, "run", "runs")))
	}
	if r.Unread > 0 {
		notes = append(notes, fmt.Sprintf("Left out: what cannot be read as a record in the store, %s; the log names them.", count(r.Unread, "file or line", "files or lines")))
	}
	return notes
}

// looked returns the job that a cell shows or, where it shows none, all of its jobs.
func (r *Runs) looked(jobs []Job) []Job {
	if j, _, there := r.Shown(jobs); there {
		return []Job{j}
	}
	return jobs
}

func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
