package ground

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

const (
	// maxLinks bounds how many links are followed on one path. No kernel follows more:
	// Linux 40 (path_resolution(7)), macOS 32, Windows 63.
	maxLinks = 64
	// maxPath is the longest path that is looked at, the limit of Linux.
	maxPath = 4096
)

// links follows symbolic links and remembers where each folder really is, so that the
// many paths of one command are not resolved from the root again and again. It is for
// one call, since it does not see what changes later.
type links struct {
	looks   *work.Account
	folders map[string]folder // by the name under which it was asked for
	targets map[string]link   // by the real folder and the name in it
}

// folder is where a folder really is.
type folder struct {
	real string
	// missing says that the end of it is not there: what is below is not either.
	missing bool
	lost    bool // nobody can follow it there: links lead around, or it may not be looked into
	there   int  // bytes of real that are there, where the end is missing
	links   int  // followed on the way
}

// link is what stands at a path whose folder is real.
type link struct {
	kind  entryKind
	path  string   // where it stands
	root  string   // of a target that does not go on from there
	parts []string // of the target, the last one first
}

type entryKind uint8

const (
	entryMissing entryKind = iota
	entryPlain             // anything but a link
	entryLink
)

// Follow resolves symbolic links of the part of a path that exists, so that a
// link inside the project cannot hide a target outside. A link to what is not there
// yet counts: writing to it makes its target.
func Follow(path string) string { return new(links).Follow(path) }

// Follow is the function of that name, with a memory. A path that no kernel resolves
// is returned as it is, and so is each once the account is over.
func (l *links) Follow(path string) string {
	if !filepath.IsAbs(path) {
		return path
	}
	d, name, ok := l.known(path)
	if !ok {
		path = filepath.Clean(path)
		var dir string
		if dir, name = filepath.Split(path); name == "" { // a root
			return path
		}
		d, ok = l.folder(filepath.Clean(dir))
	}
	if !ok {
		return path
	}
	f, ok := l.below(d, name)
	if !ok {
		return path
	}
	return l.ownName(f)
}

// known is the folder of a path that was resolved before, and the name in it. Only clean paths
// are remembered, so that this one need not be cleaned to find out: it may be long, and one of many.
func (l *links) known(path string) (d folder, name string, ok bool) {
	at := strings.LastIndexByte(path, filepath.Separator)
	if at <= 0 {
		return d, "", false
	}
	switch name = path[at+1:]; name {
	case "", ".", "..":
		return d, "", false
	}
	d, ok = l.folders[path[:at]]
	return d, name, ok && !d.lost && l.looks.Take(1+at/64)
}

// folder resolves a clean, absolute path with all of its links.
func (l *links) folder(dir string) (folder, bool) {
	if d, ok := l.folders[dir]; ok {
		return d, !d.lost
	}
	if !l.looks.Take(1 + len(dir)/64) {
		return folder{}, false
	}
	volume := len(filepath.VolumeName(dir))
	d := folder{real: dir[:min(volume+1, len(dir))]}
	for at := volume + 1; at < len(dir) && !d.missing; {
		end := len(dir)
		if n := strings.IndexByte(dir[at:], filepath.Separator); n >= 0 {
			end = at + n
		}
		known, ok := l.folders[dir[:end]]
		if !ok {
			if known, ok = l.below(d, dir[at:end]); !ok {
				if !l.looks.Over() {
					l.remember(dir[:end], folder{lost: true})
				}
				return folder{}, false
			}
			if !known.missing {
				l.remember(dir[:end], known)
			} else if end < len(dir) {
				known.real += dir[end:]
			}
		}
		if known.lost {
			return folder{}, false
		}
		d = known
		at = end + 1
	}
	l.remember(dir, d)
	return d, true
}

func (l *links) remember(dir string, d folder) {
	if l.folders == nil {
		l.folders = map[string]folder{}
	}
	l.folders[dir] = d
}

// below resolves the entry of a name in a folder. The parts of a link's target are
// taken one after another, for ".." means the real folder's parent.
func (l *links) below(d folder, name string) (folder, bool) {
	var rest []string // parts that are still to come, the next one last
	for {
		switch {
		case name == "" || name == ".":
		case name == "..":
			d.real = above(d.real)
			d.missing = false // below what is not there it is taken by its name
		case d.missing:
			d.real = joined(d.real, name)
		default:
			e, ok := l.entry(d.real, name)
			switch {
			case !ok:
				return d, false
			case e.kind == entryLink:
				if d.links++; d.links > maxLinks {
					return d, false
				}
				if !l.looks.Take(1 + 2*len(e.parts)) {
					return d, false
				}
				if e.root != "" {
					d.real = e.root
				}
				rest = append(rest, e.parts...)
			default:
				d.there, d.missing = len(d.real), e.kind == entryMissing
				d.real = e.path
			}
		}
		if len(rest) == 0 {
			return d, true
		}
		name, rest = rest[len(rest)-1], rest[:len(rest)-1]
	}
}

// above is the parent of a real folder, which is clean.
func above(dir string) string {
	at := strings.LastIndexByte(dir, filepath.Separator)
	return dir[:max(at, min(len(filepath.VolumeName(dir))+1, len(dir)))]
}

func joined(dir, name string) string {
	if dir != "" && os.IsPathSeparator(dir[len(dir)-1]) {
		return dir + name
	}
	return dir + string(filepath.Separator) + name
}

// takenApart gives the parts of a link's target, the last one first, and the root of one that is absolute.
func takenApart(target string) (root string, parts []string) {
	if filepath.IsAbs(target) {
		n := min(len(filepath.VolumeName(target))+1, len(target))
		root, target = target[:n], target[n:]
	}
	parts = strings.FieldsFunc(target, func(r rune) bool { return r < 0x80 && os.IsPathSeparator(uint8(r)) })
	slices.Reverse(parts)
	return root, parts
}

// entry looks at a name in a real folder.
func (l *links) entry(dir, name string) (link, bool) {
	path := joined(dir, name)
	if e, ok := l.targets[path]; ok {
		return e, l.looks.Take(4 + len(path)/32)
	}
	if len(path) > maxPath || !l.looks.Take(work.Path(path)) {
		return link{}, false
	}
	e := link{path: path}
	info, err := os.Lstat(path)
	switch {
	case err == nil && info.Mode()&fs.ModeSymlink != 0:
		target, err := os.Readlink(path)
		if err != nil {
			return link{}, false
		}
		e.kind = entryLink
		e.root, e.parts = takenApart(target)
	case err == nil:
		e.kind = entryPlain
	case disk.Absent(err):
	default: // a folder that this user may not look into
		return link{}, false
	}
	if l.targets == nil {
		l.targets = map[string]link{}
	}
	l.targets[path] = e
	return e, true
}
