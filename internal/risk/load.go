package risk

import (
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// loadsElsewhere reports a program that puts load on a server, which is another machine by its words, by what it is fed, or, where these name
// no server at all, by the addresses in the script that it runs.
func (m *match) loadsElsewhere() bool {
	c, k := m.c, m.call
	named, far := false, false
	looks := func(text string) {
		for piece := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("'\"`= \t\n,;()<>", r) }) {
			if !strings.Contains(piece, "://") {
				continue
			}
			named = true
			host, _, ok := m.elsewhere(piece)
			far = far || ok && !c.ends("names-of-nowhere", host)
		}
	}
	for _, w := range k.cmd.Args[min(1, len(k.cmd.Args)):] {
		looks(w.Text)
	}
	k.texts(func(text string) bool {
		looks(text)
		return c.budget.Over()
	})
	if named || c.in.Settings == nil || k.cmd.Dir.Kind != shell.Literal || k.away() {
		return far
	}
	dir, ok := c.absolute(k, k.folder())
	if !ok {
		return false
	}
	for n := range k.operands {
		text, there := c.in.Settings(dir + "/" + k.operand(n))
		if !there || len(text) > maxLooked || !c.spend(costSettings+len(text)/textBytes) {
			continue
		}
		for line := range strings.Lines(text) {
			if words := strings.Fields(line); len(words) > 0 && !slices.Contains(words, "import") && !slices.Contains(words, "from") && !strings.HasPrefix(words[0], "//") {
				looks(line)
			}
		}
	}
	return far
}
