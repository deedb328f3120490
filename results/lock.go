package results

import (
	"context"
	"fmt"
	"path/filepath"
	"time"

	"github.com/asp2vec/asp2vec/internal/filelock"
)

// lock waits until no other process appends to a store's file, and returns what lets go of it. It calls waiting, if that is not nil, when it
// has waited for a second, and gives up a second after ctx was cancelled: whoever holds a file for an append has done with it long before.
func lock(ctx context.Context, path string, waiting func()) (release func(), err error) {
	const last = time.Second
	patience, stop := context.WithCancelCause(context.WithoutCancel(ctx))
	defer stop(nil)
	defer context.AfterFunc(ctx, func() { time.AfterFunc(last, func() { stop(context.Cause(ctx)) }) })()
	if waiting != nil {
		defer time.AfterFunc(time.Second, waiting).Stop()
	}
	held, err := filelock.Wait(patience, filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock"), nil)
	if patience.Err() != nil {
		return nil, fmt.Errorf("another process has locked it: %w", err)
	}
	if err != nil {
		return nil, err
	}
	return held.Release, nil
}
