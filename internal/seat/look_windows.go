package seat

import (
	"os"
	"strconv"
	"time"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Here looks around this process. No process tells the variables that it was started with, so none is looked at for them.
func Here() Sight { return Sight{Look, func() *upward { return &upward{} }} }

// Look looks at the processes above this one. Terminals say nothing here: what has none is
// given a hidden console.
func Look() Seat {
	look := looker()
	return Seat{Terminal: true, Above: up(os.Getppid(), look)}
}

func environ(int) []string { return nil }

// looker finds processes in one picture of all.
func looker() func(id int) (Process, bool) {
	all := pictured()
	return func(id int) (Process, bool) {
		p, ok := all[id]
		if ok {
			p.Began = began(id)
		}
		return p, ok
	}
}

// began is when a process began, "" for one that is gone or belongs to another user.
func began(id int) string {
	h, err := windows.OpenProcess(windows.PROCESS_QUERY_LIMITED_INFORMATION, false, uint32(id))
	if err != nil {
		return ""
	}
	defer windows.CloseHandle(h)
	// A process that somebody still holds a handle of is there after its end.
	var code uint32
	if err := windows.GetExitCodeProcess(h, &code); err == nil && code != stillActive {
		return ""
	}
	var created, exited, kernel, user windows.Filetime
	if err := windows.GetProcessTimes(h, &created, &exited, &kernel, &user); err != nil {
		return ""
	}
	return strconv.FormatInt(created.Nanoseconds(), 10)
}

const stillActive = 259

// Start is when a process began, by its [Process.Began]; false where that does not tell.
func Start(began string) (t time.Time, ok bool) {
	n, err := strconv.ParseInt(began, 10, 64)
	return time.Unix(0, n), err == nil
}

// Runs reports that a process of that id and that beginning runs.
func Runs(id int, when string) bool {
	if when != "" {
		return began(id) == when
	}
	_, ok := pictured()[id]
	return ok
}

// input is the terminal of standard input: consoles have no names.
func input() string { return "" }

func pictured() map[int]Process {
	all := map[int]Process{}
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return all
	}
	defer windows.CloseHandle(snapshot)
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		id := int(entry.ProcessID)
		all[id] = Process{ID: id, Parent: int(entry.ParentProcessID), Name: windows.UTF16ToString(entry.ExeFile[:])}
	}
	return all
}
