package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
	"github.com/modu-ai/moai/internal/term"
)

// match is one rule tried on one call.
type match struct {
	c       *checker
	call    *call
	rule    *rule.Risk
	skip    int // operands that belong to the subcommand
	targets []Target
	detail  string
	host    string // the machine that files go to
}

// holds tries the conditions, the cheap ones first.
func (m *match) holds() bool {
	k, w := m.call, &m.rule.When
	// A rule without a program is about effects, which are not there when it is harmless.
	if len(m.rule.Programs) > 0 && k.harmless(m.c.set) {
		return false
	}
	if w.Effect == 0 && m.ofOne() && k.standin(m.c.set) {
		return false
	}
	var ok bool
	if m.skip, ok = k.anySub(w.Sub); !ok {
		return false
	}
	if len(w.NotSub) > 0 {
		if _, is := k.anySub(w.NotSub); is {
			return false
		}
	}
	for _, group := range w.Flags {
		if !k.givenBut(group.All(), w.Without) {
			return false
		}
	}
	if len(w.Without) > 0 && k.without(w) {
		return false
	}
	// Max is one more than the rule's number, so that its zero means "any".
	if n := len(k.operands) - m.skip; n < w.Min || w.Max > 0 && n >= w.Max {
		return false
	}
	if len(w.Operands) > 0 && !m.operand(w.Operands) || len(w.NotOperands) > 0 && m.onlyOperands(w.NotOperands) {
		return false
	}
	if from, until, says := k.says(w.Words, 0, len(k.cmd.Args)); len(w.Words) > 0 && !says || len(w.NotWords) > 0 && k.excepted(w, from, until) {
		return false
	}
	if len(w.Env) > 0 && !m.env(w.Env) {
		return false
	}
	if len(w.Args) > 0 {
		if m.detail, ok = argsHold(w.Args, m.c.args); !ok {
			return false
		}
	}
	if !m.isCall() {
		return false
	}
	if len(w.Fed) > 0 && !m.c.fed(k, w.Fed) || len(w.NotFed) > 0 && m.c.fed(k, w.NotFed) {
		return false
	}
	if len(w.PipeTo) > 0 && !m.c.pipedTo(k, w.PipeTo) {
		return false
	}
	if len(w.Says) > 0 && !m.says(w.Says) {
		return false
	}
	// Last: to find out where a path lies may cost system calls.
	return w.Effect == 0 || m.effect()
}

// operand reports whether an operand after the subcommand fits one of globs.
func (m *match) operand(globs rule.Texts) bool {
	for _, i := range m.call.operands[min(m.skip, len(m.call.operands)):] {
		if oneOf(globs, m.call.cmd.Args[i].Text) {
			return true
		}
	}
	return false
}

// onlyOperands reports that there are operands after the subcommand and that each fits
// one of globs: an operand speaks for itself and never for the one beside it.
func (m *match) onlyOperands(globs rule.Texts) bool {
	rest := m.call.operands[min(m.skip, len(m.call.operands)):]
	for _, i := range rest {
		if w := &m.call.cmd.Args[i]; w.Kind != shell.Literal || !oneOf(globs, w.Text) {
			return false
		}
	}
	return len(rest) > 0
}

func oneOf(globs rule.Texts, text string) bool {
	return globs.Meets(func(g string) bool { return globFold(g, text) })
}

// wordIs compares a word with a glob; -f and -F are different options.
func wordIs(pattern, text string) bool {
	if pattern[0] == '-' {
		return glob(pattern, text)
	}
	return globFold(pattern, text)
}

// env reports whether one of NAME or NAME=glob is assigned for the command.
func (m *match) env(list []string) bool {
	for _, want := range list {
		name, value, valued := strings.Cut(want, "=")
		for i := range m.call.cmd.Assigns {
			a := &m.call.cmd.Assigns[i]
			// NAME alone means "set to something": GIT_SSH= switches it off.
			if glob(name, a.Name) && (!valued && a.Value.Text != "" || valued && globFold(value, a.Value.Text)) {
				return true
			}
		}
	}
	return false
}

// effect gathers the targets of the effects that the rule is about.
func (m *match) effect() bool {
	c, k, w := m.c, m.call, &m.rule.When
	for i := range k.effects {
		e := &k.effects[i]
		if e.kind&w.Effect == 0 {
			continue
		}
		if !c.spend(1) {
			break
		}
		t := c.locate(k, e)
		// Only for rules that ask: it reads the files of ignore rules.
		if (w.Path|w.NotPath)&rule.Ignored != 0 {
			c.ignored(t)
		}
		if w.Path != 0 && t.Class&w.Path == 0 || t.Class&w.NotPath != 0 {
			continue
		}
		if w.Files != 0 && t.Names&w.Files == 0 || t.Names&w.NotFiles != 0 && (t.Names&w.NotFiles != rule.Build || !m.ownWork(e, t)) {
			continue
		}
		if !m.isEffect(e) {
			continue
		}
		if w.Exists && !c.exists(k, t, e) || w.Absent && c.exists(k, t, e) {
			continue
		}
		one := *t
		one.takes = m.taker(e, &one)
		m.targets = append(m.targets, one)
	}
	return len(m.targets) > 0
}

