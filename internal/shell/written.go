package shell

import (
	"path"
	"slices"
	"strings"
)

// A script that the line writes and then runs is judged as if it stood in the line:
// echo … > x; sh x. Copies keep the text; a download is unknown text with a known
// origin, so that "curl -o x; sh x" is what "curl | sh" is.

// writes tells the programs whose operands or options name files that they
// write, as far as a script that is run later may come from there.
func writes(name string) bool {
	switch name {
	case "tee", "curl", "wget", "cp", "mv", "install", "ln", "dd", "http", "https", "aria2c", "rsync", "scp":
		return true
	}
	return false
}

// writes records the files that such a program writes.
func (e *engine) writes(name string, x *simple, text Word, c *ctx, i int) {
	if len(x.args) == 0 {
		return
	}
	args := x.args[1:]
	fetched := unknown("…", x.span, i)
	switch name {
	case "tee":
		add := false
		for _, w := range args {
			if strings.HasPrefix(w.Text, "-") {
				add = add || w.Text == "-a" || w.Text == "--append"
				continue
			}
			c.st.wrote(w, text, add)
		}
	case "curl", "wget", "http", "https", "aria2c":
		for k := range args {
			s := args[k].Text
			switch {
			case name == "wget" && (s == "-O" || s == "--output-document"), name != "wget" && (s == "-o" || s == "--output"):
				if k+1 < len(args) {
					c.st.wrote(args[k+1], fetched, false)
				}
			case s == "-O" || name == "wget" && k == 0 && len(args) == 1 || strings.HasPrefix(s, "-") && strings.HasSuffix(s, "O") && !strings.HasPrefix(s, "--"):
				for _, u := range args {
					if strings.Contains(u.Text, "/") && u.Kind == Literal {
						c.st.wrote(lit(path.Base(u.Text), u.Span), fetched, false)
					}
				}
			case strings.HasPrefix(s, "--output="), strings.HasPrefix(s, "--output-document="):
				c.st.wrote(*cutWord(&args[k], strings.IndexByte(s, '=')+1), fetched, false)
			case len(s) > 2 && (name == "wget" && strings.HasPrefix(s, "-O") || name != "wget" && strings.HasPrefix(s, "-o")):
				c.st.wrote(*cutWord(&args[k], 2), fetched, false)
			}
		}
	case "cp", "mv", "install", "ln", "rsync", "scp", "dd":
		e.copies(name, args, fetched, c)
	}
}

// copies follows a file that the line wrote to another name.
func (e *engine) copies(name string, args []Word, fetched Word, c *ctx) {
	var ops []Word
	for _, w := range args {
		switch {
		case name == "dd" && strings.HasPrefix(w.Text, "if="), name == "dd" && strings.HasPrefix(w.Text, "of="):
			ops = append(ops, *cutWord(&w, 3))
		case name != "dd" && !strings.HasPrefix(w.Text, "-"):
			ops = append(ops, w)
		}
	}
	if len(ops) < 2 || ops[len(ops)-1].Kind != Literal {
		return
	}
	to := ops[len(ops)-1]
	from := ops[len(ops)-2]
	if name == "cp" || name == "ln" || name == "install" || name == "mv" {
		if old := c.st.program(from.Text); old != nil {
			from = *old
		}
		if e.systemProgram(&from) {
			c.st.copied = append(slices.Clip(c.st.copied), file{c.st.path(to.Text), from})
		}
	}
	if text, ok := c.st.written(from.Text); ok {
		c.st.wrote(to, text, false)
		return
	}
	if strings.Contains(from.Text, ":") && (name == "rsync" || name == "scp") {
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
	switch dir {
	case "":
		return slices.Contains(e.tables.Hidden, base)
	case "/bin/", "/usr/bin/", "/sbin/", "/usr/sbin/", "/usr/local/bin/", "/opt/homebrew/bin/", "/usr/local/sbin/":
		return base != ""
	}
	return false
}
