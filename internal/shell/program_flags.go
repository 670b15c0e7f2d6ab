package shell

import (
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Libraries read the options of a program for it. The program declares each of them, and what it finds is a member of what the library returns
// (argparse, commander), or a variable (flag of Go).

// declared is an option that a program declares.
type declared struct {
	names      []string // as they are given
	toggles    bool     // without a value
	or         [2]int   // what it is where it is not given; nothing: false, or none
	understood bool
}

// option evaluates the member of what was parsed: args.dry_run.
func (p *interp) option(of, member string) known {
	if !p.e.spend(1+len(p.toks)/16, p.c) || !p.parsed(of, 0) {
		return known{} // of something else, or of other words than those of the line
	}
	if p.setsMember(of, member) {
		return known{}
	}
	if v, ok := p.commandOf(member); ok {
		return v
	}
	if v, ok := p.positional(member); ok && p.in.Blocks == rule.BlocksColon {
		return v
	}
	o, ok := p.declared(member, p.in.Declares)
	if !ok {
		return known{}
	}
	given, value := p.optionGiven(o)
	switch {
	case given == maybe:
		return known{}
	case given == yes && o.toggles:
		return known{kind: isTruth, is: yes}
	case given == yes && value != nil:
		return known{kind: isText, text: *value}
	case given == yes:
		return known{}
	case o.or != [2]int{}:
		return p.known(o.or[0], o.or[1])
	case o.toggles:
		return known{kind: isTruth, is: no}
	}
	return known{kind: isNone}
}

// setsMember reports that the program gives a member another value, by whatever name it has what was parsed; one of the object that a method is of
// (self.dry = args.dry) is another thing.
func (p *interp) setsMember(of, member string) bool {
	for k := range p.toks {
		if p.toks[k].text != member || !p.mark(k-1, ".") || k < 2 {
			continue
		}
		own := p.at(k-2).text != of && (p.at(k-2).text == "self" || p.at(k-2).text == "this")
		added := p.at(k+1).kind == tokMark && strings.Contains("+-*/%|&^", p.at(k+1).text) && p.mark(k+2, "=")
		if !own && (p.mark(k+1, "=") || added) {
			return true
		}
	}
	return false
}

// plainOption is how the name of an option and that of a member agree: --dry-run is dry_run and dryRun.
func plainOption(s string) string {
	return strings.ToLower(strings.NewReplacer("-", "", "_", "").Replace(s))
}

// declared finds the one declaration of a member, by the calls that declare one.
func (p *interp) declared(member string, calls []string) (o declared, ok bool) {
	for k := range p.plain {
		if p.toks[k].kind != tokText && p.toks[k].kind != tokName || p.toks[k].text == "" && p.toks[k].word.Kind != Literal {
			continue
		}
		text := p.toks[k].text + p.toks[k].word.Text
		if p.mark(k+1, ":") && p.mark(k+2, "{") && plainOption(text) == plainOption(member) { // { apply: { type: "boolean" } }
			if ok {
				return o, false
			}
			o, ok = p.declares([]string{"--" + text}, k+2), true
			continue
		}
		open := p.bracket(k)
		if p.toks[k].kind != tokText || !p.mark(open, "(") || !slices.Contains(calls, p.at(open-1).text) || !strings.HasPrefix(text, "-") {
			continue
		}
		var names []string
		valued := false
		for i := open + 1; p.at(i).kind == tokText && (i == open+1 || p.mark(i-1, ",")); i += 2 {
			for _, word := range strings.FieldsFunc(p.at(i).word.Text, func(r rune) bool { return r == ' ' || r == ',' || r == '|' }) {
				if strings.HasPrefix(word, "-") {
					names = append(names, word)
				} else if strings.HasPrefix(p.at(i).word.Text, "-") {
					valued = true // --file <name>
				}
			}
		}
		if dest := p.dest(open); dest != "" && (dest != member || k > open+1) || dest == "" && plainOption(text[strings.LastIndexByte(text, ' ')+1:]) != plainOption(member) {
			continue
		}
		if ok {
			return o, false
		}
		o, ok = p.declares(names, open), true
		o.understood = o.understood && !valued
	}
	return o, ok && o.understood
}

// dest is the name under which an option is found that its declaration gives it, "" if it gives none.
func (p *interp) dest(open int) string {
	for k, end := open+1, p.closes(open); k < end; k++ {
		if p.at(k).kind == tokName && p.e.tables.Code.Dests.Has(p.at(k).text) && p.mark(k+1, "=") {
			return p.at(k + 2).word.Text
		}
	}
	return ""
}

// declares reads what a declaration says behind the names: action="store_true", default="dev".
func (p *interp) declares(names []string, open int) declared {
	o := declared{names: names, understood: true, toggles: p.in.Blocks != rule.BlocksColon}
	for k, last := open+1, p.closes(open); k < last; k++ {
		t := p.at(k)
		if t.kind != tokName || !p.mark(k+1, "=") && !p.mark(k+1, ":") || p.mark(k-1, ".") {
			continue
		}
		value, end := p.at(k+2), p.until(k+2, func(i int) bool { return p.mark(i, ",") })
		switch says := &p.e.tables.Code; {
		case says.Defaults.Has(t.text):
			o.or = [2]int{k + 2, end}
		case says.Kinds.Has(t.text) && says.Toggles.Has(value.word.Text):
			o.toggles = true
		case says.Kinds.Has(t.text) && (says.Texts.Has(p.last(k+2)) || says.Texts.Has(value.word.Text)):
			o.toggles = false
		case !says.Remarks.Has(t.text):
			o.understood = false
		}
		k = end
	}
	return o
}

// last is the last part of the name at i: Path of pathlib.Path.
func (p *interp) last(i int) string {
	name, _ := p.chain(i)
	return name[strings.LastIndexByte(name, '.')+1:]
}

// optionGiven tells whether an option is given, and with which value. Where a word may be another spelling of it, nobody knows.
func (p *interp) optionGiven(o declared) (given truth, value *string) {
	if !p.allGiven() {
		return maybe, nil
	}
	given = no
	for i := 0; i < len(p.c.given); i++ {
		word := p.c.given[i].Text
		name, with, valued := strings.Cut(word, "=")
		switch {
		case word == "--":
			return given, value
		case !strings.HasPrefix(word, "-") || len(word) < 2:
		case slices.Contains(o.names, name) && (valued && !o.toggles || !valued && o.toggles):
			given, value = yes, &with
		case slices.Contains(o.names, word) && i+1 < len(p.c.given):
			i++
			given, value = yes, &p.c.given[i].Text
		case slices.ContainsFunc(o.names, func(is string) bool {
			return word[1] == '-' && strings.HasPrefix(is, name) || len(is) == 2 && word[1] != '-' && strings.Contains(word, is[1:])
		}), strings.HasPrefix(word, "@"):
			return maybe, nil
		}
	}
	return given, value
}

// flag evaluates a variable that a call of Go's flag has made, or fills.
func (p *interp) flag(name string) known {
	b := p.binding(name)
	if b < 0 || !p.allGiven() || p.says(p.e.tables.Code.Resets) {
		return known{}
	}
	call, first := b+2, 0
	if p.mark(b+1, ":") {
		call++
	}
	if p.mark(b-1, "&") {
		call, first = p.bracket(b)-3, 1
	}
	is, args := p.flagCall(call)
	if is == "" || len(args) != first+3 {
		return known{}
	}
	text := p.at(args[first][0]).word.Text
	value, given, ok := p.flagGiven(text)
	switch {
	case !ok:
		return known{}
	case !given:
		return p.known(args[first+1][0], args[first+1][1])
	case is == "switch":
		on, err := strconv.ParseBool(value)
		if err != nil {
			return known{}
		}
		return knownTruth(truthOf(on))
	}
	return known{kind: isText, text: value}
}

// flagCall reads a call at i that declares a flag: whether it is a switch or has a value, and its arguments.
func (p *interp) flagCall(i int) (is string, args [][2]int) {
	if i < 0 || p.at(i).kind != tokName {
		return "", nil
	}
	name, open := p.chain(i)
	for _, row := range p.in.Flags {
		if word, kind, _ := strings.Cut(row, " "); word == name && p.mark(open, "(") {
			return kind, p.split(open+1, p.closes(open), func(k int) bool { return p.mark(k, ",") })
		}
	}
	return "", nil
}

// flagGiven reads the words as flag of Go does: -name, --name, -name=value; the first operand ends them. ok is false where a word is no flag
// of the program.
func (p *interp) flagGiven(name string) (value string, given, ok bool) {
	for i := 0; i < len(p.c.given); i++ {
		word := p.c.given[i].Text
		if word == "--" || len(word) < 2 || word[0] != '-' {
			break
		}
		one, with, valued := strings.Cut(strings.TrimPrefix(word[1:], "-"), "=")
		kind := p.flagKind(one)
		switch {
		case kind == "":
			return "", false, false
		case !valued && kind == "switch":
			with = "true"
		case !valued:
			if i++; i == len(p.c.given) {
				return "", false, false
			}
			with = p.c.given[i].Text
		}
		if one == name {
			value, given = with, true
		}
	}
	return value, given, true
}

// flagKind is what the program declares a flag as, "" if it does not.
func (p *interp) flagKind(name string) string {
	for k := range p.plain {
		if t := &p.toks[k]; t.kind == tokText && t.word.Text == name && p.mark(p.bracket(k), "(") {
			if is, _ := p.flagCall(p.bracket(k) - 3); is != "" {
				return is
			}
		}
	}
	return ""
}

// helps skips what does not run where the program is asked what it knows, from the call on that reads its options: all that stands behind it, and
// functions that nothing before it calls.
func (p *interp) helps() {
	if p.in.Blocks != rule.BlocksColon || !slices.ContainsFunc(p.c.given, func(w Word) bool { return w.Kind == Literal && p.e.tables.Code.Helps.Has(w.Text) }) || !p.allGiven() {
		return
	}
	reads := -1
	for k := range p.plain {
		if p.readsLine(k) {
			if reads >= 0 {
				return
			}
			reads = k
		}
	}
	if reads < 0 || p.says(p.e.tables.Code.Unhelped) {
		return
	}
	bodies, holds, ok := p.bodies(reads)
	if !ok {
		return
	}
	live := p.before(reads, bodies, holds)
	for k := 0; k < p.plain; k++ {
		from := k
		for k < p.plain && !live[k] {
			k++
		}
		p.skips(from, k)
	}
}

// bodies are the functions of the program, and the one of them that holds the token at; ok is false where a name stands for several.
func (p *interp) bodies(at int) (list map[string][2]int, holds string, ok bool) {
	list = map[string][2]int{}
	for k := 0; k < p.plain; k++ {
		if p.at(k).kind != tokName || !p.e.tables.Code.Defines.Has(p.at(k).text) || p.at(k+1).kind != tokName {
			continue
		}
		body, name := [2]int{k + 2, min(p.bodyEnd(k, k+2), p.plain)}, p.at(k+1).text
		if _, twice := list[name]; twice || p.margin(k) != 0 || body[0] >= p.plain {
			return nil, "", false
		}
		if list[name] = body; body[0] <= at && at < body[1] {
			holds = name
		}
		k = body[1] - 1
	}
	return list, holds, true
}

// before tells which tokens may run before the one at reads: those in front of it, and the functions that they name.
func (p *interp) before(reads int, bodies map[string][2]int, holds string) []bool {
	live := make([]bool, p.plain)
	for k := range live {
		live[k] = k <= reads || holds != ""
	}
	for name, b := range bodies {
		for k := b[0]; k < b[1]; k++ {
			live[k] = name == holds && k <= reads
		}
	}
	for more := true; more; {
		more = false
		for k := range live {
			b, ok := bodies[p.at(k).text]
			if !live[k] || !ok || p.at(k).text == holds || p.e.tables.Code.Defines.Has(p.at(k-1).text) || live[b[0]] {
				continue
			}
			more = true
			for i := b[0]; i < b[1]; i++ {
				live[i] = true
			}
		}
	}
	return live
}
