package shell

import (
	"path"
	"strings"
)

// Frameworks let a project add commands to their program: php artisan mail:clear runs a class that says `$signature = 'mail:clear'`. Where such files
// lie, and by which text one says what it is called, are rows of a program; the file is then read as any that a line runs.

// Bounds of the search.
const (
	maxDefining   = 64      // files
	definingBytes = 1 << 19 // in all of them
)

// defining is where a row says that commands are defined.
type defining struct {
	files string   // a pattern
	marks []string // the texts that say the name, {} standing for it, as squeezed leaves them
	part  bool     // the command is what stands from there up to the next mark
}

// definingRow reads a part of a row: FILES?MARK is a file that is one command, FILES!MARK one of several.
func definingRow(file string) (d defining, ok bool) {
	i := strings.IndexAny(file, "?!")
	if i < 0 || !strings.Contains(file[i:], "{}") {
		return d, false
	}
	return defining{file[:i], strings.Split(file[i+1:], "|"), file[i] == '!'}, true
}

// squeezed is text as marks are written: without blanks, capital letters, _ and -, each quote as '. at tells where each byte was.
func squeezed(text string) (s string, at []int) {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case strings.IndexByte(" \t\n\r_-", c) >= 0:
			continue
		case c == '"':
			b.WriteByte('\'')
		case 'A' <= c && c <= 'Z':
			b.WriteByte(c + 'a' - 'A')
		default:
			b.WriteByte(c)
		}
		at = append(at, i)
	}
	return b.String(), at
}

// defined returns the stretch of a text in which the command of that name is defined.
func (d *defining) defined(text, name string) (from, end int, ok bool) {
	s, at := squeezed(text)
	for _, mark := range d.marks {
		head, _, _ := strings.Cut(mark, "{}")
		want, _ := squeezed(strings.Replace(mark, "{}", name, 1))
		for k := 0; !ok; {
			i := strings.Index(s[k:], want)
			if i < 0 {
				break
			}
			from, k = at[k+i], k+i+len(want)
			ok = k == len(s) || !commandByte(s[k]) || at[k] > at[k-1]+1 // no longer name
			if end = len(text); ok && k < len(s) {
				if n := strings.Index(s[k:], head); n >= 0 {
					end = at[k+n]
				}
			}
		}
	}
	if !d.part {
		from, end = 0, len(text)
	}
	return from, end, ok
}

// commandByte is one of the names of commands.
func commandByte(c byte) bool {
	return 'a' <= c && c <= 'z' || '0' <= c && c <= '9' || strings.IndexByte(":.", c) >= 0
}

// runsDefined follows the command of a project that a call of the framework's program names first.
func (e *engine) runsDefined(d defining, lang string, args []Word, x *simple, c *ctx) {
	for len(args) > 0 && strings.HasPrefix(args[0].Text, "-") {
		args = args[1:]
	}
	if len(args) == 0 || args[0].Kind != Literal || args[0].Text == "" || len(args[0].Text) > longestName || e.opt.Root == "" || c.remote {
		return
	}
	e.running(c)
	if e.opt.Source == nil {
		return
	}
	for _, w := range e.deepFitting(lit(d.files, x.span), c) {
		p, mine := e.projectFile(&w, c)
		if !mine || e.look.tried == maxDefining || e.look.bytes > definingBytes {
			continue
		}
		text, there := e.opt.Source(p)
		e.look.tried++
		e.look.bytes += len(text)
		if !there || !e.spend(len(text)/copyBytes, c) {
			continue
		}
		if _, _, ok := d.defined(text, args[0].Text); !ok {
			continue
		}
		whole, m, ok := e.textOf(&w, args[0].Text, c)
		if !ok || whole.Kind != Literal {
			return
		}
		from, end, ok := d.defined(whole.Text, args[0].Text)
		if !ok {
			return
		}
		part := lit(whole.Text[from:end], Span{whole.Span[0] + from, whole.Span[0] + end})
		e.runsProgram(lang, &simple{args: []Word{lit(lang, x.span)}, span: x.span}, m.giving(args[1:]), &Code{Lang: lang, From: FromFile, Text: part, File: w})
		return
	}
}

// deepFitting are the files that a pattern stands for, of which folders may be patterns, too.
func (e *engine) deepFitting(w Word, c *ctx) (list []Word) {
	dir, base := path.Split(w.Text)
	dirs := []string{c.st.path(path.Clean(dir))}
	if globbing(dir) && e.opt.Folders != nil {
		dirs, _ = e.opt.Folders(dirs[0])
	}
	for _, dir := range dirs {
		one := lit(path.Join(dir, base), w.Span)
		if one.Glob = globbing(base); !one.Glob {
			list = append(list, one)
			continue
		}
		for _, p := range e.fitting(&one, c) {
			list = append(list, lit(p, w.Span))
		}
	}
	return list
}

// taskOf emits a call with which a program has its framework run another command: Artisan::call('migrate:fresh', ['--force' => true]).
func (p *interp) taskOf(plain []arg, c *ctx) {
	words := make([]Word, 0, len(plain)+2)
	for name := range strings.FieldsSeq(p.in.Tasks) {
		words = append(words, lit(name, p.span))
	}
	for i := range plain {
		switch a := &plain[i]; {
		case a.word.Kind == Literal && !a.many:
			words = append(words, a.word)
		case a.many: // options, as ['--database' => 'testing', '--force' => true]
			for k := range a.rows {
				if row := &a.rows[k]; strings.HasPrefix(row.name, "--") {
					w := lit(row.name, p.span)
					if !row.word.Is("true") {
						w = join([]Word{w, row.word}, "=", p.span)
					}
					words = append(words, w)
				}
			}
		}
	}
	p.emit(c, words)
}
