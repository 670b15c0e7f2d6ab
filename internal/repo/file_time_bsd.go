//go:build darwin || netbsd || freebsd

package repo

import (
	"syscall"
	"time"
)

func statTime(st *syscall.Stat_t) time.Time { return time.Unix(st.Mtimespec.Unix()) }
