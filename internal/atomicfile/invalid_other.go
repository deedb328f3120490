//go:build !unix

package atomicfile

func isInvalid(error) bool { return false }
