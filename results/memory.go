package results

// Memory is how much memory the process can have, all that it holds already among it, and what sets the bound.
type Memory struct {
	Bytes uint64 // 0 where it is unknown
	Bound string // "free memory", "the control group", "the machine"; "" where it is unknown
	Hard  bool   // the process is ended where it takes more; other programs may give back what they hold
}

// Less returns the smaller of two; an unknown one is larger than all others.
func (m Memory) Less(o Memory) Memory {
	if m.Bytes == 0 || o.Bytes > 0 && o.Bytes < m.Bytes {
		return o
	}
	return m
}

// AvailableMemory returns how much memory the process can have now: what other programs leave of the machine's, or less where a control
// group, such as a container's or that of a cluster's job, allows less.
func AvailableMemory() Memory {
	_, all := machine()
	return Memory{Bytes: all, Bound: "the machine"}.Less(freeMemory()).Less(groupMemory())
}
