package seat

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// process asks the kernel. What belongs to another user tells its name alone.
func process(id int) (Process, bool) {
	p, ok := stat(id)
	if !ok {
		return p, false
	}
	p.Args, p.Environ = begun(id)
	return p, true
}

// brief is process: one call tells arguments and variables.
func brief(id int) (Process, bool) { return process(id) }

// arguments and environ are what a process was started with.
func arguments(id int) []string {
	args, _ := begun(id)
	return args
}

func environ(id int) []string {
	_, vars := begun(id)
	return vars
}

func begun(id int) (args, environ []string) {
	b, err := unix.SysctlRaw("kern.procargs2", id)
	if err != nil {
		return nil, nil
	}
	return texts(b)
}

// stat is what one call tells.
func stat(id int) (Process, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", id)
	if err != nil || int(info.Proc.P_pid) != id {
		return Process{}, false
	}
	name := info.Proc.P_comm[:]
	if i := bytes.IndexByte(name, 0); i >= 0 {
		name = name[:i]
	}
	began := info.Proc.P_starttime
	return Process{
		ID: id, Parent: int(info.Eproc.Ppid), Name: string(name),
		Began: fmt.Sprintf("%d.%06d", began.Sec, began.Usec), TTY: terminal(info.Eproc.Tdev), over: info.Proc.P_stat == zombie,
	}, true
}

// zombie is the state of a process that has ended, and whose parent has not asked for it.
const zombie = 5

// Numbers of devices, as the kernel packs them.
const (
	noDevice   = -1
	majorShift = 24
	minorMask  = 1<<majorShift - 1
	majorPTY   = 16 // of /dev/ttys000 and the like
)

// terminal is the name of a terminal that the kernel knows by its numbers.
func terminal(device int32) string {
	switch major, minor := device>>majorShift, device&minorMask; {
	case device == noDevice:
		return ""
	case major == majorPTY:
		return fmt.Sprintf("/dev/ttys%03d", minor)
	default:
		return fmt.Sprintf("tty %d:%d", major, minor)
	}
}

// boot is nothing here: a process has the time at which it began.
func boot() string { return "" }

// start reads the time at which a process began.
func start(began string) (t time.Time, ok bool) {
	var sec, usec int64
	if _, err := fmt.Sscanf(began, "%d.%d", &sec, &usec); err != nil {
		return time.Time{}, false
	}
	return time.Unix(sec, usec*int64(time.Microsecond)), true
}

// texts splits what the kernel has of a process: the number of arguments, the path of the
// program, zeros, the arguments, the environment.
func texts(b []byte) (args, environ []string) {
	if len(b) < 4 {
		return nil, nil
	}
	count := int(binary.NativeEndian.Uint32(b))
	b = b[4:]
	i := bytes.IndexByte(b, 0)
	if i < 0 || count < 0 {
		return nil, nil
	}
	for b = b[i:]; len(b) > 0 && b[0] == 0; b = b[1:] {
	}
	for len(b) > 0 {
		one, rest, _ := bytes.Cut(b, []byte{0})
		switch {
		case count > 0:
			args = append(args, string(one))
			count--
		case len(one) > 0:
			environ = append(environ, string(one))
		}
		b = rest
	}
	return args, environ
}

func named(st *unix.Stat_t) string { return terminal(st.Rdev) }
