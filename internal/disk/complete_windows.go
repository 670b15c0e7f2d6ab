package disk

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// complete asks for the time of change and the index of a file, which package os leaves out: without them a file whose
// size and time were both set back would look unchanged. Where they cannot be had (a path too long, a file that somebody
// keeps to himself, a share that has neither) the state stays as it is.
func complete(path string, st *Stat) {
	name, err := windows.UTF16PtrFromString(path)
	if err != nil {
		return
	}
	const share = windows.FILE_SHARE_READ | windows.FILE_SHARE_WRITE | windows.FILE_SHARE_DELETE
	h, err := windows.CreateFile(name, windows.FILE_READ_ATTRIBUTES, share, nil, windows.OPEN_EXISTING,
		windows.FILE_FLAG_BACKUP_SEMANTICS|windows.FILE_FLAG_OPEN_REPARSE_POINT, 0)
	if err != nil {
		return
	}
	defer windows.CloseHandle(h)
	var id windows.ByHandleFileInformation
	var basic struct { // FILE_BASIC_INFO
		creation, access, write, change windows.Filetime
		attributes, _                   uint32
	}
	if windows.GetFileInformationByHandle(h, &id) != nil ||
		windows.GetFileInformationByHandleEx(h, windows.FileBasicInfo, (*byte)(unsafe.Pointer(&basic)), uint32(unsafe.Sizeof(basic))) != nil {
		return
	}
	const second = 1_000_000_000
	at := basic.change.Nanoseconds()
	st.Ctime, st.CtimeNs = at/second, uint32(at%second)
	st.Ino = uint64(id.FileIndexHigh)<<32 | uint64(id.FileIndexLow)
}
