package risk

import (
	"strings"

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
	options  []option
	operands []int // indexes into cmd.Args
	dashdash int   // operands before "--"; -1 if there is none
	fuzzy    bool  // an unknown word could be an option
	effects  []effect
	kinds    rule.Kind // union over effects
	secrets  int8      // cache of flow: 0 unknown, 1 no, 2 yes
	names    int8      // cache of couldName: 0 unknown, 1 no, 2 yes
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
	k.prog = c.program(k.name)
	// Windows finds programs in any case: ROBOCOPY.EXE, remove-item.
	if k.prog == nil && k.cmd.Dialect != shell.Bash {
		if low := strings.ToLower(k.name); low != k.name {
			k.name = low
			k.prog = c.program(low)
		}
	}
	k.unwrap(c)
	// The line's own word is kept: a rule that names an alias is about that one alone.
	k.raw = k.name
	if k.prog != nil {
		k.name = k.prog.Names[0]
	}
	c.spend(len(k.cmd.Args) / 4)
	k.split()
	if k.name == "ln" && len(k.operands) == 2 && k.given([]string{"-s", "--symbolic"}) {
		c.linkers = append(c.linkers, i)
	}
	k.collect(c)
	// Found last, since it asks for the options of the program around it.
	if k.cmd.Remote {
		k.contain(c)
	}
}

