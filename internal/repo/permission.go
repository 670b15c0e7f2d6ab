package repo

import "github.com/modu-ai/moai/internal/disk"

// Permissions of many files, for which the look that a status takes at each is enough. Most have the same, by the umask of who
// checked them out, so that only the others are listed.
type Permissions struct {
	Usual uint16 // of files that are not executable; Executable gives those of the others
	Odd   []OddPermission
	// Raised are files that run with the rights of their owner or group (set-user-ID, set-group-ID), some hundreds at most.
	Raised []string
}

// maxRaised bounds the files that run with the rights of others; a tree of one's own has none.
const maxRaised = 200

// OddPermission is a file with other permissions.
type OddPermission struct {
	Path string // of the index, whose memory it keeps
	Perm uint16 // nine bits
}

// plainUsual is what most people's umask leaves; a repository without a file says nothing better.
const plainUsual = 0o644

// Executable are the permissions of an executable file where others have plain: whoever may read it may run it, as every umask in
// use has it.
func Executable(plain uint16) uint16 { return plain | plain>>2&0o111 }

// guessUsual takes the first file for one of the many.
func (s *scan) guessUsual() {
	s.permissions.Usual = plainUsual
	var st disk.Stat
	for i := range s.ix.entries {
		if e := &s.ix.entries[i]; e.mode() == ModeFile {
			if s.root.lstat(e.name, &st) == opened && st.IsRegular() && st.Mode&modeExecBit == 0 {
				s.permissions.Usual = uint16(st.Mode & 0o777)
			}
			break
		}
	}
	s.usual = [2]uint32{uint32(s.permissions.Usual), uint32(Executable(s.permissions.Usual))}
}

// permission notes a file that is not as most are.
func (w *worker) permission(e *entry, st *disk.Stat) {
	want := w.usual[0]
	// A link that is a plain file (core.symlinks) is executable for nobody but the disk.
	if m := e.mode(); m != ModeLink && w.fileMode && st.Mode&modeExecBit != 0 || !w.fileMode && m == ModeExec {
		want = w.usual[1]
	}
	if st.Mode&0o6000 != 0 && len(w.raised) < maxRaised {
		w.raised = append(w.raised, e.name)
	}
	if p := st.Mode & 0o777; p != want {
		w.odd = append(w.odd, OddPermission{e.name, uint16(p)})
	}
}
