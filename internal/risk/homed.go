package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// homeConfig reports a call of git for which the line names another home, in which settings lie that make Git run a program, or that the
// line has only just written.
func (m *match) homeConfig() bool {
	c, k := m.c, m.call
	if c.in.Settings == nil || k.away() {
		return false
	}
	for i := range k.cmd.Assigns {
		a := &k.cmd.Assigns[i]
		for row := range c.set.words("settings-in-folder") {
			name, file, _ := strings.Cut(row, " ")
			if a.Name != name || a.Value.Kind != shell.Literal {
				continue
			}
			home, ok := c.absolute(k, a.Value.Text)
			if !ok || c.equal(home, c.in.Home) || !c.spend(costSettings) {
				continue
			}
			p := home + "/" + file
			if text, there := c.in.Settings(p); there && c.settingsRun(text) || c.writtenBefore(k, p) {
				m.detail = p
				return true
			}
		}
	}
	return false
}

// settingsRun reports settings of Git that name a program for it to run, or a file with further settings.
func (c *checker) settingsRun(text string) bool {
	if !c.spend(len(text) / wordBytes) {
		return true
	}
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if head, ok := strings.CutPrefix(line, "["); ok {
			head, line, _ = strings.Cut(head, "]")
			name, sub, _ := strings.Cut(head, " ")
			section = strings.ToLower(name)
			if sub = strings.Trim(sub, " \"\t"); sub != "" {
				section += "." + sub
			}
			line = strings.TrimSpace(line) // "[core] pager = x"
		}
		key, value, _ := strings.Cut(line, "=")
		if key = strings.ToLower(strings.TrimSpace(key)); key == "" || key[0] == '#' || key[0] == ';' {
			continue
		}
		if strings.HasPrefix(section, "include") && key == "path" || c.runsProgram(section+"."+key+"="+strings.Trim(strings.TrimSpace(value), `"`)) {
			return true
		}
	}
	return false
}
