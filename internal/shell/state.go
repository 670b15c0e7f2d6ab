package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/work"
	"mvdan.cc/sh/v3/syntax"
)

// What a line has set so far is exact as long as it runs straight on. Where it may
// or may not run, both outcomes are kept as alternatives, up to a bound, and each
// use of a variable with alternatives is a command for each. This is what makes
// "a && T=rm; $T x" visible without knowing whether a succeeds.

// maxAlts bounds how many values a variable, and how many directories a line,
// may have at one point; more are too many to judge one by one.
const maxAlts = 8

// value is a scalar (one word) or an array.
type value struct {
	list  []Word
	array bool
	keys  []Word // of the elements of list, where each has one: ([k]=v)
}

// variable is a name set on the line and the values that it may have.
type variable struct {
	name     string
	alts     []value
	exported bool
	ref      bool // declare -n: the value names another variable
	unset    bool // unset on the line
	doubtful bool // a file that is not known was sourced after it was set
	unsure   bool // something that may not have run, or not so often, has set it
	fold     byte // 'l' declare -l, 'u' declare -u
}

// alias is a name that stands for text.
type alias struct {
	name string
	text Word
}

// function is a body defined on the line.
type function struct {
	name string
	body *syntax.Stmt
	src  *source
}

// state is what commands of the line change for those after them. Subshells
// work on a copy; branches work on a copy that is merged afterwards.
type state struct {
	vars    []variable
	funcs   []function
	aliases []alias
	dirs    []Word // working directories, at least one
	old     Word   // directory before the last cd
	stayed  []Word // where it still is if the last cd failed, which may be
	stack   []Word // pushd
	// physical says that cd goes where links lead.
	physical bool
	exports  bool   // what is set from here on is exported
	zero     Word   // $0 of a script given by -c
	args     []Word // positional parameters from $1 on
	argsSet  bool   // args are those of a script; else nobody knows them
	argsOpen bool   // of a file, which says itself what it wants: those that are not given are not known
	// argsUnsure says that a loop shifts them, or sets others.
	argsUnsure bool
	over       over     // what follows is not run
	unseen     bool     // what is not known may have set variables
	foreign    bool     // and those of the environment, before
	late       []string // variables that a signal may set at any time, and functions that it calls
	files      []file   // text written to files by the line
	copied     []file   // programs that the line gave another name, by that name
	built      []built
	tasks      []file // work that the line gave a name in a manifest, by that name
	same       []file // files that the line gave another name, by that name
	fds        []descriptor
	work       *work.Account // of the line; copies and searches of the state are charged to it
}

// descriptor is a file descriptor that exec has opened.
type descriptor struct {
	fd   string
	in   *Input // what can be read from it
	file Word   // or the file that it writes
}

// descriptor finds an open descriptor; the last one opened counts.
func (s *state) descriptor(fd string) *descriptor {
	if !s.work.Take(len(s.fds) / 8) {
		return nil
	}
	for i := len(s.fds) - 1; i >= 0; i-- {
		if s.fds[i].fd == fd {
			return &s.fds[i]
		}
	}
	return nil
}

// file is a file that the line wrote text to.
type file struct {
	path string
	text Word
}

// clone copies what a subshell could change. Slices that only grow are clipped
// instead, so that an append makes the copy.
func (s *state) clone() *state {
	s.work.Take(costState + (len(s.vars)+len(s.files))/4)
	c := *s
	c.vars = slices.Clone(s.vars)
	c.funcs = slices.Clip(s.funcs)
	c.aliases = slices.Clip(s.aliases)
	c.dirs = slices.Clip(s.dirs)
	c.stack = slices.Clip(s.stack)
	c.files = slices.Clone(s.files)
	c.fds = slices.Clip(s.fds)
	c.copied = slices.Clip(s.copied)
	c.built = slices.Clip(s.built)
	c.tasks = slices.Clip(s.tasks)
	c.same = slices.Clip(s.same)
	return &c
}

// find returns the variable of a name, nil if the line says nothing about it.
func (s *state) find(name string) *variable {
	if !s.work.Take(len(s.vars) / 4) {
		return nil // the line is judged as one that was not read to its end
	}
	for i := range s.vars {
		if s.vars[i].name == name {
			return &s.vars[i]
		}
	}
	return nil
}

// declared returns the variable of a name, which is made without a value if
// the line did not know it.
func (s *state) declared(name string) *variable {
	if v := s.find(name); v != nil {
		return v
	}
	s.vars = append(s.vars, variable{name: name})
	return &s.vars[len(s.vars)-1]
}

