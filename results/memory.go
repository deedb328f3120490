package results

import "fmt"

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
// group, such as a container's or that of a cluster's job, or ulimit -v allows less.
func AvailableMemory() Memory {
	_, all := machine()
	return Memory{Bytes: all, Bound: "the machine"}.Less(freeMemory()).Less(groupMemory()).Less(addressMemory())
}

// leastAddresses is how many bytes of addresses a process needs besides what it holds: Go's runtime reserves 1.2 GB for itself and its threads,
// and fills little of them. Where it runs out of them no program can say so, and it prints pages of traces.
const leastAddresses = 2 << 30

// CheckAddresses returns an error where ulimit -v leaves too few addresses for the program to work, or to say why it does not.
func CheckAddresses() error { return checkAddresses(addressLimit()) }

func checkAddresses(limit uint64) error {
	if limit > 0 && limit < leastAddresses {
		return fmt.Errorf("ulimit -v allows %d MiB of addresses, most of which the Go runtime reserves and does not use: expected at least %d, or a limit of memory "+
			"(a control group, or --memory-limit) instead", limit>>20, leastAddresses>>20)
	}
	return nil
}
