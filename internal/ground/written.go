package ground

import (
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/modu-ai/moai/internal/work"
)

const (
	// maxNames bounds the names that Written goes through below one folder, and maxTexts the files that it opens. What compilers write is known by
	// its name; who keeps text among thousands of other files is not looked after.
	maxNames = 2000
	maxTexts = 200
)

// Written reports text that Git neither holds nor ignores: the file at path is such, or one in the folder there. A link that the path
// itself is counts as one. Of a folder some files are looked at, those nearest to it first. made says by its name what is a program's:
// such folders are not gone into.
func (g *Facts) Written(path string, made func(name string, dir bool) bool) bool {
	is, known := g.writtens[path]
	if !known {
		is = g.lookWritten(path, made)
		if g.writtens == nil {
			g.writtens = map[string]bool{}
		}
		g.writtens[path] = is
	}
	return is
}

func (g *Facts) lookWritten(path string, made func(name string, dir bool) bool) bool {
	info, ok := g.lstat(path)
	switch {
	case !ok:
		return true
	case info == nil || g.Ignored(path):
		return false
	case info.Mode()&fs.ModeSymlink != 0:
		return g.unsaved(path) // where it leads is what somebody chose, and no compiler writes that again
	case !info.IsDir():
		return g.own(path)
	}
	names, texts := 0, 0
	for queue := []string{path}; len(queue) > 0; queue = queue[1:] {
		if !g.looks.Take(work.Folder + work.Path(queue[0])) {
			return true
		}
		entries, err := list(queue[0], maxNames-names)
		if err != nil {
			continue // what is in it cannot be saved either
		}
		names += len(entries)
		if !g.looks.Take(len(entries) * 4 * work.Name) {
			return true
		}
		for _, e := range entries {
			one := filepath.Join(queue[0], e.Name())
			if e.Name() == ".git" || made(e.Name(), e.IsDir()) {
				continue
			}
			if e.IsDir() {
				if !g.Ignored(one) {
					queue = append(queue, one)
				}
				continue
			}
			if !e.Type().IsRegular() || texts == maxTexts {
				continue
			}
			texts++
			if !g.Ignored(one) && g.own(one) {
				return true
			}
		}
		if names >= maxNames || texts == maxTexts {
			return false
		}
	}
	return false
}

// list reads some of the names in a folder.
func list(dir string, most int) ([]os.DirEntry, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	entries, err := f.ReadDir(most)
	if err == io.EOF {
		err = nil
	}
	return entries, err
}

// own reports text that Git does not hold. What is squeezed into lines of more than a person writes is a program's.
func (g *Facts) own(path string) bool {
	return g.unsaved(path) && g.Text(path) && !g.squeezed(path)
}

// squeezed reports a file that begins with a line as long as only programs write them.
func (g *Facts) squeezed(path string) bool {
	if info, ok := g.lstat(path); !ok || info == nil || info.Size() < textHead || !g.looks.Take(work.Path(path)+work.Read(textHead)) {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	b := make([]byte, textHead)
	n, err := io.ReadFull(f, b)
	return err == nil && bytes.IndexByte(b[:n], '\n') < 0
}
