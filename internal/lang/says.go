package lang

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

const (
	maxScript = 2_000 // how much of a script is looked at
	maxNeeds  = 30    // targets that one without a recipe leads to, in all
	fewNeeds  = 4     // the same, where all that is asked is whether one leads elsewhere
)

// scriptOf is what a task runs, as far as its form tells: the text of a script, the recipe of a target.
func scriptOf(r *rule.Runner, data []byte, name string) string {
	left := maxNeeds
	return scriptTo(r, data, name, &left)
}

// scriptTo follows targets without a recipe to as many others as are left: each is looked for in the whole file.
func scriptTo(r *rule.Runner, data []byte, name string, left *int) string {
	switch r.Form {
	case "json":
		if members, ok := jsonFind(data, r.Field); ok {
			if text, ok := jsonMember(members, name); ok {
				return plainText(text)
			}
		}
	case "toml":
		return tomlTask(r, data, name)
	case "yaml":
		return yamlTask(r, data, name)
	case "make", "just":
		_, recipe, found := bytes.Cut(append([]byte("\n"), data...), []byte("\n"+name+":"))
		if !found && r.Form == "just" { // one with parameters: "watch +args='check':"
			_, rest, _ := bytes.Cut(append([]byte("\n"), data...), []byte("\n"+name+" "))
			head, below, _ := bytes.Cut(rest, []byte("\n"))
			if _, needs, ok := bytes.Cut(head, []byte(":")); ok && !bytes.HasPrefix(needs, []byte("=")) {
				recipe = slices.Concat(needs, []byte("\n"), below)
			}
		}
		var text []byte
		goes := false // on in the next line
		for i, line := range bytes.SplitN(recipe, []byte("\n"), 20) {
			if r.Form == "make" && i > 0 && (conditional(line) || len(bytes.TrimSpace(line)) == 0) {
				continue
			}
			if i > 0 && !goes && (len(line) == 0 || line[0] != '\t' && (line[0] != ' ' || r.Form == "make")) {
				break
			}
			line, goes = bytes.CutSuffix(line, []byte("\\"))
			if i > 0 {
				text = append(append(text, bytes.TrimLeft(line, " \t@-")...), ' ')
				if !goes {
					text = append(text, ';')
				}
			}
		}
		if len(text) > 0 {
			return string(text)
		}
		needs, _, _ := bytes.Cut(recipe, []byte("\n"))
		needs, _, _ = bytes.Cut(needs, []byte("#"))
		script := ""
		for _, need := range strings.Fields(string(needs)) { // what it does is what those do that it needs
			if *left--; *left < 0 {
				break
			}
			if r.Form == "just" { // with what it is given: (watch 'test')
				need = strings.Trim(need, "()")
			}
			if need != name {
				script += scriptTo(r, data, need, left)
			}
		}
		return script
	}
	return ""
}

// conditional reports a line of a Makefile that says for whom the lines below it are.
func conditional(line []byte) bool {
	head, _, _ := bytes.Cut(bytes.TrimSpace(line), []byte(" "))
	word := string(head)
	return word == "else" || word == "endif" || strings.HasPrefix(word, "if") && (strings.HasSuffix(word, "eq") || strings.HasSuffix(word, "def"))
}

// plainText is a string of JSON without its quotes, and what quotes it has within.
func plainText(value []byte) string {
	return strings.NewReplacer(`\"`, "", `"`, "").Replace(string(value[:min(len(value), maxScript)]))
}

// commandsIn are the commands of a script, each as words without what only carries them: variables, "npx".
func (f *folder) commandsIn(text string) (commands [][]string) {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return strings.ContainsRune("&|;\n", r) }) {
		words := strings.Fields(part)
		for len(words) > 0 {
			if len(words) > 1 && slices.Contains(f.t.Work.Carriers, words[0]+" "+words[1]) {
				words = words[2:]
			} else if strings.Contains(words[0], "=") || slices.Contains(f.t.Work.Carriers, words[0]) {
				words = words[1:]
			} else {
				break
			}
		}
		if len(words) > 0 {
			commands = append(commands, words)
		}
	}
	return commands
}

