package lang

import (
	"strings"
	"unsafe"
)

// folders are the current folder of a scan with those above it, and a record of
// each one that somebody asked for.
//
// A tree has a folder for every ten files, and most hold nothing but files that
// their names decide: those leave nothing behind.
type folders struct {
	levels []level // the root first, the current folder last
	path   []byte  // of the current folder: "" or "a/b/"
	turn   int32   // how many folders were entered: tells one stay in a folder from the next
	odd    sieve   // names of folders that mean something

	// The records, in an order in which a folder comes after the one above it.
	nodes     []folderNode
	names     []byte   // of all of them, one behind the other
	manifests []string // of those that have one
}

// level is the current folder, or one above it.
type level struct {
	end   int32  // length of the path, the slash at its end included
	node  int32  // place of its record; none before somebody asks
	below uint64 // attributes that hold for all files in it, see attributes.onFolder
	kind  PathKind
	ruled bool // attributes may speak of files in it

	scripts bool // plain scripts in it are somebody else's, see Table.scripts
}

// noNode is the place of a record that nobody asked for yet.
const noNode = -1

// folderNode is the record of a folder. It holds no pointer, which the collector
// would have to follow.
type folderNode struct {
	up       int32
	name     int32 // where it begins in names
	end      int32 // length of the path, the slash at its end included
	manifest int32 // position in manifests plus one: what roots a project here
}

// roomy is for how many folders there is room from the start. Memory that holds no pointer costs nothing before it is touched, and to grow
// into another place touches all of it again.
const roomy = 4 << 10

func newFolders(t *Table) folders {
	return folders{odd: t.oddFolders(), levels: append(make([]level, 0, 32), level{}), nodes: append(make([]folderNode, 0, roomy), folderNode{up: -1}), names: make([]byte, 0, 16*roomy), path: make([]byte, 0, 256)}
}

// here is the path of the current folder, a view that the next one changes.
func (f *folders) here() string { return unsafe.String(unsafe.SliceData(f.path), len(f.path)) }

// current is the current folder.
func (f *folders) current() *level { return &f.levels[len(f.levels)-1] }

// atRoot says whether the current folder is the tree's own.
func (f *folders) atRoot() bool { return len(f.levels) == 1 }

// node is the place of the current folder's record, which is made if need be.
func (f *folders) node() int32 {
	if n := f.current().node; n != noNode {
		return n
	}
	for i := 1; i < len(f.levels); i++ {
		up, l := &f.levels[i-1], &f.levels[i]
		if l.node != noNode {
			continue
		}
		l.node = int32(len(f.nodes))
		f.nodes = append(f.nodes, folderNode{up: up.node, name: int32(len(f.names)), end: l.end})
		f.names = append(f.names, f.path[up.end:l.end-1]...)
	}
	return f.current().node
}

// name is a folder's own name; "" for the root.
func (f *folders) name(dir int32) string {
	n := &f.nodes[dir]
	if n.up < 0 {
		return ""
	}
	return string(f.names[n.name : n.name+n.end-f.nodes[n.up].end-1])
}

// pathOf is a folder's path without the slash at its end.
func (f *folders) pathOf(dir int32) string {
	if dir == 0 {
		return ""
	}
	parts := make([]byte, f.nodes[dir].end)
	for n := &f.nodes[dir]; n.up >= 0; n = &f.nodes[n.up] {
		at := f.nodes[n.up].end
		copy(parts[at:n.end], f.names[n.name:])
		parts[n.end-1] = '/'
	}
	return string(parts[:len(parts)-1])
}

// manifestOf is the name that roots a project in a folder; "" for none.
func (f *folders) manifestOf(dir int32) string {
	if i := f.nodes[dir].manifest; i > 0 {
		return f.manifests[i-1]
	}
	return ""
}

// rooted notes that a file makes its folder a project; the first one stays.
func (f *folders) rooted(dir int32, name string) {
	if n := &f.nodes[dir]; n.manifest == 0 {
		f.manifests = append(f.manifests, name)
		n.manifest = int32(len(f.manifests))
	}
}

// enter makes the folder of a file ("a/b/x.go") the current one, and returns where
// the file's name begins; -1 for a path that leads out of the tree. Folders come in
// an order that keeps each one's files and sub-folders together, so going up and
// down from the one before is all that is needed.
func (f *folders) enter(t *Table, attrs *attributes, file string) int {
	same := 0
	for most := min(len(file), len(f.path)); same < most && file[same] == f.path[same]; {
		if same+8 <= most && word(file, same) == word(f.here(), same) {
			same += 8
		} else {
			same++
		}
	}
	top := len(f.levels) - 1
	for int(f.levels[top].end) > same {
		top--
	}
	f.levels = f.levels[:top+1]
	at := int(f.levels[top].end)
	f.path = f.path[:at]
	for {
		length := strings.IndexByte(file[at:], '/')
		if length < 0 {
			f.turn++
			return at
		}
		name := file[at : at+length]
		if name == "" || name[0] == '.' && (name == "." || name == "..") || strings.IndexByte(name, 0) >= 0 {
			f.levels, f.path = f.levels[:1], f.path[:0]
			return -1
		}
		up := &f.levels[top]
		at += length + 1
		l := level{end: int32(at), node: noNode, kind: up.kind}
		if attrs != nil {
			l.below, l.ruled = attrs.onFolder(file[:at], up.below)
		}
		if f.odd.bit(lastWord(name, 0))|f.odd.bit(oddTail|lastTwo(name, length)) != 0 {
			l.kind = t.dirKind(name, f.nameAt(top), top == 0, up.kind)
		}
		l.scripts = up.scripts && strings.IndexByte(name, '.') < 0 || len(name) > 1 && f.odd.bit(oddHead|uint64(name[0])|uint64(name[1])<<8) != 0 && t.scripts(name)
		f.levels = append(f.levels, l)
		f.path = append(f.path, file[at-length-1:at]...)
		if top++; top == 1 {
			f.node() // what lies at the root is compared with what is tracked there
		}
	}
}

// nameAt is the name of a level's folder, a view for a look.
func (f *folders) nameAt(i int) string {
	if i == 0 {
		return ""
	}
	return f.here()[f.levels[i-1].end : f.levels[i].end-1]
}
