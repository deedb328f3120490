//go:build unix

package run

import (
	"errors"
	"path/filepath"
	"syscall"
	"testing"
)

// A named pipe is no checkpoint; opening it would wait for ever, deaf to signals.
func TestCheckpointIsPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "train.checkpoint")
	if err := syscall.Mkfifo(path, 0o666); err != nil {
		t.Skip(err)
	}
	if _, _, err := readCheckpoint(path); !errors.Is(err, ErrDamaged) {
		t.Errorf("%v, expected %v", err, ErrDamaged)
	}
}
