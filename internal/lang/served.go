package lang

import (
	"bytes"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// served is the command with which a file for servers and images starts the project, as it is called by hand; "" where there is none, or one that
// means something only there: a program of the image, a file that is made in it.
func (f *folder) served(s *rule.Service, file string, l *rule.Language) string {
	last := ""
	for line := range bytes.Lines(f.data(file)) {
		if rest, ok := strings.CutPrefix(string(line), s.Begins); ok {
			last = strings.TrimSpace(rest)
		}
	}
	if strings.HasPrefix(last, "[") {
		var words []string
		if json.Unmarshal([]byte(last), &words) != nil || slices.ContainsFunc(words, func(w string) bool { return w == "" || strings.Contains(w, " ") }) {
			return ""
		}
		last = strings.Join(words, " ")
	}
	words := strings.Fields(last)
	if len(words) < 2 || !slices.Contains(s.Programs, words[0]) || !pasted(last) {
		return ""
	}
	for _, w := range words[1:] {
		if path.Ext(w) != "" && w[0] != '-' && f.names(w) && !f.exists(path.Clean(w)) {
			return ""
		}
	}
	if l != nil && slices.Contains(s.Managed, words[0]) {
		return f.fill(l).Replace("{run} " + last)
	}
	return last
}

// names reports a word that is the name of a source file.
func (f *folder) names(word string) bool {
	ref, _ := f.t.byName(path.Base(word))
	return ref != (Ref{})
}