// ignored asks once whether Git ignores a path inside the project.
func (c *checker) ignored(t *Target) {
	if t.Ignored || c.in.Ignored == nil || t.Class&rule.Inside == 0 || t.Class&rule.Unknown != 0 {
		return
	}
	if c.in.Ignored(t.Path) {
		t.Ignored = true
		t.Class |= rule.Ignored
	}
}

// exists is true when it cannot be told: a pattern, or nobody to ask.
func (c *checker) exists(k *call, t *Target, e *effect) bool {
	if c.absent(k, t.Path) {
		return false
	}
	if c.in.Exists == nil || e.glob || t.Class&rule.Unknown != 0 {
		return true
	}
	return c.in.Exists(t.Path)
}

// absent reports a file that is not there when a call runs, by a test that stands before it.
func (c *checker) absent(k *call, p string) bool {
	for _, name := range k.cmd.Absent {
		if abs, ok := c.absolute(k, name); ok && abs == p {
			return true
		}
	}
	return false
}

// fed reports whether text from one of the programs reaches the call's standard
// input or the program text that it runs, through any number of pipes.
func (c *checker) fed(k *call, programs []string) bool {
	return c.upstream(k, make([]bool, len(c.calls)), func(p *call) bool {
		for _, name := range programs {
			if glob(name, p.raw) || name == "env" && c.codePrintsEnvironment(p) {
				return true
			}
		}
		return false
	})
}

// upstream calls is for everything that feeds k, until it says yes.
func (c *checker) upstream(k *call, seen []bool, is func(*call) bool) bool {
	if !c.spend(1 + len(seen)/256 + len(k.cmd.PipeFrom)/16) {
		return false
	}
	try := func(list []int) bool {
		for _, i := range list {
			if i < 0 || i >= len(c.calls) || seen[i] {
				continue
			}
			seen[i] = true
			if is(&c.calls[i]) || c.upstream(&c.calls[i], seen, is) {
				return true
			}
		}
		return false
	}
	// Pipes first, then what a here-document or a file holds, then the text that is run.
	if try(k.cmd.PipeFrom) || k.cmd.Stdin != nil && (try(k.cmd.Stdin.From) || try(k.cmd.Stdin.Text.From()) || try(k.cmd.Stdin.File.From())) {
		return true
	}
	return k.cmd.Code != nil && try(k.cmd.Code.Text.From())
}

// pipedTo reports whether the call's output reaches one of the programs.
func (c *checker) pipedTo(k *call, programs []string) bool {
	// A pipe may end where it began, by a FIFO: each call is visited once.
	seen := make([]bool, len(c.calls))
	var walk func(list []int) bool
	walk = func(list []int) bool {
		for _, i := range list {
			if i < 0 || i >= len(c.calls) || seen[i] {
				continue
			}
			seen[i] = true
			for _, name := range programs {
				if glob(name, c.calls[i].raw) {
					return true
				}
			}
			if walk(c.calls[i].cmd.PipeTo) {
				return true
			}
		}
		return false
	}
	return walk(k.cmd.PipeTo)
}

// texts calls yield with every piece of program text in the program's own
// language: SQL of psql, commands of redis-cli. It stops when yield says so.
func (k *call) texts(yield func(string) bool) bool {
	if k.prog == nil {
		return false
	}
	// A file that the line itself wrote: psql -f x.sql.
	if code := k.cmd.Code; code != nil && code.Lang == shell.LangSQL && yield(code.Text.Text) {
		return true
	}
	for where := range k.prog.Text.All() {
		switch {
		// The beginning of a piped file is as good as the whole: texts are bounded by the engine.
		case where == "stdin":
			if k.cmd.Stdin != nil && yield(k.cmd.Stdin.Text.Text) {
				return true
			}
		case where == "lines":
			if k.cmd.Stdin == nil {
				continue
			}
			for line := range strings.Lines(k.cmd.Stdin.Text.Text) {
				if yield(line) {
					return true
				}
			}
		case where[0] == '-':
			for i := range k.options {
				if o := &k.options[i]; o.has && k.same(o.name, where) && yield(o.value) {
					return true
				}
			}
		default: // "2..": one text, since redis-cli and mysql join words
			n := int(where[0] - '1')
			var words []string
			for _, i := range k.operands[min(max(n, 0), len(k.operands)):] {
				words = append(words, k.cmd.Args[i].Text)
			}
			if len(words) > 0 && yield(strings.Join(words, " ")) {
				return true
			}
		}
	}
	return false
}

