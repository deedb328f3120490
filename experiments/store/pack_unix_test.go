//go:build unix

package store

import (
	"fmt"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/asp2vec/asp2vec/internal/test/call"
)

// Packing holds few files open, however many runs there are.
func TestPackOpensFewFiles(t *testing.T) {
	var was syscall.Rlimit
	call.OK(t, syscall.Getrlimit(syscall.RLIMIT_NOFILE, &was))
	store, all := storeOf(t, 1)
	for i, r := range all[1:101] {
		call.OK(t, r.Write(filepath.Join(store, fmt.Sprintf("%024x", i))))
	}
	few := was
	few.Cur = 40
	call.OK(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &few))
	packed, _, err := Pack(store)
	call.OK(t, syscall.Setrlimit(syscall.RLIMIT_NOFILE, &was))
	if packed != 100 || err != nil {
		t.Errorf("%d packed, %v", packed, err)
	}
}
