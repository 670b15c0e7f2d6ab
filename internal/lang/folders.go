package lang

import (
	"strings"
	"unsafe"
)

// folders are the folders of one scan, in the order in which files of them came.
//
// A tree has one for every ten files, so a record is small and holds no pointer:
// the collector would have to follow them, and every new one would cost a barrier.
type folders struct {
	nodes     []folderNode
	names     []byte   // of all of them, one behind the other
	manifests []string // of those that have one
	top       int32    // the current folder
	path      []byte   // its path: "" or "a/b/"
}

// folderNode is a folder that holds files, or folders that do.
type folderNode struct {
	up       int32
	name     int32  // where it begins in names
	end      int32  // length of the path, the slash at its end included
	manifest int32  // position in manifests plus one: what roots a project here
	below    uint64 // attributes that hold for all files in it, see attributes.onFolder
	kind     PathKind
	ruled    bool // attributes may speak of files in it
}

// usualFolders is the room that is made at once, enough for 40,000 files. It is
// 128 KB of which a small tree touches the first page: growing costs more.
const usualFolders = 4096

func newFolders() folders {
	return folders{nodes: append(make([]folderNode, 0, usualFolders), folderNode{up: -1}), names: make([]byte, 0, 12*usualFolders), path: make([]byte, 0, 256)}
}

// here is the path of the current folder, a view that the next one changes.
func (f *folders) here() string { return unsafe.String(unsafe.SliceData(f.path), len(f.path)) }

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

// enter makes the folder dir ("a/b/") the current one. Folders come in an order
// that keeps each one's files and sub-folders together, so going up and down from
// the one before is all that is needed. It says false for a path that leads out
// of the tree.
func (f *folders) enter(t *Table, attrs *attributes, dir string) bool {
	same, top := 0, f.top
	most := min(len(dir), len(f.path))
	for same+8 <= most && dir[same:same+8] == string(f.path[same:same+8]) {
		same += 8
	}
	for same < most && dir[same] == f.path[same] {
		same++
	}
	for int(f.nodes[top].end) > same {
		top = f.nodes[top].up
	}
	at := int(f.nodes[top].end)
	f.path = append(f.path[:at], dir[at:]...)
	for at < len(dir) {
		name := dir[at : at+strings.IndexByte(dir[at:], '/')]
		if name == "" || name[0] == '.' && (name == "." || name == "..") || strings.IndexByte(name, 0) >= 0 {
			f.top, f.path = 0, f.path[:0]
			return false
		}
		at += len(name) + 1
		up := &f.nodes[top]
		n := folderNode{up: top, name: int32(len(f.names)), end: int32(at)}
		n.below, n.ruled = attrs.onFolder(dir[:at], up.below)
		n.kind = t.dirKind(name, f.nameView(up), top == 0, up.kind)
		f.names = append(f.names, name...)
		f.nodes = append(f.nodes, n)
		top = int32(len(f.nodes) - 1)
	}
	f.top = top
	return true
}

// nameView is name for a look, as long as nothing is appended to names.
func (f *folders) nameView(n *folderNode) string {
	if n.up < 0 {
		return ""
	}
	return unsafe.String(&f.names[n.name], n.end-f.nodes[n.up].end-1)
}
