package results

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/asp2vec/asp2vec/internal/filelock"
)

// How long a lock is tried for before it is said, and how long it still is once nobody wants to wait.
const (
	waitsQuietly = time.Second
	waitsLast    = time.Second
)

// lock waits until no other process holds the file. Closing the file, or the end of the process, lets go of it. It calls waiting, if that
// is not nil, when it has waited for a second, and gives up a second after ctx was cancelled: whoever holds a store's file for an
// append has done with it long before.
func lock(ctx context.Context, f *os.File, waiting func()) error {
	start, pause := time.Now(), time.Millisecond
	var stopped time.Time
	for {
		if free, err := filelock.Try(f); free || err != nil {
			return err
		}
		if waiting != nil && time.Since(start) > waitsQuietly {
			waiting()
			waiting = nil
		}
		if ctx.Err() != nil {
			if stopped.IsZero() {
				stopped = time.Now()
			}
			if time.Since(stopped) > waitsLast {
				return fmt.Errorf("another process has locked it: %w", context.Cause(ctx))
			}
		}
		time.Sleep(pause)
		pause = min(2*pause, 50*time.Millisecond)
	}
}