// another reports a task that by what it runs is something else than it is called, or nothing: "dev" that is a test runner which waits for changes.
func (f *folder) another(t *rule.TaskName, r *rule.Runner, data []byte, name string) bool {
	all := f.purposeOf(t)
	if len(t.Only)+len(t.Unless)+len(all.Unless)+len(all.Checks) == 0 && r.Form != "json" && r.Form != "toml" {
		return false
	}
	script := scriptOf(r, data, name)
	commands := f.commandsIn(script)
	if len(commands) == 0 { // of a recipe that several targets share, too, nothing is known
		return len(t.Only) > 0 || r.Form == "toml" && script != ""
	}
	if r.Form == "json" && !slices.ContainsFunc(commands, func(words []string) bool { return !slices.Contains(f.t.Work.Prints, words[0]) }) {
		return true // "test" that says there are none
	}
	if len(t.Only) > 0 {
		return !mention(commands, t.Only) || mention(commands, slices.Concat(t.Unless, t.Aside))
	}
	has := func(list []string) bool {
		return slices.ContainsFunc(commands, func(words []string) bool {
			return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
		})
	}
	prints := func(words []string) bool { return slices.Contains(all.Prints, words[0]) }
	if !has(all.Writes) && slices.ContainsFunc(commands, prints) {
		return true
	}
	if has(all.Checks) && !has(all.Writes) { // "fmt" that fails where something is not formatted, and formats nothing
		return true
	}
	words := commands[len(commands)-1]
	last := strings.Join(words, " ") + " "
	begins := func(words string) bool { return strings.HasPrefix(last, words+" ") }
	is := func(words string) bool { return last == strings.TrimSuffix(words, "$") }
	unless := slices.Concat(t.Unless, all.Unless)
	if slices.ContainsFunc(unless, begins) || slices.ContainsFunc(unless, is) || has(all.Aside) {
		return true
	}
	if words[0][0] == '$' { // what a variable names is a program: $(BIN) build
		_, last, _ = strings.Cut(last, " ")
	}
	return slices.ContainsFunc(unless, begins)
}

// mention reports that one of the commands has one of these runs of words.
func mention(commands [][]string, runs []string) bool {
	return slices.ContainsFunc(commands, func(words []string) bool {
		line := " " + strings.Join(words, " ") + " "
		return slices.ContainsFunc(runs, func(run string) bool { return strings.Contains(line, " "+run+" ") })
	})
}

// purposeOf is the row of a task's purpose that holds for all runners.
func (f *folder) purposeOf(t *rule.TaskName) *rule.TaskName {
	if i := slices.IndexFunc(f.t.Work.Tasks, func(all rule.TaskName) bool { return all.Purpose == t.Purpose }); i >= 0 {
		return &f.t.Work.Tasks[i]
	}
	return t
}

// fixes is the word by which a script that is called a linter changes files; "" where it only looks, and for other purposes, whose work that is.
func (f *folder) fixes(t *rule.TaskName, r *rule.Runner, data []byte, name string) string {
	if t.Purpose != "lint" {
		return ""
	}
	return f.writes(t.Purpose, scriptOf(r, data, name))
}

// needs reports a task that runs one of the programs for which something has to be there that the project is not: Docker.
func (f *folder) needs(t *rule.TaskName, r *rule.Runner, data []byte, name string) bool {
	return len(t.Needs) > 0 && slices.ContainsFunc(f.commandsIn(scriptOf(r, data, name)), func(words []string) bool {
		return slices.Contains(t.Needs, words[0])
	})
}

// writes is the word by which commands of a purpose change files, or the program that does so without being told; "" where they only look.
func (f *folder) writes(purpose, script string) string {
	task := f.purposeOf(&rule.TaskName{Purpose: purpose})
	for _, words := range f.commandsIn(script) {
		for i, w := range words {
			if slices.Contains(task.Writes, w) {
				return w
			}
			for _, way := range task.Fixers {
				fixer := strings.Fields(way)
				if path.Base(w) != fixer[0] || i > 0 && !slices.Contains(f.t.Work.Launches, words[i-1]) || !says([][]string{slices.Concat(fixer[:1], words[i+1:])}, fixer) {
					continue
				}
				told := slices.DeleteFunc(fixer, func(w string) bool { return w[0] == '!' })
				return strings.Join(told, " ")
			}
		}
	}
	return ""
}

