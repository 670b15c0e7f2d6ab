package shell

import (
	"path"
	"slices"
	"strings"
)

// A line may lead its commands to other directories, and into several at once:
// behind "a && cd b" both the old and the new one are possible. Names are joined
// as text, as the shell's own cd does by default; links are not looked at.

// chdir enters a directory from every directory in force.
func (s *state) chdir(to Word) {
	s.stayed, s.old = nil, s.dirs[0]
	dirs := make([]Word, len(s.dirs))
	for i := range s.dirs {
		dirs[i] = Resolve(&s.dirs[i], &to)
	}
	s.dirs = dirs
}

// before returns the directory that cd - leads to; the line may not have said.
func (s *state) before() Word {
	if s.old.Text == "" {
		return unknown("$OLDPWD", Span{})
	}
	return s.old
}

// Resolve returns the directory that to names from dir.
func Resolve(dir, to *Word) Word {
	switch {
	case to.Glob:
		return unknown(to.Text, to.Span)
	case to.Kind != Literal:
		if absolute(to.Prefix()) || to.Parts[0].Unknown {
			return *to
		}
		var b wordBuilder
		b.word(dir)
		b.text("/")
		b.word(to)
		return b.done(to.Span)
	case to.Tilde:
		return Word{Text: path.Clean(to.Text), Tilde: true, Span: to.Span}
	case strings.HasPrefix(to.Text, "/"):
		return lit(path.Clean(to.Text), to.Span)
	case absolute(to.Text):
		return lit(to.Text, to.Span)
	case dir.Kind != Literal:
		if to.Text == "." {
			return *dir
		}
		var b wordBuilder
		b.word(dir)
		b.text("/" + to.Text)
		return b.done(to.Span)
	}
	return Word{Text: path.Join(dir.Text, to.Text), Tilde: dir.Tilde, Span: to.Span}
}

// absolute reports whether a path is absolute on any system.
func absolute(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\`) || len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

// enter follows a cd that fails where a folder is not there: what runs only if it succeeds runs in the new directories alone, all else in the old
// ones, too. What an earlier command of the line has made nobody can look up.
func (e *engine) enter(to Word, more bool, c *ctx) {
	was := c.st.dirs
	c.st.chdir(to)
	if e.opt.Missing == nil || !more && (to.Kind != Literal || to.Glob || e.makes(to.Text)) {
		return
	}
	for i := range c.st.dirs {
		if dir, ok := e.written(&c.st.dirs[i]); more || ok && e.opt.Missing(dir) {
			c.st.stayed = was
			return
		}
	}
}

// written is the absolute path of a directory, false where nobody knows it.
func (e *engine) written(dir *Word) (string, bool) {
	text := dir.Text
	if dir.Tilde && e.opt.Home != "" && (text == "~" || strings.HasPrefix(text, "~/")) {
		text = e.opt.Home + text[1:]
	}
	return text, dir.Kind == Literal && absolute(text)
}

// makes reports a command earlier on the line that may have made a folder of this name.
func (e *engine) makes(dir string) bool {
	name := path.Base(dir)
	for i := range e.res.Commands {
		cmd := &e.res.Commands[i]
		if len(cmd.Args) == 0 || !e.tables.Sh.Makes.Has(cmd.Name) {
			continue
		}
		for k := range cmd.Args[1:] {
			if w := &cmd.Args[1+k]; w.Kind != Literal || strings.Contains(w.Text, name) {
				return true
			}
		}
	}
	return false
}

// fork puts the old directories beside the new ones, where it does not matter to what follows whether a cd has failed.
func (s *state) fork() {
	for _, dir := range s.stayed {
		if len(s.dirs) < maxAlts && !slices.ContainsFunc(s.dirs, dir.same) {
			s.dirs = append(slices.Clip(s.dirs), dir)
		}
	}
	s.stayed = nil
}

// left takes out where a failed cd has stayed.
func (s *state) left() []Word {
	dirs := slices.Clip(s.stayed)
	s.stayed = nil
	return dirs
}
