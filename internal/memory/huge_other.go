//go:build !linux

package memory

func hugePages([]byte) {}
