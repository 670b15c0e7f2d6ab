package shell

import (
	"slices"
	"strings"
)

// What a library reads of the line for a program is not options alone: add_argument("files", nargs="+") has the words that stand for themselves.

// operand is one that a program declares, or one of its options.
type operand struct {
	name   string
	names  []string // of an option
	valued bool     // an option with a value
	many   bool     // it takes all there are
	maybe  bool     // or none
	or     [2]int   // what it is then
}

// maxHolders bounds how many names lead from one to another, and maxHeld how many values of a name and calls of a function are looked at.
const (
	maxHolders = 4
	maxHeld    = 16
)

// parsed reports that a name holds what a library has read of the line for the program: by the call itself, by a function that returns it, or as
// the parameter of one that is given it.
func (p *interp) parsed(of string, deep int) bool {
	if is, known := p.holders[of]; known || deep > maxHolders || !p.e.spend(1+len(p.toks)/16, p.c) {
		return is
	}
	if p.holders == nil {
		p.holders = map[string]bool{}
	}
	p.holders[of] = false
	found := 0
	for k := range p.toks {
		if t := &p.toks[k]; t.kind != tokName || t.text != of || p.mark(k-1, ".") || !p.binds(k) || p.otherList(k) {
			continue
		}
		if found++; found > maxHeld || !p.reads(k, deep) {
			return false
		}
	}
	p.holders[of] = found > 0
	return found > 0
}

// otherList reports a parameter at k that takes the rest of what its function is given, and of which that function asks no member: def run(*args) has a list of
// its own by the name that others have for what was read.
func (p *interp) otherList(k int) bool {
	open := p.bracket(k)
	if !p.mark(k-1, "*") || !p.mark(open, "(") || !p.e.tables.Code.Defines.Has(p.at(open-2).text) {
		return false
	}
	end := p.bodyEnd(open-2, p.closes(open)+1)
	for i := p.closes(open); i < end; i++ {
		if p.at(i).text == p.at(k).text && p.at(i).kind == tokName && p.mark(i+1, ".") {
			return false
		}
	}
	return true
}

// reads reports that the name which gets a value at k gets what was read.
func (p *interp) reads(k, deep int) bool {
	open := p.bracket(k)
	if p.mark(open, "(") && (p.e.tables.Code.Defines.Has(p.at(open-2).text) || p.e.tables.Code.Functions.Has(p.at(open-2).text)) {
		return p.handedOver(p.at(open-1).text, p.at(k).text, p.places(open, k), deep)
	}
	end := p.until(k, p.lineEnd)
	if p.mark(open, "{") {
		end = p.until(p.closes(open)+1, p.lineEnd) // const { values } = parseArgs(…)
	}
	return p.yields(k+1, end, deep)
}

// places counts the arguments in front of the token at k in the brackets that open there, without the object itself.
func (p *interp) places(open, k int) (n int) {
	for i := open + 1; i < k; i++ {
		if p.mark(i, ",") && !p.e.tables.Code.Own.Has(p.at(i-1).text) {
			n++
		}
	}
	return n
}

// yields reports that what stands between two tokens is a call which reads the line, or one of a function that returns that.
func (p *interp) yields(from, end, deep int) bool {
	for k := from; k < end; k++ {
		t := p.at(k)
		if t.kind != tokName {
			continue
		}
		if p.readsLine(k) {
			return true
		}
		body, ok := p.bodyOf(t.text)
		if ok && deep < maxHolders && p.mark(k+1, "(") && (k < body[0] || k >= body[1]) {
			for i := body[0]; i < body[1]; i++ {
				if p.e.tables.Code.Returns.Has(p.at(i).text) && (p.yields(i+1, p.until(i+1, p.lineEnd), deep+1) || p.at(i+1).kind == tokName && p.lineEnd(i+2) && p.parsed(p.at(i+1).text, deep+1)) {
					return true
				}
			}
		}
	}
	return end == from+1 && p.at(from).kind == tokName && p.parsed(p.at(from).text, deep+1)
}

// bodyOf is the body of a function by its name.
func (p *interp) bodyOf(name string) (body [2]int, ok bool) {
	if f, ok := p.funcs[name]; ok {
		return [2]int{f.from, f.end}, true
	}
	if p.bodiesAt == nil {
		p.bodiesAt = map[string][2]int{}
		for k := range p.toks {
			if t := &p.toks[k]; t.kind == tokName && p.e.tables.Code.Defines.Has(p.at(k-1).text) && p.mark(k+1, "(") && p.e.spend(1, p.c) {
				if from := p.closes(k+1) + 1; p.bodiesAt[t.text] == [2]int{} {
					p.bodiesAt[t.text] = [2]int{from, p.bodyEnd(k-1, from)}
				}
			}
		}
	}
	body, ok = p.bodiesAt[name]
	return body, ok
}

// handedOver reports that each call of a function has what was read as its argument at a place, and that there is one. A parameter that is called as
// the name which it gets is that.
func (p *interp) handedOver(name, parameter string, place, deep int) bool {
	calls := 0
	for k := range p.toks {
		if p.toks[k].kind != tokName || p.toks[k].text != name || p.e.tables.Code.Defines.Has(p.at(k-1).text) {
			continue
		}
		if calls++; calls > maxHeld {
			return false
		}
		if p.e.tables.Code.Handlers.Has(p.at(k-4).text) && p.plainHandler(k-4) { // set_defaults(func=drop), and args.func(args)
			if place > 0 || !p.handlersGet(p.at(k-2).text, parameter, deep) {
				return false
			}
			continue
		}
		if !p.mark(k+1, "(") || !p.hasRead(k+1, parameter, place, deep) {
			return false
		}
	}
	return calls > 0
}

