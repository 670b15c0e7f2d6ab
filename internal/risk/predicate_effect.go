package risk

import (
	"path/filepath"
	"slices"
	"strings"
)

// agentsFolder is where a client looks for the definitions of sub-agents, at any depth below it.
const agentsFolder = "/.claude/agents/"

// definesVerifier reports the definition of a sub-agent whose look at changes counts.
func (m *match) definesVerifier(e *effect) bool {
	path := strings.ToLower(filepath.ToSlash(m.c.locate(m.call, e).Path))
	i := strings.LastIndex(path, agentsFolder)
	if i < 0 {
		return false
	}
	name, ok := strings.CutSuffix(path[max(i+len(agentsFolder), strings.LastIndexByte(path, '/')+1):], ".md")
	return ok && (m.c.set.In("verifiers", name) || slices.ContainsFunc(m.c.in.Verifiers, func(own string) bool {
		return strings.EqualFold(own[strings.LastIndexByte(own, '/')+1:], name) // plan/NAME
	}))
}

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
