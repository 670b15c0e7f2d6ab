package repo

import "github.com/modu-ai/moai/internal/disk"

// folder is an open folder of a work tree, whose answers are what a comparison with the index needs to know.
type folder struct{ disk.Folder }

// openState says why a directory could not be opened, or a file not be looked at.
type openState uint8

const (
	opened     openState = iota
	missing              // not there, or not a directory (a link to one is none)
	unreadable           // there, but not for us
)

func stateOf(err error) openState {
	switch {
	case err == nil:
		return opened
	case disk.Gone(err):
		return missing
	}
	return unreadable
}

// openRoot opens the work tree.
func openRoot(path string) (folder, error) {
	d, err := disk.OpenTree(path)
	return folder{d}, err
}

// open opens the directory rel ("" is d itself) below d.
func (d folder) open(rel string) (folder, openState) {
	f, err := d.Open(rel)
	if disk.TooDeep(err, rel) {
		return folder{f}, unreadable
	}
	return folder{f}, stateOf(err)
}

// peek is open for a directory whose names are known: it cannot be listed.
func (d folder) peek(rel string) (folder, openState) {
	f, err := d.Peek(rel)
	return folder{f}, stateOf(err)
}

// lstat asks for one name in d. name must be followed by a zero byte in memory, as names of the index are; others go
// through lstatName.
func (d folder) lstat(name string, st *disk.Stat) openState { return stateOf(d.LstatZ(name, st)) }

// lstatName is lstat for any string.
func (d folder) lstatName(name string, st *disk.Stat) openState { return stateOf(d.Lstat(name, st)) }

// dirEntry is one name of a listed directory. It may lie in the listing's buffer: clone it before the next listing.
type dirEntry struct {
	name string
	kind disk.Kind
}

// listing is a directory as it was read, without ".", ".." and ".git".
type listing struct {
	entries   []dirEntry
	hasGit    bool // a .git of any kind was among them
	hasIgnore bool // a .gitignore was among them
	buf       []byte
}

// list reads all names of d into l. A part of the names proves nothing: what is missing may be untracked.
func (d folder) list(l *listing, fold bool) openState {
	l.entries, l.hasGit, l.hasIgnore = l.entries[:0], false, false
	if d.Each(&l.buf, func(name string, kind disk.Kind) bool { l.add(precompose(name), kind, fold); return true }) != nil {
		return unreadable
	}
	return opened
}

// add files one name under what it is.
func (l *listing) add(name string, kind disk.Kind, fold bool) {
	if len(name) == 4 && (name == ".git" || fold && equalFold(name, ".git")) {
		l.hasGit = true
		return
	}
	if len(name) == 10 && (name == ".gitignore" || fold && equalFold(name, ".gitignore")) {
		l.hasIgnore = true
	}
	l.entries = append(l.entries, dirEntry{name, kind})
}
