package ground

import (
	"bytes"
	"path/filepath"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/work"
)

// maxSource bounds a file that a line runs and that is judged by its text. What is longer is run unseen.
const maxSource = 64 << 10

// Source is the text of a file of the project, or of a hook of its repository, that a line runs. No link leads out of the project, nothing is waited for, and
// what is no text, or too long, is not read.
func (g *Facts) Source(path string) (text string, ok bool) {
	dir := g.dir
	rel, err := filepath.Rel(dir, path)
	if (err != nil || !filepath.IsLocal(rel)) && g.hooksOf != "" {
		dir = g.hooksOf
		rel, err = filepath.Rel(dir, path)
	}
	if err != nil || !filepath.IsLocal(rel) || len(path) > maxPath || !g.looks.Take(2*work.Path(path)) {
		return "", false
	}
	root := disk.NewRoot(dir)
	defer root.Close()
	data, st, err := root.File(filepath.ToSlash(rel), maxSource+1)
	if err != nil || len(data) > maxSource || !g.looks.Take(work.Read(st.Size)) {
		return "", false
	}
	// Shells leave zero bytes out, and programs have so many other bytes of their kind that they are no text without them.
	zero := bytes.IndexByte(data, 0) >= 0
	if zero {
		data = bytes.ReplaceAll(data, []byte{0}, nil)
	}
	if (zero || !utf8.Valid(data)) && bytes.ContainsFunc(data[:min(len(data), textHead)], odd) {
		return "", false
	}
	return string(data), true
}

// odd reports what no text holds.
func odd(r rune) bool {
	return r < ' ' && r != '\t' && r != '\n' && r != '\r' && r != '\f' && r != '\x1b'
}
