//go:build unix

package filelock

import "golang.org/x/sys/unix"

// alive says whether a process of this machine may still run.
func alive(pid int) bool { return unix.Kill(pid, 0) != unix.ESRCH }
