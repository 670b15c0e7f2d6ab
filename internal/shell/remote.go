package shell

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/rule"
)

// Libraries of clouds and databases have calls that take away what others use as well: client.delete_object(…), prisma.user.deleteMany({}).
// Those of services have calls by which people get a message, or money moves: mailer.deliver_now, stripe.Refund.create(…). Those of models
// change rows of the application's own database, as programs do every day where somebody develops: user.update!(…).
// In a file that a line runs, such a call is a command of its own. On the line itself the whole program is judged by its words.
// Tests, seeds and servers make such calls every day, and so does a program that says it works on this machine alone.

// The commands that such calls amount to; their argument is the call's name.
const (
	RemoteCall = "remote-call"
	ReachCall  = "reach-call"
	AlterCall  = "alter-call"
)

// elsewhere emits one of them.
func (p *interp) elsewhere(c *ctx, does rule.Deed, name string, args []arg) {
	if p.c.script == "" || c.remote || p.tries() {
		return
	}
	words := &p.e.tables.Remote
	says := func(list []string) bool {
		return slices.ContainsFunc(list, func(word string) bool { return strings.Contains(p.text, word) })
	}
	last := name[strings.LastIndexAny(name, ".:>")+1:]
	command, needs := RemoteCall, p.in.Libraries
	switch does {
	case rule.DoReach:
		command, needs = ReachCall, p.in.Services
	case rule.DoAlter:
		command = AlterCall
	}
	if len(needs) > 0 && !says(needs) || says(words.Local) || says(words.Serves) || words.Rows.Has(last) && picks(args) {
		return
	}
	p.operate(c, []string{command, last}, nil)
}

// picks reports that an argument says what is meant: deleteMany({where: {old: true}}).
func picks(args []arg) bool {
	return slices.ContainsFunc(args, func(a arg) bool {
		return strings.ContainsFunc(strings.ReplaceAll(a.raw+a.word.Text, "where", ""), unicode.IsLetter)
	})
}

// tries reports a file whose path says that it is a test, a seed or an example.
func (p *interp) tries() bool {
	file := strings.TrimPrefix(p.c.script, p.e.opt.Root)
	file = strings.TrimSuffix(file, path.Ext(file))
	for word := range strings.FieldsFuncSeq(file, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if p.e.tables.Remote.Trials.Has(strings.ToLower(word)) {
			return true
		}
	}
	return false
}