// unwrap replaces npx and its kind by the program that they fetch and run, where
// that one is known.
func (k *call) unwrap(c *checker) {
	if !c.set.In("fetches-and-runs", k.name) {
		return
	}
	args := k.cmd.Args
	for i := 1; i < len(args); i++ {
		text := args[i].Text
		// Their value is what is fetched; what runs is the word behind it.
		if text == "-p" || text == "--package" || text == "--from" {
			i++
			continue
		}
		if text == "" || text[0] == '-' {
			continue
		}
		name := text[strings.LastIndexByte(text, '/')+1:]
		// A version: rimraf@5. An @ in front is a scope: @angular/cli.
		if at := strings.IndexByte(name, '@'); at > 0 {
			name = name[:at]
		}
		prog := c.program(name)
		if prog == nil && len(c.set.ByProgram(name)) == 0 || args[i].Kind != shell.Literal {
			return
		}
		cmd := *k.cmd
		cmd.Args, cmd.Name = args[i:], name
		k.cmd, k.name, k.prog = &cmd, name, prog
		return
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
	return nil
}

// split sorts the arguments into options and operands.
func (k *call) split() {
	args := k.cmd.Args
	dash := ""
	if k.prog != nil {
		dash = k.prog.Dash
	} else if k.cmd.Dialect == shell.PowerShell && strings.Contains(k.name, "-") {
		dash = "slash" // parameters of cmdlets are words: -Force is no cluster
	}
	for i := 1; i < len(args); i++ {
		w := &args[i]
		text := w.Text
		// Of a word that is not known to its end, the beginning tells an option from an operand.
		if w.Kind != shell.Literal {
			text = w.Prefix()
			if w.Many && k.dashdash < 0 {
				k.fuzzy = true
			}
		}
		switch {
		case dash == "bundle" && i == 1 && text != "" && text[0] != '-' && !strings.ContainsAny(text, "/."):
			i = k.cluster(i, "-"+w.Text)
		// "chmod -x run.sh": a mode, although it looks like an option.
		case dash == "mode" && strings.Trim(text, "-rwxXst") == "":
			k.operands = append(k.operands, i)
		case text == "-" && w.Kind == shell.Partial && k.dashdash < 0:
			k.options = append(k.options, option{name: w.Text, word: i}) // "-$X": an option all the same
		case dash == "plus" && text != "" && text[0] == '+' && k.dashdash < 0:
			k.options = append(k.options, option{name: "-c", value: w.Text[1:], has: true, word: i})
		case k.dashdash >= 0 || dash == "none" || text == "" || text == "-":
			k.operands = append(k.operands, i)
		case text == "--" && w.Kind == shell.Literal && len(k.operands) == 0 && k.prog != nil && !k.prog.Plain:
			// Before a subcommand it ends nothing: git takes it for a mistake.
		case text == "--" && w.Kind == shell.Literal:
			k.dashdash = len(k.operands)
		// Longer words with a slash are paths: /s and /fo are options, /etc is none.
		case dash == "slash" && text[0] == '/' && len(text) <= 3:
			k.options = append(k.options, option{name: strings.ToLower(text), word: i})
		case text[0] != '-':
			k.operands = append(k.operands, i)
		case k.name == "find" && (text == "-exec" || text == "-execdir" || text == "-ok" || text == "-okdir"):
			// What follows belongs to another program, which the shell engine lists.
			for i++; i < len(args) && args[i].Text != ";" && (args[i].Text != "+" || args[i-1].Text != "{}"); i++ {
			}
		case k.name == "find" && text == "-fprintf" && i+2 < len(args):
			// The one test with two values: a file and a format, which may be "-delete".
			k.options = append(k.options, option{name: text, value: args[i+1].Text, has: true, word: i + 1})
			i += 2
		case dash == "long" || dash == "slash" || strings.HasPrefix(text, "--"):
			i = k.long(i, w.Text, dash)
		default:
			i = k.cluster(i, w.Text)
		}
	}
}

// long reads --name, --name=value, --name value and, where single-dash words
// are whole options, the same with one dash.
func (k *call) long(i int, text, dash string) int {
	name, value, has := strings.Cut(text, "=")
	if dash == "slash" {
		name = strings.ToLower(name)
		if !has {
			name, value, has = strings.Cut(name, ":")
		}
	}
	if dash == "long" || dash == "slash" {
		if strings.HasPrefix(name, "--") {
			name = name[1:]
		}
	}
	// The last option may lack its value: "curl -o". It is an option all the same.
	o := option{name: name, value: value, has: has, word: i}
	takes := k.takes(name)
	if !has && !takes && k.shifts(i) && (!k.reread || !k.known(name)) {
		k.mayHide = name
		takes = k.reread
	}
	if !has && takes && i+1 < len(k.cmd.Args) {
		i++
		o.value, o.has, o.word = k.cmd.Args[i].Text, true, i
	}
	k.options = append(k.options, o)
	return i
}

// cluster reads -abc, -ovalue and -o value.
func (k *call) cluster(i int, text string) int {
	var seen [256]bool // a letter that is given twice says no more than once
	for j := 1; j < len(text); j++ {
		if seen[text[j]] {
			continue
		}
		seen[text[j]] = true
		// "-f" alone is its own name; of "-rf" each letter is one.
		name := text
		if len(text) > 2 {
			name = "-" + text[j:j+1]
		}
		o := option{name: name, word: i}
		if k.takes(name) {
			// "-ofile" and "-o file" are the same to getopt.
			if j+1 < len(text) {
				o.value, o.has = text[j+1:], true
			} else if i+1 < len(k.cmd.Args) {
				i++
				o.value, o.has, o.word = k.cmd.Args[i].Text, true, i
			}
			k.options = append(k.options, o)
			break
		}
		k.options = append(k.options, o)
	}
	return i
}

// takes reports whether an option takes a value, given the operands so far.
func (k *call) takes(name string) bool {
	p := k.prog
	if p == nil {
		return false
	}
	// Only before the subcommand: git -C is a folder, git branch -C a copy.
	if len(k.operands) == 0 {
		for _, g := range p.Global {
			if base, ok := strings.CutSuffix(g, "="); ok && base == name {
				return true
			}
		}
	}
	for i := range p.Values {
		v := &p.Values[i]
		if v.Sub != "" && !k.sub(v.Sub, nil) {
			continue
		}
		for _, o := range v.Options {
			if o == name {
				return true
			}
		}
	}
	return false
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
		if w.Kind != shell.Literal || !globFold(word, w.Text) {
			return false
		}
	}
	if words != nil {
		*words = n
	}
	return true
}

// anySub is sub over alternatives; no alternatives match with no words.
func (k *call) anySub(paths []string) (words int, ok bool) {
	if len(paths) == 0 {
		return 0, true
	}
	for _, p := range paths {
		if k.sub(p, &words) {
			return words, true
		}
	}
	return 0, false
}

// given reports whether one of the alternatives is in force: given, and not
// taken back by a later --no-…
func (k *call) given(group []string) bool { return k.givenBut(group, nil) }

// givenBut is given without those options whose values excuse them.
func (k *call) givenBut(group, without []string) bool {
	at, off := -1, -1
	for _, alt := range group {
		name, want, valued := strings.Cut(alt, "=")
		for i := range k.options {
			o := &k.options[i]
			switch {
			case !valued && k.global(o):
				// "git -C lib branch": the folder, not an option of branch
			case k.same(o.name, name):
				if len(without) > 0 && k.excuses(without, o) {
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
	for _, g := range k.prog.Global {
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
	for _, l := range p.Long {
		if l == given {
			return false
		}
	}
	for i := range p.Values {
		for _, o := range p.Values[i].Options {
			if o == given {
				return false
			}
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
	for _, h := range k.prog.Harmless {
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
