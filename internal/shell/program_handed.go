package shell

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Calls that are not written as one: what a loop hands to a function by its name, and what stands for a call of itself.

// topic is what the call at i is about where it names nothing.
func (p *interp) topic(i, named int) (args []arg) {
	if p.in.Topic == "" || named > 0 {
		return nil
	}
	if topic, ok := p.looped(p.in.Topic, i); ok {
		args = append(args, topic) // unlink for glob "*"
	}
	if topic, ok := p.lookup(p.in.Topic); ok {
		args = append(args, topic) // $_ = "x"; unlink
	}
	return args
}

// eachCalled performs the method that is called on each item of a list: files.each(&:unlink). It begins behind the name before next.
func (p *interp) eachCalled(next int) bool {
	if !strings.Contains(p.in.Spreads, "&") || !p.mark(next, "(") || !p.mark(next+1, "&") || !p.mark(next+2, ":") || !p.e.tables.Code.Blocks.Has(p.at(next-1).text) {
		return false
	}
	name := p.at(next + 3).text
	does, onPath := p.e.effectOf(p.in, name, true)
	if !onPath || p.once(next-1) {
		return false
	}
	recv, ok := p.calledOn(next - 1)
	if does = p.ofFile(does, &recv); !ok || does >= rule.DoRemote {
		return false
	}
	p.stands(next)
	p.perform(does, name, []arg{whichever(recv)})
	return true
}

// ofFile is what a method does that deletes something elsewhere, where it is called on a file that was found.
func (p *interp) ofFile(does rule.Deed, recv *arg) rule.Deed {
	if does == rule.DoDelete && recv.found() {
		return rule.DoRemove
	}
	return does
}

// handsOn follows a function that is called for each of a list by its name alone: readdirSync(".").forEach(unlinkSync).
func (p *interp) handsOn(name string, i, open int) {
	if p.eachCalled(open) {
		return
	}
	if !p.mark(open, "(") || !p.e.tables.Code.Blocks.Has(name[strings.LastIndexByte(name, '.')+1:]) || p.at(open+1).kind != tokName {
		return
	}
	of, end := p.chain(open + 1)
	does, onPath := p.e.effectOf(p.in, p.full(of), false)
	if does == 0 || onPath || !p.mark(end, ")") || p.once(i) || p.unasked(i) {
		return
	}
	if each, ok := p.receiver(i, name); ok {
		p.stands(i)
		p.perform(does, of, []arg{each})
	}
}

// sends follows a statement behind a name that stands for sending it.
func (p *interp) sends(name string, i, next int) {
	if t := p.at(next); t.kind == tokText && slices.Contains(p.in.Sends, name[strings.LastIndexByte(name, '.')+1:]) && !p.once(i) && !p.unasked(i) {
		p.stands(i)
		p.perform(rule.DoSQL, name, []arg{p.fillIn(t.word)})
	}
}

// takesReceiver reports that a method does something to what it is called on. Which client asks does not matter.
func (p *interp) takesReceiver(does rule.Deed) bool {
	return does != rule.DoDelete && does != rule.DoRequest && does < rule.DoRemote
}

// behind is the name of a method with that of the call in front of it: get_repo(x).delete is get_repo.delete. It is empty where there is none.
func (p *interp) behind(i int, name string) string {
	for n := 0; n < 3 && p.mark(i-1, ".") && p.mark(i-2, ")"); n++ {
		open := p.bracket(i - 2)
		if !p.mark(open, "(") || p.at(open-1).kind != tokName {
			break
		}
		i = open - 1
		name = p.at(i).text + "." + name
		for p.mark(i-1, ".") && p.at(i-2).kind == tokName {
			i -= 2
			name = p.at(i).text + "." + name
		}
	}
	if !strings.Contains(name, ".") {
		return ""
	}
	return "." + name
}

// remoteBehind reports a method that takes something away elsewhere by its name and that of the call in front of it.
func (p *interp) remoteBehind(i int, name string) bool {
	full := p.behind(i, name)
	if full == "" {
		return false
	}
	does, _ := p.e.effectOf(p.in, full, true)
	return does == rule.DoRemote
}
