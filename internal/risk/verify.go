package risk

import (
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// World is the place in which every example of a rule happens; rules/README.md
// describes it. Nothing in it exists on the machine.
func World() Input {
	return Input{
		Dir: "/home/dev/code/app", Root: "/home/dev/code/app", Home: "/home/dev",
		Own:     []string{"/home/dev/.config/moai", "/home/dev/.local/state/moai"},
		Program: []string{"/opt/guard/m"},
		Registers: func(p string) bool {
			return p == "/home/dev/code/app/.claude/settings.json" || p == "/home/dev/.claude/settings.json" || p == "/home/dev/.codex/hooks.json"
		},
		Settings: func(p string) (text string, there bool) {
			switch strings.TrimPrefix(p, "/home/dev/code/app/") {
			case ".claude/settings.json", "/home/dev/.claude/settings.json":
				return `{"hooks": "moai"}`, true
			case "unhooked/settings.json", "unhooked/.claude/settings.local.json", "unhooked.json", "/home/dev/code/unhooked/settings.json":
				return `{"disableAllHooks": true}`, true
			case "unhooked.patch":
				return "+++ b/.claude/settings.json\n+{\"disableAllHooks\": true}\n", true
			case "hooked/settings.json":
				return `{"hooks": "moai", "model": "x"}`, true
			}
			return "", false
		},
		SettingsAt: func(dir, revision, file string) (text string, known bool) {
			if dir != "/home/dev/code/app" || file != dir+"/.claude/settings.json" && file != dir+"/.claude/settings.local.json" {
				return "", revision == "HEAD" || strings.HasPrefix(revision, "unhooked") || revision == "ahead" || strings.HasPrefix(revision, "stash@{1}")
			}
			switch main := strings.HasSuffix(file, "settings.json"); revision {
			case "HEAD", "ahead", "unhooked^":
				if main {
					text = `{"hooks": "moai"}`
				}
				return text, true
			case "unhooked", "stash@{1}":
				if !main {
					text = `{"disableAllHooks": true}`
				}
				return text, true
			}
			return "", false
		},
		Exists: func(p string) bool {
			switch strings.TrimPrefix(p, "/home/dev/code/app/") {
			case "main.go", "README.md", "CLAUDE.md", ".env", "notes.txt", "src", "src/app.go", "src/lib", "docs", "한글 폴더", "credentials.json",
				"data.db", "lib/tmp", "lib/tmp/novel.txt", ".git/info/exclude", "/home/dev/.config/moai", "/home/dev/.local/state/moai", ".claude/settings.json", "local-data", "/home/dev/.ssh/id_rsa", "/home/dev/.aws/credentials", "/home/dev/Documents/thesis.docx", "/home/dev/.claude/plans/calm-fox.md", "/home/dev/.claude/projects/-home-dev-code-app/memory/MEMORY.md", "/home/dev/code/app",
				"/home/dev/code/app/.git", "/home/dev/code/other-app", "/home/dev/code/other-app/.git", "/home/dev/code/other-app/src", "/home/dev/code/other-app/src/a.go":
				return true
			}
			return false
		},
		Regular: func(p string) bool {
			switch strings.TrimPrefix(p, "/home/dev/code/app/") {
			case "main.go", "README.md", "CLAUDE.md", "notes.txt", "src/app.go", "data.db", "lib/tmp/novel.txt", "/home/dev/Documents/thesis.docx", "/home/dev/code/other-app/src/a.go", "/home/dev/.claude/plans/calm-fox.md", "/home/dev/.claude/projects/-home-dev-code-app/memory/MEMORY.md":
				return true
			}
			return false
		},
		Unsaved: func(p string) bool {
			for _, name := range [...]string{"main.go", "notes.txt", "lib/tmp/novel.txt", "local-data/a.txt"} {
				if glob(p, "/home/dev/code/app/"+name) {
					return true
				}
			}
			return false
		},
		Dirty: func(dir string, except []string) bool {
			for _, name := range [...]string{"main.go", "notes.txt", "lib/tmp/novel.txt"} {
				if p := "/home/dev/code/app/" + name; strings.HasPrefix(p, dir+"/") && !slices.Contains(except, p) {
					return true
				}
			}
			return false
		},
		Waiting: func(dir string) bool { return dir == "/home/dev/code/rebasing" },
		Staged: func(paths []string, gone bool) bool { // src/app.go, by its name or with everything; src/gone.go by its name
			if gone {
				return slices.Contains(paths, "/home/dev/code/app/src/gone.go")
			}
			return len(paths) == 0 || slices.Contains(paths, "/home/dev/code/app/src/app.go")
		},
		Changed: func(dir string) bool { return dir == "/home/dev/code/app/htmlcov" },
		Names: func(pattern string) (names []string, ok bool) {
			for _, p := range [...]string{"app/main.go", "app/README.md", "app/notes.txt", "app/src/app.go", "other-app/src/a.go"} {
				if p = "/home/dev/code/" + p; glob(pattern, p) && path.Dir(p) == path.Dir(pattern) {
					names = append(names, path.Base(p))
				}
			}
			return names, len(names) > 0 // what else is in its folders is not said
		},
		Ignored: func(p string) bool {
			rest := strings.TrimPrefix(p, "/home/dev/code/app/")
			first, _, _ := strings.Cut(rest, "/")
			switch first {
			case "node_modules", "dist", "build", "target", ".env", "local-data", "tmp", "credentials.json":
				return true
			}
			return false
		},
	}
}

// Example turns an example of a rule into an input: a command line, or a tool's
// name followed by its input as JSON.
func Example(text string) Input {
	in := World()
	if name, args, ok := strings.Cut(text, " {"); ok && !strings.ContainsAny(name, " \t\n=;|'\"") && json.Valid([]byte("{"+args)) {
		in.Tool, in.Args = name, []byte("{"+args)
		return in
	}
	in.Command = text
	return in
}

// Verify runs every rule over its own examples and checks that what it advises
// passes. It returns what is wrong, a line each.
func Verify(r *rule.Risks) []*rule.Problem {
	return VerifyIn(NewSet(r), r.Rules)
}

// VerifyIn is Verify for some of a set's rules.
func VerifyIn(set *Set, rules []rule.Risk) []*rule.Problem {
	var problems []*rule.Problem
	for i := range rules {
		one := &rules[i]
		say := func(format string, args ...any) {
			problems = append(problems, &rule.Problem{File: one.File, Line: one.Line, ID: one.ID, Text: fmt.Sprintf(format, args...)})
		}
		for _, text := range Misused(one) {
			say("%s", text)
		}
		for _, text := range one.Hits {
			if !set.fires(text, one.ID) {
				say("does not fire on its hit %q", text)
			}
		}
		for _, text := range one.Misses {
			if set.fires(text, one.ID) {
				say("fires on its near miss %q", text)
			}
		}
		for _, text := range one.KnownMiss {
			if set.fires(text, one.ID) {
				say("fires on its known miss %q: move it to hits", text)
			}
		}
		for _, command := range advised(one.Instead) {
			in := Example(command)
			v := set.Check(&in)
			// A snapshot stops nobody, but what is advised must not be the same hazard again.
			if v.Action > Checkpoint || contains(v.IDs(), one.ID) {
				say("advises %q, which %s stops (%s)", command, strings.Join(v.IDs(), ", "), v.Action)
			}
		}
	}
	return problems
}

func (s *Set) fires(example, id string) bool {
	in := Example(example)
	v := s.Check(&in)
	for i := range v.Hits {
		if v.Hits[i].Rule.ID == id {
			return true
		}
	}
	return false
}

// advised lists the commands in backticks.
func advised(text string) []string {
	var list []string
	for {
		_, rest, ok := strings.Cut(text, "`")
		if !ok {
			return list
		}
		command, after, ok := strings.Cut(rest, "`")
		if !ok {
			return list
		}
		list, text = append(list, command), after
	}
}
