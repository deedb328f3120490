package results

import "cmp"

// Memory is how much memory the process can have, all that it holds already among it, and what sets the bound.
type Memory struct {
	Bytes uint64 // 0 where it is unknown
	Bound string // completes "as ... says": "free memory", "the control group", "ulimit -v"; "" where it is unknown
	Hard  bool   // the process ends, or is ended, where it takes more; other programs may end or give back what they hold
}

// Less returns the smaller of two; an unknown one is larger than all others.
func (m Memory) Less(o Memory) Memory {
	if cmp.Compare(m.Bytes-1, o.Bytes-1) > 0 {
		return o
	}
	return m
}

// AvailableMemory returns how much memory the process can have now: what other programs leave of the machine's, and less where a control
// group or a limit of the shell (ulimit -v, ulimit -d) allows less.
func AvailableMemory() Memory {
	_, all := machine()
	least := Memory{Bytes: all, Bound: "the machine"}
	for _, m := range memoryBounds() {
		least = least.Less(m)
	}
	return least
}

// HardMemory is AvailableMemory of the hard bounds alone, which do not move with what other programs do.
func HardMemory() (least Memory) {
	for _, m := range memoryBounds() {
		if m.Hard {
			least = least.Less(m)
		}
	}
	return least
}
