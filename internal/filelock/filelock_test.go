package filelock

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

func TestTake(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", ".lock")
	for range 2 { // a lock that was let go of can be taken again
		first, err := Take(path)
		if err != nil || first == nil {
			t.Fatal(first, err)
		}
		if second, err := Take(path); second != nil || err != nil {
			t.Errorf("taken twice: %v, %v", second, err)
		}
		first.Release()
		call.Refused(t)(os.Stat(path))
	}
}
