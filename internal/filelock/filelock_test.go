package filelock

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestTakeAndWait(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", ".lock")
	first, err := Take(path)
	if err != nil || first == nil {
		t.Fatal(first, err)
	}
	if second, err := Take(path); second != nil || err != nil {
		t.Errorf("taken twice: %v, %v", second, err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Millisecond)
	defer cancel()
	told := 0
	if _, err := Wait(ctx, path, func() { told++ }); !errors.Is(err, context.DeadlineExceeded) || told != 1 {
		t.Errorf("error %v, told %d times", err, told)
	}
	time.AfterFunc(20*time.Millisecond, first.Release)
	second, err := Wait(context.Background(), path, nil)
	if err != nil {
		t.Fatal(err)
	}
	second.Release()
	if _, err := os.Stat(path); err == nil {
		t.Error("the file is left")
	}
}
