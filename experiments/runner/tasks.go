package runner

import (
	"math"
	"time"

	"github.com/asp2vec/asp2vec/experiments/store"
)

// Task is runs that one process of a cluster does, one after the other.
type Task struct {
	Runs    []Planned
	Level   int     // it begins when all tasks of lower levels have ended: their runs decide about its own
	Seconds float64 // about, with the threads of the runner
	Memory  int64   // about, in bytes, of its largest run
}

// Tasks plans jobs as Plan does, and puts the runs to do together into tasks that take about so long, in their order; one run makes
// a task if it takes longer. Runs that cannot be done here are in no task. It returns an error for a store that cannot be read.
func (r *Runner) Tasks(jobs []store.Job, target time.Duration) ([]Task, []Planned, error) {
	_, planned, estimator, err := r.plan(jobs)
	if err != nil {
		return nil, nil, err
	}
	levels := levelsOf(planned)
	open := map[[2]any]int{} // the last task of a level and data set, by its number
	var tasks []Task
	for i, p := range planned {
		if !p.Todo() || p.Unfit != "" {
			continue
		}
		p.Estimate = estimator.Estimate(p.Job, p.size, max(1, r.Threads))
		at := [2]any{levels[i], p.Job.Dataset}
		t, begun := open[at]
		if !begun || tasks[t].Seconds+p.Seconds > target.Seconds() {
			t = len(tasks)
			tasks, open[at] = append(tasks, Task{Level: levels[i]}), t
		}
		tasks[t].Runs = append(tasks[t].Runs, p)
		tasks[t].Seconds += p.Seconds
		tasks[t].Memory = max(tasks[t].Memory, p.Memory)
	}
	return tasks, planned, nil
}

// levelsOf returns for each run the length of the longest chain of runs that decide about it, one by way of another.
func levelsOf(planned []Planned) []int {
	levels := make([]int, len(planned))
	for i := range levels {
		levels[i] = -1
	}
	var level func(i int) int
	level = func(i int) int {
		if levels[i] < 0 {
			levels[i] = 0 // and it does not decide about itself
			deepest := 0
			for _, d := range planned[i].deciders {
				deepest = max(deepest, level(d)+1)
			}
			levels[i] = deepest
		}
		return levels[i]
	}
	for i := range planned {
		level(i)
	}
	return levels
}

// Class is a set of tasks that a cluster is asked for as one: of one level, and about as long and as large as each other.
type Class struct{ Level, Time, Memory int }

// Class returns the class of a task: of time in steps of four from a minute, of memory in steps of two from 64 MiB.
func (t Task) Class() Class {
	step := func(x, first, by float64) int { return max(0, int(math.Ceil(math.Log(x/first)/math.Log(by)))) }
	return Class{t.Level, step(max(1, t.Seconds), 60, 4), step(max(1, float64(t.Memory)), 64<<20, 2)}
}
