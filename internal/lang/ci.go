package lang

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// step is one command that a service runs, and what it is called there; "" for no name. Of a block of commands each is one: within is set.
type step struct {
	name, command string
	within        bool
}

// evident fills in, from what services that test the project run, what nothing else says: a step with the name of a purpose, or a command
// that ends in one.
func (f *folder) evident(t *Tools, l *rule.Language) {
	rivals := f.rivals(t, l)
	for i := range f.t.Work.Services {
		s := &f.t.Work.Services[i]
		for _, pattern := range s.Files {
			for _, file := range f.find(pattern) {
				if slices.ContainsFunc(s.Except, func(word string) bool { return strings.Contains(file, word) }) {
					continue
				}
				if s.Begins != "" {
					if command := f.served(s, file, l); t.Start == nil && command != "" {
						t.Start = &Tool{Name: s.Name, Command: command, Because: file + " starts it"}
					}
					continue
				}
				if f.ofData(s, f.data(file)) {
					continue
				}
				for _, one := range steps(s, f.data(file)) {
					if words := strings.Fields(one.command); len(words) > 0 && slices.Contains(f.t.Work.Asks, words[len(words)-1]) {
						continue
					}
					f.called(t, l, rivals, one.command, file+" runs it", s)
					if to := f.purpose(t, one); to != nil && *to == nil && pasted(one.command) && !(to == t.of("format") && f.onlyLooks(one.command)) {
						*to = &Tool{Name: s.Name, Command: one.command, Because: file + " runs it"}
						if to == t.of("lint") {
							(*to).Fixes = f.writes("lint", one.command)
						}
					}
				}
			}
		}
	}
}

// ofData reports a file of a service that runs for files of data alone: what it does with them says nothing of the project.
func (f *folder) ofData(s *rule.Service, data []byte) bool {
	_, rest, ok := bytes.Cut(data, []byte(" "+s.Paths+":\n"))
	if s.Paths == "" || !ok {
		return false
	}
	some := false
	for line := range bytes.Lines(rest) {
		entry, ok := strings.CutPrefix(strings.TrimSpace(string(line)), "- ")
		if !ok {
			break
		}
		ext := path.Ext(unquoted(entry))
		if ext == "" || f.t.Extension(ext).Lang == 0 || f.t.Language(f.t.Extension(ext).Lang).Kind != "data" {
			return false
		}
		some = true
	}
	return some
}

// onlyLooks reports a formatter that changes no file: services have it check.
func (f *folder) onlyLooks(command string) bool {
	words := strings.Fields(command)
	has := func(list []string) bool {
		return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(list, w) })
	}
	return slices.ContainsFunc(f.t.Work.Tasks, func(task rule.TaskName) bool {
		return task.Purpose == "format" && has(task.Checks) && !has(task.Writes)
	})
}

// rival is a tool of the language that a service may call where nothing but the language speaks for another one.
type rival struct {
	purpose, program string
	tool             *rule.Tool
	vague            bool // it stands there already, and the service says what it is to look at
}

// rivals are the tools that would stand in place of those that only come with the language. What is called in another way is no rival of itself.
func (f *folder) rivals(t *Tools, l *rule.Language) (list []rival) {
	if l == nil {
		return nil
	}
	for _, group := range l.Toolset.Purposes() {
		to := *t.of(group.Purpose)
		if to == nil {
			continue
		}
		if i := slices.IndexFunc(group.Tools, func(tool rule.Tool) bool {
			return (tool.Vague || len(tool.Flags) > 0) && f.fill(l).Replace(tool.Command) == to.Command
		}); i >= 0 {
			list = append(list, rival{group.Purpose, program(strings.Replace(group.Tools[i].Command, "{run} ", "", 1)), &group.Tools[i], true})
		}
		if to.Because != own {
			continue
		}
		for i := range group.Tools {
			tool := &group.Tools[i]
			if tool.Name == to.Name {
				break
			}
			if program := program(f.fill(l).Replace(tool.Command)); program != "" && !several(l, group.Purpose, program) {
				list = append(list, rival{group.Purpose, program, tool, false})
			}
		}
	}
	return list
}

