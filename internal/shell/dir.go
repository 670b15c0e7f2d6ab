package shell

import (
	"path"
	"strings"
)

// A line may lead its commands to other directories, and into several at once:
// behind "a && cd b" both the old and the new one are possible. Names are joined
// as text, as the shell's own cd does by default; links are not looked at.

// chdir enters a directory from every directory in force.
func (s *state) chdir(to Word) {
	s.old = s.dirs[0]
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
