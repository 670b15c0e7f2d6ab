package shell

import (
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// A script that the line writes and then runs is judged as if it stood in the line:
// echo … > x; sh x. Copies keep the text; a download is unknown text with a known
// origin, so that "curl -o x; sh x" is what "curl | sh" is.

// writes records the files that such a program writes.
func (e *engine) writes(name string, x *simple, text Word, c *ctx, i int) {
	if len(x.args) == 0 {
		return
	}
	args := x.args[1:]
	fetched := unknown("…", x.span, i)
	switch e.tables.Program(name).Writes {
	case rule.WritesOperands:
		files, given := sorted(args, "")
		for _, w := range files {
			c.st.wrote(w, text, given.has("a append"))
		}
	case rule.WritesDownload, rule.WritesOutput:
		c.st.downloads(args, fetched, e.tables.Program(name))
	case rule.WritesCopy:
		files, _ := sorted(args, "")
		e.copied(name, files, fetched, c)
	case rule.WritesBlocks:
		var ops []Word
		for _, key := range [...]string{"if=", "of="} {
			for i := range args {
				if strings.HasPrefix(args[i].Text, key) {
					ops = append(ops, *cutWord(&args[i], len(key)))
				}
			}
		}
		e.copied(name, ops, fetched, c)
	}
}

// downloads records the files that a fetching program writes: those that its option names,
// or what the address ends in.
func (s *state) downloads(args []Word, fetched Word, p rule.ShellProgram) {
	out := optionValues(args, argv.List(p.Output), argv.List(p.Value))
	for _, w := range out {
		s.wrote(*w, fetched, false)
	}
	addresses, given := sorted(args, argv.List(p.Value))
	if p.Writes == rule.WritesOutput && len(out) == 0 || p.Writes == rule.WritesDownload && given.has("O remote-name remote-name-all") {
		for _, u := range addresses {
			if strings.Contains(u.Text, "/") && u.Kind == Literal {
				s.wrote(lit(path.Base(u.Text), u.Span), fetched, false)
			}
		}
	}
}

// copied follows the last of the operands, which is written from the one before it.
func (e *engine) copied(name string, ops []Word, fetched Word, c *ctx) {
	if len(ops) < 2 || ops[len(ops)-1].Kind != Literal {
		return
	}
	to := ops[len(ops)-1]
	from := ops[len(ops)-2]
	away := strings.Contains(from.Text, ":") && (name == "rsync" || name == "scp") // from another machine
	if !away {
		if old := c.st.program(from.Text); old != nil {
			from = *old
		}
		if e.systemProgram(&from) {
			e.work.Take(1 + len(c.st.copied)/copyWords)
			c.st.copied = append(slices.Clip(c.st.copied), file{c.st.path(to.Text), from})
		}
	}
	if text, ok := c.st.written(from.Text); ok {
		c.st.wrote(to, text, false)
		return
	}
	if !away {
		e.renames(ops, c)
	}
	if away {
		c.st.wrote(to, fetched, false)
	} else if _, ok := c.st.written(to.Text); ok {
		c.st.wrote(to, unknown(from.Text, from.Span), false)
	}
}

// renames notes which names files of the project have behind a copy: the last operand is a file or a folder.
func (e *engine) renames(ops []Word, c *ctx) {
	if e.look.copies = true; e.opt.Source == nil || len(c.st.same) >= maxProbes {
		return
	}
	to := c.st.path(ops[len(ops)-1].Text)
	note := func(name string, from *Word) {
		if from.Kind == Literal && !from.Glob && e.work.Take(1+len(c.st.same)/copyWords) {
			c.st.same = append(slices.Clip(c.st.same), file{name, lit(c.st.named(c.st.path(from.Text)), from.Span)})
		}
	}
	for i := range ops[:len(ops)-1] {
		note(path.Join(to, path.Base(ops[i].Text)), &ops[i])
	}
	note(to, &ops[len(ops)-2])
}

// A copy of a program is the program: rules on rm must hold for y after "cp /bin/rm y".
// Other files are followed by their text, if the line wrote it.

// systemProgram tells the programs of the system by their folder, and those that
// people hide by their name alone: cp $(which rm) x.
func (e *engine) systemProgram(w *Word) bool {
	if w.Kind != Literal {
		return false
	}
	dir, base := path.Split(w.Text)
	if dir == "" {
		return slices.Contains(e.tables.Hidden, base)
	}
	return base != "" && slices.Contains(e.tables.Folders, dir)
}
