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

// yamlTask is what a task of a YAML file runs: its value, or the lists and values of those of its keys that hold commands.
func yamlTask(r *rule.Runner, data []byte, name string) string {
	var text strings.Builder
	top, in, runs := "", -1, true // the key at the left edge, the indent of the task's own line while in it, whether its lines are commands
	for line := range bytes.Lines(data) {
		s := strings.TrimSpace(string(line))
		indent := len(line) - len(bytes.TrimLeft(line, " "))
		key, value, pair := strings.Cut(s, ":")
		switch {
		case s == "" || s[0] == '#':
		case indent == 0:
			top, in = key, -1
		case top != r.Field || text.Len() > maxScript:
		case in < 0 || indent <= in:
			in = -1
			if rest, is := strings.CutPrefix(strings.NewReplacer(`"`, "", "'", "").Replace(s), name+":"); is && (rest == "" || rest[0] == ' ') { // "install:tool" is another one
				in, runs = indent, true
				text.WriteString(plainValue(rest))
			}
		case s[0] == '-':
			if item := strings.TrimSpace(s[1:]); runs {
				for _, word := range r.Runs { // "- cmd: go test"
					item = strings.TrimPrefix(item, word+":")
				}
				text.WriteString(plainValue(item))
			}
		case pair && !strings.ContainsAny(key, " "):
			if runs = slices.Contains(r.Runs, key); runs {
				text.WriteString(plainValue(strings.TrimLeft(value, " |>-")))
			}
		case runs:
			text.WriteString(plainValue(s))
		}
	}
	return text.String()
}
