package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
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
func (r *wrapper) shellOn(args []Word) bool { return r.Shell || r.given(r.Login, args) }

// given reports whether an option of a list is among the arguments.
func (r *wrapper) given(list string, args []Word) bool {
	rd := argv.Reader{Args: words(args), At: 1, Takes: r.takes}
	for it, ok := rd.Next(); ok && list != ""; it, ok = rd.Next() {
		if argv.List(list).Has(it.Name) {
			return true
		}
	}
	return false
}

// runner returns the program that a wrapper gives its command to, where that is a file
// and no program: "uv run x.py", and whatever stands behind "uv run --script".
func (r *wrapper) runner(before []Word, command *Word) string {
	ending, program, ok := strings.Cut(r.Files, " ")
	if ok && (strings.HasSuffix(command.Suffix(), ending) || command.Is("-") || r.given(r.Scripts, before)) {
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
	if subs == "" {
		return 1
	}
	rd := argv.Reader{Args: words(args), At: 1, Takes: argv.List(globals(before, r.word()).Value).Takes}
	for subs != "" {
		it, ok := rd.Next()
		if ok && it.Name != "" {
			continue
		}
		var sub string
		sub, subs, _ = strings.Cut(subs, " ")
		if !ok || sub != "*" && !args[it.Arg].Is(sub) {
			return 0
		}
	}
	return rd.At
}

// globals returns the options with a value that stand before a subcommand.
func globals(rows []rule.Globals, program string) *rule.Globals {
	for i := range rows {
		if slices.Contains(rows[i].Programs, program) {
			return &rows[i]
		}
	}
	return &rule.Globals{}
}

// led returns the folder that an option before the subcommand leads a program to: poetry -C app run.
func led(g *rule.Globals, args []Word) (dir Word) {
	if g.Dir == "" {
		return dir
	}
	rd := argv.Reader{Args: words(args), At: 1, Takes: argv.List(g.Value).Takes}
	rd.Options(func(it argv.Item) bool {
		if arg := words(args).value(it); arg != nil && argv.List(g.Dir).Has(it.Name) {
			dir = *arg
		}
		return true
	})
	return dir
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
	rd := argv.Reader{Args: words(args), At: from, Takes: r.takes, Word: func(text string) bool {
		name, _, _ := strings.Cut(text, "=") // -toolexec=…
		return r.beside(name)
	}}
	for it, ok := rd.Next(); ok; it, ok = rd.Next() {
		w := &args[it.Arg]
		switch s := w.Prefix(); {
		case it.Name == argv.Mark:
			i := it.Arg + 1
			for skip > 0 && i < len(args) && !f.argv {
				i++
				skip--
			}
			for r.Assigns && i < len(args) && assignment(&args[i], &f) {
				i++
			}
			return i, false, f
		case it.Name != "":
			if argv.List(r.Info).Has(it.Name) {
				return it.Arg, true, f
			}
			if r.take(it, args, &f); f.joins {
				return rd.At, false, f // env -S 'rm' -rf: the rest is for the command
			}
		case s == "-" && (r.Assigns || r.Script && r.Text != ""): // env -, sg - GROUP
		case len(s) > 1 && s[0] == '+' && r.beside("+"):
			f.besides(r, "+", cutWord(w, 1))
		case len(s) > 1 && s[0] == '+' && r.Plus:
		case r.Assigns && (assignment(w, &f) || settings(args[it.Arg:], &f)):
		case skip > 0 && !f.argv:
			if r.Into && skip == r.Skip {
				f.chdir = *w
			}
			f.placed(r.Names, w)
			if skip--; skip == 0 && r.Entry != "" {
				return it.Arg + 1, false, f // docker run IMAGE -x: the image's own option
			}
		case r.Sep:
			f.placed(r.Names, w)
		default:
			return it.Arg, false, f
		}
	}
	return len(args), false, f
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

// takes is what an option of the wrapper takes, for package argv.
func (r *wrapper) takes(name, _ string) argv.Take {
	long := strings.HasPrefix(name, argv.Mark)
	switch {
	case argv.List(r.Info).Has(name):
		return argv.None // nothing behind it counts
	case long && argv.List(r.Pair).Exactly(name[2:]):
		return argv.Two // bwrap --bind FROM TO
	}
	switch r.kind(name) {
	case 0:
		return argv.None
	case 'v':
		if long {
			return argv.Loose // tar --checkpoint --checkpoint-action=…: the value is optional
		}
	}
	return argv.One
}

// kind tells what an option's value is: 'v' any, 't' a command line, 'a' one that
// runs beside the rest, 'd' a directory, 'e' a file of variables, 'p' a place that has them, 0 there is none.
func (r *wrapper) kind(name string) byte {
	bare := strings.TrimLeft(name, "-")
	switch {
	case len(bare) > 1 && argv.List(r.Value).Exactly(bare):
		return 'v' // tar --checkpoint is no abbreviation of --checkpoint-action
	case r.beside(spelled(name)):
		return 'a'
	case argv.List(r.Text).Has(bare):
		return 't'
	case argv.List(r.Dir).Has(bare):
		return 'd'
	case argv.List(r.Envfile).Has(bare):
		return 'e'
	case argv.List(r.Place).Has(bare):
		return 'p'
	case argv.List(r.Value).Has(bare):
		return 'v'
	}
	return 0
}

// spelled returns an option as lists spell it: without its dashes, but for a long one behind
// a single dash.
func spelled(name string) string {
	if len(name) > 2 && name[1] != '-' {
		return name
	}
	return strings.TrimLeft(name, "-")
}

// beside reports whether the value of an option may run beside the rest.
func (r *wrapper) beside(name string) bool {
	if r.Aside == "" {
		return false
	}
	_, ok := (*rule.Wrapper)(r).Beside(name, "")
	return ok
}

// take keeps what an option says.
func (r *wrapper) take(it argv.Item, args []Word, f *facts) {
	arg := words(args).value(it)
	switch kind := r.kind(it.Name); {
	case kind == 'v':
		f.argv = f.argv || argv.List(r.Operands).Has(it.Name)
	case arg == nil:
	case kind == 't':
		w := *arg
		f.text, f.joins = &w, r.Joins
	case kind == 'a':
		f.besides(r, spelled(it.Name), arg)
	case kind == 'd':
		f.chdir = *arg
	case kind == 'e':
		f.assigns = append(f.assigns, Assign{variablesFile, *arg})
	case kind == 'p':
		f.placed(true, arg)
	}
}

// Names that no program reads, for rules to see where variables of the command are from: the file, the place.
const (
	variablesFile  = "DOTENV_FILE"
	variablesPlace = "DOTENV_PLACE"
)

// placed keeps a place whose variables the command gets.
func (f *facts) placed(names bool, w *Word) {
	if names {
		f.assigns = append(f.assigns, Assign{variablesPlace, *w})
	}
}

// besides keeps the command line in the value of an option.
func (f *facts) besides(r *wrapper, name string, arg *Word) {
	if n, _ := (*rule.Wrapper)(r).Beside(name, arg.Prefix()); n >= 0 {
		f.aside = append(f.aside, *cutWord(arg, n))
	}
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
