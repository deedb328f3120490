//go:build !linux

package results

func freeMemory() Memory  { return Memory{} }
func groupMemory() Memory { return Memory{} }

func addressLimit() uint64  { return 0 }
func addressMemory() Memory { return Memory{} }
