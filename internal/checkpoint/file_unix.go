//go:build unix

package checkpoint

import "golang.org/x/sys/unix"

// noFollow keeps an open from going through a link that was put there meanwhile, and from waiting for a FIFO's other end.
const noFollow = unix.O_NOFOLLOW | unix.O_NONBLOCK
