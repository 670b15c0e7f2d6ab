package risk

import (
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/shell"
)

// What a program that no rule speaks of does to others, by the words that tools use for it: publish, deploy, release. Nobody can list
// all tools, but they share these words.

// stranger reports a program that moai knows nothing about, and that the words of the line name.
func (m *match) stranger() bool {
	k, set := m.call, m.c.set
	return k.prog == nil && k.name != "" && !k.carried && !set.In("prints-words", k.name) && len(set.ByProgram(k.name)) == 0
}

// onlySays reports a call that only says something, or tries it where nobody depends on it. The options of a script are not the program's
// that runs it, so all words are looked at.
func (m *match) onlySays() bool {
	set := m.c.set
	args := m.call.cmd.Args
	for i := range args {
		name := strings.TrimLeft(args[i].Text, "-")
		// "--version 2.0" is no question
		valued := i+1 < len(args) && strings.IndexFunc(strings.TrimPrefix(args[i+1].Text, "v"), unicode.IsDigit) == 0
		if set.In("options-only-saying", args[i].Text) || name != args[i].Text && !valued && set.In("subcommands-looking", name) || set.In("letters-only-saying", args[i].Text) && m.meansDry(args[i].Text) {
			return true
		}
	}
	return m.namesStage()
}

// meansDry reports a script of the project that names a letter beside the option for which it often stands: "-n|--dry-run) DRY=1 ;;".
func (m *match) meansDry(letter string) bool {
	c := m.c
	if c.in.Source == nil {
		return false
	}
	for i := range m.call.effects {
		e := &m.call.effects[i]
		if e.kind&rule.Run == 0 || !e.known {
			continue
		}
		text, ok := c.in.Source(c.locate(m.call, e).Path)
		if !ok || !c.spend(costSettings+len(text)/textBytes) {
			continue
		}
		for line := range strings.Lines(text) {
			if c.besideDry(line, letter) {
				return true
			}
		}
	}
	return false
}

// besideDry reports that a line names a letter next to an option that only says what would be done, and nothing but signs between: "-n NAME [--dry-run]"
// says nothing of the kind.
func (c *checker) besideDry(line, letter string) bool {
	last, end := "", 0
	for at := 0; at < len(line); at++ {
		from := at
		for at < len(line) && (line[at] == '-' || line[at] == '_' || 'a' <= line[at] && line[at] <= 'z' || 'A' <= line[at] && line[at] <= 'Z' || '0' <= line[at] && line[at] <= '9') {
			at++
		}
		if from == at {
			continue
		}
		word, between := line[from:at], line[end:from]
		pair := last == letter && c.set.In("options-only-saying", word) || word == letter && c.set.In("options-only-saying", last)
		if pair && strings.ContainsAny(between, "|,/") && strings.Trim(between, "|,/ \"'") == "" {
			return true
		}
		last, end = word, at
	}
	return false
}

// toldToPublish reports a stranger one of whose first words says that it publishes or deploys, or changes something where
// production is named: "tool collection publish x.tgz", "tool apply environments/prod".
func (m *match) toldToPublish() bool {
	k, set := m.call, m.c.set
	if !m.stranger() && !m.service() && !set.In("publishes-besides", k.raw) || m.onlySays() || m.deploysDraft() {
		return false
	}
	if m.stranger() && (k.givenOf(set.members("options-publishing")) || len(k.operands) > 0 && set.In("names-uploading", k.raw[strings.LastIndexByte(k.raw, '-')+1:])) {
		return true
	}
	live, own, service := production(k), m.stranger() && m.ownScript(), m.service()
	if own && m.looksByName(k.raw) {
		return false
	}
	const first = 3 // a kind, a name and the verb; what stands behind is a name
	for n, i := range k.operands[:min(first, len(k.operands))] {
		text := k.cmd.Args[i].Text
		if set.In("subcommands-looking", text) {
			return false
		}
		if own && text == "release" && n+1 == len(k.operands) {
			return false // how it builds, mostly
		}
		if slices.ContainsFunc(strings.Split(text, ":"), func(part string) bool {
			return set.In("subcommands-publishing", part) || service && set.In("subcommands-publishing", verbOf(part)) || live && set.In("subcommands-changing", part)
		}) {
			return !slices.ContainsFunc(k.operands[n+1:], func(j int) bool { return set.In("subcommands-looking", k.cmd.Args[j].Text) })
		}
	}
	return false
}

