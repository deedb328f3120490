//go:build !linux

package results

func freeMemory() Memory  { return Memory{} }
func groupMemory() Memory { return Memory{} }
