//go:build unix

package source

import (
	"context"
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// Who is stopped does not wait for a file that cannot be opened: a named pipe that nobody writes to.
func TestLoadIsStopped(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	stop()
	if _, err := (Source{Network: path}).Load(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}
