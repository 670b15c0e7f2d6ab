package lang

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// maxTasks bounds how many names of tasks are taken from one file.
const maxTasks = 1_000

// tasks finds what a project in l itself calls its work: for each purpose the first task of the first file that names one. Wanted says
// which runners are asked, ending what stands behind the names: "test:php".
func (f *folder) tasks(l *rule.Language, ending string, wanted func(*rule.Runner) bool) map[string]*Tool {
	found := map[string]*Tool{}
	fill := f.fill(l)
	for i := range f.t.Work.Runners {
		r := &f.t.Work.Runners[i]
		here := func(file string) bool { return len(f.find(file)) > 0 }
		if !slices.ContainsFunc(r.Files, here) || !wanted(r) { // to ask all languages whose file it is costs most
			continue
		}
		script := ""
		if strings.Contains(r.Command, "{script}") {
			if script = f.script(r, l); script == "" {
				continue
			}
		}
		for _, file := range r.Files {
			if file = first(f.find(file)); file == "" {
				continue
			}
			data := f.data(file)
			if r.Form == "make" {
				data = f.included(file)
			}
			if len(r.Signs) > 0 && !slices.ContainsFunc(r.Signs, func(sign string) bool { return holdsText(data, sign) }) {
				break
			}
			names := taskNames(r.Form, r.Field, data)
			direct, below, begins := len(names), "", first(names)
			if r.Form == "make" {
				names = slices.DeleteFunc(names, func(name string) bool { return f.idle(data, name) })
				direct = len(names)
				if below = passedOn(data); below != "" {
					below += "/Makefile"
					names = append(names, taskNames(r.Form, r.Field, f.data(below))...)
				}
			}
			if len(names) == 0 {
				continue
			}
			for _, list := range [][]rule.TaskName{f.t.Work.Tasks, r.Also} {
				for _, task := range list {
					if found[task.Purpose] != nil {
						continue
					}
					if name := f.taskFor(&task, r, ending, names, data); name != "" {
						command := f.configured(r, data) + strings.NewReplacer("{script}", script, "{task}", name).Replace(fill.Replace(pattern(r, name, begins)))
						in, text := file, data
						if slices.Index(names, name) >= direct {
							in, text = below, f.data(below)
						}
						found[task.Purpose] = &Tool{Name: r.Name, Command: command, Fixes: f.fixes(&task, r, text, name), Because: in + " has " + member(r, name)}
						f.tests(found[task.Purpose], &task, r, text, name)
					}
				}
			}
			break // such tools read one file
		}
	}
	return found
}

// taskFor is the name of the task of a file that does what t is for, "" for none.
func (f *folder) taskFor(t *rule.TaskName, r *rule.Runner, ending string, names []string, data []byte) string {
	fits := func(name string) bool {
		return !(r.Form == "make" && (f.elsewhere(t.Purpose, data, name) || wants(data, name))) && !f.another(t, r, data, name)
	}
	looks := func(name string) bool { return fits(name) && f.fixes(t, r, data, name) == "" }
	all, never := f.purposeOf(t), r.Never
	if len(t.Only) > 0 && !slices.ContainsFunc(f.t.Work.Tasks, func(of rule.TaskName) bool { return slices.Equal(of.Names, t.Names) }) {
		never = nil // the runner itself says what such a name is for, and by which words
	}
	name := cmp.Or(called(never, t.Names, ending, names, looks), called(never, t.Names, ending, names, fits))
	if name != "" && f.needs(all, r, data, name) {
		light := func(name string) bool { return fits(name) && !f.needs(all, r, data, name) }
		name = cmp.Or(called(r.Never, all.Lighter, ending, names, light), name)
	}
	return name
}

// pattern is how a task is run. What begins the file a runner does without being told.
func pattern(r *rule.Runner, name, begins string) string {
	if name == begins && slices.Contains(r.Plain, name) {
		return strings.TrimSuffix(r.Command, " {task}")
	}
	return r.Command
}

// first is the first of some names, "" for none.
func first(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return names[0]
}

// called is the plainest of some words that is a task here, and does what it is called.
func called(never, words []string, ending string, names []string, fits func(string) bool) string {
	for _, w := range words {
		if w += ending; slices.Contains(names, w) && !slices.Contains(never, w) && fits(w) {
			return w
		}
	}
	return ""
}

// member names a task within its file.
func member(r *rule.Runner, name string) string {
	if r.Form == "json" && r.Field != "" {
		return r.Field + "." + name
	}
	return name
}

// taskNames lists the tasks of a file. What it cannot make out is absent.
func taskNames(form, field string, data []byte) (names []string) {
	add := func(name string) {
		if name != "" && len(names) < maxTasks && plainTask(name) {
			names = append(names, name)
		}
	}
	switch form {
	case "make":
		makeTargets(data, add)
	case "just":
		recipes(data, add)
	case "json":
		if members, ok := jsonFind(data, field); ok {
			for name, value := range jsonObject(members) {
				if !bytes.Contains(value[:min(len(value), 200)], []byte(noTest)) {
					add(name)
				}
			}
		}
	case "toml":
		tomlKeys(data, field, add)
	case "yaml":
		yamlKeys(data, field, add)
	case "edn":
		ednKeys(data, field, add)
	case "text":
		between(data, field, add)
	case "decorated":
		decorated(data, field, add)
	}
	return names
}

