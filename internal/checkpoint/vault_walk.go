package checkpoint

import (
	"io/fs"
	"os"
	"slices"
	"strings"
)

// anyNames is a root as fs.WalkDir takes it. That of the standard library refuses names that are no UTF-8, which Linux has all the same.
type anyNames struct{ root *os.Root }

// Open opens a file of the root.
func (a anyNames) Open(name string) (fs.File, error) { return a.root.Open(name) }

// Stat is what a name leads to.
func (a anyNames) Stat(name string) (fs.FileInfo, error) { return a.root.Stat(name) }

// ReadDir lists a folder, sorted.
func (a anyNames) ReadDir(name string) ([]fs.DirEntry, error) {
	dir, err := a.root.Open(name)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	list, err := dir.ReadDir(-1)
	slices.SortFunc(list, func(a, b fs.DirEntry) int { return strings.Compare(a.Name(), b.Name()) })
	return list, err
}
