package runner

import (
	"os"
	"path/filepath"

	"github.com/asp2vec/asp2vec/experiments/run"
)

// checkpoints returns those of a run of the session, which lie beside the store under the run's key. One that is of another program,
// or of other data than there are now, is taken away: the run begins anew.
func (s *session) checkpoints(i int) *run.Checkpoints {
	c := run.NewCheckpoints(filepath.Join(run.CheckpointFolder(s.Store), s.planned[i].Key), s.Every)
	c.Anew = true
	c.Resumed = func(from string) { s.tell(s.of(i, Event{Event: EventResume, From: from})) }
	c.Failed = func(err error) { s.tell(s.of(i, Event{Event: EventCheckpoint, Error: err.Error()})) }
	return c
}

// dropCheckpoints takes away what is left of a run that is recorded: it was killed between the two.
func (s *session) dropCheckpoints(p Planned) {
	_ = run.NewCheckpoints(filepath.Join(run.CheckpointFolder(s.Store), p.Key), 0).Remove() // what stays does no harm
}

// removeEmptyCheckpointFolder removes the folder of checkpoints if no run has any.
func removeEmptyCheckpointFolder(store string) { _ = os.Remove(run.CheckpointFolder(store)) }
