package risk

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// agentsFolder is where a client looks for the definitions of sub-agents, at any depth below it.
const agentsFolder = "/.claude/agents/"

// definesVerifier reports the definition of a sub-agent whose look at changes counts, or what takes such ones along: their folder, or a pattern.
func (m *match) definesVerifier(e *effect) bool {
	t := m.c.locate(m.call, e)
	path := strings.ToLower(filepath.ToSlash(t.Path))
	if name, ok := strings.CutSuffix(path, ".md"); ok && t.Pattern == "" {
		i := strings.LastIndex(path, agentsFolder)
		return i >= 0 && m.verifier(name[max(i+len(agentsFolder), strings.LastIndexByte(name, '/')+1):])
	}
	found := m.call.finds() || reachedThrough(m.call, "find") || !e.known && e.word != nil && e.word.Listed()
	if !found && t.Pattern == "" && e.kind&(rule.Delete|rule.DeleteTree|rule.Move) == 0 { // a folder in which something is written
		return false
	}
	in := path
	if t.Pattern != "" && t.Pattern != t.Path {
		in = filepath.ToSlash(filepath.Dir(t.Pattern))
	}
	low := strings.ToLower(in) + "/"
	above := found && strings.HasSuffix(low, filepath.ToSlash(filepath.Dir(strings.TrimSuffix(agentsFolder, "/")))+"/") // a search goes down
	if !strings.Contains(low, agentsFolder) && !above {
		return false
	}
	picks := func(name string) bool {
		if found {
			pattern, known := m.foundBy(e)
			return known && (pattern == "" || globFold(pattern, name+".md"))
		}
		return t.Picks(in + "/" + name + ".md")
	}
	for name := range m.c.set.words("verifiers") {
		if picks(name) {
			return true
		}
	}
	return slices.ContainsFunc(m.c.in.Verifiers, func(own string) bool { return picks(ownName(own)) })
}

// verifier reports the name of such a sub-agent.
func (m *match) verifier(name string) bool {
	return m.c.set.In("verifiers", name) || slices.ContainsFunc(m.c.in.Verifiers, func(own string) bool { return strings.EqualFold(ownName(own), name) })
}

// ownName is the name alone of an entry of verify.agents: plan/NAME.
func ownName(own string) string { return own[strings.LastIndexByte(own, '/')+1:] }

// derivedName reports a name that is made of a found one by something behind it: "$f.gz"
// is another file than $f.
func derivedName(e *effect) bool {
	n := len(e.word.Parts)
	if n < 2 || e.text != e.word.Text {
		return false
	}
	end := &e.word.Parts[n-1]
	return e.word.Parts[n-2].Unknown && !end.Unknown && end.Text != "" && !strings.Contains(end.Text, "/")
}

// maybeRoot reports a path that is / or all of / when its unknown part turns
// out empty: "$DIR/*", "/$NAME".
func maybeRoot(e *effect) bool {
	if e.known || e.word == nil || e.text != e.word.Text {
		return false
	}
	var known strings.Builder
	for i := range e.word.Parts {
		switch p := &e.word.Parts[i]; {
		case !p.Unknown:
			known.WriteString(p.Text)
		case strings.HasPrefix(p.Text, "${") && strings.Contains(p.Text, ":?"):
			return false // the shell stops where it would be empty
		}
	}
	text := known.String()
	return strings.HasPrefix(text, "/") && strings.Trim(text, "/*.") == ""
}
