package results

import (
	"os"

	"golang.org/x/sys/windows"
)

// lock waits until no other process holds the file. Closing the file, or the end of the process, lets go of it.
func lock(f *os.File) error {
	// The range lies beyond any content, so that readers, who take no lock, are not shut out.
	return windows.LockFileEx(windows.Handle(f.Fd()), windows.LOCKFILE_EXCLUSIVE_LOCK, 0, 1, 0, &windows.Overlapped{OffsetHigh: 1 << 30})
}
