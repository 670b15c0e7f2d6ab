package walk

import (
	"io/fs"

	"github.com/modu-ai/moai/internal/disk"
)

// lister belongs to one worker and has one folder open at a time.
type lister struct {
	root, dir disk.Folder
	buf, text []byte
	entries   []entry
	files     []File // of the folder, for visit
}

// entry is one name of a listing.
type entry struct {
	name string
	kind disk.Kind
}

// list reads the names in a folder, and leaves it open until done. A folder that was replaced by a link since its
// parent was listed is not entered.
func (l *lister) list(path string) ([]entry, error) {
	d, err := l.root.Open(path)
	if err != nil {
		return nil, err
	}
	l.dir, l.entries, l.text = d, l.entries[:0], l.text[:0]
	// What is listed so far counts: a folder that goes away meanwhile is as good as read.
	_ = d.Each(&l.buf, func(name string, kind disk.Kind) bool {
		l.text = append(l.text, name...)
		l.entries = append(l.entries, entry{name, kind})
		return true
	})
	all := string(l.text) // one for all names, which are kept
	for i := range l.entries {
		n := len(l.entries[i].name)
		l.entries[i].name, all = all[:n], all[n:]
	}
	return l.entries, nil
}

// stat asks for one entry of the open folder.
func (l *lister) stat(name string) (kind disk.Kind, size int64, mode fs.FileMode) {
	var st disk.Stat
	if l.dir.Lstat(name, &st) != nil {
		return disk.KindOther, -1, 0
	}
	return st.Kind(), st.Size, fs.FileMode(st.Mode).Perm()
}

func (l *lister) done() { l.dir.Close() }

// hasRules reports whether a folder has ignore rules of its own.
func hasRules(entries []entry) bool {
	for i := range entries {
		if entries[i].name == ".gitignore" {
			return true
		}
	}
	return false
}
