package lang

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// Explain says what one file below dir counts as, and why: path is relative, with slashes. The file goes through the
// scan that counts, with the attributes that hold for it, so that both say the same. Of a file that does not exist
// the name is judged.
func (t *Table) Explain(ctx context.Context, dir, path string) (Guess, error) {
	read := disk.NewRoot(dir)
	defer read.Close()
	d := &detection{t: t, dir: dir, read: read, scan: newScan(ctx, t, read)}
	d.root = newFolder(t, read, "", &d.inputs)
	d.attributesOf(d.attributesAbove(path))
	var size int64
	var head []byte
	executable := false
	// Not through links: what a link leads to is another file, often outside the project.
	switch fi, err := os.Lstat(filepath.Join(dir, filepath.FromSlash(path))); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return Guess{}, fmt.Errorf("look at file: %w", err)
	case fi.Mode().IsRegular():
		size, executable = fi.Size(), fi.Mode()&0o111 != 0
		head = make([]byte, headSize)
		head = head[:read.Head(path, head)]
	}
	g := t.Classify(path, head, executable)
	var counted Guess
	told := false
	d.scan.each = func(_, id string, kind PathKind, _ int64) { told, counted.ID, counted.Kind = true, id, kind }
	if !d.scan.file(path, size, executable) {
		return Guess{}, fmt.Errorf("look at file: %s is no path below the folder", path)
	}
	if err := d.scan.settle(); err != nil {
		return Guess{}, fmt.Errorf("read file: %w", err)
	}
	switch {
	case !told && g.Kind == Own:
		if g.ID != "" {
			g = Guess{Because: "it is no text, or packed behind its first line"}
		}
	case told:
		if counted.ID != "" && counted.ID != g.ID && (counted.Kind == Own || d.scan.attrs != nil) {
			l := t.Language(t.find(counted.ID))
			g.ID, g.Name, g.Because = l.ID, l.Name, ".gitattributes says so"
		}
		if counted.Kind != g.Kind {
			g.Marked = "a program wrote it, by its first lines"
			if d.scan.attrs != nil && d.scan.attrs.of(path, d.scan.current().below).marks() {
				g.Marked = ".gitattributes says so"
			}
		}
		g.Kind = counted.Kind
	}
	return g, nil
}

// attributesAbove are the attribute files that may speak of a file, from the root down; those in folders that do not
// count are not asked by the scan either.
func (d *detection) attributesAbove(path string) []string {
	files := []string{".gitattributes"}
	for at := 0; ; {
		next := strings.IndexByte(path[at:], '/')
		if next < 0 {
			return files
		}
		at += next + 1
		if d.t.PathKind(path[:at]+"x") == Own {
			files = append(files, path[:at]+".gitattributes")
		}
	}
}