// set gives a variable one value, keeping its attributes.
func (s *state) set(name string, alts ...value) *variable {
	v := s.declared(name)
	v.unset, v.doubtful, v.unsure = false, false, false
	if v.fold != 0 {
		for i := range alts {
			alts[i] = alts[i].folded(v.fold)
		}
	}
	v.alts = alts
	return v
}

// folded applies declare -l or -u to a value.
func (v value) folded(how byte) value {
	list := slices.Clone(v.list)
	for i := range list {
		if list[i].Kind != Literal {
			continue
		}
		if how == 'l' {
			list[i].Text = strings.ToLower(list[i].Text)
		} else {
			list[i].Text = strings.ToUpper(list[i].Text)
		}
	}
	return value{list: list, array: v.array, keys: v.keys}
}

// restore gives a name back what it was before a function made it local.
func (s *state) restore(v variable) {
	if old := s.find(v.name); old != nil {
		*old = v
	}
}

// keep takes over what a builtin has set in a copy of the state, but for the
// assignments in front of it.
func (s *state) keep(o *state, but []Assign) {
	for i := range o.vars {
		v := &o.vars[i]
		if !slices.ContainsFunc(but, func(a Assign) bool { return a.Name == v.name }) {
			*s.declared(v.name) = *v
		}
	}
}

// unset notes that a name has no value, which is more than knowing nothing of it.
func (s *state) unset(name string) {
	s.set(name).unset = true
}

// doubt notes that all variables may have changed.
func (s *state) doubt() {
	s.work.Take(len(s.vars) / 4)
	s.vars = slices.Clone(s.vars)
	for i := range s.vars {
		s.vars[i].doubtful = true
	}
	s.unseen = true
}

// doubtChanged notes that variables may have the values that another state has.
func (s *state) doubtChanged(o *state) {
	for i := range s.vars {
		if !s.work.Take(len(o.vars) / 4) {
			return
		}
		if v := o.find(s.vars[i].name); v != nil && !slices.EqualFunc(v.alts, s.vars[i].alts, value.same) {
			s.vars[i].doubtful = true
		}
	}
	for i := range o.vars {
		if v := &o.vars[i]; (i >= len(s.vars) || s.vars[i].name != v.name) && s.find(v.name) == nil {
			s.declared(v.name).unsure = true
		}
	}
}

// doubtOne notes that a variable may have changed.
func (s *state) doubtOne(name string) {
	if v := s.find(name); v != nil {
		v.doubtful = true
	}
}

// merge makes s the state in which either what s says or what o says holds.
func (s *state) merge(o *state) {
	s.unseen, s.foreign, s.argsUnsure = s.unseen || o.unseen, s.foreign || o.foreign, s.argsUnsure || o.argsUnsure
	for _, name := range o.late {
		if !slices.Contains(s.late, name) {
			s.late = append(slices.Clip(s.late), name)
		}
	}
	s.unsureBut(o)
	s.mergeVars(o)
	// Each name is looked for among all.
	s.work.Take((len(o.funcs)*len(s.funcs) + len(o.aliases)*len(s.aliases)) / 8)
	for i := range o.funcs {
		if s.function(o.funcs[i].name) == nil {
			s.funcs = append(s.funcs, o.funcs[i])
		}
	}
	for i := range o.aliases {
		if s.alias(o.aliases[i].name) == nil {
			s.aliases = append(slices.Clip(s.aliases), o.aliases[i])
		}
	}
	for i := range o.fds {
		if s.descriptor(o.fds[i].fd) == nil {
			s.fds = append(slices.Clip(s.fds), o.fds[i])
		}
	}
	if o.argsSet && !slices.EqualFunc(s.args, o.args, Word.same) {
		if s.args != nil && s.argsSet {
			s.args, s.argsSet = nil, false // one list or the other
		} else {
			s.args, s.argsSet = o.args, true
		}
	}
	s.dirs = slices.Clip(s.dirs)
	for i := range o.dirs {
		if len(s.dirs) < maxAlts && !slices.ContainsFunc(s.dirs, o.dirs[i].same) {
			s.dirs = append(s.dirs, o.dirs[i])
		}
	}
	s.mergeFiles(o)
}

