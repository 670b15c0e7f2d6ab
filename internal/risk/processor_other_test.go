//go:build !linux

package risk

import "time"

var began = time.Now()

// processorTime is the time of a clock, where a thread's own is not to be had in one way.
func processorTime() time.Duration { return time.Since(began) }
