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
func (s *state) chdir(to Word) { s.leadTo(to, Resolve) }

// reach is chdir as a program does it.
func (s *state) reach(to Word) { s.leadTo(to, Reach) }

// resolver is [Resolve] or [Reach].
type resolver func(dir, to *Word) Word

func (s *state) leadTo(to Word, resolve resolver) {
	s.stayed, s.old = nil, s.dirs[0]
	dirs := make([]Word, len(s.dirs))
	for i := range s.dirs {
		dirs[i] = resolve(&s.dirs[i], &to)
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
	case to.Kind != Literal:
		if absolute(to.Prefix()) || to.Parts[0].Unknown {
			return *to
		}
		var b wordBuilder
		b.word(dir)
		b.text("/")
		b.whole(to) // "../*/" from here is no name in here
		return b.done(to.Span)
	case to.Glob:
		return unknown(to.Text, to.Span)
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
	case climbs(dir.Text):
		return Word{Text: dir.Text + "/" + to.Text, Tilde: dir.Tilde, Span: to.Span}
	}
	return Word{Text: path.Join(dir.Text, to.Text), Tilde: dir.Tilde, Span: to.Span}
}

// Reach is Resolve for those who have the system lead them, as programs do and cd -P: ".." is then the parent of where a link
// leads, so it stays in the name.
func Reach(dir, to *Word) Word {
	w := Resolve(dir, to)
	if to.Kind != Literal || to.Glob || w.Kind != Literal || !climbs(to.Text) {
		return w
	}
	if w.Text = to.Text; !absolute(to.Text) && !to.Tilde {
		w.Text = dir.Text + "/" + to.Text
	}
	return w
}

// climbs reports a path with a step up in it.
func climbs(p string) bool {
	return strings.Contains(p, "..") && strings.Contains("/"+p+"/", "/../")
}

