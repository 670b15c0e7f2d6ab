package risk

import (
	"regexp"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// Git keeps tokens in its settings: in the address of a remote (https://bob:TOKEN@host), and in a header. What lists settings or addresses prints them.

// printsKeptToken reports a call of Git that prints a setting of the repository with a token in it.
func (m *match) printsKeptToken() bool {
	c, k := m.c, m.call
	picks := m.printedSettings()
	if picks == nil || !m.keptShown(k) {
		return false
	}
	for section := range c.set.members("sections-with-addresses").All() {
		if m.keeps(section, picks, c.set.Holds) {
			return true
		}
	}
	for section := range c.set.members("sections-with-headers").All() {
		if m.keeps(section, picks, func(s string) bool { return c.set.Mask(s) != s }) {
			return true
		}
	}
	return false
}

// keeps reports a setting of a section that is picked and has a token in it.
func (m *match) keeps(section string, picks func(key, section string) bool, token func(string) bool) bool {
	list, _ := m.configured(section)
	for _, one := range list {
		key, value, _ := strings.Cut(one, " ")
		if picks(key, section) && (token(key) || token(value)) {
			m.detail, _, _ = strings.Cut(key, "://")
			return true
		}
	}
	return false
}

// printedSettings tells which settings a call prints; nil for none. Keys of Git do not mind case.
func (m *match) printedSettings() func(key, section string) bool {
	k := m.call
	ops := k.operands[min(m.skip, len(k.operands)):]
	names := make([]string, len(ops))
	for i, n := range ops {
		names[i] = strings.ToLower(k.cmd.Args[n].Text)
	}
	switch {
	case k.sub("config", nil):
		return m.printedKeys(names)
	case k.sub("ls-remote", nil):
		if !k.given([]string{"--get-url"}) {
			return nil
		}
	case k.sub("remote get-url", nil), k.sub("remote show", nil):
		if len(names) == 0 && !k.given([]string{"-v", "--verbose"}) {
			return nil
		}
	case len(names) > 0 || !k.given([]string{"-v", "--verbose"}):
		return nil // git remote, git remote add
	}
	return func(key, section string) bool {
		rewrites := strings.Contains(key, "://") // url.ADDRESS.insteadof, which remotes are shown with
		return rewrites && section == "url" || strings.HasSuffix(key, "url") && (len(names) == 0 || slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(key, section+"."+n+".") }))
	}
}

// printedKeys is printedSettings for git config.
func (m *match) printedKeys(names []string) func(key, section string) bool {
	k := m.call
	switch {
	case k.givenOf(m.c.set.members("options-of-other-settings")):
		return nil
	case k.given([]string{"-l", "--list"}), len(names) > 0 && names[0] == "list":
		return func(string, string) bool { return true }
	case len(names) > 0 && names[0] == "get":
		names = names[1:]
	}
	if len(names) != 1 {
		return nil // it sets one
	}
	if k.given([]string{"--get-regexp", "--regexp"}) {
		re, err := regexp.Compile("(?i)" + names[0])
		return func(key, _ string) bool { return err != nil || re.MatchString(key) }
	}
	return func(key, _ string) bool { return strings.EqualFold(key, names[0]) }
}

// keptShown reports that what a call prints is seen, if need be through filters that do not speak of the sign behind a token.
func (m *match) keptShown(k *call) bool {
	c := m.c
	if k.cmd.Substituted {
		return !m.tokenUsed()
	}
	for range len(c.calls) {
		if one := (&match{c: c, call: k}); one.printsHere() {
			return true
		}
		if len(k.cmd.PipeTo) != 1 || k.cmd.PipeTo[0] < 0 || k.cmd.PipeTo[0] >= len(c.calls) {
			return false
		}
		k = &c.calls[k.cmd.PipeTo[0]]
		hides := slices.ContainsFunc(k.cmd.Args, func(w shell.Word) bool { return strings.Contains(w.Text, "@") })
		if hides || !c.handsOn(k) && !c.set.In("shows-its-input", k.raw) || k.givenOf(c.set.members("options-printing-no-lines")) {
			return false
		}
	}
	return false
}
