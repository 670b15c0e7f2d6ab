// Package format finds the one formatter that a project uses for a file, and runs it on the text of that file.
//
// It writes nothing: what comes out is the caller's to judge. Its invariant: one formatter a file or none, and none that the project's own files do not
// speak of.
package format

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/child"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/rule"
)

// Choice is the formatter of a file.
type Choice struct {
	*rule.Formatter
	Dir  string // the folder that speaks of it
	Root string // of the project
}

// Bounds of the search.
const (
	maxLevels = 64
	maxRead   = 256 << 10
)

// How a folder speaks of a formatter, the strongest last.
const (
	silent = iota
	mentioned
	configured
	hooked
	above
)

// Choose finds the formatter for a file of a project, nil for none. path and root are absolute, with links followed.
func Choose(q *rule.Quality, root, path string) *Choice {
	name := strings.ToLower(filepath.Base(path))
	var fit []*rule.Formatter
	for i := range q.Formatters {
		if f := &q.Formatters[i]; slices.ContainsFunc(f.Files, func(p string) bool { ok, err := doublestar.Match(p, name); return ok && err == nil }) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	var best *Choice
	dir := filepath.Dir(path)
	for range maxLevels {
		s := speaker{dir: dir, hooks: q.Hooks, read: map[string][]byte{}}
		strongest, nearer := silent, best != nil
		for _, f := range fit {
			if how := s.speaksOf(f); how > strongest && (!nearer || how == above) {
				strongest, best = how, &Choice{f, dir, root}
			}
		}
		if dir == root || strongest == above || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return best
}

// Configured are the formatters that the root folder of a project speaks of. Where two are for the same files it is the one that speaks louder.
func Configured(q *rule.Quality, root string) (list []*Choice) {
	s := speaker{dir: root, hooks: q.Hooks, read: map[string][]byte{}}
	loud := map[string]int{} // by the pattern of files
	var all []*Choice
	for i := range q.Formatters {
		f := &q.Formatters[i]
		how := s.speaksOf(f)
		if how == silent {
			continue
		}
		all = append(all, &Choice{f, root, root})
		for _, p := range f.Files {
			loud[p] = max(loud[p], how)
		}
	}
	for _, c := range all {
		if how := s.speaksOf(c.Formatter); slices.ContainsFunc(c.Files, func(p string) bool { return loud[p] == how }) {
			list = append(list, c)
		}
	}
	return list
}

// Missing reports that the program of a formatter is not there.
func (c *Choice) Missing(getenv func(string) string) bool {
	if c.Builtin != "" {
		return false
	}
	_, found := child.Find(c.Argv[0], c.Folders(), getenv)
	return !found
}

// speaker reads the files of one folder, each once.
type speaker struct {
	dir   string
	hooks []string
	read  map[string][]byte
}

func (s *speaker) speaksOf(f *rule.Formatter) int {
	for _, name := range f.Config {
		if info, err := os.Lstat(filepath.Join(s.dir, name)); err == nil && !info.IsDir() {
			if f.First {
				return above
			}
			if s.named(f) {
				return hooked
			}
			return configured
		}
	}
	if s.named(f) {
		return hooked
	}
	for _, says := range f.Says {
		if bytes.Contains(s.file(says.File), []byte(says.Text)) {
			return mentioned
		}
	}
	return silent
}

// named reports that what runs before a commit names a formatter.
func (s *speaker) named(f *rule.Formatter) bool {
	for _, name := range s.hooks {
		text := s.file(name)
		for _, word := range f.Hooks {
			if bytes.Contains(text, []byte(word)) {
				return true
			}
		}
	}
	return false
}

func (s *speaker) file(name string) []byte {
	b, known := s.read[name]
	if !known {
		b, _, _ = disk.ReadFile(filepath.Join(s.dir, name), maxRead)
		s.read[name] = b
	}
	return b
}

// Folders are where a formatter is looked for before PATH: in the project, from the folder that speaks of it up to the root.
func (c *Choice) Folders() (list []string) {
	dir := c.Dir
	for range maxLevels {
		for _, local := range c.Local {
			list = append(list, filepath.Join(dir, filepath.FromSlash(local)))
		}
		if dir == c.Root || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	return list
}
