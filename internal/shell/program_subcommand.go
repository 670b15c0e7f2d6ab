package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// A program of several commands has a library find the one that the line names: argparse by parsers that the program adds, click and typer by functions
// that a decorator makes commands. Functions of the others that nothing else names do not run then.

// commands finds them. Where one has no name that is written out, or there are commands of commands, nothing is decided.
func (p *interp) commands() {
	if p.in.Blocks != rule.BlocksColon || !p.allGiven() {
		return
	}
	p.addedCommands()
	p.decoratedCommands()
}

// parsers are the commands of argparse by the names that the line may give, each with the place of the call that adds it.
func (p *interp) parsers() (names map[string]int, ok bool) {
	groups := 0
	names = map[string]int{}
	for k := range p.plain {
		t := &p.toks[k]
		if t.kind != tokName {
			continue
		}
		if slices.Contains(p.in.Groups, t.text) {
			groups++
		}
		if !slices.Contains(p.in.Adds, t.text) {
			continue
		}
		if !p.mark(k-1, ".") || !p.mark(k+1, "(") || p.at(k+2).kind != tokText || p.at(k+2).word.Kind != Literal || !p.mark(k+3, ",") && !p.mark(k+3, ")") {
			return nil, false
		}
		list := []int{k + 2}
		for i := k + 3; i < p.closes(k+1); i++ {
			if p.e.tables.Code.Aliases.Has(p.at(i).text) && p.mark(i+1, "=") {
				more, read := p.texts(i + 2)
				if !read {
					return nil, false
				}
				list = append(list, more...)
			}
		}
		for _, i := range list {
			if _, twice := names[p.at(i).word.Text]; twice {
				return nil, false
			}
			names[p.at(i).word.Text] = k
		}
	}
	return names, groups == 1 && len(names) > 0
}

// texts are the places of texts in a list that begins at i.
func (p *interp) texts(i int) (list []int, ok bool) {
	if !p.mark(i, "[") && !p.mark(i, "(") {
		return nil, false
	}
	for k := i + 1; k < p.closes(i); k++ {
		switch {
		case p.at(k).kind == tokText && p.at(k).word.Kind == Literal:
			list = append(list, k)
		case !p.mark(k, ",") && !p.lineEnd(k):
			return nil, false
		}
	}
	return list, true
}

// firstOperand is the first word of the line that is no option, nor the value of one; there is none where is is no.
func (p *interp) firstOperand() (word string, is truth) {
	for i := 0; i < len(p.c.given); i++ {
		switch text := p.c.given[i].Text; {
		case text == "" || text[0] == '@' || text == "--":
			return "", maybe
		case text[0] != '-':
			return text, yes
		case strings.Contains(text, "="):
		case p.takes(text, true) && i+1 < len(p.c.given) && !strings.HasPrefix(p.c.given[i+1].Text, "-"):
			i++
		case !p.takes(text, false):
			return "", maybe
		}
	}
	return "", no
}

// takes reports an option that the program declares, once, as one with a value, or as one without.
func (p *interp) takes(word string, value bool) bool {
	found := 0
	for k := range p.plain {
		if t := &p.toks[k]; t.kind != tokText || t.word.Text != word {
			continue
		}
		open := p.bracket(k)
		if !p.mark(open, "(") || !slices.Contains(p.in.Declares, p.at(open-1).text) {
			continue
		}
		if o := p.declares(nil, open); o.toggles == value || !o.understood {
			return false
		}
		found++
	}
	return found > 0
}

// addedCommands skips what other parsers than the one that the line names have as their function: p.set_defaults(func=drop).
func (p *interp) addedCommands() {
	if !p.mentions(&p.adds, p.in.Adds) {
		return
	}
	names, ok := p.parsers()
	word, is := p.firstOperand()
	chosen, named := names[word]
	for k := range p.plain {
		ok = ok && (!slices.Contains(p.in.Parses, p.at(k).text) || p.readsLine(k))
	}
	if !ok || is != yes || !named {
		return
	}
	funcs := map[string]bool{} // whether the one that the line names has it
	for k := range p.plain {
		if t := &p.toks[k]; t.kind != tokName || !p.e.tables.Code.Handlers.Has(t.text) {
			continue
		}
		of, ok := p.parserOf(k)
		if !ok {
			return
		}
		funcs[p.at(k+4).text] = funcs[p.at(k+4).text] || of == chosen
	}
	for name, runs := range funcs {
		if from, end, ok := p.onlyIn(name); ok && !runs {
			p.skips(from, end)
		}
	}
}

