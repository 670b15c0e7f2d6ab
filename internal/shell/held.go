package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// A variable may hold a command for another program: PAGER, EDITOR, GIT_SSH_COMMAND.
// Whoever gives it a value says what will run, so the value is followed where it is
// given; whether the program behind it asks for a pager is not known.
//
// Subscripts are the other odd place: bash evaluates the index of a[…] wherever a
// name of a variable is expected, and runs the substitutions in it.

// held follows the value of a variable that programs take for a command line.
func (e *engine) held(name string, v *Word, c *ctx) {
	row := e.holder(name)
	if row == nil {
		return
	}
	n := c.step("$"+name, v.Span).sub()
	n.in, n.want, n.cond = nil, false, true
	switch {
	case row.Word:
		e.expansion(*v, n)
	case strings.HasSuffix(row.Behind, "="):
		var words []Word
		for word := range strings.FieldsSeq(row.Behind) {
			words = append(words, lit(word, v.Span))
		}
		last := len(words) - 1
		words[last] = join([]Word{words[last], *v}, "", v.Span)
		e.run(&simple{args: words, span: v.Span}, n)
	case strings.Contains(row.Behind, "{}"): // folders in which a program looks for a file of its own
		for dir := range strings.SplitSeq(v.Text, ":") {
			if v.Kind == Literal && dir != "" {
				e.script(lit(strings.Replace(row.Behind, "{}", argv.Quote(dir), 1), v.Span), n)
			}
		}
	case row.Behind != "":
		e.script(join([]Word{lit(row.Behind, v.Span), *v}, " ", v.Span), n)
	case v.Kind == Literal && plainName(v.Text):
		// PAGER=less: nothing that any rule could be about
	default:
		text := *v
		if k := len(text.Prefix()) - len(strings.TrimLeft(text.Prefix(), "|- ()")); k > 0 {
			text = *cutWord(&text, k) // LESSOPEN='|cmd %s', BASH_FUNC_f%%='() { … }'
		}
		e.script(e.given(text, row.Gives), n)
	}
}

// prompted follows what a shell expands before each line that it asks for or traces:
// PS4='$(rm x)'; set -x. It reads them itself, exported or not.
func (e *engine) prompted(name string, v *Word, c *ctx) {
	if !strings.Contains(v.Text, "$(") && !strings.Contains(v.Text, "`") {
		return
	}
	if row := e.holder(name); row != nil && row.Word {
		e.held(name, v, c)
	}
}

// holder returns the row of a variable, nil for the many that hold no command.
func (e *engine) holder(name string) *rule.Variable {
	for i := range e.tables.Variables {
		if slices.ContainsFunc(e.tables.Variables[i].Names, func(is string) bool {
			begin, end, open := strings.Cut(is, "*")
			return is == name || open && len(name) > len(begin)+len(end) && strings.HasPrefix(name, begin) && strings.HasSuffix(name, end)
		}) {
			return &e.tables.Variables[i]
		}
	}
	return nil
}

// plainName tells the name of a program without arguments.
func plainName(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return !(r < 0x80 && (nameByte(byte(r)) || r == '-' || r == '.')) }) < 0
}

// expansion follows the substitutions in a text that a shell expands as if it
// stood in double quotes, such as PS4 and subscripts.
func (e *engine) expansion(w Word, c *ctx) {
	if !strings.Contains(w.Text, "$(") && !strings.Contains(w.Text, "`") {
		return
	}
	e.script(join([]Word{lit(": ", w.Span), w}, "", w.Span), c)
}

// maxReckoned is how many names lead from one to the other that arithmetic is followed for.
const maxReckoned = 4

// reckons follows what an arithmetic expression runs beyond what is written in it: the value of
// a variable is an expression again, and so on, and its subscripts are expanded.
func (e *engine) reckons(w Word, c *ctx, depth int) {
	if depth > maxReckoned || !e.has(len(w.Text)/eachBytes+1) {
		return
	}
	if depth > 0 || w.Quoted || strings.Contains(w.Prefix(), "[") {
		w.Quoted = true
		e.subscripts([]Word{w}, c)
	}
	if strings.Contains(w.Prefix(), "=") || strings.Contains(w.Prefix(), "++") || strings.Contains(w.Prefix(), "--") {
		c.st.doubt() // e='x=1'; (( e ))
	}
	for s := w.Prefix(); s != ""; {
		n := strings.IndexFunc(s, func(r rune) bool { return r >= 0x80 || !nameByte(byte(r)) })
		if n < 0 {
			n = len(s)
		}
		if n > 0 {
			e.work.Take(1 + len(c.st.vars)/copyWords)
			if v := c.st.find(s[:n]); v != nil && !v.unset && (s[0] < '0' || s[0] > '9') {
				for i := range v.alts {
					for j := range min(len(v.alts[i].list), maxReckoned) {
						e.reckons(v.alts[i].list[j], c, depth+1)
					}
				}
			}
			s = s[n:]
			continue
		}
		s = s[1:]
	}
}

// subscripts follows what the index of an array element runs, where a word is the
// name of a variable or an arithmetic expression: printf -v 'a[$(rm x)]'.
func (e *engine) subscripts(words []Word, c *ctx) {
	for i := range words {
		_, index, ok := strings.Cut(words[i].Prefix(), "[")
		if !ok || !words[i].Quoted {
			continue // without quotes the shell has expanded it before
		}
		n := c.step("[…]", words[i].Span).sub()
		n.in, n.want = nil, false
		e.expansion(lit(strings.TrimSuffix(index, "]"), words[i].Span), n)
	}
}
