package lang

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// Purposed is a tool under the name that scripts and tables give it.
type Purposed struct {
	Name string
	Tool *Tool
}

// Purposes are a project's tools in the order in which they are shown.
func (t *Tools) Purposes() []Purposed {
	return []Purposed{
		{"packages", t.Manager},
		{"install", t.Install},
		{"format", t.Formatter},
		{"lint", t.Linter},
		{"typecheck", t.Typecheck},
		{"test", t.Test},
		{"coverage", t.Coverage},
		{"build", t.Build},
		{"start", t.Start},
		{"dev", t.Dev},
		{"migrate", t.Migrate},
		{"clean", t.Clean},
	}
}

const (
	contextLines = 25   // that an agent is told of a project
	contextShare = 0.05 // from which a language beside the primary one is named
)

// Context is what an agent should know before it begins, in at most 25 lines that are fit for a terminal; none where nothing is known.
// It wants a report with projects. asks reports a command in a folder of the project that a person would be asked about: it is named with a word.
func (r *Report) Context(t *Table, asks func(dir, command string) bool) (lines []string) {
	test := func(dir, command string) string {
		if asks(dir, command) {
			command += " (moai asks before it runs)"
		}
		return term.Text(command)
	}
	add := func(format string, args ...any) { lines = append(lines, fmt.Sprintf(format, args...)) }
	switch title := term.Text(r.Title()); {
	case r.Kind != "" && title == Unknown:
		add("no programming language; what is here is %s", r.Kind)
	case r.Kind != "":
		add("%s (%s)", title, r.Kind)
	case title != Unknown:
		add("%s", title)
	}
	var others []string
	for _, l := range r.Languages {
		known, ok := t.Find(l.ID)
		if ok && known.Leads() && l.Share >= contextShare && (r.Primary == nil || l.ID != r.Primary.ID) {
			others = append(others, fmt.Sprintf("%s %d %%", l.Name, int(l.Share*100+0.5)))
		}
	}
	if len(others) > 0 {
		add("also: %s", strings.Join(others, ", "))
	}
	for _, part := range r.Tools.Purposes() {
		if part.Tool == nil || part.Tool.Command == "" {
			continue
		}
		command := term.Text(part.Tool.Command)
		if remark := part.Tool.Remark(); remark != "" {
			command += " (" + term.Text(remark) + ")"
		}
		if part.Tool == r.Tools.Test {
			command = test(".", part.Tool.Command)
		}
		add("%s: %s", part.Name, command)
		if part.Tool == r.Tools.Test && part.Tool.One != "" {
			add("one test: %s", term.Text(part.Tool.One))
		}
	}
	for _, f := range r.Tools.Frameworks {
		add("uses %s", f.Name)
	}
	for _, f := range r.Facts {
		add("%s: %s (%s)", f.Kind, f.Name, term.Text(f.Because))
	}
	lines = append(lines, r.contextProjects(test)...)
	if n := len(lines); n > contextLines {
		lines = append(lines[:contextLines-1], fmt.Sprintf("and %d more lines: moai detect --projects", n-contextLines+1))
	}
	return lines
}

// fewPaths is how many projects a line names that it says the same of.
const fewPaths = 8

// contextProjects are the lines about what lies below the root, and beside what is first there; one for all of which the same is said.
func (r *Report) contextProjects(test func(dir, command string) string) (lines []string) {
	// Examples, whose files do not count, come behind what the folder is about.
	projects := slices.Clone(r.Projects)
	slices.SortStableFunc(projects, func(a, b Project) int { return cmp.Compare(min(b.Files, 1), min(a.Files, 1)) })
	var said []string
	paths := map[string][]string{} // by what is said
	for i := range projects {
		p := &projects[i]
		name := p.System
		if p.Primary != nil {
			name = p.Primary.Title()
		}
		if tool := p.Tools.Manager; tool != nil && p.Path == "." && tool.Command != "" && (r.Tools.Manager == nil || tool.Command != r.Tools.Manager.Command) {
			name += ", packages: " + tool.Command
		}
		if tool := p.Tools.Test; tool != nil {
			name += ", test: " + test(p.Path, tool.Command)
		}
		text := term.Text(name)
		if p.Path == "." {
			lines = append(lines, "also here: "+text)
			continue
		}
		if paths[text] == nil {
			said = append(said, text)
		}
		paths[text] = append(paths[text], term.Name(p.Path))
	}
	for _, text := range said {
		list := paths[text]
		what, more := "project ", ""
		if len(list) > 1 {
			what = "projects "
		}
		if n := len(list) - fewPaths; n > 0 {
			list, more = list[:fewPaths], fmt.Sprintf(" and %d more", n)
		}
		lines = append(lines, what+strings.Join(list, ", ")+more+": "+text)
	}
	return lines
}
