//go:build !linux

package main

import "time"

// processorTime is not known of another process here.
func processorTime(int) (time.Duration, bool) { return 0, false }