// called puts the first of the rivals that a service calls in its place.
func (f *folder) called(t *Tools, l *rule.Language, rivals []rival, command, because string, service *rule.Service) {
	for _, r := range rivals {
		to := t.of(r.purpose)
		if r.vague {
			bare := strings.TrimPrefix(command, strings.TrimSuffix(f.fill(l).Replace("{run} x"), "x"))
			if rest, ok := strings.CutPrefix(bare, r.program+" "); ok && pasted(command) && (r.tool.Vague && about(rest) || flagged(r.tool, rest)) && (*to).Command == f.fill(l).Replace(r.tool.Command) {
				if service.Lines {
					command = f.fill(l).Replace("{run} " + bare)
				}
				(*to).Command, (*to).Because = command, because
			}
			continue
		}
		if !strings.HasPrefix(command, r.program) || !strings.HasPrefix(command+" ", r.program+" ") || (*to).Because != own || !pasted(command) {
			continue
		}
		fill := f.fill(l)
		if service.Lines {
			continue // such a script may do with some of the files what the language does with all
		}
		found := &Tool{Name: service.Name, Command: command, Because: because}
		if r.purpose == "formatter" { // which a service only has check
			found = &Tool{Name: r.tool.Name, Command: fill.Replace(r.tool.Command), Because: because}
		}
		f.put(t, r.purpose, found)
		(*to).File = fill.Replace(r.tool.File)
		return
	}
}

// about reports arguments that name something, and are not options alone.
func about(args string) bool {
	return slices.ContainsFunc(strings.Fields(args), func(w string) bool { return w[0] != '-' })
}

// flagged reports arguments each of which a service may give the tool though they name nothing.
func flagged(tool *rule.Tool, args string) bool {
	other := func(w string) bool { return !slices.Contains(tool.Flags, w) }
	return len(tool.Flags) > 0 && !slices.ContainsFunc(strings.Fields(args), other)
}

// several reports a program that other purposes have, too: a service that calls it says nothing of this one.
func several(l *rule.Language, purpose, program string) bool {
	for _, group := range l.Toolset.Purposes() {
		if group.Purpose != purpose && slices.ContainsFunc(group.Tools, func(tool rule.Tool) bool { return strings.HasPrefix(tool.Command+" ", program+" ") }) {
			return true
		}
	}
	return false
}

// program is the front of a command, up to what it is about: "golangci-lint run"; "" where the front alone says nothing.
func program(command string) string {
	words := strings.Fields(command)
	for i, w := range words {
		if strings.ContainsAny(w, "-./{'*") && i > 0 || strings.ContainsAny(w, "|&") {
			words = words[:i]
			break
		}
	}
	return strings.Join(words, " ")
}

// purpose is where the command of a step belongs; nil where neither its name, its first words nor its last one say.
func (f *folder) purpose(t *Tools, one step) **Tool {
	for _, command := range []string{one.command, f.bare(one.command)} {
		for _, step := range f.t.Work.Steps {
			for _, words := range step.Starts {
				if rest, ok := strings.CutPrefix(command+" ", words+" "); ok && (rest != "" || step.Whole) && !f.aside(strings.Fields(command)) {
					return t.of(step.Purpose)
				}
			}
		}
	}
	if one.within || f.papers(one.command) {
		return nil
	}
	name := strings.ToLower(one.name)
	for _, word := range f.t.Work.Before {
		name = strings.TrimPrefix(name, word+" ")
	}
	program, _, more := strings.Cut(one.command, " ")
	last := one.command[strings.LastIndexAny(one.command, " :/")+1:]
	for _, step := range f.t.Work.Steps {
		has := func(word string) bool {
			return slices.Contains(step.Names, word) || slices.ContainsFunc(f.t.Work.Tasks, func(task rule.TaskName) bool {
				return task.Purpose == step.Purpose && slices.Contains(task.Names, word)
			})
		}
		if has(name) && !f.taskOf(last, step.Purpose) || name == "" && step.Alone && more && program != last && has(last) {
			return t.of(step.Purpose)
		}
	}
	return nil
}

// bare is a command without what only starts its program: "poetry run mypy src".
func (f *folder) bare(command string) string {
	words := strings.Fields(command)
	for len(words) > 1 {
		n := 0
		for i := range min(2, len(words)-1) {
			if slices.Contains(f.t.Work.Launches, words[i]) || i == 0 && slices.Contains(f.t.Work.Carriers, words[0]) {
				n = i + 1
			}
		}
		if n == 0 {
			break
		}
		words = words[n:]
	}
	return strings.Join(words, " ")
}

// papers reports a command, or the name of a task, that is about documents, examples or pages of the project and not about itself.
func (f *folder) papers(command string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(command, func(r rune) bool { return strings.ContainsRune(" -_:./=@", r) }), func(part string) bool {
		return slices.Contains(f.t.Work.Papers, part)
	})
}

// taskOf reports a word that is the name of a task for another purpose: a step "Run tests" may call "make package-lint".
func (f *folder) taskOf(word, than string) bool {
	_, end, _ := strings.Cut(word, "-")
	for _, task := range f.t.Work.Tasks {
		if task.Purpose != than && f.checkedBy(task.Purpose) && (slices.Contains(task.Names, word) || end != "" && slices.Contains(task.Names, end)) {
			return true
		}
	}
	return false
}

