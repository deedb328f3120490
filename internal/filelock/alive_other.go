//go:build !unix

package filelock

// alive says that a process may still run: here nobody knows.
func alive(int) bool { return true }