// parserOf is the place of the call that adds the parser whose function the call at k sets.
func (p *interp) parserOf(k int) (add int, ok bool) {
	if !p.plainHandler(k) {
		return 0, false
	}
	from, end := k-2, k-2
	switch {
	case p.mark(k-2, ")"): // sub.add_parser("x").set_defaults(…)
		if from = p.bracket(k-2) - 1; from < 0 || !slices.Contains(p.in.Adds, p.at(from).text) {
			return 0, false
		}
		return from, true
	case p.at(k-2).kind == tokName:
		for from = k - 3; from > 0 && (p.at(from).text != p.at(k-2).text || !p.mark(from+1, "=") || !p.begins(from)); from-- {
		}
		if p.at(from).text != p.at(k-2).text || !p.mark(from+1, "=") {
			return 0, false
		}
		end = p.until(from+2, p.lineEnd)
	}
	for i := max(from, 0); i < end; i++ {
		if slices.Contains(p.in.Adds, p.at(i).text) && p.mark(i+1, "(") && p.closes(i+1) >= end-1 {
			return i, true
		}
	}
	return 0, false
}

// plainHandler reports a call that sets nothing but a function: set_defaults(func=drop).
func (p *interp) plainHandler(k int) bool {
	return p.mark(k-1, ".") && p.mark(k+1, "(") && p.at(k+2).kind == tokName && p.mark(k+3, "=") && p.at(k+4).kind == tokName && p.closes(k+1) == k+5 && !p.e.tables.Functions.Constants.Has(p.at(k+4).text)
}

// handlers reports that all calls of that kind are so.
func (p *interp) handlers() bool {
	for k := range p.plain {
		if t := &p.toks[k]; t.kind == tokName && p.e.tables.Code.Handlers.Has(t.text) {
			if !p.plainHandler(k) {
				return false
			}
			if _, option := p.declared(p.at(k+2).text, p.in.Declares); option {
				return false
			}
		}
	}
	return true
}

// commandOf is the member of what was parsed that says which command the line names: args.cmd, of add_subparsers(dest="cmd").
func (p *interp) commandOf(member string) (v known, ok bool) {
	for k := range p.plain {
		if p.at(k).kind != tokName || !slices.Contains(p.in.Groups, p.at(k).text) || !p.mark(k+1, "(") {
			continue
		}
		for i := k + 2; i < p.closes(k+1); i++ {
			if p.e.tables.Code.Stores.Has(p.at(i).text) && p.mark(i+1, "=") && p.at(i+2).kind == tokText && p.at(i+2).word.Text == member {
				ok = true
			}
		}
	}
	if !ok {
		return v, false
	}
	names, read := p.parsers()
	word, is := p.firstOperand()
	if _, named := names[word]; read && is == yes && named {
		return known{kind: isText, text: word}, true
	}
	if read && is == no {
		return known{kind: isNone}, true
	}
	return v, true
}

// positional is the first word that is no option, where the program declares that member alone, and no command: add_argument("action", choices=[…]).
func (p *interp) positional(member string) (v known, ok bool) {
	if p.mentions(&p.adds, p.in.Adds) {
		return v, false
	}
	at, others := -1, 0
	for k := range p.plain {
		open := p.bracket(k)
		if t := &p.toks[k]; t.kind != tokText || open != k-1 || !slices.Contains(p.in.Declares, p.at(open-1).text) || strings.HasPrefix(t.word.Text, "-") {
			continue
		} else if t.word.Kind != Literal || p.at(open-1).kind != tokName || at >= 0 {
			others++
		} else {
			at = k
		}
	}
	if at < 0 || others > 0 || p.at(at).word.Text != member {
		return v, false
	}
	o := p.declares(nil, at-1)
	word, is := p.firstOperand()
	switch {
	case !o.understood || o.toggles:
	case is == yes:
		return known{kind: isText, text: word}, true
	case is == no && o.or != [2]int{}:
		return p.known(o.or[0], o.or[1]), true
	}
	return known{}, true
}

// decoratedCommands skips functions that a decorator makes commands, where the line names another one first.
func (p *interp) decoratedCommands() {
	if len(p.c.given) == 0 || p.says(p.e.tables.Code.Reaches) {
		return
	}
	type command struct{ from, end int }
	list := map[string]command{}
	group := ""
	for k := range p.plain {
		if t := &p.toks[k]; t.kind != tokName || !p.e.tables.Code.Defines.Has(t.text) || p.margin(k) != 0 || p.at(k+1).kind != tokName || !p.mark(k+2, "(") {
			continue
		}
		of, name, is := p.commandAt(k)
		if !is {
			continue
		}
		if _, twice := list[name]; twice || name == "" || group != "" && of != group {
			return
		}
		group = of
		from := p.closes(k+2) + 1
		if p.named(p.at(k+1).text) != 1 {
			from = p.plain // it is called elsewhere, too
		}
		list[name] = command{from, p.bodyEnd(k, from)}
	}
	if _, named := list[p.c.given[0].Text]; !named || len(list) < 2 || !p.calledPlainly(group) {
		return
	}
	for name, c := range list {
		if name != p.c.given[0].Text {
			p.skips(c.from, min(c.end, p.plain))
		}
	}
}

