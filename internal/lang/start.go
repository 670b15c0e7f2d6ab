package lang

import (
	"bytes"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/modu-ai/moai/internal/rule"
)

// start is something that a project can start: its name, and the file that says so.
type start struct{ name, found, because string }

// in puts the program into a command.
func (p start) in(command string) string {
	return strings.NewReplacer("{program}", p.name, "{folder}", path.Dir(p.found)).Replace(command)
}

// startOf is the one that a tool's command starts; the zero value for a tool that does not ask for one. Not ok where there is none, or more
// than one and no telling which is meant.
func (f *folder) startOf(t *rule.Tool) (start, bool) {
	if len(t.Programs) == 0 {
		return start{}, true
	}
	list, all := f.programs(t)
	if len(list) == 1 && all && !t.Namesake {
		return list[0], true
	}
	says := t.Command + t.One
	if !strings.Contains(says, "{program}") && !strings.Contains(says, "{found}") && !strings.Contains(says, "{folder}") {
		return start{}, false
	}
	for _, name := range f.projectNames(t.Called) {
		if i := slices.IndexFunc(list, func(p start) bool { return sameName(p.name, name) }); i >= 0 {
			return list[i], true
		}
	}
	return start{}, false
}

// maxPrograms is how many files of one place are asked.
const maxPrograms = 64

// programs lists what is stated in some places, each name once; all says that nothing was left out.
func (f *folder) programs(t *rule.Tool) (list []start, all bool) {
	all = true
	names := sync.OnceValue(func() []string { return f.projectNames(t.Called) })
	called := func(program string) bool {
		return slices.ContainsFunc(names(), func(name string) bool { return sameName(program, name) })
	}
	for _, at := range t.Programs {
		if f.above != nil && strings.HasPrefix(at.File, "*/") {
			continue // what lies in projects below this one is looked for from the root alone
		}
		name := ""
		if strings.Contains(at.File, "{called}") {
			name = first(f.projectNames(t.Called))
		}
		files := f.some(strings.ReplaceAll(at.File, "{called}", name), maxPrograms)
		all = all && len(files) < maxPrograms
		isOne := at.Keys == "" && at.Each == "" && at.Text == "" && at.List == "" && at.Entries == "" // the file itself, and nothing that it lists
		for _, file := range files {
			if isOne && at.Name == "" && len(list) > 1 && !called(f.nameOf(at, file)) {
				continue // of several only the project's namesake is ever meant (see startOf), so that this one need not be read
			}
			add := func(name, because string) {
				same := func(p start) bool { return sameName(p.name, name) }
				if name != "" && plainTask(name) && !slices.ContainsFunc(list, same) && f.forUse(file, name, t.Called) {
					list = append(list, start{name, file, file + because})
				}
			}
			for _, name := range f.startNames(at, file) {
				if at.Value {
					if name = f.valueOf(at, file, name); !f.exists(name) {
						continue
					}
				}
				add(name, " names "+name)
			}
			if f.namesProject(at, file) {
				add(first(f.projectNames(t.Called)), " names it as the project")
			}
			if isOne && f.isStart(at, file) {
				add(f.nameOf(at, file), "")
			}
		}
	}
	return list, all
}

// forUse reports a program that people use: no sample, and nothing that only measures or tests the project, unless that is what the project is.
func (f *folder) forUse(file, name string, called []string) bool {
	lower := strings.ToLower(name)
	aside := func(word string) bool { return strings.Contains(lower, word) }
	itself := func(project string) bool { return sameName(name, project) }
	return f.t.PathKind(f.path(file)) == Own &&
		(!slices.ContainsFunc(f.t.Projects.Helpers, aside) || slices.ContainsFunc(f.projectNames(called), itself))
}

// startNames are the names that stand in a file.
func (f *folder) startNames(at rule.Start, file string) (names []string) {
	add := func(name string) { names = append(names, name) }
	switch data := f.data(file); {
	case at.Each != "":
		return eachValue(at.Each, data)
	case at.Keys != "" && isObject(data):
		return taskNames("json", at.Keys, data)
	case at.Keys != "" && slices.Contains([]string{".yaml", ".yml"}, path.Ext(file)):
		return taskNames("yaml", at.Keys, data)
	case at.Keys != "":
		return taskNames("toml", at.Keys, data)
	case at.List != "":
		return listed(at, data)
	case at.Text != "":
		before, after, ok := strings.Cut(at.Text, "{}")
		if !ok {
			return nil
		}
		if word, _, _ := strings.Cut(strings.TrimPrefix(before, "\n"), " "); !bytes.Contains(data, []byte(word)) {
			return nil // squeezing changes no word
		}
		text := string(data)
		if at.Bare {
			text = unspoken(text)
		}
		rest := squeezed(text, strings.HasPrefix(before, "\n"))
		for found := true; found; {
			if _, rest, found = strings.Cut(rest, before); found {
				end := strings.IndexFunc(rest, func(r rune) bool { return !plainTask("x" + string(r)) })
				if end <= 0 {
					continue
				}
				// What stands behind a name may be a part of its word: BUILD_TESTS of A_BUILD_TESTS.
				ending, behind := after, ""
				if i := strings.IndexByte(after, ' '); i > 0 && after[0] == '_' {
					ending, behind = after[:i], after[i:]
				}
				if name, ok := strings.CutSuffix(rest[:end], ending); ok && behind != "" && strings.HasPrefix(rest[end:], behind) {
					add(name)
				} else if strings.HasPrefix(rest[end:], after) {
					add(rest[:end])
				}
			}
		}
	case at.Entries != "":
		_, rest, _ := strings.Cut(string(data), at.Entries)
		rest = rest[:min(len(rest), maxScript)]
		rest, _, _ = strings.Cut(rest, "\n\n")
		rest, _, _ = strings.Cut(rest, "\n[")
		for i := range len(rest) { // and not the bracket of "name = module:function [extra]"
			if next := rest[i:]; next[0] == ']' && (len(next) == 1 || strings.IndexByte("\n,)}", next[1]) >= 0) {
				rest = rest[:i]
				break
			}
		}
		for part := range strings.FieldsFuncSeq(rest, func(r rune) bool { return strings.ContainsRune("\n,'\"[]", r) }) {
			name, function, ok := strings.Cut(part, "=")
			if name = strings.TrimSpace(name); ok && strings.Contains(function, ":") {
				add(name)
			}
		}
	}
	return names
}

