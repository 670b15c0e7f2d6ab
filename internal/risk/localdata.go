package risk

import (
	"strings"

	"github.com/modu-ai/moai/internal/shell"
)

// localDevelopmentData reports a framework's task that works on the database with which somebody develops on this machine: the project's file of
// databases has one for that, and neither it nor the line, the variables or a file of them names another machine or environment.
func (m *match) localDevelopmentData() bool {
	c, k := m.c, m.call
	dir, ok := c.absolute(k, k.folder())
	if c.in.Settings == nil || !ok || k.cmd.Dir.Kind != shell.Literal || k.away() || production(k) {
		return false
	}
	set := c.set
	for i := range k.cmd.Assigns {
		if a := &k.cmd.Assigns[i]; set.In("leads-to-database", a.Name) || set.In("environment-variables", a.Name) && !set.In("test-environments", a.Value.Text) && !c.holdsWord(a.Value.Text, "stages") {
			return false
		}
	}
	for name := range set.words("leads-to-database") {
		if _, there := c.variable(name); there {
			return false
		}
	}
	for name := range set.words("environment-variables") {
		if value, there := c.variable(name); there && !c.holdsWord(value, "stages") {
			return false
		}
	}
	for name := range set.words("files-of-variables") {
		text, _ := c.in.Settings(dir + "/" + name)
		if !c.spend(costSettings+len(text)/textBytes) || set.mentions("leads-to-database", text) {
			return false
		}
	}
	for file := range set.words("files-of-databases") {
		if text, there := c.in.Settings(dir + "/" + file); there && len(text) <= maxLooked && c.spend(costSettings+len(text)/textBytes) {
			named, elsewhere := set.development(text)
			return named && !elsewhere
		}
	}
	return false
}

// development reads the section for development of a file of databases: whether it names one, and another machine or what production has. What all sections
// share stands in one of another name.
func (s *Set) development(text string) (named, elsewhere bool) {
	section := ""
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSpace(line), ":")
		if !ok || strings.HasPrefix(name, "#") {
			continue
		}
		if line[0] != ' ' && line[0] != '\t' {
			section = name
			continue
		}
		value = strings.Trim(strings.TrimSpace(value), `"'`)
		if s.In("stages-of-others", section) || value == "" {
			continue
		}
		elsewhere = elsewhere || s.In("keys-of-machines", name) && !s.isLocal(value) && !strings.HasPrefix(value, "/")
		if named = named || section == "development" && name == "database"; name == "database" {
			elsewhere = elsewhere || productionWord(value)
		}
	}
	return named, elsewhere
}
