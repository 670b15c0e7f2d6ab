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
	unwanted = iota - 1 // its entry leaves the file out
	silent
	mentioned
	configured
	hooked
	above
)

// When a formatter runs.
type When bool

const (
	Edited When = false // after an edit
	Ended  When = true  // at the end of a turn: it may take imports out, which an edit in two steps needs
)

// Choose finds the formatter for a file of a project, nil for none. path and root are absolute, with links followed.
func Choose(q *rule.Quality, root, path string, when When) *Choice {
	name := strings.ToLower(filepath.Base(path))
	var fit []*rule.Formatter
	for i := range q.Formatters {
		f := &q.Formatters[i]
		if f.Ends == bool(when) && slices.ContainsFunc(f.Files, func(p string) bool { ok, err := doublestar.Match(p, name); return ok && err == nil }) {
			fit = append(fit, f)
		}
	}
	if len(fit) == 0 {
		return nil
	}
	var best *Choice
	left := map[string]bool{} // formatters that do not want the file
	dir := filepath.Dir(path)
	for range maxLevels {
		s := newSpeaker(q, dir, path)
		strongest, nearer := silent, best != nil
		for _, f := range fit {
			how := s.speaksOf(f)
			if how == unwanted {
				left[f.ID] = true
			}
			if how > strongest && (!nearer || how == above) {
				strongest, best = how, &Choice{f, dir, root}
			}
		}
		if dir == root || strongest == above || filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	if best != nil && left[best.ID] {
		return nil
	}
	return best
}

// Configured are the formatters that the root folder of a project speaks of. Where two are for the same files at the same time it is the one that speaks louder.
func Configured(q *rule.Quality, root string) (list []*Choice) {
	s := newSpeaker(q, root, "")
	type kind struct {
		files string
		ends  bool
	}
	loud := map[kind]int{}
	var all []*Choice
	for i := range q.Formatters {
		f := &q.Formatters[i]
		how := s.speaksOf(f)
		if how <= silent {
			continue
		}
		all = append(all, &Choice{f, root, root})
		for _, p := range f.Files {
			loud[kind{p, f.Ends}] = max(loud[kind{p, f.Ends}], how)
		}
	}
	for _, c := range all {
		if how := s.speaksOf(c.Formatter); slices.ContainsFunc(c.Files, func(p string) bool { return loud[kind{p, c.Ends}] == how }) {
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
	dir    string
	rel    string // the file's path below dir, with slashes; "" for any file
	hooks  []string
	scoped []string
	read   map[string][]byte
	parts  map[string][]item
}

func newSpeaker(q *rule.Quality, dir, path string) *speaker {
	s := &speaker{dir: dir, hooks: q.Hooks, scoped: q.Scoped, read: map[string][]byte{}, parts: map[string][]item{}}
	if rel, err := filepath.Rel(dir, path); err == nil && path != "" {
		s.rel = filepath.ToSlash(rel)
	}
	return s
}

func (s *speaker) speaksOf(f *rule.Formatter) int {
	how := s.named(f)
	if how == unwanted {
		return how
	}
	for _, name := range f.Config {
		if info, err := os.Lstat(filepath.Join(s.dir, name)); err == nil && !info.IsDir() {
			if f.First {
				return above
			}
			return max(how, configured)
		}
	}
	if how == hooked {
		return how
	}
	for _, says := range f.Says {
		if bytes.Contains(s.file(says.File), []byte(says.Text)) {
			return mentioned
		}
	}
	return silent
}

// named reports how what runs before a commit speaks of a formatter: hooked, unwanted for this file, or silent.
func (s *speaker) named(f *rule.Formatter) int {
	how := silent
	for _, name := range s.hooks {
		text := s.file(name)
		if !holds(text, f.Hooks) {
			continue
		}
		if !slices.Contains(s.scoped, name) {
			return hooked
		}
		if _, read := s.parts[name]; !read {
			s.parts[name] = items(text)
		}
		if len(s.parts[name]) == 0 {
			return hooked // written in another way
		}
		for i := range s.parts[name] {
			if it := &s.parts[name][i]; holds(it.text, f.Hooks) {
				if it.about(s.rel) {
					return hooked
				}
				how = unwanted
			}
		}
	}
	return how
}

// holds reports one of the words, by itself: "id: black" is not in "id: blacken-docs".
func holds(text []byte, words []string) bool {
	return len(text) > 0 && slices.ContainsFunc(words, func(w string) bool {
		for at := 0; ; at++ {
			i := bytes.Index(text[at:], []byte(w))
			if i < 0 {
				return false
			}
			at += i
			end := at + len(w)
			if (at == 0 || !inName(text[at-1]) || !inName(w[0])) && (end == len(text) || !inName(text[end]) || !inName(w[len(w)-1])) {
				return true
			}
		}
	})
}

// inName reports a letter of what formatters are called.
func inName(c byte) bool {
	return c == '-' || c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (s *speaker) file(name string) []byte {
	b, known := s.read[name]
	if !known {
		b, _, _ = disk.ReadFile(filepath.Join(s.dir, name), maxRead)
		b = uncommented(b)
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