// unspoken is a text without what stands in double quotes: what an option is for.
func unspoken(text string) string {
	var out strings.Builder
	for i, part := range strings.Split(text, `"`) {
		if i%2 == 0 {
			out.WriteString(part)
		}
	}
	return out.String()
}

// eachValue lists the values of a key in all tables of a list of TOML.
func eachValue(at string, data []byte) (values []string) {
	table, key, _ := strings.Cut(at, ".")
	within := false
	for line := range bytes.Lines(data) {
		s := strings.TrimSpace(string(line))
		if strings.HasPrefix(s, "[") {
			within = strings.HasPrefix(s, "[["+table+"]]")
		} else if name, value, ok := strings.Cut(s, "="); within && ok && strings.TrimSpace(name) == key {
			value, _, _ = strings.Cut(value, "#")
			values = append(values, unquoted(value))
		}
	}
	return values
}

// namesProject reports a text of a file that stands for the project itself.
func (f *folder) namesProject(at rule.Start, file string) bool {
	word, _, _ := strings.Cut(at.Text, " ")
	return at.Text != "" && !strings.Contains(at.Text, "{}") && holdsText(f.data(file), word) &&
		strings.Contains(squeezed(string(f.data(file)), at.Text[0] == '\n'), at.Text)
}

// valueOf is the file that a member of an object names.
func (f *folder) valueOf(at rule.Start, file, name string) string {
	if at.Keys != "" {
		members, _ := jsonFind(f.data(file), at.Keys)
		value, _ := jsonMember(members, name)
		name = plainText(value)
	}
	return path.Clean(name)
}

// listed are the names behind a text, up to the end of its line.
func listed(at rule.Start, data []byte) (names []string) {
	data = bytes.ReplaceAll(data, []byte("\\\n"), nil)
	_, rest, _ := bytes.Cut(append([]byte("\n"), data...), []byte(at.List))
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	for _, target := range strings.Fields(string(line)) {
		name := target
		if variable, ok := strings.CutPrefix(target, "$("); ok {
			name = firstWord(data, strings.TrimSuffix(variable, ")"))
		}
		if at.Has != "" {
			own := func(name string) string { return scriptTo(&rule.Runner{Form: "make"}, data, name, new(int)) } // $@ is this target, none that it needs
			script := own(target) + " " + own(name)
			if !strings.Contains(script, strings.Replace(at.Has, "{}", target, 1)+" ") {
				continue
			}
		}
		names = append(names, name)
	}
	return names
}

// squeezed has one blank for any run of blanks: in each line by itself, where the edge counts, or in all of a text.
func squeezed(s string, lines bool) string {
	if !lines {
		return strings.Join(strings.Fields(s), " ")
	}
	var out strings.Builder
	for line := range strings.Lines("\n" + s) {
		if strings.TrimLeft(line, " \t") == line {
			line = strings.Join(strings.Fields(line), " ") + "\n"
		}
		out.WriteString(line)
	}
	return out.String()
}

// isStart reports a file that is a program.
func (f *folder) isStart(at rule.Start, file string) bool {
	return (at.Beside == "" || f.exists(path.Join(path.Dir(file), at.Beside))) && (at.Has == "" || holdsText(f.data(file), at.Has)) &&
		(at.Lacks == "" || !holdsText(f.data(file), at.Lacks))
}

// nameOf is what a program is called whose file is found.
func (f *folder) nameOf(at rule.Start, file string) string {
	switch {
	case at.Name != "":
		return tomlField(f.data(file), at.Name)
	case isPattern(path.Base(at.File)):
		return stem(file)
	}
	return path.Base(path.Dir(file))
}

// projectNames are what the project itself is called.
func (f *folder) projectNames(places []string) (names []string) {
	for _, place := range places {
		if file, field, ok := strings.Cut(place, "#"); ok {
			names = append(names, tomlField(f.data(file), field))
		} else if file, text, ok := strings.Cut(place, ": "); ok {
			for _, file := range f.find(file) {
				names = append(names, f.startNames(rule.Start{Text: text}, file)...)
			}
		} else {
			for _, file := range f.find(place) {
				names = append(names, stem(file))
			}
		}
	}
	for i, name := range names { // github.com/a/name/v2
		if dir, last := path.Split(name); len(last) > 1 && last[0] == 'v' && digit(last[1]) && dir != "" {
			name = path.Clean(dir)
		}
		names[i] = path.Base(name)
	}
	return names
}
