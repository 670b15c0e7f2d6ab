package risk

import (
	"cmp"
	"slices"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What tools that nobody can list are told to do to things, by the verbs that they share: "tool volume delete db-1", "tool db:wipe".

// verbOf is the verb in a word of a tool: of "db:drop" what stands behind the last colon, of "delete-instance", "purge_queue" and
// "TerminateInstances" the first part.
func verbOf(word string) string {
	word = word[strings.LastIndexByte(word, ':')+1:]
	for i, r := range word {
		if r == '-' || r == '_' || i > 0 && unicode.IsUpper(r) && !unicode.IsUpper(rune(word[i-1])) {
			word = word[:i]
			break
		}
	}
	return strings.ToLower(word)
}

// firstWords are how many operands of a tool may be its verb: a kind, another, a name and the verb.
const firstWords = 4

// service reports a client of a service elsewhere, whose words mean what they say whatever its own rules speak of.
func (m *match) service() bool {
	return !m.call.carried && m.c.set.In("clients-of-services", m.call.raw)
}

// halfKnown reports a program with subcommands of which rules tell something, but hardly all: words that mean destruction everywhere do so
// here. Of those that are left out the rules know which of their words do no harm.
func (m *match) halfKnown() bool {
	k := m.call
	return !k.carried && k.name != "" && (k.prog == nil || !k.prog.Plain) && !m.c.set.In("prints-words", k.name) && !m.c.set.In("verbs-known", k.name) && k.cmd.Dialect != shell.PowerShell
}

// ownScript reports a program that the project itself brings: it is read where it can be, and left alone as its other scripts are.
func (m *match) ownScript() bool {
	if len(m.call.cmd.Args) == 0 {
		return false
	}
	own := &m.call.cmd.Args[0]
	return strings.ContainsAny(own.Text, "/\\") && m.c.placeOf(m.call, &effect{word: own, text: own.Text, known: true}).Class&(rule.Inside|rule.Project) != 0
}

// toldToDestroy reports a tool, of which no rule tells more, one of whose first words says that it destroys something: either it is told not to ask, or what goes is named.
func (m *match) toldToDestroy() bool {
	k, set := m.call, m.c.set
	service, stranger := m.service(), m.stranger()
	if !service && (!stranger && !m.halfKnown() || m.ownScript()) || k.givenOf(set.members("options-only-saying")) || k.givenOf(set.members("options-of-this-machine")) || m.testEnvironment() {
		return false
	}
	if len(k.operands) > 0 && set.In("destroys-what-it-made", k.raw+" "+k.operand(0)) {
		return false
	}
	if k.givenBut(set.members("options-destroying").All(), set.members("options-destroying-nothing")) {
		return stranger
	}
	root := stranger && m.asRoot()
	if stranger && m.verbAsOption(root) {
		return true
	}
	unasked := service || root || stranger && k.givenOf(set.members("options-unasked"))
	for n, i := range k.operands[:min(firstWords, len(k.operands))] {
		w := &k.cmd.Args[i]
		if w.Kind != shell.Literal || w.Quoted && strings.ContainsAny(w.Text, " \n") {
			return false // no verb but a text
		}
		noun, last, pair := strings.Cut(w.Text, ":")
		if !service && (set.In("nouns-of-its-own", strings.ToLower(noun)) || set.In("subcommands-looking", noun)) {
			return false
		}
		verb := verbOf(w.Text)
		switch {
		case (set.In("subcommands-destroying", verb) || set.In("subcommands-destroying", cmp.Or(last, noun))) && (unasked || pair && stranger || n+1 < len(k.operands) && set.In("subcommands-deleting", verb)):
			return !slices.ContainsFunc(k.operands[n+1:], func(j int) bool { return k.cmd.Args[j].Text == "help" })
		case stranger && n+1 < len(k.operands) && set.In("subcommands-restoring", verb):
			return true
		case service && set.In("subcommands-ending", verb), root && set.In("verbs-taking-away", verb):
			return true
		}
	}
	return false
}

// asRoot reports a call by sudo or the like: what the program takes away then is the whole machine's.
func (m *match) asRoot() bool {
	return slices.ContainsFunc(m.call.cmd.Via, func(s shell.Step) bool { return m.c.set.In("runs-as-root", s.Name) })
}

// verbAsOption reports a tool that is told what to do by a long option: "tool --delete NAME". Something has to be named, so that a switch which
// only says how is none.
func (m *match) verbAsOption(root bool) bool {
	k, set := m.call, m.c.set
	return slices.ContainsFunc(k.options, func(o option) bool {
		verb := strings.TrimLeft(o.name, "-")
		if len(verb) < 2 || k.excuses(set.members("options-destroying-nothing"), &o) {
			return false
		}
		return (o.has || len(k.operands) > 0) && set.In("options-deleting", verb) || root && set.In("options-taking-away", verbOf(verb))
	})
}

// toldToChangeLive reports a client of a service that is told to change what runs there, or its settings and secrets, and where no word says
// that it is a place for trying out.
func (m *match) toldToChangeLive() bool {
	k, set := m.call, m.c.set
	if !m.service() || m.onlySays() || k.givenOf(set.members("options-of-this-machine")) {
		return false
	}
	kept := false // a word before says that it is about what is kept there
	for _, i := range k.operands[:min(firstWords, len(k.operands))] {
		for part := range strings.SplitSeq(k.cmd.Args[i].Text, ":") {
			verb := verbOf(part)
			if set.In("subcommands-live", verb) || kept && set.In("verbs-of-setting", verb) {
				return true
			}
			kept = kept || set.In("nouns-of-settings", part)
		}
	}
	return false
}

// toldStatement reports a program that no rule about databases names and that is given, as one of its words or by its input, a statement
// that loses data.
func (m *match) toldStatement() bool {
	k, c := m.call, m.c
	if !m.stranger() && !m.service() && !c.set.In("hands-on-statements", k.raw) || k.givenOf(c.set.members("options-of-this-machine")) {
		return false
	}
	loses := func(text string) bool {
		_, after, pair := strings.Cut(text, "=")
		patterns := slices.Collect(c.set.members("statements-that-lose").All())
		return strings.Contains(text, " ") && (c.says(patterns, text) || pair && c.says(patterns, after))
	}
	if in := k.cmd.Stdin; in != nil && loses(in.Text.Text) {
		return true
	}
	return slices.ContainsFunc(k.cmd.Args[min(1, len(k.cmd.Args)):], func(w shell.Word) bool { return loses(w.Text) })
}

// taskLoses reports a task of the project, told to the program that runs such tasks, that is called by what it loses: "npm run db:reset", "make nuke".
func (m *match) taskLoses() bool {
	k := m.call
	behind := true // the first word, or one behind "run"
	for _, i := range k.operands {
		text := k.cmd.Args[i].Text
		if behind && m.losesByName(text) {
			return true
		}
		behind = m.c.set.In("runs-task-behind", text)
	}
	return false
}

// losesByName reports the name of a task with a word for destruction in it, or one that means it of data beside a word for data:
// "prisma:migrate-reset", "resetDb".
func (m *match) losesByName(name string) bool {
	set := m.c.set
	var spaced strings.Builder
	for i, r := range name {
		if i > 0 && unicode.IsUpper(r) {
			spaced.WriteByte(' ')
		}
		spaced.WriteRune(r)
	}
	destroys, empties, data := false, false, false
	for word := range strings.FieldsFuncSeq(strings.ToLower(spaced.String()), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		if set.In("subcommands-looking", word) || set.In("words-of-preparation", word) || set.In("throw-away-names", word) {
			return false
		}
		destroys = destroys || set.In("names-destroying", word)
		empties = empties || set.In("subcommands-destroying", word)
		data = data || set.In("nouns-of-data", word)
	}
	return destroys || empties && data
}
