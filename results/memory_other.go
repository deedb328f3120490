//go:build !linux

package results

func groupLimit() uint64 { return 0 }