func (m *match) says(patterns []string) bool {
	return m.call.texts(func(text string) bool {
		if m.c.says(patterns, text) {
			m.detail = term.OneLine(text, 80)
			return true
		}
		return false
	})
}

func forTool(tools []string, tool string) bool {
	// The client's name for a shell, and what a caller without a client means.
	if tool == "" {
		tool = "Bash"
	}
	first := lowered(tool[0])
	for _, t := range tools {
		if t == "" || t[0] != '*' && t[0] != '?' && lowered(t[0]) != first {
			continue // most are told by their first letter
		}
		if foldOne(t, tool) { // another case is no other tool
			return true
		}
	}
	return false
}

// calledAs reports whether the tool has one of these names: deleteFile and delete-file are delete_file.
func (c *checker) calledAs(tools []string) bool {
	return forTool(tools, c.in.Tool) || c.snake != "" && forTool(tools, c.snake)
}

// snaked is the name of a tool with "_" between its words; "" where it is that already.
func snaked(tool string) string {
	var b strings.Builder
	for i := 0; i < len(tool); i++ {
		switch letter := tool[i]; {
		case letter == '-':
			b.WriteByte('_')
		case letter >= 'A' && letter <= 'Z' && i > 0 && tool[i-1] >= 'a' && tool[i-1] <= 'z':
			b.WriteByte('_')
			b.WriteByte(letter)
		default:
			b.WriteByte(letter)
		}
	}
	if b.Len() == len(tool) && b.String() == tool {
		return ""
	}
	return b.String()
}

// isFor reports whether a rule for some tools is about this call: every shell is Bash
// under another name, and a tool of another agent may be alike to one of these.
func (c *checker) isFor(tools []string) bool {
	if c.calledAs(tools) {
		return true
	}
	switch {
	case c.alias != "":
		return forTool(tools, c.alias)
	case c.isBash():
		return forTool(tools, "Bash")
	}
	return false
}

// isBash reports a tool that runs a command line as Bash does. It is asked for each rule and each command of a line.
func (c *checker) isBash() bool {
	if c.bash == 0 {
		c.bash = -1
		if c.set.RunsCommand(c.in.Tool) && !strings.EqualFold(c.in.Tool, "PowerShell") {
			c.bash = 1
		}
	}
	return c.bash > 0
}

// RunsCommand reports tools whose input is a command line.
func (s *Set) RunsCommand(tool string) bool {
	return tool == "" || s.In("command-line-tools", strings.ToLower(tool)) // another case is no other tool
}

// MayRun reports a tool that may run something, as a server's can, and whose name does not say that it changes no file.
func (s *Set) MayRun(tool string) bool {
	return tool != "" && !s.RunsCommand(tool) && s.named("tools-that-may-run", tool) && !s.named("tools-changing-no-file", tool)
}

// named reports a tool that a pattern of a group fits, in this set or one behind it.
func (s *Set) named(group, tool string) bool {
	for ; s != nil; s = s.More {
		if g := s.group(group); g != nil && g.Words.Meets(func(pattern string) bool { return foldOne(pattern, tool) }) {
			return true
		}
	}
	return false
}

// makesFile reports what writes a file, or adds to one.
func makesFile(e rule.ClientEffect) bool { return e.Kind&(rule.Write|rule.Append) != 0 }

// Writes lists the arguments of a tool that are paths of files which it writes, as far as they are no part of another one; writes is
// false for a tool that writes none.
func (s *Set) Writes(tool string) (arguments []string, writes bool) {
	if s.RunsCommand(tool) {
		return nil, false
	}
	for ; s != nil; s = s.More {
		for i := range s.Tools {
			t := &s.Tools[i]
			makes := slices.IndexFunc(t.Effects, makesFile) // few do, and that is told sooner than the name: each call is asked this several times
			if makes < 0 && len(t.Patches) == 0 || !forTool(t.Names, tool) || forTool(t.Except, tool) {
				continue
			}
			writes = true
			for j := range t.Effects {
				if makesFile(t.Effects[j]) {
					arguments = append(arguments, t.Effects[j].On...)
				}
			}
		}
	}
	return slices.DeleteFunc(arguments, func(name string) bool { return strings.Contains(name, ".") }), writes
}
