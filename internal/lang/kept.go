package lang

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// keptBy is how one test is run where the project's own script runs all of them: with the variables that the script sets, by node's own options
// where it has such, and with those options of the tool that say by what it goes (Keeps): tests that need them fail without.
func (f *folder) keptBy(script, one string, keeps []string) string {
	front, rest, ok := strings.Cut(one, "{")
	if !ok || script == "" {
		return one
	}
	for _, program := range strings.Fields(front) {
		if slices.Contains(f.t.Work.Carriers, program) || slices.Contains(f.t.Work.Launches, program) || program[0] == '-' {
			continue
		}
		for part := range strings.FieldsFuncSeq(script, func(r rune) bool { return strings.ContainsRune("&|;\n", r) }) {
			words := quotedFields(part)
			at := slices.IndexFunc(words, func(w string) bool { return stem(w) == program && !strings.HasPrefix(w, "-") })
			if at < 0 {
				continue
			}
			before, ok := f.settings(words[:at])
			if !ok {
				return one
			}
			start, options := strings.TrimSpace(front), strings.Join(optionsOf(words[at+1:], keeps), " ")
			if slices.Contains(words[:at], "node") && strings.Contains(words[at], "/") { // node --experimental-vm-modules node_modules/.bin/jest
				_, does, _ := strings.Cut(start, program)
				start = strings.Join(words[slices.Index(words, "node"):at+1], " ") + does
			}
			kept := strings.TrimSpace(strings.Join(before, " ") + " " + behind(start, program, options))
			if !pasted(strings.NewReplacer("'", "", "{run} ", "").Replace(kept)) {
				return one
			}
			return kept + strings.Repeat(" ", len(front)-len(strings.TrimRight(front, " "))) + "{" + rest
		}
	}
	return one
}

// behind puts options behind a program of a command, and behind the words that say what it does: "npx vitest run --config x".
func behind(command, program, options string) string {
	words := strings.Fields(command)
	at := slices.IndexFunc(words, func(w string) bool { return stem(w) == program }) + 1
	for at > 0 && at < len(words) && words[at][0] != '-' {
		at++
	}
	if options == "" || at == 0 {
		return command
	}
	return strings.Join(slices.Insert(words, at, options), " ")
}

// settings are the variables that stand before a program. Not ok where one has a value that only the place of its script knows.
func (f *folder) settings(words []string) (set []string, ok bool) {
	for _, w := range words {
		name, value, is := strings.Cut(w, "=")
		if !is || name == "" || name[0] == '-' {
			continue
		}
		if strings.ContainsAny(value, "$`\\'\"") || !plainTask(name+"x") {
			return nil, false
		}
		if strings.Contains(value, " ") {
			value = "'" + value + "'"
		}
		set = append(set, name+"="+value)
	}
	return set, true
}

// optionsOf are those of some options that stand in a command, with what belongs to them.
func optionsOf(words, options []string) (list []string) {
	for i, w := range words {
		name, _, whole := strings.Cut(w, "=")
		switch {
		case !slices.Contains(options, name):
		case whole:
			list = append(list, w)
		case i+1 < len(words) && words[i+1][0] != '-':
			list = append(list, w, words[i+1])
		}
	}
	return list
}

// quotedFields are the words of a command, without the quotes in them: NODE_OPTIONS="--a --b" is one.
func quotedFields(s string) (words []string) {
	var word strings.Builder
	quote, some := rune(0), false
	for _, r := range s + " " {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '"' || r == '\''):
			quote, some = r, true
		case quote == 0 && (r == ' ' || r == '\t'):
			if some && word.Len() > 0 {
				words = append(words, word.String())
			}
			word.Reset()
			some = false
		default:
			word.WriteRune(r)
			some = true
		}
	}
	return words
}

// testsRun is what is known of how tests are run, beside the commands: what a task of the project's runs, and the options of a tool that one test needs, too.
type testsRun struct {
	script string
	keeps  []string
}

// tests notes what a task for tests runs.
func (f *folder) tests(tool *Tool, t *rule.TaskName, r *rule.Runner, data []byte, name string) {
	if t.Purpose == "test" {
		f.keep(tool, testsRun{script: textOf(r, data, name)})
	}
}

// keep notes what is known of a tool.
func (f *folder) keep(tool *Tool, known testsRun) {
	if f.tested == nil {
		f.tested = map[*Tool]testsRun{}
	}
	f.tested[tool] = known
}

// passedTo are the other scripts that one calls by their names: "npm run test:unit".
func passedTo(members []byte, name, text string) (all string) {
	words := strings.Fields(text)
	for i, w := range words {
		if i == 0 || w == name || words[i-1] != "run" && words[i-1] != "npm" && words[i-1] != "yarn" && words[i-1] != "pnpm" {
			continue
		}
		value, ok := jsonMember(members, w)
		other := ""
		if ok && len(value) < maxScript && json.Unmarshal(value, &other) == nil && len(all) < maxScript {
			all += "\n" + other
		}
	}
	return all
}

// textOf is what a task runs, with the quotes in it.
func textOf(r *rule.Runner, data []byte, name string) string {
	if r.Form == "json" {
		members, _ := jsonFind(data, r.Field)
		value, _ := jsonMember(members, name)
		text := ""
		if len(value) < maxScript && json.Unmarshal(value, &text) == nil {
			return text + passedTo(members, name, text)
		}
	}
	return scriptOf(r, data, name)
}
