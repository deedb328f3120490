package atomicfile

import "golang.org/x/sys/unix"

// exchange gives two files or folders each other's name in one step. Kernels before 3.15 and some file systems cannot, which
// is an error that leaves both as they were.
func exchange(a, b string) error {
	return unix.Renameat2(unix.AT_FDCWD, a, unix.AT_FDCWD, b, unix.RENAME_EXCHANGE)
}
