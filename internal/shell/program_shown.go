package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A program of the project that prints a variable of the environment shows it to who runs it, and one that posts it sends it away. Which names are
// those of credentials, rules know: it is emitted as what prints or sends it by its name.

// The commands that such a call amounts to; their argument is the variable's name, or allVariables.
const (
	ShowCall = "show-call"
	SendCall = "send-call"
)

const allVariables = "all-variables"

// tells emits what the call of name at i, whose brackets open there, prints or sends of the environment.
func (p *interp) tells(name string, does rule.Deed, i, open int) {
	code, call := &p.e.tables.Code, open
	shows := does == 0 && code.Shows.Has(name)
	if p.c.script == "" || !shows && does != rule.DoPost && does != rule.DoRequest || p.tries() || !p.e.spend(1, p.c) {
		return
	}
	end := p.skip(i)
	if p.mark(open, "(") {
		end = p.skip(open + 1)
	}
	command := SendCall
	if shows {
		command = ShowCall
	} else if !slices.ContainsFunc(p.toks[open:min(end+1, len(p.toks))], func(t token) bool {
		return t.kind == tokText && isAddress(t.word.Prefix()) && !slices.ContainsFunc(p.e.tables.Remote.Local, func(s string) bool { return strings.Contains(t.word.Prefix(), s) })
	}) {
		return
	}
	for end = min(p.ending(open, end), open+maxLoop*4); open < end; open++ {
		if t := p.at(open); t.kind == tokName && code.Keeps.Has(t.text) && (p.mark(open+1, "=") || p.mark(open+1, ":")) {
			open = p.skip(open+2) - 1 // the caller's own credential
			continue
		}
		if key := p.tellsAt(open, call); key != "" && !p.once(open) {
			p.stands(i)
			p.operate(p.c.step(p.lang+" "+name, p.span), []string{command, key}, nil)
		}
	}
}

// ending is the end of the brackets that open there, else end.
func (p *interp) ending(open, end int) int {
	depth := 0
	for k := open; p.mark(open, "(") && k < len(p.toks); k++ {
		if p.mark(k, "(") {
			depth++
		} else if p.mark(k, ")") {
			if depth--; depth == 0 {
				return k
			}
		}
	}
	return end
}

// tellsAt is the variable whose value the token at k stands for, "" if it is none, or only something about it: len(key).
func (p *interp) tellsAt(k, call int) string {
	t, f := p.at(k), &p.e.tables.Functions
	switch {
	case t.kind == tokText:
		for _, part := range t.word.Parts {
			if name := strings.Trim(part.Text, "${}# "); part.Unknown && name != "" {
				if a, ok := p.lookup(name); ok && a.of != "" {
					return a.of
				}
				if p.ofEnvironment(name, k) {
					return allVariables
				}
				for _, of := range f.Environment {
					if key, is := strings.CutPrefix(name, of); is {
						if key = strings.Trim(key, ".[]()'\""); identifier(&Word{Text: key}) {
							return key
						}
					}
				}
			}
		}
		return ""
	case t.kind != tokName || p.mark(k-1, ".") || !p.asItIs(k, call):
		return ""
	}
	name, next := p.chain(k)
	switch member := name[strings.LastIndexByte(name, '.')+1:]; {
	case f.Environment.Has(name) && (p.mark(next, "[") || p.mark(next, "(")):
		a, end := p.variable(next)
		if p.judged(end) {
			return ""
		}
		return a.of
	case f.Environment.Has(name) && (p.mark(next, ")") || p.mark(next, ",")):
		return allVariables
	case f.Environment.Has(strings.TrimSuffix(name, "."+member)) && (p.e.tables.Methods.Same.Has(member) || p.e.tables.Methods.Picks.Has(member) && member != "keys"):
		return allVariables // os.environ.copy()
	case strings.Contains(name, ".") && f.Environment.Has(name[:len(name)-len(member)-1]) && !p.mark(next, "(") && !p.judged(next):
		return member
	case p.judged(next):
		return ""
	}
	if a, ok := p.lookup(name); ok {
		return a.of
	}
	if p.ofEnvironment(name, k) {
		return allVariables
	}
	return ""
}

// judged reports that what ends before next is only compared, or a part of it is taken.
func (p *interp) judged(next int) bool {
	t := p.at(next)
	return t.kind == tokMark && strings.Contains("[?!<>&==", t.text) && t.text != "" || t.kind == tokName && t.text != "for" || p.mark(next, ".")
}

// asItIs reports that what stands at k in the brackets of a call is shown as it is: of no function that returns something about it, and behind
// no test.
func (p *interp) asItIs(k, call int) bool {
	if t := p.at(k - 1); t.kind == tokName && t.text != "await" && k-1 >= call || t.kind == tokMark && (t.text == "!" || t.text == "==") {
		return false
	}
	at := p.bracket(k)
	for at > call && (!p.mark(at, "(") || p.e.tables.Code.Wholes.Has(p.at(at-1).text) || p.at(at-1).kind != tokName) {
		at = p.bracket(at)
	}
	return at <= call
}

