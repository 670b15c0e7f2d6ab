package shell

import (
	"path"
	"slices"
	"strings"

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
	switch does := e.tables.Program(name).Writes; does {
	case rule.WritesOperands:
		add := false
		for _, w := range args {
			if strings.HasPrefix(w.Text, "-") {
				add = add || w.Text == "-a" || w.Text == "--append"
				continue
			}
			c.st.wrote(w, text, add)
		}
	case rule.WritesDownload:
		c.st.downloads(args, fetched, "o", "output")
	case rule.WritesOutput:
		c.st.downloads(args, fetched, "O", "output-document")
	case rule.WritesCopy:
		e.copies(name, args, fetched, c)
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
func (s *state) downloads(args []Word, fetched Word, short, long string) {
	for k := range args {
		text := args[k].Text
		value, has := strings.CutPrefix(text, "--"+long)
		switch {
		case text == "-"+short, has && value == "":
			if k+1 < len(args) {
				s.wrote(args[k+1], fetched, false)
			}
		case text == "-O", short == "O" && k == 0 && len(args) == 1, strings.HasPrefix(text, "-") && strings.HasSuffix(text, "O") && !strings.HasPrefix(text, "--"):
			for _, u := range args {
				if strings.Contains(u.Text, "/") && u.Kind == Literal {
					s.wrote(lit(path.Base(u.Text), u.Span), fetched, false)
				}
			}
		case strings.HasPrefix(value, "=") && has:
			s.wrote(*cutWord(&args[k], len(text)-len(value)+1), fetched, false)
		case len(text) > 2 && strings.HasPrefix(text, "-"+short):
			s.wrote(*cutWord(&args[k], 2), fetched, false)
		}
	}
}

// copies follows a file that the line wrote to another name.
func (e *engine) copies(name string, args []Word, fetched Word, c *ctx) {
	var ops []Word
	for _, w := range args {
		if !strings.HasPrefix(w.Text, "-") {
			ops = append(ops, w)
		}
	}
	e.copied(name, ops, fetched, c)
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
	if away {
		c.st.wrote(to, fetched, false)
	} else if _, ok := c.st.written(to.Text); ok {
		c.st.wrote(to, unknown(from.Text, from.Span), false)
	}
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