// plainTask reports a name that can be typed behind a command as it stands: answers are pasted, and manifests are strangers'.
func plainTask(name string) bool {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.:/", r)
	}
	return name[0] != '-' && !strings.ContainsFunc(name, odd)
}

// makeTargets reads the names in front of the colons of rules.
func makeTargets(data []byte, add func(string)) {
	for line := range bytes.Lines(data) {
		if line[0] == '\t' || line[0] == '#' || line[0] == ' ' {
			continue
		}
		targets, rest, ok := bytes.Cut(line, []byte(":"))
		rest = bytes.TrimPrefix(rest, []byte(":"))
		if !ok || bytes.ContainsAny(targets, "=%\"'") || bytes.HasPrefix(rest, []byte("=")) {
			continue // a variable, or a pattern
		}
		words := strings.Fields(string(targets))
		if first(words) == "$(info" || first(words) == "$(warning" || strings.ContainsAny(first(words), "()") && !strings.HasSuffix(words[0], ")") {
			continue // a function
		}
		for _, name := range words {
			if name[0] != '.' && !strings.ContainsAny(name, "$()") { // beside names that a variable holds others may stand
				add(name)
			}
		}
	}
}

// passedOn is the folder whose Makefile gets all targets that one does not have, "" for none: it is named in the rule for such
// targets, or it is the first one of the variable over which that goes.
func passedOn(data []byte) string {
	_, rest, ok := bytes.Cut(data, []byte("\n.DEFAULT:\n\t"))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	words := strings.FieldsFunc(string(line), func(r rune) bool { return strings.ContainsRune(" \t;&@()", r) })
	if !ok || !slices.Contains(words, "MAKE") {
		return ""
	}
	for i, w := range words[:len(words)-1] {
		dir := words[i+1]
		if w == "in" && dir == "$" && i+2 < len(words) {
			dir = firstWord(data, words[i+2])
		}
		if (w == "cd" || w == "-C" || w == "in") && plainTask(dir) && dir != "." && !strings.Contains(dir, "/") {
			return dir
		}
	}
	return ""
}

// firstWord is the first word of a variable of a Makefile, "." for none.
func firstWord(data []byte, variable string) string {
	for line := range bytes.Lines(data) {
		name, value, ok := strings.Cut(string(line), "=")
		if ok && strings.Trim(name, " ?:") == variable {
			return strings.Fields(value + " .")[0]
		}
	}
	return "."
}

// recipes reads the names of a justfile: what begins a line and ends, behind its parameters, with a colon.
func recipes(data []byte, add func(string)) {
	for line := range bytes.Lines(data) {
		if bytes.IndexByte([]byte(" \t#[\r\n"), line[0]) >= 0 {
			continue
		}
		head, rest, ok := bytes.Cut(line, []byte(":"))
		if !ok || bytes.HasPrefix(rest, []byte("=")) {
			continue
		}
		name, _, _ := strings.Cut(strings.TrimPrefix(string(head), "@"), " ")
		add(name)
	}
}

// between lists the names that stand where a text has {}; one that begins with ^ stands at the left edge.
func between(data []byte, text string, add func(string)) {
	before, after, _ := strings.Cut(text, "{}")
	before, edge := strings.CutPrefix(before, "^")
	for line := range bytes.Lines(data) {
		rest := string(line)
		if edge && !strings.HasPrefix(rest, before) {
			continue
		}
		for {
			_, behind, ok := strings.Cut(rest, before)
			if !ok {
				break
			}
			end := strings.Index(behind, after)
			if after == "" {
				end = strings.IndexFunc(behind, func(r rune) bool { return !plainTask("x" + string(r)) })
			}
			if end > 0 {
				add(behind[:end]) // unless it is no name
			}
			rest = behind
		}
	}
}

// decorated lists the functions of a Python file that have a decorator, each as that names it: @nox.session(name="unit").
func decorated(data []byte, decorator string, add func(string)) {
	var above strings.Builder
	for line := range bytes.Lines(data) {
		text := string(line)
		def, is := strings.CutPrefix(text, "def ")
		switch {
		case is:
			stated := above.String()
			above.Reset()
			if !strings.Contains(stated, decorator) {
				continue
			}
			name, _, _ := strings.Cut(def, "(")
			_, rest, ok := strings.Cut(strings.NewReplacer("\n", "", " ", "", "'", `"`, ",", "(").Replace(stated), `(name="`)
			if other, _, closed := strings.Cut(rest, `"`); ok && closed {
				name = other
			}
			add(name)
		case text[0] == '@' || above.Len() > 0:
			above.WriteString(text)
		}
	}
}

