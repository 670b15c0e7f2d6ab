package seat

import (
	"os"
	"unsafe"

	"golang.org/x/sys/windows"
)

// Look looks at the processes above this one. Terminals say nothing here: what has none is
// given a hidden console.
func Look() Seat {
	s := Seat{Terminal: true}
	snapshot, err := windows.CreateToolhelp32Snapshot(windows.TH32CS_SNAPPROCESS, 0)
	if err != nil {
		return s
	}
	defer windows.CloseHandle(snapshot)
	all := map[int]Process{}
	entry := windows.ProcessEntry32{Size: uint32(unsafe.Sizeof(windows.ProcessEntry32{}))}
	for err = windows.Process32First(snapshot, &entry); err == nil; err = windows.Process32Next(snapshot, &entry) {
		id := int(entry.ProcessID)
		all[id] = Process{ID: id, Parent: int(entry.ParentProcessID), Name: windows.UTF16ToString(entry.ExeFile[:])}
	}
	s.Above = up(os.Getppid(), func(id int) (Process, bool) {
		p, ok := all[id]
		return p, ok
	})
	return s
}
