package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Wrappers share one shape: options, perhaps assignments, perhaps a fixed number of
// operands, then the command. The table says which options take a value, and that
// is all it takes to find the command; options are read as getopt_long reads them,
// in clusters, with attached values and abbreviated.

// wrapper is a row of rules/shells that knows how its options are read.
type wrapper rule.Wrapper

// word is the program's name without subcommands.
func (r *wrapper) word() string { return (*rule.Wrapper)(r).Word() }

// shellOn reports whether a wrapper without a command starts a shell.
func (r *wrapper) shellOn(args []Word) bool {
	return r.Shell || (r.Name == "sudo" || r.Name == "doas") && hasArg(args, "-s", "-i", "--shell", "--login")
}

// runner returns the program that a wrapper gives its command to, where that is a file
// and no program: "uv run x.py", and whatever stands behind "uv run --script".
func (r *wrapper) runner(before []Word, command *Word) string {
	ending, program, ok := strings.Cut(r.Files, " ")
	if ok && (strings.HasSuffix(command.Suffix(), ending) || command.Is("-") || hasArg(before, "--script", "-s", "--gui-script")) {
		return program
	}
	return ""
}

// wrapperOf returns the row that describes a call, and the number of arguments
// that its name takes: 1, or more with subcommands and options before them.
func (e *engine) wrapperOf(name string, args []Word) (row *wrapper, n int) {
	rows := e.tables.Wrappers
	i, _ := slices.BinarySearchFunc(rows, name, func(w rule.Wrapper, name string) int {
		return strings.Compare(w.Word(), name)
	})
	for ; i < len(rows) && rows[i].Word() == name; i++ {
		w := (*wrapper)(&rows[i])
		if k := w.matches(args, e.tables.Globals); k > n {
			row, n = w, k
		}
	}
	return row, n
}

// matches reports how many arguments the program and its subcommands take, 0
// if the subcommands are not there.
func (r *wrapper) matches(args []Word, before []rule.Globals) int {
	_, subs, _ := strings.Cut(r.Name, " ")
	i := 1
	for subs != "" {
		var sub string
		sub, subs, _ = strings.Cut(subs, " ")
		for i < len(args) && strings.HasPrefix(args[i].Text, "-") {
			if name := strings.TrimLeft(args[i].Text, "-"); listed(globals(before, r.word()), name) {
				i++
			}
			i++
		}
		if i >= len(args) || sub != "*" && !args[i].Is(sub) {
			return 0
		}
		i++
	}
	return i
}

// globals lists the options with a value that stand before a subcommand.
func globals(rows []rule.Globals, program string) string {
	for i := range rows {
		if slices.Contains(rows[i].Programs, program) {
			return rows[i].Value
		}
	}
	return ""
}

// facts is what the options of a wrapper say.
type facts struct {
	assigns []Assign
	chdir   Word
	text    *Word
	aside   []Word // command lines that run beside the rest
	joins   bool   // the operands belong to the text
	argv    bool   // runuser -u: the operands are a command after all
}

// scan finds the command among a wrapper's arguments. info tells that the
// wrapper only reports something.
func (r *wrapper) scan(args []Word, from int) (at int, info bool, f facts) {
	skip := r.Skip
	if skip < 0 {
		skip = len(args)
	}
	i := from
	for ; i < len(args); i++ {
		w := &args[i]
		s := w.Prefix()
		if w.Kind == Literal && s == "--" {
			i++
			for skip > 0 && i < len(args) && !f.argv {
				i++
				skip--
			}
			for r.Assigns && i < len(args) && assignment(&args[i], &f) {
				i++
			}
			break
		}
		if len(s) > 1 && s[0] == '-' || s == "-" && (r.Assigns || r.Script && r.Text != "") { // env -, sg - GROUP
			took, isInfo := r.option(args, i, &f)
			if isInfo {
				return i, true, f
			}
			i += took
			if f.joins {
				i++
				break // env -S 'rm' -rf: the rest is for the command
			}
			continue
		}
		if len(s) > 1 && s[0] == '+' && r.Aside != "" && r.beside("+") {
			r.take('a', "+", cutWord(w, 1), &f)
			continue
		}
		if r.Name == "nice" && len(s) > 1 && s[0] == '+' {
			continue
		}
		if r.Assigns && (assignment(w, &f) || settings(args[i:], &f)) {
			continue
		}
		if skip > 0 && !f.argv {
			skip--
			continue
		}
		if r.Sep {
			continue
		}
		break
	}
	return i, false, f
}

// assignment takes an operand VAR=value.
func assignment(w *Word, f *facts) bool {
	s := w.Prefix()
	i := strings.IndexByte(s, '=')
	if i <= 0 || strings.ContainsAny(s[:i], "/ -") {
		return false
	}
	v := Word{Kind: w.Kind, Span: w.Span}
	if w.Kind == Literal {
		v.Text = s[i+1:]
	} else {
		v.Parts = slices.Clone(w.Parts)
		v.Parts[0].Text = s[i+1:]
		if v.Parts[0].Text == "" {
			v.Parts = v.Parts[1:]
		}
		if len(v.Parts) == 1 {
			v.Kind = Unknown
		}
		v.Text = w.Text[i+1:]
	}
	f.assigns = append(f.assigns, Assign{s[:i], v})
	return true
}