// calledPlainly reports a group that has commands by decorators alone, and is called with the words of the line.
func (p *interp) calledPlainly(group string) bool {
	for k := range p.toks {
		if t := &p.toks[k]; t.kind != tokName || t.text != group || p.mark(k-1, ".") || p.e.tables.Code.Defines.Has(p.at(k-1).text) {
			continue
		}
		decorates, calls := p.mark(k-1, "@") && p.mark(k+1, "."), p.begins(k) && p.mark(k+1, "(") && p.mark(k+2, ")")
		if !decorates && !calls && !(p.begins(k) && p.mark(k+1, "=")) {
			return false
		}
	}
	return true
}

// commandAt reads the decorators of the function that is defined at k; of is what they belong to, and name is "" where nobody knows it.
func (p *interp) commandAt(k int) (of, name string, is bool) {
	for end := k; ; {
		for end > 0 && p.lineEnd(end-1) {
			end--
		}
		from := end
		for from > 0 && (!p.lineEnd(from-1) || p.bracket(from-1) >= 0) {
			from--
		}
		if !p.mark(from, "@") || from == end {
			return of, name, is
		}
		if kind := p.last(from + 1); !p.e.tables.Code.Commands.Has(kind) && !p.e.tables.Code.Decorates.Has(kind) {
			return of, "", is // it may be anything that calls the function
		}
		if p.mark(from+2, ".") && p.e.tables.Code.Commands.Has(p.at(from+3).text) && p.mark(from+4, "(") {
			if is {
				return of, "", true
			}
			of, is, name = p.at(from+1).text, true, p.commandName(k, from+4)
			if name == "" {
				return of, "", true
			}
		}
		end = from
	}
}

// commandName is what the command is called that the function at k is made by a decorator whose bracket is at open; "" where nobody knows it.
func (p *interp) commandName(k, open int) string {
	if t := p.at(open + 1); t.kind == tokText {
		if t.word.Kind != Literal {
			return ""
		}
		return t.word.Text
	}
	for i := open + 1; i < p.closes(open); i++ {
		if p.mark(i, "*") || p.at(i).kind == tokName && p.mark(i+1, "=") && !p.e.tables.Code.Remarks.Has(p.at(i).text) {
			return ""
		}
	}
	name := strings.ToLower(p.at(k + 1).text)
	if i := strings.LastIndexByte(name, '_'); i >= 0 && p.e.tables.Code.Suffixes.Has(name[i+1:]) {
		return "" // which versions leave out
	}
	return strings.ReplaceAll(name, "_", "-")
}

// matches follows the sides of match over a text that is known.
func (p *interp) matches(i int) {
	colon := p.until(i+1, func(k int) bool { return p.lineEnd(k) || p.mark(k, ":") })
	if p.margin(i) < 0 || !p.mark(colon, ":") || !p.lineEnd(colon+1) {
		return
	}
	v := p.known(i+1, colon)
	if v.kind != isText || v.weak {
		return
	}
	end := min(p.bodyEnd(i, colon+1), p.plain)
	var sides [][2]int
	hit, inner := -1, -1
	for k := colon + 1; k < end; k++ {
		if !p.e.tables.Code.Labels.Has(p.at(k).text) || p.margin(k) < 0 || inner >= 0 && p.margin(k) != inner {
			continue
		}
		inner = p.margin(k)
		body := p.until(k+1, func(k int) bool { return p.lineEnd(k) || p.mark(k, ":") }) + 1
		wild := p.at(k+1).text == "_" && body == k+3
		for t := k + 1; t < body-1 && !wild; t++ {
			if text := p.at(t); text.kind == tokText && text.word.Kind == Literal {
				if text.word.Text == v.text && hit < 0 {
					hit = len(sides)
				}
			} else if !p.mark(t, "|") {
				return // a pattern, or a test behind it
			}
		}
		if wild && hit < 0 {
			hit = len(sides)
		}
		sides = append(sides, [2]int{body, min(p.bodyEnd(k, body), end)})
	}
	for n, s := range sides {
		if n != hit {
			p.skips(s[0], s[1])
		}
	}
}
