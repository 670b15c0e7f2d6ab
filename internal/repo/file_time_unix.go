//go:build unix && !linux && !darwin && !netbsd && !freebsd

package repo

import (
	"syscall"
	"time"
)

func statTime(st *syscall.Stat_t) time.Time {
	return time.Unix(int64(st.Mtim.Sec), int64(st.Mtim.Nsec))
}
