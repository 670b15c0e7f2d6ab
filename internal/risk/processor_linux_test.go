package risk

import (
	"time"

	"golang.org/x/sys/unix"
)

// processorTime is what the calling thread has used so far (CLOCK_THREAD_CPUTIME_ID,
// clock_gettime(2)).
func processorTime() time.Duration {
	var used unix.Timespec
	if unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &used) != nil {
		return 0
	}
	return time.Duration(used.Nano())
}
