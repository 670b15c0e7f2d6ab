package lang

import (
	"bytes"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// tomlTask is what a task of a TOML file runs: its value, or those of the keys of a table of its own that hold commands.
func tomlTask(r *rule.Runner, data []byte, name string) string {
	table, key := r.Field, name
	if before, rest, ok := strings.Cut(name, ":"); ok && strings.Contains(table, "*") {
		table, key = strings.Replace(table, "*", before, 1), rest
	}
	var text strings.Builder
	at, until := "", "" // the table that a line is in; what ends a value that goes on
	for line := range bytes.Lines(data) {
		s := strings.TrimSpace(string(line))
		if until != "" {
			text.WriteString(plainValue(s))
			if strings.HasSuffix(s, until) {
				until = ""
			}
			continue
		}
		word, value, ok := strings.Cut(s, "=")
		switch word = unquoted(word); {
		case !ok && strings.HasPrefix(s, "["):
			at = strings.ReplaceAll(strings.Trim(s, "[]"), `"`, "")
			continue
		case !ok || text.Len() > maxScript || !(at == table && word == key || at == table+"."+key && slices.Contains(r.Runs, word)):
			continue
		}
		text.WriteString(plainValue(value))
		for _, signs := range [][2]string{{`"""`, `"""`}, {"'''", "'''"}, {"[", "]"}} {
			if value = strings.TrimSpace(value); strings.HasPrefix(value, signs[0]) && (len(value) == len(signs[0]) || !strings.HasSuffix(value, signs[1])) {
				until = signs[1]
				break
			}
		}
	}
	return text.String()
}

// plainValue is a line of a value without what only says where its texts begin and end. Those of a list are commands of their own.
func plainValue(s string) string {
	return strings.NewReplacer(`"`, "", "'", "", "[", " ", "]", " ", ",", ";", "{", " ", "}", " ").Replace(s) + "\n"
}