// hasRead reports that the call whose bracket opens there has what was read as its argument at a place.
func (p *interp) hasRead(open int, parameter string, place, deep int) bool {
	args := p.split(open+1, p.closes(open), func(i int) bool { return p.mark(i, ",") })
	if place >= len(args) {
		return false
	}
	from, end := args[place][0], args[place][1]
	return end == from+1 && p.at(from).kind == tokName && p.at(from).text == parameter || p.yields(from, end, deep+1)
}

// handlersGet reports that the function which a parser sets is called with what was read alone: args.func(args).
func (p *interp) handlersGet(member, parameter string, deep int) bool {
	calls := 0
	for k := range p.toks {
		if p.toks[k].kind != tokName || p.toks[k].text != member || !p.mark(k-1, ".") {
			continue
		}
		if calls++; calls > maxHeld || !p.mark(k+1, "(") || !p.hasRead(k+1, parameter, 0, deep) {
			return false
		}
	}
	return calls > 0
}

// operands reads the declarations of a program, in their order.
func (p *interp) operands(calls []string) (list []operand) {
	if list, known := p.declaring[calls[0]]; known {
		return list
	}
	defer func() {
		if p.declaring == nil {
			p.declaring = map[string][]operand{}
		}
		p.declaring[calls[0]] = list
	}()
	for k := range p.plain {
		if p.toks[k].kind != tokName || !slices.Contains(calls, p.toks[k].text) || !p.mark(k+1, "(") || p.at(k+2).kind != tokText || len(list) > maxLoop {
			continue
		}
		o := operand{name: p.at(k + 2).word.Text, valued: true}
		for i := k + 2; p.at(i).kind == tokText; i += 2 {
			if strings.HasPrefix(p.at(i).word.Text, "-") {
				o.names = append(o.names, p.at(i).word.Text)
			}
		}
		code := &p.e.tables.Code
		for _, part := range p.split(k+2, p.closes(k+1), func(i int) bool { return p.mark(i, ",") }) {
			key, value := p.at(part[0]), p.at(part[0]+2)
			number := value.text + value.word.Text
			switch {
			case key.kind != tokName || !p.mark(part[0]+1, "="):
			case code.Defaults.Has(key.text):
				o.or = [2]int{part[0] + 2, part[1]}
			case code.Kinds.Has(key.text) && code.Unvalued.Has(value.word.Text):
				o.valued = false
			case code.Amounts.Has(key.text):
				o.maybe = number == "?" || number == "*"
				o.many = !o.maybe && number != "1" || number == "*"
			case code.Required.Has(key.text):
				o.maybe = strings.EqualFold(number, "false")
			case code.Dests.Has(key.text):
				o.name = value.word.Text
			}
		}
		o.maybe = o.maybe || len(o.names) == 0 && o.or != [2]int{}
		list = append(list, o)
	}
	return list
}

// operandGiven evaluates a member of what was read that is no option: the words of the line that stand at its place. Where the program does not tell
// which these are, it is each of them.
func (p *interp) operandGiven(member string, calls []string) (a arg, ok bool) {
	list := p.operands(calls)
	at := slices.IndexFunc(list, func(o operand) bool { return len(o.names) == 0 && plainOption(o.name) == plainOption(member) })
	if at < 0 || !p.e.spend(1+len(p.toks)/16, p.c) {
		return a, false
	}
	words, sure := p.plainWords(list)
	list = slices.DeleteFunc(slices.Clone(list), func(o operand) bool { return len(o.names) > 0 })
	at = slices.IndexFunc(list, func(o operand) bool { return plainOption(o.name) == plainOption(member) })
	o := list[at]
	if several := slices.IndexFunc(list, func(o operand) bool { return o.many }); several >= 0 && several != at && several < at {
		if after := len(list) - at; after <= len(words) {
			words = words[len(words)-after:][:1] // behind one that takes what is left
		} else {
			words = nil
		}
	} else if words = words[min(at, len(words)):]; o.many {
		words = words[:max(0, len(words)-(len(list)-at-1))]
	} else {
		words = words[:min(1, len(words))]
	}
	if !sure {
		all, _ := p.plainWords(nil)
		return oneOf(all, p.span), len(all) > 0
	}
	switch {
	case len(words) == 0 && o.or != [2]int{}:
		a, _ = p.expr(o.or[0])
		return a, true
	case len(words) == 0:
		return a, false
	case o.many:
		return p.names(words...), true
	}
	return arg{word: words[0]}, true
}

// plainWords are the words of the line that are no options and no values of these; sure is false where a word may be either.
func (p *interp) plainWords(list []operand) (words []Word, sure bool) {
	sure = list != nil
	for i := 0; i < len(p.c.given); i++ {
		w := p.c.given[i]
		text := w.Prefix()
		if !strings.HasPrefix(text, "-") || text == "-" {
			sure = sure && !w.Many
			words = append(words, w)
			continue
		}
		name, _, valued := strings.Cut(text, "=")
		o := slices.IndexFunc(list, func(o operand) bool { return slices.Contains(o.names, name) })
		switch {
		case o < 0 && list != nil:
			sure = sure && p.e.tables.Code.Helps.Has(name)
		case o >= 0 && !valued && list[o].many:
			for i+1 < len(p.c.given) && !strings.HasPrefix(p.c.given[i+1].Prefix(), "-") {
				i++
			}
		case o >= 0 && !valued && list[o].valued:
			i++
		}
	}
	return words, sure
}
