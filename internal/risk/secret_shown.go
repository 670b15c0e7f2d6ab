package risk

import (
	"regexp/syntax"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What a file with credentials gives away depends on who gets to see it: the names in front of the equal signs tell nothing, and a
// value that goes into a request is judged by where the request goes.

// namesAlone reports that of what a call reads nothing is shown but what stands in front of the equal signs: "cut -d= -f1 .env",
// "grep KEY .env | sed 's/=.*/=***/'".
func (m *match) namesAlone(e *effect) bool {
	if e.glob || !m.c.holdsAssignments(e.text[strings.LastIndexByte(e.text, '/')+1:]) {
		return false
	}
	return m.c.cutsValues(m.call) || m.c.endsWithout(m.call, make([]bool, len(m.c.calls)))
}

// holdsAssignments reports the name of a file in which a line is NAME=value.
func (c *checker) holdsAssignments(name string) bool {
	return c.set.members("holds-assignments").Meets(func(p string) bool { return glob(p, name) })
}

// endsWithout reports that every way that a call's output goes leads through a program that takes the values off.
func (c *checker) endsWithout(k *call, seen []bool) bool {
	if len(k.cmd.PipeTo) == 0 || !c.handsOn(k) || !c.spend(1) {
		return false
	}
	for _, i := range k.cmd.PipeTo {
		if i < 0 || i >= len(c.calls) || seen[i] {
			return false
		}
		seen[i] = true
		if q := &c.calls[i]; !c.handsOn(q) || !c.cutsValues(q) && !c.endsWithout(q, seen) {
			return false
		}
	}
	return true
}

// handsOn reports a filter whose only output is the one to the next program.
func (c *checker) handsOn(k *call) bool {
	if !c.set.In("text-filters", k.raw) {
		return false
	}
	for i := range k.effects {
		if e := &k.effects[i]; e.kind&(rule.Write|rule.Append) != 0 && e.text != "/dev/null" {
			return false
		}
	}
	for i := range k.cmd.Redirects {
		if r := &k.cmd.Redirects[i]; strings.Contains(r.Op, ">") && r.Fd != 2 {
			return false
		}
	}
	return true
}

// cutsValues reports a filter that prints of NAME=value the name alone.
func (c *checker) cutsValues(k *call) bool {
	if !c.handsOn(k) {
		return false
	}
	text := func(i int) string {
		if i >= len(k.operands) || k.cmd.Args[k.operands[i]].Kind != shell.Literal {
			return ""
		}
		return k.operand(i)
	}
	switch {
	case c.set.In("filters-as-cut", k.raw):
		return k.given([]string{"-d==", "--delimiter=="}) && k.given([]string{"-f=1", "--fields=1"}) && !k.given([]string{"--complement"})
	case c.set.In("filters-as-grep", k.raw):
		return k.given([]string{"-o", "--only-matching"}) && !c.filtersOtherwise(k) && matchesNames(text(0))
	case c.set.In("filters-as-sed", k.raw):
		return !c.filtersOtherwise(k) && hidesValues(text(0))
	case c.set.In("filters-as-awk", k.raw):
		return k.given([]string{"-F=="}) && len(k.options) == 1 && c.set.In("first-field-of-awk", strings.Join(strings.Fields(text(0)), "")) ||
			c.set.In("split-off-by-awk", strings.Join(strings.Fields(text(0)), ""))
	}
	return false
}

// filtersOtherwise reports a filter that does not do with each line what its first operand says.
func (c *checker) filtersOtherwise(k *call) bool {
	for row := range c.set.words("options-that-filter-otherwise") {
		if program, option, _ := strings.Cut(row, " "); program == k.raw && k.given([]string{option}) {
			return true
		}
	}
	return false
}

// hidesValues reports a script of sed that is one substitution of all that follows the first equal sign by a text.
func hidesValues(script string) bool {
	if len(script) < 4 || script[0] != 's' {
		return false
	}
	parts := strings.Split(script[2:], script[1:2])
	if len(parts) != 3 || strings.Trim(parts[2], "gp") != "" || strings.ContainsAny(parts[1], `&\`) {
		return false
	}
	return parts[0] == "=.*" || parts[0] == "=.*$"
}

// matchesNames reports a pattern for grep -o that begins with the line and cannot match an equal sign but at its end: '^[A-Z_]*='.
func matchesNames(pattern string) bool {
	rest, ok := strings.CutPrefix(pattern, "^")
	if rest = strings.TrimSuffix(rest, "="); !ok || rest == "" {
		return false
	}
	re, err := syntax.Parse(strings.ReplaceAll(rest, `\+`, "+"), syntax.POSIX)
	return err == nil && withoutSign(re)
}

// withoutSign reports an expression that cannot match an equal sign.
func withoutSign(re *syntax.Regexp) bool {
	switch re.Op {
	case syntax.OpLiteral:
		return !strings.ContainsRune(string(re.Rune), '=')
	case syntax.OpCharClass:
		for i := 0; i+1 < len(re.Rune); i += 2 {
			if re.Rune[i] <= '=' && '=' <= re.Rune[i+1] {
				return false
			}
		}
		return true
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat, syntax.OpConcat, syntax.OpCapture, syntax.OpAlternate:
		for _, sub := range re.Sub {
			if !withoutSign(sub) {
				return false
			}
		}
		return true
	}
	return false
}

// intoValue reports that what is read becomes a value on the line, which only programs take that judge it themselves, such as a
// request, or nobody: "TOKEN=$(grep KEY .env | cut -d= -f2)".
// A whole private key is no such value.
func (m *match) intoValue(e *effect) bool {
	c, k := m.c, m.call
	if m.intoLogin(e) {
		return true
	}
	if !k.cmd.Substituted || c.locate(k, e).Names&rule.Key != 0 || !c.quiet(k, make([]bool, len(c.calls))) || !c.spend(len(c.calls)/costCalls) {
		return false
	}
	same := func(p *call) bool { return p == k }
	for i := range c.calls {
		q := &c.calls[i]
		connects := c.set.In("connects", q.raw)
		if len(q.cmd.Args) > 0 && !connects && c.assignsFrom(q, same) || c.printsEnvironment(q) {
			return false // "env K=V env" shows it
		}
		if connects && c.connectsBy(q, same) {
			continue
		}
		if !c.wordsFrom(q, same) && !c.upstream(q, make([]bool, len(c.calls)), same) {
			continue
		}
		if !(q.cmd.Substituted && c.set.In("text-filters", q.raw)) && (!c.set.In("takes-values", q.raw) || q.givenOf(c.set.members("options-that-show-requests"))) {
			return false
		}
	}
	return true
}

// connectsBy reports a client of a database that is given what is read only to find the database: psql "$URL", mysql -p"$PASS".
func (c *checker) connectsBy(k *call, is func(*call) bool) bool {
	if c.upstream(k, make([]bool, len(c.calls)), is) {
		return false
	}
	first := c.set.In("connects-to-first", k.raw) && len(k.operands) > 0
	for i := 1; i < len(k.cmd.Args); i++ {
		if !c.wordFrom(&k.cmd.Args[i], is) || first && i == k.operands[0] {
			continue
		}
		option, _, _ := strings.Cut(k.cmd.Args[i].Prefix(), "=")
		if options := c.set.members("options-connecting"); option == "" && !options.Has(k.cmd.Args[i-1].Text) || option != "" && !options.Has(option) {
			return false
		}
	}
	return true
}

// quiet reports that a call and all behind it in its pipe are filters that write to the next one alone.
func (c *checker) quiet(k *call, seen []bool) bool {
	if !c.handsOn(k) {
		return false
	}
	for _, i := range k.cmd.PipeTo {
		if i < 0 || i >= len(c.calls) || seen[i] {
			return false
		}
		seen[i] = true
		if !c.quiet(&c.calls[i], seen) {
			return false
		}
	}
	return true
}

// picksOne reports a filter that is given the name of what it picks: "grep API_KEY .env", and not "grep . .env".
func (c *checker) picksOne(k *call) bool {
	if !c.set.In("picks-lines", k.raw) || len(k.operands) == 0 || k.givenOf(c.set.members("options-picking-otherwise")) {
		return false
	}
	pattern := k.cmd.Args[k.operands[0]]
	if pattern.Kind != shell.Literal || strings.Contains(pattern.Text, "|") {
		return false
	}
	letters := 0
	for i := range len(pattern.Text) {
		if ch := pattern.Text[i] | 0x20; ch < 'a' || ch > 'z' {
			letters = 0
		} else if letters++; letters >= shortWord {
			return true
		}
	}
	return false
}

// shortWord is the length from which letters are hardly in every line.
const shortWord = 3

// givesCredential reports that argument i of a call is what an HTTP client hands over as the caller's own credential. HTTPie's
// fields of a header have a colon: "Authorization:Bearer x".
func (m *match) givesCredential(i int) bool {
	args, text := m.call.cmd.Args, m.call.cmd.Args[i].Prefix()
	option, _, has := strings.Cut(text, "=")
	if m.c.set.In("options-with-credentials", args[i-1].Text) || has && m.c.set.In("options-with-credentials", option) || strings.HasPrefix(text, "-H") || strings.HasPrefix(text, "-u") {
		return true
	}
	if !m.c.set.In("takes-fields", m.call.name) {
		return false
	}
	name, value, field := strings.Cut(text, ":")
	return field && !strings.HasPrefix(value, "//") && !strings.HasPrefix(value, "=") && !strings.ContainsAny(name, "=@/.")
}

// lineAlone reports a line that does nothing but this call, what carries it (bash -c), one pipe that its output flows through, and words to go with it: what is
// asked for is what it prints.
func (m *match) lineAlone() bool {
	k, calls := m.call, m.c.calls
	n := 1
	for i := range calls {
		around := calls[i].cmd
		carries := i != k.index && !k.cmd.Remote && len(around.Via) < len(k.cmd.Via) && around.Span[0] <= k.cmd.Span[0] && k.cmd.Span[1] <= around.Span[1]
		if carries || m.c.set.In("goes-with-output", calls[i].raw) {
			n++
		}
	}
	for len(k.cmd.PipeTo) == 1 && k.cmd.PipeTo[0] >= 0 && k.cmd.PipeTo[0] < len(calls) && n < len(calls) {
		k = &calls[k.cmd.PipeTo[0]]
		n++
	}
	return n == len(calls)
}
