package disk

import (
	"time"

	"golang.org/x/sys/unix"
)

func birth(path string) (born time.Time, names uint32, ok bool) {
	var st unix.Statx_t
	err := ignoringEINTR(func() error {
		return unix.Statx(unix.AT_FDCWD, path, unix.AT_SYMLINK_NOFOLLOW, unix.STATX_BTIME|unix.STATX_NLINK, &st)
	})
	return time.Unix(st.Btime.Sec, int64(st.Btime.Nsec)), st.Nlink, err == nil && st.Mask&unix.STATX_BTIME != 0 && st.Btime.Sec > 0
}
