package child

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// apartNow counts the programs that have a group of their own and run now.
var apartNow struct {
	sync.Mutex
	count int
}

// adopt has what loses its parent fall to this process, so that it is found also outside the group of its program: in a
// session of its own, or forked twice.
func adopt() {
	apartNow.Lock()
	defer apartNow.Unlock()
	apartNow.count++
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
}

// Bounds of the search for what a program left behind.
const (
	mostSweeps = 200
	betweenThe = time.Millisecond
)

// disown ends the orphans that the kernel gave to this process. While another program still runs here, an orphan may be a child of that one,
// so nothing is ended then: the last program that returns ends all of them.
func disown() {
	apartNow.Lock()
	defer apartNow.Unlock()
	if apartNow.count--; apartNow.count > 0 {
		return
	}
	for range mostSweeps {
		if errors.Is(unix.Waitid(unix.P_ALL, 0, nil, unix.WEXITED|unix.WNOHANG|unix.WNOWAIT, nil), unix.ECHILD) {
			return // there is none: mostly so
		}
		left := fallen()
		if len(left) == 0 {
			return
		}
		for _, pid := range left {
			_ = syscall.Kill(pid, syscall.SIGKILL)
			_, _ = syscall.Wait4(pid, nil, syscall.WNOHANG, nil)
		}
		time.Sleep(betweenThe)
	}
}

// fallen are the children of this process that it did not start itself: those are in its own group.
func fallen() (pids []int) {
	own, group := os.Getpid(), syscall.Getpgrp()
	stats, _ := filepath.Glob("/proc/[0-9]*/stat")
	for _, name := range stats {
		data, err := os.ReadFile(name)
		if err != nil {
			continue // it has ended
		}
		// PID (NAME) STATE PARENT GROUP …; the name may have brackets and blanks.
		_, rest, _ := bytes.Cut(data[max(bytes.LastIndexByte(data, ')'), 0):], []byte(" "))
		fields := bytes.Fields(rest)
		if len(fields) < 3 || string(fields[1]) != strconv.Itoa(own) || string(fields[2]) == strconv.Itoa(group) {
			continue
		}
		if pid, err := strconv.Atoi(filepath.Base(filepath.Dir(name))); err == nil {
			pids = append(pids, pid)
		}
	}
	return pids
}