// checkedBy reports a purpose that steps of services have.
func (f *folder) checkedBy(purpose string) bool {
	return slices.ContainsFunc(f.t.Work.Steps, func(s rule.TaskName) bool { return s.Purpose == purpose })
}

// maxPasted is how long a command of a service may be to be shown.
const maxPasted = 120

// pasted reports a command that means the same outside of the service: one program, its arguments as they stand. Strangers wrote it.
func pasted(command string) bool {
	odd := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.:/=+,@* ", r)
	}
	return command != "" && len(command) <= maxPasted && !strings.ContainsFunc(command, odd) && !strings.Contains(strings.ReplaceAll(command, "...", ""), "..") && command[0] != '-' && command[0] != '/'
}

// steps reads the commands of a service's file that stand alone on a line: behind the key run of a list's entry with its name, or as the
// only entry of a job's script.
func steps(s *rule.Service, data []byte) (out []step) {
	if s.Lines {
		return linesOf(data)
	}
	var name, job string
	entry, script, count := -1, -1, 0
	block, depth := -1, -1   // of a run of several lines: how far its key is indented, and they are
	away, within := false, 0 // the step is in another folder, and how many commands came before it
	all := defaults{-1, -1}
	for line := range bytes.Lines(data) {
		text := strings.TrimRight(string(line), " \t\r\n")
		body := strings.TrimLeft(text, " ")
		indent := len(text) - len(body)
		if body == "" || body[0] == '#' {
			continue
		}
		if block >= 0 && indent > block {
			if depth < 0 {
				depth = indent
			}
			away = away || indent == depth && strings.HasPrefix(body, "cd ") // and so is the rest of it
			if indent == depth && !away && all.away < 0 {
				out = append(out, step{name, body, true})
			}
			continue
		}
		block, depth = -1, -1
		all.see(s, body, indent)
		if s.Script != "" {
			switch {
			case indent == 0:
				job, script = strings.TrimSuffix(body, ":"), -1
			case body == s.Script+":":
				script, count = indent, 0
			case script >= 0 && strings.HasPrefix(body, "- ") && indent >= script:
				if count++; count == 1 {
					out = append(out, step{name: job, command: unquoted(body[2:])})
				} else if count == 2 {
					out = out[:len(out)-1]
				}
			default:
				script = -1
			}
			continue
		}
		if rest, ok := strings.CutPrefix(body, "- "); ok {
			name, entry, body = "", indent, strings.TrimLeft(rest, " ")
			away, within = false, len(out)
		} else if indent <= entry {
			name, entry, away = "", -1, false
		}
		if rest, ok := strings.CutPrefix(body, "name: "); ok && entry >= 0 {
			name = unquoted(rest)
		}
		if s.Folder != "" && strings.HasPrefix(body, s.Folder+": ") && entry >= 0 {
			away, out = true, out[:within]
		}
		if rest, ok := strings.CutPrefix(body, s.Run+": "); ok && !away && all.away < 0 && rest[0] != '>' {
			if rest[0] == '|' {
				block = len(text) - len(body)
			} else {
				out = append(out, step{name: name, command: unquoted(rest)})
			}
		}
	}
	return out
}

// linesOf are the commands of a script that stand alone on a line, up to where it goes to another folder.
func linesOf(data []byte) (out []step) {
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if strings.HasPrefix(text, "cd ") {
			break
		}
		if text != "" && text[0] != '#' {
			out = append(out, step{command: text, within: true})
		}
	}
	return out
}

// defaults are what is said of all steps of a job, or of the file: how far the key for it is indented, and that of the one by which they are in
// another folder; negative for none.
type defaults struct{ key, away int }

// see takes in a line of the file.
func (d *defaults) see(s *rule.Service, body string, indent int) {
	if indent < d.away {
		d.away = -1
	}
	if indent <= d.key {
		d.key = -1
	}
	if s.Defaults != "" && body == s.Defaults+":" {
		d.key = indent
	}
	if folder, ok := strings.CutPrefix(body, s.Folder+": "); ok && d.key >= 0 && strings.Trim(unquoted(folder), "./") != "" {
		d.away = d.key
	}
}

// unquoted is a plain value without the quotes around it.
func unquoted(s string) string {
	s = strings.TrimSpace(s)
	if len(s) > 1 && (s[0] == '"' || s[0] == '\'') && s[len(s)-1] == s[0] {
		return s[1 : len(s)-1]
	}
	return s
}
