//go:build !linux && !darwin && !dragonfly && !freebsd && !netbsd && !openbsd

package results

import "time"

// ProcessorTime returns how long processors have worked for the process so far; 0 when unknown, as it is here.
func ProcessorTime() time.Duration { return 0 }
