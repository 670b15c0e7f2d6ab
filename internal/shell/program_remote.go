package shell

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/rule"
)

// Libraries of clouds and databases have calls that take away what others use as well: client.delete_object(…), prisma.user.deleteMany({}).
// Those of services have calls by which people get a message, or money moves: mailer.deliver_now, stripe.Refund.create(…). Those of models
// change rows of the application's own database, as programs do every day where somebody develops: user.update!(…).
// In a file that a line runs, such a call is a command of its own. On the line itself the whole program is judged by its words.
// So is a request to the address of a hook that a chat has for messages, where the file says that it has one.
// Tests, seeds and servers make such calls every day, and so does a program that says it works on this machine alone.

// entry returns the program of an image to which the words behind it are given: docker run alpine/git status, docker run
// --entrypoint git IMAGE status. It is nil for an image that runs what it is told.
func (e *engine) entry(row *wrapper, before []Word) *Word {
	if row.Entry == "" || len(before) == 0 {
		return nil
	}
	list := argv.List(row.Entry)
	if w := optionValues(before[1:], list, argv.List(row.Value)); len(w) > 0 {
		if last := w[len(w)-1]; !last.Is("") {
			return last
		}
		return nil // the image's own is taken away
	}
	image := &before[len(before)-1]
	name, _, _ := strings.Cut(image.Text, "@")
	if i := strings.LastIndexByte(name, ':'); i > strings.LastIndexByte(name, '/') {
		name = name[:i]
	}
	for i := range e.tables.Image {
		for _, known := range e.tables.Image[i].Names {
			if image.Kind == Literal && (match(known, name) || match("*/"+known, name)) {
				w := lit(e.tables.Image[i].Runs, image.Span)
				return &w
			}
		}
	}
	return nil
}

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
	last := name[strings.LastIndexAny(name, ".:>")+1:]
	command, needs := RemoteCall, p.in.Libraries
	switch does {
	case rule.DoReach:
		command, needs = ReachCall, p.in.Services
	case rule.DoPost:
		command, needs = ReachCall, words.Hooks
	case rule.DoAlter:
		command = AlterCall
	}
	if len(needs) > 0 && !p.says(needs) || p.says(words.Local) && (command == ReachCall || !p.live()) || p.says(words.Serves) || words.Rows.Has(last) && picks(args) {
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

// live reports that the program is told to do it where users work: --env production.
func (p *interp) live() bool {
	return slices.ContainsFunc(p.c.given, func(w Word) bool {
		_, value, _ := strings.Cut(w.Text, "=")
		return p.e.tables.Remote.Lives.Has(strings.ToLower(w.Text)) || p.e.tables.Remote.Lives.Has(strings.ToLower(value))
	})
}

// tries reports a file whose path says that it is a test, a seed or an example, and that is not told to work on what users have.
func (p *interp) tries() bool {
	if p.live() {
		return false
	}
	file := strings.TrimPrefix(p.c.script, p.e.opt.Root)
	file = strings.TrimSuffix(file, path.Ext(file))
	for word := range strings.FieldsFuncSeq(file, func(r rune) bool { return !unicode.IsLetter(r) }) {
		if p.e.tables.Remote.Trials.Has(strings.ToLower(word)) {
			return true
		}
	}
	return false
}