// settings takes a list that only the shell will know for variables, where a command
// follows it: env $(cat .env | xargs) npm start. What it hides, if it holds a command
// after all, no rule could tell; what follows, rules can.
func settings(args []Word, f *facts) bool {
	if w := &args[0]; w.Kind != Unknown || !w.Many || len(args) < 2 {
		return false
	}
	// An option or a path alone would be a part of what the list says.
	if s := strings.TrimPrefix(args[1].Prefix(), "./"); s == "" || strings.ContainsAny(s[:1], "-/.~") {
		return false
	}
	f.assigns = append(f.assigns, Assign{"…", args[0]})
	return true
}

// option handles the option at args[i] and returns how many arguments more it
// takes, and whether with it nothing is run.
func (r *wrapper) option(args []Word, i int, f *facts) (took int, info bool) {
	s := args[i].Prefix()
	next := func() *Word {
		if i+1 < len(args) {
			return &args[i+1]
		}
		return &Word{}
	}
	if strings.HasPrefix(s, "--") {
		name, _, has := strings.Cut(s[2:], "=")
		if listed(r.Info, name) {
			return 0, true
		}
		if r.Pair != "" && hasWord(r.Pair, name) {
			return 2, false // bwrap --bind FROM TO
		}
		kind := r.kind(name)
		if kind == 0 {
			return 0, false
		}
		arg := next()
		switch {
		case has:
			arg = cutWord(&args[i], len(name)+3)
		case kind == 'v' && strings.HasPrefix(arg.Prefix(), "--") && len(arg.Text) > 2:
			return 0, false // tar --checkpoint --checkpoint-action=…: the value is optional
		default:
			took = 1
		}
		r.take(kind, name, arg, f)
		return took, false
	}
	if len(s) > 2 && r.Aside != "" && r.beside(s) {
		r.take('a', s, next(), f) // gdb -ex: long options behind one dash
		return 1, false
	}
	// A cluster of letters: the first that takes a value ends it.
	// A letter that stands there again means what it meant before.
	var seen [256]bool
	for j := 1; j < len(s); j++ {
		letter := s[j : j+1]
		if seen[s[j]] {
			continue
		}
		seen[s[j]] = true
		if listed(r.Info, letter) {
			return 0, true
		}
		kind := r.kind(letter)
		if kind == 0 {
			continue
		}
		arg := next()
		if j+1 < len(s) || args[i].Kind != Literal {
			arg = cutWord(&args[i], j+1)
		} else {
			took = 1
		}
		r.take(kind, letter, arg, f)
		return took, false
	}
	return 0, false
}

// kind tells what an option's value is: 'v' any, 't' a command line, 'a' one that
// runs beside the rest, 'd' a directory, 0 there is none.
func (r *wrapper) kind(name string) byte {
	switch {
	case len(name) > 1 && hasWord(r.Value, name):
		return 'v' // tar --checkpoint is no abbreviation of --checkpoint-action
	case r.Aside != "" && r.beside(name):
		return 'a'
	case listed(r.Text, name):
		return 't'
	case listed(r.Dir, name):
		return 'd'
	case listed(r.Value, name):
		return 'v'
	}
	return 0
}

// beside reports whether the value of an option may run beside the rest.
func (r *wrapper) beside(name string) bool {
	_, ok := (*rule.Wrapper)(r).Beside(name, "")
	return ok
}

// take keeps the value of an option of a certain kind.
func (r *wrapper) take(kind byte, name string, arg *Word, f *facts) {
	switch kind {
	case 'v':
		f.argv = f.argv || r.Name == "runuser" && (name == "u" || name == "user")
	case 't':
		w := *arg
		f.text = &w
		f.joins = r.Name == "env"
	case 'a':
		if n, _ := (*rule.Wrapper)(r).Beside(name, arg.Prefix()); n >= 0 {
			f.aside = append(f.aside, *cutWord(arg, n))
		}
	case 'd':
		f.chdir = *arg
	}
}

// hasWord looks a whole word up in a list of words.
func hasWord(list, word string) bool {
	for w := range strings.FieldsSeq(list) {
		if w == word {
			return true
		}
	}
	return false
}

// listed looks an option up in a list like "ug user group". Long options may
// be abbreviated, as getopt_long accepts it.
func listed(list, name string) bool {
	if list == "" || name == "" {
		return false
	}
	short, long, _ := strings.Cut(list, " ")
	if len(name) == 1 {
		return strings.Contains(short, name)
	}
	for long != "" {
		var word string
		word, long, _ = strings.Cut(long, " ")
		if strings.HasPrefix(word, name) && (len(word) == len(name) || len(name) > 2) {
			return true
		}
	}
	return false
}

// cutWord returns a word without its first n bytes, which are known.
func cutWord(w *Word, n int) *Word {
	v := *w
	if w.Kind == Literal {
		v.Text = w.Text[n:]
		if w.Span[1]-w.Span[0] == len(w.Text) {
			v.Span[0] += n
		}
		return &v
	}
	v.Parts = slices.Clone(w.Parts)
	v.Parts[0].Text = v.Parts[0].Text[n:]
	if v.Parts[0].Text == "" {
		v.Parts = v.Parts[1:]
	}
	v.Kind = Unknown
	v.Text = ""
	for _, p := range v.Parts {
		v.Text += p.Text
		if !p.Unknown {
			v.Kind = Partial
		}
	}
	return &v
}
