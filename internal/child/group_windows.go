package child

import (
	"os"
	"syscall"
	"unsafe"

	"golang.org/x/sys/windows"
)

// apart has a program begin a group of its own, so that a Ctrl-C is not its.
func apart(own bool) *syscall.SysProcAttr {
	if !own {
		return nil
	}
	return &syscall.SysProcAttr{CreationFlags: windows.CREATE_NEW_PROCESS_GROUP}
}

// group is a program with what it started: a job, whose processes end with it.
type group struct {
	process *os.Process
	job     windows.Handle
}

func groupOf(p *os.Process, own bool) group {
	g := group{process: p}
	if !own {
		return g
	}
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return g
	}
	limits := windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION{
		BasicLimitInformation: windows.JOBOBJECT_BASIC_LIMIT_INFORMATION{LimitFlags: windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE},
	}
	_, err = windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&limits)), uint32(unsafe.Sizeof(limits)))
	if err == nil {
		var h windows.Handle
		if h, err = windows.OpenProcess(windows.PROCESS_SET_QUOTA|windows.PROCESS_TERMINATE, false, uint32(p.Pid)); err == nil {
			err = windows.AssignProcessToJobObject(job, h)
			_ = windows.CloseHandle(h)
		}
	}
	if err != nil {
		_ = windows.CloseHandle(job)
		return g
	}
	g.job = job
	return g
}

func (g group) kill() {
	if g.job != 0 {
		_ = windows.TerminateJobObject(g.job, 1)
	}
	_ = g.process.Kill()
}

func (g group) close() {
	if g.job != 0 {
		_ = windows.CloseHandle(g.job)
	}
}
