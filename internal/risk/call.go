package risk

import (
	"iter"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// call is one simple command with its arguments read the way its program reads
// them: options apart from operands, clusters taken apart, values joined.
type call struct {
	cmd      *shell.Command
	index    int
	name     string // as its entry has it first
	raw      string // as the line has it
	prog     *rule.Program
	dash     string // how its options are spelled, as its entry says
	options  []option
	operands []int // indexes into cmd.Args
	dashdash int   // operands before "--"; -1 if there is none
	fuzzy    bool  // an unknown word could be an option
	effects  []effect
	kinds    rule.Kind // union over effects
	secrets  int8      // cache of flow: 0 unknown, 1 no, 2 yes
	names    int8      // cache of couldName: 0 unknown, 1 no, 2 yes
	loses    int8      // cache of takesIrreplaceable, in the same way
	modules  int8      // cache of movesSubmodules, in the same way
	beyond   int8      // cache of reachesOther, in the same way
	edits    int       // files or edits at once, for tools
	tool     bool      // a tool of the client itself, and no command line
	content  []string  // what a tool writes
	told     bool      // the files that it writes are named on the line
	carried  bool      // judged on behalf of another program: do not look further
	mounted  bool      // in a container: its effects are those that reach this machine
	mayHide  string    // an option that may take the word behind it for its value
	reread   bool      // it does, where known says that no table names it
	known    func(option string) bool
}

// finds reports find itself, whose operands are folders and an expression of its own.
func (k *call) finds() bool { return k.name == "find" }

// away reports that what a call does to files it does on another machine.
func (k *call) away() bool { return k.cmd.Remote && !k.mounted }

type option struct {
	name  string // "-f", "--force"; with dash "long" always one dash; lower case for "slash"
	value string
	has   bool // a value is given
	word  int  // argument that holds the value or the option
}

// read fills the call for command i of the line.
func (k *call) read(c *checker, i int) {
	k.cmd = &c.res.Commands[i]
	k.index = i
	k.name = k.cmd.Name
	// "Not seen yet": 0 would say that a "--" stands before the first operand.
	k.dashdash = -1
	k.carried = c.carried
	k.packed(c)
	k.prog = c.program(k.name)
	// Windows finds programs in any case: ROBOCOPY.EXE, remove-item.
	if k.prog == nil && k.cmd.Dialect != shell.Bash {
		if low := strings.ToLower(k.name); low != k.name {
			k.name = low
			k.prog = c.program(low)
		}
	}
	// The line's own word is kept: a rule that names an alias is about that one alone.
	k.raw = k.name
	if k.prog != nil {
		k.name = k.prog.Names.First()
	}
	c.spend(len(k.cmd.Args) / 4)
	k.split(c.set)
	k.enter(c)
	c.link(k)
	k.collect(c)
	c.carry(k)
	// Found last, since it asks for the options of the program around it.
	if k.cmd.Remote {
		k.contain(c)
	}
}

// enter follows the options that lead the program to another folder, as "git -C".
func (k *call) enter(c *checker) {
	for i := range k.options {
		o := &k.options[i]
		if k.prog == nil || !o.has || len(k.operands) > 0 && o.word > k.operands[0] || !contains(k.prog.Folder, o.name) {
			continue
		}
		to := &k.cmd.Args[o.word]
		if k.cmd.Dir.Text == "" && !strings.HasPrefix(to.Text, "/") {
			continue
		}
		cmd := *k.cmd
		if to.Glob {
			cmd.Dir = c.folderFit(k, to)
		} else {
			cmd.Dir = shell.Reach(&cmd.Dir, to)
		}
		k.cmd = &cmd
	}
}

// program finds the entry for a name in the sets.
func (c *checker) program(name string) *rule.Program {
	if name == "" {
		return nil
	}
	for set := c.set; set != nil; set = set.More {
		if i := set.Program(name); i >= 0 {
			return &set.Programs[i]
		}
	}
	// python3.12 and php8.2 are what their names say without the version.
	if short := strings.TrimRight(name, "0123456789.-"); len(short) > 1 && len(short) < len(name) {
		return c.program(short)
	}
	// A shell is one by its row among the shells, and needs none here.
	if set := c.set; set.Shells != nil && set.Shells.Program(name).Grammar == rule.GrammarShell {
		if g := set.group("any-shell"); g != nil {
			if i := set.Program(g.Words.First()); i >= 0 {
				return &set.Programs[i]
			}
		}
	}
	return nil
}

// Len is part of [argv.Args].
func (k *call) Len() int { return len(k.cmd.Args) }

// Known is part of [argv.Args]: the words as options are read in them.
func (k *call) Known(i int) (text string, whole bool) {
	w := &k.cmd.Args[i]
	text, whole = w.Text, w.Kind == shell.Literal
	if !whole {
		// Of a word that is not known to its end, the beginning tells an option from an operand.
		if text = w.Prefix(); len(text) > 1 && text[0] == '-' {
			text, whole = w.Text, w.Text != argv.Mark
		}
	}
	switch {
	case k.dash == "bundle" && i == 1 && text != "" && text[0] != '-' && !strings.ContainsAny(text, "/."):
		return "-" + w.Text, true
	// "chmod -x run.sh": a mode, although it looks like an option.
	case k.dash == "mode" && k.dashdash < 0 && strings.Trim(text, "-rwxXst") == "":
		return "", whole
	}
	return text, whole
}

// split sorts the arguments into options and operands.
func (k *call) split(set *Set) {
	args := k.cmd.Args
	if k.prog != nil {
		k.dash = k.prog.Dash
	} else if k.cmd.Dialect == shell.PowerShell && strings.Contains(k.name, "-") {
		k.dash = "slash" // parameters of cmdlets are words: -Force is no cluster
	}
	var word func(string) bool
	if k.dash == "long" || k.dash == "slash" {
		word = func(string) bool { return true }
	}
	var runs rule.Words
	if k.finds() {
		runs = set.findWords().Runs
	}
	r := argv.Reader{Args: k, At: 1, Ended: k.dash == "none", Takes: k.take, Word: word}
	for it, ok := r.Next(); ok; it, ok = r.Next() {
		w, open := &args[it.Arg], k.dashdash < 0
		k.fuzzy = k.fuzzy || open && w.Many && w.Kind != shell.Literal
		switch text := w.Text; {
		case it.Name == argv.Mark && len(k.operands) == 0 && k.prog != nil && !k.prog.Plain:
			r.Ended = false // before a subcommand it ends nothing: git takes it for a mistake
		case it.Name == argv.Mark:
			k.dashdash = len(k.operands)
		case it.Name != "" && runs.Has(text):
			// What follows belongs to another program, which the shell engine lists.
			for r.At < len(args) && args[r.At].Text != ";" && (args[r.At].Text != "+" || args[r.At-1].Text != "{}") {
				r.At++
			}
			r.At++
		case it.Name != "":
			o := k.option(it)
			// A long one that no table names may hide a subcommand.
			if !o.has && (word != nil || strings.HasPrefix(text, argv.Mark)) && k.shifts(it.Arg) && (!k.reread || !k.known(o.name)) {
				if k.mayHide = o.name; k.reread {
					o.value, o.has, o.word = args[r.At].Text, true, r.At
					r.At++
				}
			}
			k.options = append(k.options, o)
		case open && w.Kind == shell.Partial && w.Prefix() == "-":
			k.options = append(k.options, option{name: text, word: it.Arg}) // "-$X": an option all the same
		case open && k.dash == "plus" && strings.HasPrefix(text, "+"):
			k.options = append(k.options, option{name: "-c", value: text[1:], has: true, word: it.Arg})
		case open && k.dash == "toolchain" && len(k.operands) == 0 && strings.HasPrefix(text, "+"):
			k.options = append(k.options, option{name: "+", value: text[1:], has: true, word: it.Arg})
		// Longer words with a slash are paths: /s and /fo are options, /etc is none.
		case open && k.dash == "slash" && text != "" && text[0] == '/' && len(text) <= 3:
			k.options = append(k.options, option{name: strings.ToLower(text), word: it.Arg})
		default:
			k.operands = append(k.operands, it.Arg)
		}
	}
}

// option is an option as rules name it. The last one may lack its value, as in "curl -o", and is
// an option all the same.
func (k *call) option(it argv.Item) option {
	o := k.spelled(it.Name)
	if o.word = it.Arg; it.Value >= 0 {
		o.value, o.has, o.word = k.cmd.Args[it.Value].Text, true, it.Value
	}
	if it.Cut > 0 {
		text, _ := k.Known(it.Value)
		o.value = text[it.Cut:]
	}
	return o
}

// spelled takes an option as the line has it for the name that rules have, and the value behind a colon.
func (k *call) spelled(name string) (o option) {
	if k.dash == "slash" {
		name, o.value, o.has = strings.Cut(strings.ToLower(name), ":")
	}
	if (k.dash == "slash" || k.dash == "long") && strings.HasPrefix(name, argv.Mark) {
		name = name[1:]
	}
	o.name = name
	return o
}

// take is what an option takes, for package argv.
func (k *call) take(name, _ string) argv.Take {
	switch o := k.spelled(name); {
	case o.has:
	case k.finds() && o.name == "-fprintf":
		return argv.Two // a file and a format, which may be "-delete"
	default:
		return k.takes(o.name)
	}
	return argv.None
}

// takes is what an option takes by the table of its program, given the operands so far.
func (k *call) takes(name string) argv.Take {
	p := k.prog
	if p == nil {
		return argv.None
	}
	// Only before the subcommand: git -C is a folder, git branch -C a copy.
	if len(k.operands) == 0 {
		for g := range p.Global.All() {
			if base, ok := strings.CutSuffix(g, "="); ok && base == name {
				return argv.One
			}
		}
	}
	for i := range p.Values {
		v := &p.Values[i]
		if v.Sub != "" && !k.sub(v.Sub, nil) {
			continue
		}
		for o := range v.Options.All() {
			if o == name {
				return argv.One
			}
			if base, ok := strings.CutSuffix(o, "="); ok && base == name {
				return argv.Rest // "-o=": gawk -oFILE
			}
		}
	}
	return argv.None
}

// operand returns the text of operand n (from 0), as far as it is known.
func (k *call) operand(n int) string { return k.cmd.Args[k.operands[n]].Text }

// sub reports whether the first operands are the words of path; words is how
// many there were. A word may hold "*".
func (k *call) sub(path string, words *int) bool {
	n := 0
	for rest := path; rest != ""; n++ {
		word, after, _ := strings.Cut(rest, " ")
		rest = after
		if n >= len(k.operands) {
			return false
		}
		w := &k.cmd.Args[k.operands[n]]
		// A subcommand that only the shell will know is none: a rule for unknown words judges it.
		if w.Kind != shell.Literal || !globFold(word, w.Text) && (n > 0 || k.prog == nil || !k.prog.StandsFor(k.raw, w.Text, word)) {
			return false
		}
	}
	if words != nil {
		*words = n
	}
	return true
}

// anySub is sub over alternatives; no alternatives match with no words.
func (k *call) anySub(paths rule.Texts) (words int, ok bool) {
	if paths == "" {
		return 0, true
	}
	for p := range paths.All() {
		if k.sub(p, &words) {
			return words, true
		}
	}
	return 0, false
}

// given reports whether one of the alternatives is in force: given, and not
// taken back by a later --no-…
func (k *call) given(group []string) bool { return k.givenBut(slices.Values(group), "") }

// givenOf is given for alternatives of a table.
func (k *call) givenOf(group rule.Texts) bool { return k.givenBut(group.All(), "") }

// givenBut is given without those options whose values excuse them.
func (k *call) givenBut(group iter.Seq[string], without rule.Texts) bool {
	at, off := -1, -1
	for alt := range group {
		name, want, valued := strings.Cut(alt, "=")
		for i := range k.options {
			o := &k.options[i]
			switch {
			case !valued && k.global(o):
				// "git -C lib branch": the folder, not an option of branch
			case k.same(o.name, name):
				if without != "" && k.excuses(without, o) {
					continue
				}
				if !valued || o.has && globFold(want, o.value) {
					at = max(at, i)
				}
			case strings.HasPrefix(o.name, "--no-") && strings.HasPrefix(name, "--") && o.name[5:] == name[2:]:
				off = max(off, i)
			}
		}
	}
	// The later one wins, as in getopt: --force --no-force forces nothing.
	return at > off
}

// global reports an option with a value that stands before the subcommand, where it
// means something else than after it.
func (k *call) global(o *option) bool {
	if k.prog == nil || !o.has || len(k.operands) == 0 || o.word > k.operands[0] || len(o.name) != 2 {
		return false
	}
	for g := range k.prog.Global.All() {
		if len(g) == 3 && g[:2] == o.name {
			return true
		}
	}
	return false
}

// same compares an option as given with a whole one, allowing abbreviations
// where the program does.
func (k *call) same(given, whole string) bool {
	if given == whole {
		return true
	}
	p := k.prog
	// Two dashes and one letter at least; "--" alone ends the options.
	if p == nil || !p.Abbreviate || len(given) < 3 || len(given) >= len(whole) || !strings.HasPrefix(whole, given) {
		return false
	}
	// "--force" is no short form of "--force-with-lease".
	if p.Long.Has(given) {
		return false
	}
	for i := range p.Values {
		if p.Values[i].Options.Has(given) {
			return false
		}
	}
	return true
}

// negated reports that an option is there to say no: --dry-run=false, in every spelling that parsers of options take.
func (s *Set) negated(o *option) bool { return o.has && s.In("option-no", strings.ToLower(o.value)) }

// harmless reports whether an option makes the program change nothing.
func (k *call) harmless(s *Set) bool {
	if k.prog == nil {
		return false
	}
	for h := range k.prog.Harmless.All() {
		if h[0] != '-' && k.endsIn(h) {
			return true
		}
		for i := range k.options {
			o := &k.options[i]
			if k.prog.First && len(k.operands) > 0 && o.word > k.operands[0] {
				continue // a name, where options end at the first operand
			}
			if o.name == h && !s.negated(o) && k.given([]string{h}) {
				return true
			}
		}
	}
	return false
}

// endsIn reports that the last argument is a word that asks for help: "aws s3 rm help".
// It has to follow the words of the subcommand at once: behind an option it could be that
// option's value, and behind an operand another one.
func (k *call) endsIn(word string) bool {
	n := len(k.operands)
	if n < 2 || n > 3 || !k.cmd.Args[len(k.cmd.Args)-1].Is(word) {
		return false
	}
	for i := range k.options {
		if k.options[i].word > k.operands[0] {
			return false
		}
	}
	return k.operands[n-1] == len(k.cmd.Args)-1 && k.operands[n-1] == k.operands[0]+n-1
}
