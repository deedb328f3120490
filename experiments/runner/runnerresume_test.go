package runner

import (
	"context"
	"errors"
	"maps"
	"reflect"
	"testing"

	"github.com/asp2vec/asp2vec/experiments/internal/tiny"
	"github.com/asp2vec/asp2vec/experiments/run"
)

// A runner that is stopped in the midst of a run goes on from there, records what the run alone comes to, and leaves no checkpoint.
func TestRunnerResumes(t *testing.T) {
	r := dataFolder(t)
	r.Jobs, r.Threads, r.Every = 1, 1, run.Every(1)
	jobs := tinyJobs(2)
	resumed := 0
	for range 20 {
		ctx, cancel := context.WithCancel(context.Background())
		epochs := 0
		r.Monitor = func(e Event) {
			switch e.Event {
			case EventEpoch:
				if epochs++; epochs == 2 {
					cancel()
				}
			case EventNote:
				if resumed++; e.Error != "" {
					t.Error(e.Error)
				}
			}
		}
		report, err := r.Run(ctx, jobs)
		cancel()
		if err == nil && report.Left == 0 {
			break
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
	}
	all := records(t, r.Store)
	if len(all) != 2 || resumed < 2 {
		t.Fatalf("%d records, resumed %d times: expected 2 of both at least", len(all), resumed)
	}
	for _, record := range all { // in the order of their folders, whose names depend on the code
		byItself := alone(t, jobs[record.Seed-1].Options)
		x, y := tiny.Timeless(record), tiny.Timeless(byItself)
		x.Command, y.Command = nil, nil
		if !maps.Equal(x.Metrics, y.Metrics) || !reflect.DeepEqual(x.Epochs, y.Epochs) || x.BestEpoch != y.BestEpoch {
			t.Errorf("seed %d:\n%+v, alone\n%+v", x.Seed, x, y)
		}
	}
	leftBehind(t, r.Store)
}
