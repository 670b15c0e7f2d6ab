package api

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// Bounds of what is looked at.
const (
	maxProcesses = 5000
	maxFiles     = 1000    // that one has open
	maxProc      = 1 << 20 // bytes of one file of /proc
	tick         = 10 * time.Millisecond
)

// Fields of /proc/ID/stat behind the name, by their place.
const (
	fieldState  = 0
	fieldParent = 1
	fieldTTY    = 4
	fieldBegan  = 19
)

// processes are those of this user that have no terminal, but this one.
func processes() (list []process) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxProcesses)
	var now unix.Timespec
	if unix.ClockGettime(unix.CLOCK_BOOTTIME, &now) != nil {
		return nil
	}
	boot := time.Now().Add(-time.Duration(now.Nano()))
	listen := listening()
	for _, name := range names {
		id, err := strconv.Atoi(name)
		if err != nil || id == os.Getpid() {
			continue
		}
		at := filepath.Join("/proc", name)
		where, err := os.Readlink(filepath.Join(at, "cwd"))
		if err != nil {
			continue // another user's, or gone
		}
		text := proc(filepath.Join(at, "stat"))
		f := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
		if len(f) <= fieldBegan || f[fieldState] == "Z" || f[fieldTTY] != "0" {
			continue
		}
		parent, _ := strconv.Atoi(f[fieldParent])
		ticks, _ := strconv.ParseInt(f[fieldBegan], 10, 64)
		command := strings.TrimSpace(strings.ReplaceAll(proc(filepath.Join(at, "cmdline")), "\x00", " "))
		if command == "" || parent == os.Getpid() {
			continue // the kernel's, or one that is asked right now
		}
		list = append(list, process{Left{id, strings.ToValidUTF8(command, "\ufffd"), boot.Add(time.Duration(ticks) * tick).UTC(), ports(at, listen)}, parent, where})
	}
	return list
}

// listening are the ports on which somebody listens, by the number of the socket.
func listening() map[string]int {
	found := map[string]int{}
	for _, name := range []string{"/proc/net/tcp", "/proc/net/tcp6"} {
		for line := range strings.Lines(proc(name)) {
			f := strings.Fields(line)
			if len(f) < 10 || f[3] != "0A" { // the state LISTEN
				continue
			}
			if n, err := strconv.ParseUint(f[1][strings.LastIndexByte(f[1], ':')+1:], 16, 16); err == nil {
				found[f[9]] = int(n)
			}
		}
	}
	return found
}

// ports are those of the sockets that a process has open.
func ports(at string, listen map[string]int) []int {
	list := []int{}
	dir, err := os.Open(filepath.Join(at, "fd"))
	if err != nil {
		return list
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(maxFiles)
	for _, name := range names {
		to, err := os.Readlink(filepath.Join(at, "fd", name))
		if err != nil {
			continue
		}
		if inode, ok := strings.CutPrefix(to, "socket:["); ok {
			if n, ok := listen[strings.TrimSuffix(inode, "]")]; ok {
				list = append(list, n)
			}
		}
	}
	return list
}

func proc(name string) string {
	f, err := os.Open(name)
	if err != nil {
		return ""
	}
	defer f.Close()
	b, _ := io.ReadAll(io.LimitReader(f, maxProc)) // a process may end meanwhile
	return string(b)
}