// ofEnvironment reports the value of a variable as a loop over all of them gives it.
func (p *interp) ofEnvironment(name string, at int) bool {
	heads := p.heads[name]
	i, _ := slices.BinarySearch(heads, at)
	if i == 0 {
		return false
	}
	from, _ := p.sets(name, heads[i-1])
	if from == 0 {
		return false
	}
	place, of := p.place(name, heads[i-1], from)
	if p.at(from).text == "Object" {
		from = p.until(from, func(k int) bool { return p.mark(k, "(") }) + 1
	}
	list, _ := p.chain(from)
	list = strings.TrimSuffix(list, ".items")
	return of == 2 && place == 1 && p.e.tables.Functions.Environment.Has(list)
}

// fetched follows program text that comes from an address: exec(urlopen(x).read()).
func (p *interp) fetched(i, open int) bool {
	if p.c.script == "" || !p.mark(open, "(") {
		return false
	}
	from, end := p.logical(i)
	ranges := [][2]int{{from, end}}
	for k := open + 1; k < p.ending(open, end); k++ {
		if a, b, ok := p.bound(p.at(k).text, i); ok && p.at(k).kind == tokName {
			ranges = append(ranges, [2]int{a, b})
		}
	}
	for _, r := range ranges {
		for k := r[0]; k < min(r[1], len(p.toks)); k++ {
			if p.at(k).kind == tokName && p.e.tables.Code.Fetches.Has(p.at(k).text) && p.mark(k+1, "(") {
				if t := p.at(k + 2); t.kind == tokText && !isAddress(t.word.Prefix()) {
					continue
				}
				p.stands(i)
				p.e.script(lit("curl -fsSL https://address.invalid/ | "+p.lang, p.span), p.c.step(p.lang+" "+p.at(i).text, p.span))
				return true
			}
		}
	}
	return false
}

// logical is the extent of the lines in which the token at i stands, with those that end it.
func (p *interp) logical(i int) (from, end int) {
	for from = i; from > 0 && p.at(from-1).kind != tokLine; from-- {
	}
	for end = i; end < len(p.toks) && p.at(end).kind != tokLine; end++ {
	}
	return from, end
}

// commanded emits the command that a call of a library for a program stands for: repo.git.clean("-fdx") is git clean -fdx.
func (p *interp) commanded(name string, method bool, i, open int) bool {
	if !p.mark(open, "(") {
		return false
	}
	for _, row := range p.commandRows() {
		rest, fits := "", false
		switch whole := "." + name; {
		case row.any:
			if at := strings.LastIndex(whole, row.call); at >= 0 && !strings.Contains(whole[at+len(row.call):], ".") {
				rest, fits = strings.ReplaceAll(whole[at+len(row.call):], "_", "-"), true
			}
		default:
			fits = strings.HasSuffix(whole, row.call) && (method || strings.Contains(name, "."))
		}
		if !fits || p.once(i) || p.unasked(i) {
			continue
		}
		args, _ := p.args(open+1, ")")
		var list []Word
		for _, word := range row.words {
			if word == "*" {
				word = rest
			}
			list = append(list, lit(word, p.span))
		}
		p.stands(i)
		p.emit(p.c.step(p.lang+" "+name, p.span), p.optioned(list, args))
		return true
	}
	return false
}

// optioned are the words of such a command with the arguments of the call behind them: force=True is --force. The first one is the end of
// a word that ends in a dash.
func (p *interp) optioned(list []Word, args []arg) []Word {
	option := func(a *arg) {
		name := a.name
		switch {
		case strings.HasPrefix(name, "-"):
		case len(name) == 1:
			name = "-" + name
		default:
			name = "--" + strings.ReplaceAll(name, "_", "-")
		}
		switch text := strings.ToLower(a.word.Text); {
		case text == "false":
		case text == "true", text == "null", text == "none", a.word.Kind != Literal:
			list = append(list, lit(name, p.span))
		default:
			list = append(list, lit(name, p.span), a.word)
		}
	}
	for k := range args {
		a := &args[k]
		named := slices.ContainsFunc(a.rows, func(row arg) bool { return row.name != "" })
		switch last := &list[len(list)-1]; {
		case a.name != "":
			option(a)
		case named:
			for i := range a.rows {
				option(&a.rows[i])
			}
		case strings.HasSuffix(last.Text, "-") && a.word.Kind == Literal:
			last.Text += strings.TrimLeft(a.word.Text, "-")
		default:
			list = append(list, flat([]arg{*a})...)
		}
	}
	return list
}
