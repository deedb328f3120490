package runner

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// How a life of a task ended.
const (
	LifeDone    = "done"          // all runs were done, or failed
	LifeTimeout = "time-out"      // its time was nearly up
	LifeStopped = "stopped"       // by the cluster: cancelled, preempted
	LifeFailed  = "failed"        // it could not begin, or its store could not be written
	LifeUnheard = "ended unheard" // without a word: killed, out of memory, or its machine was lost
)

// Life is what a task leaves behind of one of its lives: a task that is put into the queue again has several.
type Life struct {
	Task    int       `json:"task"`
	Restart int       `json:"restart"` // 0 in the first life
	Job     string    `json:"job"`
	Host    string    `json:"host"`
	Process int       `json:"process"`
	Began   time.Time `json:"began"`

	Ended  time.Time `json:"ended,omitzero"`
	How    string    `json:"how,omitempty"` // a Life constant; "" while it runs
	Reason string    `json:"reason,omitempty"`
	Done   int       `json:"done"` // runs
	Left   int       `json:"left"`
	Failed []Failure `json:"failed,omitempty"`
	Again  bool      `json:"again,omitempty"` // the task was put into the queue once more
}

func (s *Submission) lifePath(l Life) string {
	return filepath.Join(s.Dir, lifeFolder, fmt.Sprintf("%d.%d.json", l.Task, l.Restart))
}

// Leave writes what there is to say of a life, in place of what it said before. It returns an error where the file cannot be written.
func (s *Submission) Leave(l Life) error {
	return writeJSON(s.lifePath(l), l)
}

// Lives returns the last life of each task that had one. It returns an error for a file that is there and cannot be read.
func (s *Submission) Lives() (map[int]Life, error) {
	entries, err := os.ReadDir(filepath.Join(s.Dir, lifeFolder))
	if err != nil {
		return nil, fmt.Errorf("experiments: submission: %w", err)
	}
	last := map[int]Life{}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ".") {
			continue
		}
		var l Life
		if err := readJSON(filepath.Join(s.Dir, lifeFolder, e.Name()), &l); errors.Is(err, fs.ErrNotExist) {
			continue
		} else if err != nil {
			return nil, fmt.Errorf("experiments: %s: %w", e.Name(), err)
		}
		if before, there := last[l.Task]; !there || l.Restart >= before.Restart {
			last[l.Task] = l
		}
	}
	return last, nil
}