// deploysDraft reports a deployment under an address of its own, which the site that people see does not show.
func (m *match) deploysDraft() bool {
	k := m.call
	for row := range m.c.set.words("deploys-draft") {
		words, live, _ := strings.Cut(row, " : ")
		if program, sub, _ := strings.Cut(words, " "); program == k.raw && k.sub(sub, nil) && !k.given(strings.Fields(live)) {
			return true
		}
	}
	return false
}

// looksByName reports a program whose own name says that it builds or looks: build_app.sh.
func (m *match) looksByName(name string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(name, func(r rune) bool { return !unicode.IsLetter(r) }), func(word string) bool {
		return m.c.set.In("subcommands-looking", strings.ToLower(word))
	})
}

// toldForReal reports an option that takes back a tool's habit of only saying what it would do.
func (m *match) toldForReal() bool {
	k, set := m.call, m.c.set
	if !m.stranger() && !m.service() || m.onlySays() || m.ownScript() {
		return false
	}
	if k.givenOf(set.members("options-for-real")) && len(k.operands) > 0 && k.operands[0] == 1 { // "tool --execute CODE" runs something
		return true
	}
	for _, i := range k.operands[:min(firstWords, len(k.operands))] {
		verb := verbOf(k.cmd.Args[i].Text)
		if set.In("subcommands-overwriting", verb) && k.givenOf(set.members("options-overwriting")) || set.In("subcommands-asking", verb) && k.givenOf(set.members("options-unasked")) {
			return true
		}
	}
	return false
}

// runsRelease reports a script that is run and called by what it does. A program that PATH finds is known by its words, not by its name.
func (m *match) runsRelease() bool {
	return m.runsScript(func(e *effect) bool { return m.saysByName(e.text, "names-publishing") }) && !m.onlySays()
}

// runsDestroyer reports a script that is called by what it destroys, or told by an option to.
func (m *match) runsDestroyer() bool {
	told := slices.ContainsFunc(m.call.cmd.Args, func(w shell.Word) bool { return m.c.set.In("options-destroying", w.Text) })
	return m.runsScript(func(e *effect) bool { return told || m.saysByName(e.text, "names-destroying") }) && !m.onlySays()
}

// runsScript reports a file that is run, and that is as asked.
func (m *match) runsScript(is func(*effect) bool) bool {
	return slices.ContainsFunc(m.call.effects, func(e effect) bool {
		return e.kind&rule.Run != 0 && e.known && strings.ContainsAny(e.text, "./\\") && is(&e)
	})
}

// saysByName reports the name of a script that has a word of a group in it, and none that takes it back: create-release.sh,
// and not release-notes.sh.
func (m *match) saysByName(name, group string) bool {
	set := m.c.set
	base := path.Base(name)
	if ext := path.Ext(base); set.In("ends-of-scripts", ext) {
		base = strings.TrimSuffix(base, ext)
		if base == "main" || base == "index" {
			base = path.Base(path.Dir(name)) // "go run ./tools/deploy/main.go"
		}
	}
	said := false
	for word := range strings.FieldsFuncSeq(base, func(r rune) bool { return !unicode.IsLetter(r) }) {
		word = strings.ToLower(word)
		if set.In("subcommands-looking", word) || set.In("words-of-preparation", word) {
			return false
		}
		said = said || set.In(group, word)
	}
	return said
}
