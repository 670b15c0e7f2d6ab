package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/handle"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// detectForms are the forms in which an answer is printed.
const detectForms = "table, json, markdown, env, mise"

// showEnvs is for eval in any POSIX shell: names that are always there, values in single quotes, in which nothing means anything.
// With several folders each has a number in its names, and PROJECT_COUNT says how many there are.
func (e *env) showEnvs(reports []*lang.Report) {
	if len(reports) == 1 {
		e.showEnv(reports[0], "PROJECT_")
		return
	}
	fmt.Fprintf(e.out, "PROJECT_COUNT='%d'\n", len(reports))
	for i, r := range reports {
		prefix := fmt.Sprintf("PROJECT_%d_", i+1)
		fmt.Fprintf(e.out, "%sDIR='%s'\n", prefix, singleQuoted(r.Dir))
		e.showEnv(r, prefix)
	}
}

// singleQuoted is what stands between single quotes of a shell.
func singleQuoted(value string) string { return strings.ReplaceAll(term.Text(value), "'", `'\''`) }

// showEnv prints one folder's.
func (e *env) showEnv(r *lang.Report, prefix string) {
	set := func(name, value string) { fmt.Fprintf(e.out, "%s%s='%s'\n", prefix, name, singleQuoted(value)) }
	p := r.Primary
	if p == nil {
		p = &lang.Primary{Version: r.EcosystemVersion, VersionKind: r.EcosystemVersionKind}
	}
	set("LANGUAGE", p.ID)
	set("VERSION", p.Version)
	set("VERSION_KIND", p.VersionKind)
	set("KIND", r.Kind)
	set("ECOSYSTEM", r.Ecosystem)
	one := ""
	for _, part := range r.Tools.Purposes() {
		command := ""
		if part.Tool != nil {
			command = part.Tool.Command
		}
		set(strings.ToUpper(part.Name), command)
		if part.Tool != nil && part.Tool == r.Tools.Test {
			one = part.Tool.One
		}
	}
	set("TEST_ONE", one)
}

// showMise is a mise.toml: the versions that are stated, and the commands as tasks. Of several folders each
// one's tasks bear its name and run in it, and a tool has all versions that any of them states.
func (e *env) showMise(reports []*lang.Report) {
	quote := func(s string) string {
		return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(term.Text(s)) + `"`
	}
	fmt.Fprintln(e.out, "[tools]")
	for _, tool := range e.misedTools(reports) {
		list := make([]string, len(tool.versions))
		for i, v := range tool.versions {
			list[i] = quote(v)
		}
		value := quote("latest") // all that is stated is the least that will do
		switch len(list) {
		case 0:
		case 1:
			value = list[0]
		default:
			value = "[" + strings.Join(list, ", ") + "]"
		}
		fmt.Fprintf(e.out, "%s = %s\n", tool.name, value)
	}
	used := map[string]bool{}
	for _, r := range reports {
		base := filepath.Base(r.Dir)
		for n := 2; used[base]; n++ {
			base = fmt.Sprintf("%s-%d", filepath.Base(r.Dir), n)
		}
		used[base] = true
		for _, part := range r.Tools.Purposes() {
			if part.Tool == nil || part.Tool.Command == "" {
				continue
			}
			if len(reports) == 1 {
				fmt.Fprintf(e.out, "\n[tasks.%s]\nrun = %s\n", part.Name, quote(part.Tool.Command))
			} else {
				fmt.Fprintf(e.out, "\n[tasks.%s]\ndir = %s\nrun = %s\n", quote(base+":"+part.Name), quote(r.Dir), quote(part.Tool.Command))
			}
		}
	}
}

// mised is a tool of a mise.toml with its versions.
type mised struct {
	name     string
	versions []string
}

// misedTools are the tools whose versions some folder states, in the order in which they come.
func (e *env) misedTools(reports []*lang.Report) (tools []mised) {
	for _, r := range reports {
		for _, l := range r.Languages {
			known, ok := e.languages().Find(l.ID)
			if !ok || len(known.Tools) == 0 {
				continue
			}
			v, name := release(l.Version), released(l.Version, known)
			if line, ok := strings.CutSuffix(l.Version, "/*"); ok && v == "" { // "Node lts/*": the newest of them
				v = line[strings.LastIndexByte(line, ' ')+1:]
			}
			if v == "" || name == "" || strings.HasPrefix(l.Version, "<") { // the number is the first that will not do
				continue
			}
			i := slices.IndexFunc(tools, func(t mised) bool { return t.name == name })
			if i < 0 {
				i, tools = len(tools), append(tools, mised{name: name})
			}
			if l.VersionKind == "floor" && !strings.ContainsAny(l.Version, "<~^*") { // the least that will do is not what one works with, unless the newest will not do
				continue
			}
			if !slices.Contains(tools[i].versions, v) {
				tools[i].versions = append(tools[i].versions, v)
			}
		}
	}
	return tools
}

// released is the tool that a version is one of: the first, unless the word before the number names another one ("Flutter 3.22"). It is ""
// where the number counts something else: "edition 2024", "Unity 2022.3".
func released(version string, l *rule.Language) string {
	word := strings.ToLower(strings.Trim(version[:max(strings.IndexAny(version, "0123456789"), 0)], " ^~<>=!≥."))
	word, _, _ = strings.Cut(word, " ")
	switch i := slices.Index(l.Tools, word); {
	case word == "" || slices.Contains(l.Aliases, word) || strings.Contains(l.Tools[0], word): // ".NET SDK 8" is dotnet's
		return l.Tools[0]
	case i >= 0:
		return l.Tools[i]
	}
	return ""
}

// release is the first number of a version: what a floor, or a name with it, comes down to.
func release(version string) string {
	from := strings.IndexAny(version, "0123456789")
	if from < 0 {
		return ""
	}
	rest := version[from:]
	if end := strings.IndexFunc(rest, func(r rune) bool { return (r < '0' || r > '9') && r != '.' }); end >= 0 {
		rest = rest[:end]
	}
	return strings.TrimRight(rest, ".")
}

// showMarkdown is for an instruction file: what the project is, and its commands.
func (e *env) showMarkdown(r *lang.Report) {
	cell := strings.NewReplacer("|", `\|`, "`", "'")
	fmt.Fprintf(e.out, "# %s\n\n| what | command | because |\n|---|---|---|\n", cell.Replace(term.Text(r.Title())))
	for _, part := range r.Tools.Purposes() {
		if part.Tool != nil && part.Tool.Command != "" {
			fmt.Fprintf(e.out, "| %s | `%s` | %s |\n", part.Name, cell.Replace(term.Text(part.Tool.Command)), cell.Replace(term.Text(part.Tool.Because)))
		}
	}
}

// showContext is what an agent should know before it begins, in a few lines.
func (e *env) showContext(r *lang.Report) {
	root := findRoot(r.Dir, e.home())
	lines := r.Context(e.languages(), func(below, command string) bool {
		in := e.riskInput(filepath.Join(r.Dir, filepath.FromSlash(below)), root)
		return handle.Asks(e.risks(root), &in, command)
	})
	if len(lines) == 0 {
		lines = []string{lang.Unknown}
	}
	for _, line := range lines {
		fmt.Fprintln(e.out, line)
	}
}
