//go:build !linux

package results

func memoryBounds() []Memory { return nil }
