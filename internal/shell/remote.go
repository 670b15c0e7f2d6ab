package shell

import (
	"path"
	"slices"
	"strings"
	"unicode"
)

// Libraries of clouds and databases have calls that take away what others use as well: client.delete_object(…), prisma.user.deleteMany({}).
// In a file that a line runs, such a call is a command of its own. On the line itself the whole program is judged by its words.
// Tests, seeds and servers make such calls every day, and so does a program that says it works on this machine alone.

// RemoteCall is the command that such a call amounts to; its argument is the call's name.
const RemoteCall = "remote-call"

// takesElsewhere emits it.
func (p *interp) takesElsewhere(c *ctx, name string, args []arg) {
	if p.c.script == "" || c.remote || p.tries() {
		return
	}
	words := &p.e.tables.Remote
	says := func(list []string) bool {
		return slices.ContainsFunc(list, func(word string) bool { return strings.Contains(p.text, word) })
	}
	last := name[strings.LastIndexAny(name, ".:>")+1:]
	if len(p.in.Libraries) > 0 && !says(p.in.Libraries) || says(words.Local) || says(words.Serves) || words.Rows.Has(last) && picks(args) {
		return
	}
	p.operate(c, []string{RemoteCall, last}, nil)
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
