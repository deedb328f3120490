package filelock

import (
	"os"

	"golang.org/x/sys/windows"
)

// Try locks a file until it is closed, unless it is locked already, which is no error. It returns that of the system where it cannot
// lock at all.
func Try(f *os.File) (bool, error) {
	// The range lies beyond any content, so that readers, who take no lock, are not shut out.
	err := windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK|windows.LOCKFILE_FAIL_IMMEDIATELY, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
	if err == windows.ERROR_LOCK_VIOLATION {
		return false, nil
	}
	return err == nil, err
}
