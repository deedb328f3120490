//go:build !(linux || darwin || dragonfly || freebsd || netbsd || openbsd || windows)

package experiments

import "os"

// tryLock always succeeds: two processes on one store may do a run twice here, which changes no number.
func tryLock(*os.File) (bool, error) { return true, nil }