// ownScripts puts the project's own script in place of a tool that its settings speak for, where one runs that tool for that purpose under a name
// that does not say so: "lint:fix" that ends in prettier --write.
func (f *folder) ownScripts(t *Tools, l *rule.Language) {
	if l == nil {
		return
	}
	for _, group := range l.Toolset.Purposes() {
		to := t.of(group.Purpose)
		at := -1
		if *to != nil {
			at = slices.IndexFunc(group.Tools, func(tool rule.Tool) bool {
				return tool.Name == (*to).Name && len(tool.Said) > 0 && (*to).File == f.fill(l).Replace(tool.File)
			})
		}
		if at < 0 {
			continue
		}
		for i := range f.t.Work.Runners {
			r := &f.t.Work.Runners[i]
			if r.Form != "json" {
				continue
			}
			if task := f.saying(r, l, group.Tools[at].Said); task != nil {
				f.put(t, group.Purpose, task)
				if owns(r, l) {
					break
				}
			}
		}
	}
}

// saying is the first script of a runner's file that calls a tool in one of these ways, or the one that calls all such scripts; nil for none.
func (f *folder) saying(r *rule.Runner, l *rule.Language, said []string) *Tool {
	fits := func(name string, commands [][]string) bool {
		commands = slices.DeleteFunc(commands, f.aside)
		return f.ordinary(r, name) && !f.builds(name) && !f.papers(name) && slices.ContainsFunc(said, func(way string) bool { return says(commands, strings.Fields(way)) })
	}
	start := f.script(r, l)
	for _, file := range r.Files {
		if !f.exists(file) || start == "" {
			continue
		}
		members, _ := jsonFind(f.data(file), r.Field)
		var direct []string
		for name, value := range jsonObject(members) {
			if fits(name, f.commandsIn(plainText(value))) {
				direct = append(direct, name)
			}
		}
		if len(direct) == 0 {
			continue
		}
		name := direct[0]
		for whole, value := range jsonObject(members) {
			commands := f.commandsIn(plainText(value))
			calls := func(script string) bool { return says(commands, []string{script}) }
			if len(direct) > 1 && f.ordinary(r, whole) && !slices.ContainsFunc(direct, func(d string) bool { return !calls(d) }) {
				name = whole
				break
			}
		}
		command := strings.NewReplacer("{script}", start, "{task}", name).Replace(r.Command)
		return &Tool{Name: r.Name, Command: command, Because: file + " has " + member(r, name)}
	}
	return nil
}

// ordinary reports a script that is called by hand, and not for another purpose by its name.
func (f *folder) ordinary(r *rule.Runner, name string) bool {
	return name != "" && plainTask(name) && !slices.Contains(r.Never, name) && !f.hooked(name) && !f.purposeful(name)
}

// builds reports a script that is a part of building by its name: what it formats is what it has written.
func (f *folder) builds(name string) bool {
	head, _, more := strings.Cut(name, ":")
	return more && slices.ContainsFunc(f.t.Work.Tasks, func(t rule.TaskName) bool { return t.Purpose == "build" && slices.Contains(t.Names, head) })
}

// aside reports a command that is only about what lies beside the project: its pages.
func (f *folder) aside(words []string) bool {
	operands := slices.DeleteFunc(slices.Clone(words[1:]), func(w string) bool { return w[0] == '-' })
	page := func(w string) bool {
		return slices.ContainsFunc(f.t.Work.Tasks, func(t rule.TaskName) bool { return slices.Contains(t.Aside, w) })
	}
	return len(operands) > 0 && !slices.ContainsFunc(operands, func(w string) bool { return !page(w) })
}

// hooked reports a script that runs by itself, or publishes.
func (f *folder) hooked(name string) bool {
	return slices.ContainsFunc(f.t.Work.Hooks, func(hook string) bool { return strings.HasPrefix(name, hook) || strings.Contains(name, ":"+hook) })
}

// purposeful reports the name of a task for a purpose: "test" is for testing, whatever else it runs.
func (f *folder) purposeful(name string) bool {
	return slices.ContainsFunc(f.t.Work.Tasks, func(t rule.TaskName) bool { return slices.Contains(t.Names, name) })
}

// says reports that one of the commands is this program with these words, and without those that have a !.
func says(commands [][]string, way []string) bool {
	return slices.ContainsFunc(commands, func(words []string) bool {
		if words[0] != way[0] {
			return false
		}
		for _, w := range way[1:] {
			rest, not := strings.CutPrefix(w, "!")
			if slices.Contains(words, rest) == not {
				return false
			}
		}
		return true
	})
}
