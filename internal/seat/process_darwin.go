package seat

import (
	"bytes"
	"encoding/binary"

	"golang.org/x/sys/unix"
)

// process asks the kernel. What belongs to another user tells its name alone.
func process(id int) (Process, bool) {
	info, err := unix.SysctlKinfoProc("kern.proc.pid", id)
	if err != nil || int(info.Proc.P_pid) != id {
		return Process{}, false
	}
	name := info.Proc.P_comm[:]
	if i := bytes.IndexByte(name, 0); i >= 0 {
		name = name[:i]
	}
	p := Process{ID: id, Parent: int(info.Eproc.Ppid), Name: string(name)}
	if b, err := unix.SysctlRaw("kern.procargs2", id); err == nil {
		p.Args, p.Environ = arguments(b)
	}
	return p, true
}

// arguments splits what the kernel has of a process: the number of arguments, the path of the
// program, zeros, the arguments, the environment.
func arguments(b []byte) (args, environ []string) {
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