// idle reports a target that needs nothing and only says something: "all: ; @echo see INSTALL" builds nothing.
func (f *folder) idle(data []byte, name string) bool {
	within, says := false, false
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		switch rest, is := strings.CutPrefix(text, name+":"); {
		case line[0] == '\t' && within && text != "":
			word, _, _ := strings.Cut(strings.TrimLeft(text, "@-+ \t"), " ")
			if word == "" || word[0] == '#' {
				continue
			}
			if !slices.Contains(f.t.Work.Prints, word) {
				return false
			}
			says = true
		case is && line[0] != '\t' && !strings.HasPrefix(rest, "="):
			if within = true; strings.TrimSpace(rest) != "" {
				return false
			}
		case text != "" && line[0] != '\t' && line[0] != '#':
			within = false
		}
	}
	return says
}

// elsewhere reports a target for everything that does other things than its purpose: "all: fmt test" builds nothing. One with lines of its own
// does something itself.
func (f *folder) elsewhere(purpose string, data []byte, name string) bool {
	left := fewNeeds
	return f.leadsElsewhere(purpose, data, name, &left)
}

// leadsElsewhere follows the targets that one needs to as many others as are left: "default: all".
func (f *folder) leadsElsewhere(purpose string, data []byte, name string, left *int) bool {
	if *left--; *left < 0 {
		return false
	}
	for line := range bytes.Lines(data) {
		rest, ok := bytes.CutPrefix(line, []byte(name+":"))
		if !ok {
			continue
		}
		if _, behind, _ := bytes.Cut(data, line); len(behind) > 0 && behind[0] == '\t' {
			return false
		}
		for _, word := range strings.Fields(string(rest)) {
			if slices.Contains(f.t.Work.Prints, word) { // "all: help"
				return true
			}
			if word != name && f.leadsElsewhere(purpose, data, word, left) {
				return true
			}
			for _, task := range f.t.Work.Tasks {
				if task.Purpose == purpose || purpose != "build" {
					continue
				}
				for _, part := range append(strings.FieldsFunc(word, func(r rune) bool { return r == '-' || r == '_' }), word) { // "all-tests"
					if slices.Contains(task.Names, part) && part != "install" && part != "start" && part != "run" {
						return true
					}
				}
			}
		}
	}
	return false
}

// configured is what comes before the tasks of a Makefile that cannot do without a file which is not there yet, and which the script
// configure beside it writes.
func (f *folder) configured(r *rule.Runner, data []byte) string {
	if r.Configure == "" || !f.exists(r.Configure) {
		return ""
	}
	for line := range bytes.Lines(data) {
		word, name, ok := strings.Cut(strings.TrimSpace(string(line)), " ")
		own := func(file string) bool { // Makefile.dev is written by a person, unless configure speaks of it
			return strings.HasPrefix(name, file+".") && !holdsText(f.data(r.Configure), name)
		}
		if ok && strings.HasSuffix(word, "include") && len(word) <= len("-include") && !slices.ContainsFunc(r.Files, own) && name != "" && plainTask(name) && !strings.Contains(name, "/") && !f.exists(name) {
			return "./" + r.Configure + " && "
		}
	}
	return ""
}

// tomlKeys lists what is directly below a table: its keys, and the tables in it. A * in the table's name stands for a name, which comes before
// the keys: "test:cov".
func tomlKeys(data []byte, table string, add func(string)) {
	within, before := false, ""
	start, end, many := strings.Cut(table, "*")
	for line := range bytes.Lines(data) {
		s := strings.TrimSpace(string(line))
		switch {
		case s == "" || s[0] == '#':
		case s[0] == '[':
			name := strings.Trim(strings.SplitN(s, "#", 2)[0], "[] \t")
			within = name == table
			if rest, ok := strings.CutPrefix(name, start); many && ok {
				before, within = strings.CutSuffix(rest, end)
				within = within && !strings.Contains(before, ".")
				before += ":"
			}
			if sub, ok := strings.CutPrefix(name, table+"."); ok {
				if sub = strings.Trim(sub, `"'`); !strings.Contains(sub, ".") {
					add(sub)
				}
			}
		case within && line[0] != ' ' && line[0] != '\t':
			if key, _, ok := strings.Cut(s, "="); ok {
				add(before + strings.Trim(strings.TrimSpace(key), `"'`))
			}
		}
	}
}

// yamlKeys lists the keys directly below one at the left edge.
func yamlKeys(data []byte, field string, add func(string)) {
	within, indent := false, 0
	for line := range bytes.Lines(data) {
		text := bytes.TrimRight(line, " \t\r\n")
		s := bytes.TrimLeft(text, " ")
		if len(s) == 0 || s[0] == '#' {
			continue
		}
		n := len(text) - len(s)
		if n == 0 {
			within, indent = string(s) == field+":", 0
			continue
		}
		if !within || indent > 0 && n != indent {
			continue
		}
		indent = n
		if s[0] == '"' || s[0] == '\'' { // names with colons stand in quotes
			if end := bytes.IndexByte(s[1:], s[0]); end >= 0 {
				add(string(s[1 : 1+end]))
			}
			continue
		}
		// A name may have colons of its own, and no blank behind them.
		if at := bytes.Index(append(slices.Clone(s), ' '), []byte(": ")); at > 0 {
			add(string(s[:at]))
		}
	}
}
