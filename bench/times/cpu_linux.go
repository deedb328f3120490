package main

import (
	"bytes"
	"fmt"
	"os"
	"strconv"
	"time"
)

// processorTime returns the processor time that a running process and its ended children have used, in steps of 10 ms: none of a
// process that has ended.
func processorTime(pid int) (time.Duration, bool) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0, true // not by the clock instead: that may be far beyond the limit
	}
	fields := bytes.Fields(text[bytes.LastIndexByte(text, ')')+1:]) // the name in brackets may hold anything
	if len(fields) < 15 {
		return 0, false
	}
	var ticks int64
	for _, f := range fields[11:15] { // utime, stime, cutime, cstime: fields 14 to 17 of proc(5)
		n, err := strconv.ParseInt(string(f), 10, 64)
		if err != nil {
			return 0, false
		}
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond, true // USER_HZ is 100 to all programs
}