// absolute reports whether a path is absolute on any system.
func absolute(s string) bool {
	return strings.HasPrefix(s, "/") || strings.HasPrefix(s, `\`) || len(s) > 2 && s[1] == ':' && (s[2] == '\\' || s[2] == '/')
}

// enter follows a cd that fails where a folder is not there: what runs only if it succeeds runs in the new directories alone, all else in the old
// ones, too. What an earlier command of the line has made nobody can look up.
func (e *engine) enter(to Word, more bool, c *ctx) { e.enterBy(to, Resolve, more, c) }

func (e *engine) enterBy(to Word, lead resolver, more bool, c *ctx) {
	was := c.st.dirs
	if to.Glob && to.Kind == Literal && e.opt.Folders != nil {
		e.enterOne(to, c)
		return
	}
	c.st.leadTo(to, lead)
	if e.opt.Missing == nil || !more && (to.Kind != Literal || to.Glob) {
		return
	}
	for i := range c.st.dirs {
		dir, ok := e.written(&c.st.dirs[i])
		made, taken := e.touched(to.Text, &c.st.dirs[i], c)
		if more || taken || ok && !made && e.opt.Missing(dir) {
			c.st.stayed = was
			return
		}
	}
}

// enterOne follows a cd to what a pattern fits now. With none and, in most shells, with several it fails.
func (e *engine) enterOne(to Word, c *ctx) {
	was := c.st.dirs
	var dirs []Word
	sure := !slices.ContainsFunc(e.res.Commands, func(cmd Command) bool { return e.tables.Sh.Makes.Has(cmd.Name) })
	for i := range was {
		plain := to
		plain.Glob = false
		dir := Resolve(&was[i], &plain)
		text, ok := e.written(&dir)
		if !ok {
			sure = false
			continue
		}
		found, all := e.opt.Folders(text)
		room := maxAlts - len(dirs)
		for _, p := range found[:min(len(found), room)] {
			dirs = append(dirs, lit(p, to.Span))
		}
		sure = sure && all && len(found) <= room
	}
	if len(dirs) != 1 || !sure {
		c.st.stayed = was
	}
	if !sure || len(dirs) == 0 {
		dirs = append(dirs, unknown(to.Text, to.Span))
	}
	c.st.old, c.st.dirs = was[0], dirs
}

// byPath enters the folders in which cd also looks for a name. The first that has it is meant, of those that can be looked at.
func (e *engine) byPath(to Word, lead resolver, x *simple, c *ctx) bool {
	if to.Kind != Literal || to.Glob || to.Tilde || absolute(to.Text) {
		return false
	}
	if first, _, _ := strings.Cut(to.Text, "/"); first == "." || first == ".." {
		return false
	}
	list, set := e.cdPath(x, c)
	if !set {
		return false
	}
	was := c.st.dirs
	var dirs []Word
	for i := range list {
		for _, one := range strings.Split(list[i].Text, ":") {
			base := Word{Text: one, Tilde: strings.HasPrefix(one, "~")} // behind each colon it is the home
			if rest, ok := strings.CutPrefix(one, "~/"); ok && e.opt.Home != "" {
				base = lit(e.opt.Home+"/"+rest, to.Span)
			}
			if list[i].Kind != Literal {
				base = list[i]
			}
			for k := range was {
				from := was[k]
				if base.Text != "" {
					from = lead(&was[k], &base)
				}
				dir := lead(&from, &to)
				text, ok := e.written(&dir)
				if gone := ok && e.opt.Missing != nil && e.opt.Missing(text); !gone && len(dirs) < maxAlts && !slices.ContainsFunc(dirs, dir.same) {
					dirs = append(dirs, dir)
				}
			}
			if list[i].Kind != Literal {
				break
			}
		}
	}
	// Where none has it, the folder itself is looked at.
	c.st.leadTo(to, lead)
	for _, dir := range c.st.dirs {
		if len(dirs) < maxAlts && !slices.ContainsFunc(dirs, dir.same) {
			dirs = append(dirs, dir)
		}
	}
	c.st.dirs = dirs
	return true
}

// cdPath is what CDPATH holds, each value that it may have; false where it is not set.
func (e *engine) cdPath(x *simple, c *ctx) (list []Word, set bool) {
	const name = "CDPATH"
	for i := range x.assigns {
		if x.assigns[i].Name == name {
			return []Word{x.assigns[i].Value}, true
		}
	}
	if v := c.st.find(name); v != nil {
		for _, alt := range v.alts {
			list = append(list, alt.list...)
		}
		return list, len(list) > 0 && !v.unset
	}
	if e.opt.Env == nil {
		return nil, false
	}
	text, set := e.opt.Env(name)
	return []Word{lit(text, x.span)}, set && text != ""
}

// written is the absolute path of a directory, false where nobody knows it.
func (e *engine) written(dir *Word) (string, bool) {
	text := dir.Text
	if dir.Tilde && e.opt.Home != "" && (text == "~" || strings.HasPrefix(text, "~/")) {
		text = e.opt.Home + text[1:]
	}
	return text, dir.Kind == Literal && absolute(text)
}

// touched reports whether commands earlier on the line may have made a folder, by its name, and whether the last that did
// something to it has taken it away.
func (e *engine) touched(name string, dir *Word, c *ctx) (made, taken bool) {
	if !e.spend(len(e.res.Commands)/2, c) {
		return false, true
	}
	name = path.Base(name)
	for i := range e.res.Commands {
		cmd := &e.res.Commands[i]
		if len(cmd.Args) == 0 {
			continue
		}
		verb := cmd.Name
		if verb == "git" && len(cmd.Args) > 1 && e.tables.Sh.Takes.Has(cmd.Args[1].Text) {
			verb = cmd.Args[1].Text
		}
		makes, takes := e.tables.Sh.Makes.Has(verb), e.tables.Sh.Takes.Has(verb)
		if len(cmd.PipeFrom) > 0 && e.tables.Sh.Unpacks.Has(verb) {
			made, taken = true, false
		}
		for k := 1; (makes || takes) && k < len(cmd.Args); k++ {
			w := &cmd.Args[k]
			switch {
			case makes || verb == "mv" && k == len(cmd.Args)-1: // what is moved gets to the last name
				if w.Kind != Literal || strings.Contains(w.Text, name) {
					made, taken = true, false
				}
			case w.Kind == Literal && dir.Kind == Literal && w.Text != "" && w.Text[0] != '-':
				plain := *w
				plain.Glob = false
				cost := 8
				if w.Glob {
					cost += len(w.Text) * len(dir.Text) / 16
				}
				if !e.spend(cost, c) {
					return false, true
				}
				if gone := Resolve(&cmd.Dir, &plain); within(dir.Text, gone.Text, w.Glob) {
					made, taken = false, true
				}
			}
		}
	}
	return made, taken
}

// within reports that a folder is one that a path names, or below it.
func within(dir, p string, pattern bool) bool {
	if !pattern {
		return dir == p || strings.HasPrefix(dir, p+"/")
	}
	for n := strings.Count(p, "/"); ; {
		up := path.Dir(dir)
		if up == dir || strings.Count(dir, "/") < n {
			return false
		}
		if match(p, dir) && strings.Count(dir, "/") == n {
			return true
		}
		dir = up
	}
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
