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
	return m.namesStage() || slices.ContainsFunc(m.call.cmd.Args, func(w shell.Word) bool {
		name := strings.TrimLeft(w.Text, "-")
		return set.In("options-only-saying", w.Text) || name != w.Text && set.In("subcommands-looking", name)
	})
}

// toldToPublish reports a stranger one of whose first words says that it publishes or deploys, or changes something where
// production is named: "tool collection publish x.tgz", "tool apply environments/prod".
func (m *match) toldToPublish() bool {
	k, set := m.call, m.c.set
	if !m.stranger() && !set.In("publishes-besides", k.raw) || m.onlySays() {
		return false
	}
	live := production(k)
	const first = 3 // a kind, a name and the verb; what stands behind is a name
	for n, i := range k.operands[:min(first, len(k.operands))] {
		text := k.cmd.Args[i].Text
		if set.In("subcommands-looking", text) {
			return false
		}
		if slices.ContainsFunc(strings.Split(text, ":"), func(part string) bool {
			return set.In("subcommands-publishing", part) || live && set.In("subcommands-changing", part)
		}) {
			return !slices.ContainsFunc(k.operands[n+1:], func(j int) bool { return set.In("subcommands-looking", k.cmd.Args[j].Text) })
		}
	}
	return false
}

// toldForReal reports an option that takes back a tool's habit of only saying what it would do.
func (m *match) toldForReal() bool {
	return m.stranger() && m.call.givenOf(m.c.set.members("options-for-real")) && !m.onlySays()
}

// runsRelease reports a script that is run and called by what it does. A program that PATH finds is known by its words, not by its name.
func (m *match) runsRelease() bool {
	return slices.ContainsFunc(m.call.effects, func(e effect) bool {
		return e.kind&rule.Run != 0 && e.known && strings.ContainsAny(e.text, "./\\") && m.releasesByName(e.text)
	}) && !m.onlySays()
}

// releasesByName reports the name of a script that says that it publishes or deploys: create-release.sh,
// and not release-notes.sh.
func (m *match) releasesByName(name string) bool {
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
		said = said || set.In("names-publishing", word)
	}
	return said
}