// mergeVars is merge for variables.
func (s *state) mergeVars(o *state) {
	for i := range o.vars {
		ov := &o.vars[i]
		v := s.find(ov.name)
		if v == nil {
			// Set in the branch only: without the branch it would be what it
			// was before the line, of which nothing dangerous can be said.
			s.vars = append(s.vars, *ov)
			s.vars[len(s.vars)-1].unsure = true
			continue
		}
		v.exported = v.exported || ov.exported
		v.unsure = v.unsure || v.unset != ov.unset || (len(v.alts) == 0) != (len(ov.alts) == 0) || !ov.sure()
		if v.unset || len(v.alts) == 0 {
			exported, unsure := v.exported, v.unsure
			*v = *ov
			v.exported, v.unsure = v.exported || exported, v.unsure || unsure
			continue
		}
		v.alts = slices.Clip(v.alts)
		for _, alt := range ov.alts {
			if len(v.alts) < maxAlts && !slices.ContainsFunc(v.alts, alt.same) {
				v.alts = append(v.alts, alt)
			}
		}
	}
}

// mergeFiles is merge for the files that the line writes, names and makes.
func (s *state) mergeFiles(o *state) {
	s.work.Take(len(o.files)*(1+len(s.files)/16) + len(o.copied)*(1+len(s.copied)/16) + len(o.same)*(1+len(s.same)/16))
	s.same = joined(slices.Clip(s.same), o.same)
	s.work.Take(len(o.built)*(1+len(s.built)/16) + len(o.tasks)*(1+len(s.tasks)/16))
	s.tasks = joined(slices.Clip(s.tasks), o.tasks)
	s.built = slices.Clip(s.built)
	for i := range o.built {
		b := &o.built[i]
		if !slices.ContainsFunc(s.built, func(a built) bool { return a.path == b.path && a.source.same(b.source) }) {
			s.built = append(s.built, *b)
		}
	}
	s.files, s.copied = joined(s.files, o.files), joined(slices.Clip(s.copied), o.copied)
}

// joined adds what only one of two lists of files has: both go back to the same list.
func joined(list, other []file) []file {
	for i := range other {
		f := &other[i]
		if !slices.ContainsFunc(list, func(g file) bool { return g.path == f.path && g.text.same(f.text) }) {
			list = append(list, *f)
		}
	}
	return list
}

// same reports whether two alternatives are one.
func (v value) same(o value) bool {
	return v.array == o.array && slices.EqualFunc(v.list, o.list, func(a, b Word) bool { return a.same(b) })
}

// same reports whether two words stand for the same, wherever they stand.
func (w Word) same(o Word) bool { return w.Kind == o.Kind && w.Text == o.Text && w.Glob == o.Glob }

// function finds a function; the last definition counts.
func (s *state) function(name string) *function {
	for i := len(s.funcs) - 1; i >= 0; i-- {
		if s.funcs[i].name == name {
			return &s.funcs[i]
		}
	}
	return nil
}

// alias finds an alias; the last definition counts.
func (s *state) alias(name string) *alias {
	for i := len(s.aliases) - 1; i >= 0; i-- {
		if s.aliases[i].name == name {
			return &s.aliases[i]
		}
	}
	return nil
}

// wrote remembers the text of a file, for a script that is run later.
func (s *state) wrote(name Word, text Word, add bool) {
	if name.Kind != Literal {
		return
	}
	p := s.path(name.Text)
	for i := range s.files {
		if s.files[i].path != p {
			continue
		}
		if add {
			text = join([]Word{s.files[i].text, text}, "", text.Span)
		}
		s.files[i].text = text
		return
	}
	s.files = append(s.files, file{p, text})
}

// program returns the program that the line gave another name: cp /bin/rm x; ./x.
func (s *state) program(name string) *Word {
	if len(s.copied) == 0 {
		return nil
	}
	p := s.path(name)
	for i := len(s.copied) - 1; i >= 0; i-- {
		if s.copied[i].path == p {
			return &s.copied[i].text
		}
	}
	return nil
}

// named is the path of a file by the name that it had before the line: cp x.sh y.sh; sh y.sh.
func (s *state) named(p string) string {
	for i := len(s.same) - 1; i >= 0; i-- {
		if s.same[i].path == p {
			return s.same[i].text.Text
		}
	}
	return p
}

// written returns the text that the line itself put into a file.
func (s *state) written(name string) (Word, bool) {
	if len(s.files) == 0 {
		return Word{}, false
	}
	p := s.path(name)
	for i := len(s.files) - 1; i >= 0; i-- {
		if s.files[i].path == p || s.files[i].path == name {
			return s.files[i].text, true
		}
	}
	return Word{}, false
}

// path returns the absolute name of a file, as far as the directory is known.
func (s *state) path(name string) string {
	if strings.HasPrefix(name, "/") || s.dirs[0].Kind != Literal {
		return path.Clean(name)
	}
	return path.Join(s.dirs[0].Text, name)
}
