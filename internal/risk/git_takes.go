package risk

import (
	"path"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// Where names come from a pattern, a search or a listing, the repository's own folder may
// be among them. With it go the checkpoints, so that a snapshot is no help.

// answer is what can be told of a test whose outcome may depend on the disk.
type answer uint8

const (
	never answer = iota
	maybe
	always
)

// inGit are paths of every repository that are tried, with the folder itself first.
var inGit = [...]string{".git", ".git/HEAD", ".git/objects/0a", ".git/objects/0a/0123456789abcdef0123456789abcdef012345", ".git/refs/heads", ".git/refs/heads/main", ".git/config", ".git/index"}

// takesGit tells whether the names that an effect stands for may have the repository's own
// folder, or a file in it, among them.
func (m *match) takesGit(e *effect) answer {
	c, k := m.c, m.call
	if k.away() || c.in.Root == "" || !c.spend(len(inGit)) {
		return never
	}
	found := never
	if m.lister(e, func(p *call) bool {
		if found = m.prints(p); found != never && p.sub("rev-parse", nil) && !aboutGit(e.word.Suffix()) {
			found = never // "$(git rev-parse --show-toplevel)/build"
		}
		return found != never
	}) {
		return found
	}
	if p := m.around(); p != nil {
		return m.prints(p)
	}
	switch text := e.text; {
	case len(e.word.From()) > 0:
	case e.kind&rule.DeleteTree != 0 && e.known && !e.glob && c.namesProject(k, e):
		return always
	case m.programLists(e):
		return maybe
	case (e.glob || e.word.Listed()) && strings.ContainsAny(text, "*?[") && c.picksGit(k, text):
		return maybe
	}
	return never
}

// namesProject reports a path that ends with the name of the project's folder, in which its repository lies, too: rm takes that along, and refuses ".".
func (c *checker) namesProject(k *call, e *effect) bool {
	abs, ok := c.absolute(k, e.text)
	if c.in.Regular != nil && c.in.Regular(path.Join(c.in.Root, inGit[0])) {
		return false // it lies elsewhere, and so does what snapshots hold
	}
	return ok && path.Base(e.word.Text) == path.Base(c.in.Root) && path.Clean(abs) == c.in.Root && c.repository(c.in.Root) == c.in.Root
}

// around returns the find or fd that runs the call for what it finds, or is the call.
func (m *match) around() *call {
	k := m.call
	if k.finds() || k.name == "fd" {
		return k
	}
	if !reachedThrough(k, "find", "fd") {
		return nil
	}
	for i := k.index - 1; i >= 0; i-- {
		if p := &m.c.calls[i]; p.name == "fd" || p.finds() && p.cmd.Span[0] <= k.cmd.Span[0] && k.cmd.Span[1] <= p.cmd.Span[1] {
			return p
		}
	}
	return nil
}

// finds tries the tests of find on what every repository has, from each of its starts
// that holds the project.
func (m *match) finds(p *call) answer {
	starts := 0
	best := never
	for _, i := range p.operands {
		if len(p.options) > 0 && i > p.options[0].word || strings.Trim(p.cmd.Args[i].Text, "!(),") == "" {
			break
		}
		starts++
		best = max(best, m.findsFrom(p, &p.cmd.Args[i]))
	}
	if starts == 0 {
		return m.findsFrom(p, &shell.Word{Text: "."})
	}
	return best
}

func (m *match) findsFrom(p *call, start *shell.Word) answer {
	if start.Kind != shell.Literal {
		return never
	}
	abs, ok := m.c.absolute(p, start.Text)
	if !ok {
		return never
	}
	rest, ok := m.c.under(m.c.in.Root, abs) // the project, or a folder above it
	if !ok || !m.c.spend(len(p.cmd.Args)) {
		return never
	}
	best := never
	deep := p.given([]string{"-delete", "-depth", "-d"}) // what is in a folder comes first: nothing is pruned
	for i, sample := range inGit {
		x := findTest{set: m.c.set, args: p.cmd.Args, path: path.Join(rest, sample), start: strings.TrimSuffix(start.Text, "/"), folder: i == 0 || i == 2 || i == 4}
		got := x.run()
		best = max(best, got)
		if i == 0 && x.pruned == always && !deep {
			break
		}
	}
	return best
}

// findTest evaluates an expression of find for one path below its start.
type findTest struct {
	set    *Set
	args   []shell.Word
	at     int
	path   string // below the start
	start  string
	folder bool
	pruned answer
	acted  answer
}

// run tells whether the path reaches an action.
func (x *findTest) run() answer {
	for x.at = 1; x.at < len(x.args); x.at++ {
		if s := x.args[x.at].Text; x.args[x.at].Kind == shell.Literal && s != "" && (s[0] == '-' && s != "-H" && s != "-L" && s != "-P" || s == "(" || s == "!") {
			break
		}
	}
	hasAction := false
	for i := x.at; i < len(x.args); i++ {
		hasAction = hasAction || x.set.In("find-acts", x.args[i].Text) || x.writes(x.args[i].Text) || x.set.findWords().Runs.Has(x.args[i].Text)
	}
	got := x.list(always)
	if !hasAction {
		return got
	}
	return x.acted
}

// writes reports an action with a value, which says what is written.
func (x *findTest) writes(s string) bool { return s == "-printf" || x.set.findWords().Writes.Has(s) }

// findWords are the words of find's expressions.
func (s *Set) findWords() rule.Find {
	if s.Shells == nil {
		return rule.Find{}
	}
	return s.Shells.Find
}

// list reads tests joined by "," and -o. reached tells whether evaluation gets there.
func (x *findTest) list(reached answer) answer {
	got := x.and(reached)
	for x.at < len(x.args) {
		switch x.args[x.at].Text {
		case "-o", "-or":
			x.at++
			got = max(got, x.and(min(reached, always-got)))
		case ",":
			x.at++
			got = x.and(reached)
		default:
			return got
		}
	}
	return got
}

func (x *findTest) and(reached answer) answer {
	got := always
	for x.at < len(x.args) {
		switch x.args[x.at].Text {
		case "-a", "-and":
			x.at++
		default:
			if x.set.In("find-ends", x.args[x.at].Text) {
				return got
			}
			got = min(got, x.one(min(reached, got)))
		}
	}
	return got
}

// one reads a test or an action.
func (x *findTest) one(reached answer) answer {
	s := x.args[x.at].Text
	unknown := x.args[x.at].Kind != shell.Literal
	x.at++
	sure := true // whether the line says all of the value
	value := func() string {
		x.at++
		if x.at > len(x.args) {
			return ""
		}
		if w := &x.args[x.at-1]; w.Kind != shell.Literal {
			sure = false
			return w.Prefix() + "*" + w.Suffix()
		}
		return x.args[x.at-1].Text
	}
	told := func(ok bool) answer {
		if ok {
			return always
		}
		return never
	}
	if unknown {
		return maybe
	}
	depth := strings.Count(x.path, "/") + 1
	switch s {
	case "(":
		got := x.list(reached)
		x.at++ // ")"
		return got
	case "!", "-not":
		if x.at >= len(x.args) {
			return maybe
		}
		return always - x.one(reached)
	case "-name", "-iname":
		got := told(shellGlob(value(), path.Base(x.path)))
		if !sure {
			got = min(got, maybe)
		}
		return got
	case "-regex", "-iregex":
		v := value()
		if !sure || x.expression(v) {
			return maybe
		}
		return never
	case "-type", "-xtype":
		switch kind := value(); {
		case kind == "d":
			return told(x.folder)
		case kind == "f":
			return told(!x.folder)
		case x.set.In("find-other-kinds", kind):
			return never
		}
		return maybe
	case "-maxdepth":
		return told(depth <= number(value()))
	case "-mindepth":
		return told(depth >= number(value()))
	case "-empty", "-false":
		return never
	case "-regextype":
		value()
		return always
	case "-prune":
		x.pruned = max(x.pruned, reached)
		return always
	case "-quit":
		return always
	}
	switch {
	case x.set.In("find-paths", s):
		v := value()
		return told(glob(v, x.start+"/"+x.path) || strings.Contains(v, "[") && shellGlob(path.Base(v), path.Base(x.path)))
	case x.set.In("find-true", s):
		return always
	case x.set.In("find-acts", s):
		x.acted = max(x.acted, reached)
		return always
	case x.writes(s):
		value()
		x.acted = max(x.acted, reached)
		return always
	case x.set.findWords().Runs.Has(s):
		for x.at < len(x.args) && x.args[x.at].Text != ";" && (x.args[x.at].Text != "+" || x.args[x.at-1].Text != "{}") {
			x.at++
		}
		x.at++
		x.acted = max(x.acted, reached)
		return always
	case !strings.HasPrefix(s, "-") || x.set.In("find-plain", s):
		return maybe
	}
	value()
	return maybe
}

// number reads what stands behind -maxdepth; what is none narrows nothing.
func number(s string) int {
	n := 0
	for i := 0; i < len(s) && s[i] >= '0' && s[i] <= '9' && n < 1000; i++ {
		n = n*10 + int(s[i]-'0')
	}
	return n
}

// shellGlob is a shell's pattern, without regard to case.
func shellGlob(pattern, name string) bool {
	return shell.Picks(strings.ToLower(pattern), strings.ToLower(name))
}

// movesRepository reports a repository in the folder that git init is told, else in the one it works in. Where that cannot be seen it may be there.
func (m *match) movesRepository() bool {
	c, k, dir := m.c, m.call, m.worksIn()
	if c.in.Exists == nil || k.away() {
		return true
	}
	if len(k.operands) > 1 {
		word, known := k.cmd.Args[k.operands[1]].Known()
		if !path.IsAbs(word) {
			word = path.Join(k.folder(), word)
		}
		at, placed := c.absolute(k, word)
		if !known || !placed {
			return true
		}
		dir = at
	}
	return c.in.Exists(path.Join(dir, ".git"))
}
