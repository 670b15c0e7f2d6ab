package verify

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/lang"
	"github.com/modu-ai/moai/internal/rule"
)

// headBytes is how much of a file is read to tell what it is.
const headBytes = 4 << 10

// Own reports a path, relative to a folder, that is nobody's work: what the client and moai keep there. A folder that is only called as the
// client calls its work trees is none.
func (t *Tables) Own(dir, rel string) bool {
	if fits(t.Agents.Own, rel) {
		return true
	}
	for i := range rel {
		if rel[i] == '/' && fits(t.Agents.OwnTrees, rel[:i]) {
			return exists(filepath.Join(dir, filepath.FromSlash(rel[:i]), ".git"))
		}
	}
	return false
}

func fits(patterns []string, rel string) bool {
	rel = strings.ToLower(rel)
	return slices.ContainsFunc(patterns, func(p string) bool {
		ok, err := doublestar.Match(p, rel)
		return err == nil && ok
	})
}

// Plan reports a path, absolute or not, that is a plan's by its name.
func (t *Tables) Plan(path string) bool {
	for i := range t.Agents.Kinds {
		if k := &t.Agents.Kinds[i]; k.Needs == planNeed {
			return fits(k.Paths, strings.TrimPrefix(path, "/"))
		}
	}
	return false
}

// Makes reports a tool whose result is a file of a kind of its own.
func (t *Tables) Makes(tool string) bool {
	return slices.ContainsFunc(t.Agents.Kinds, func(k rule.FileKind) bool { return slices.Contains(k.Tools, tool) })
}

// Calls reports a tool that starts a sub-agent.
func (t *Tables) Calls(tool string) bool { return slices.Contains(t.Agents.Calls, tool) }

// ShowsNothing reports a tool that puts no file before who calls it.
func (t *Tables) ShowsNothing(tool string) bool { return slices.Contains(t.Agents.Shows.Nothing, tool) }

// Reads reports a tool that reads the file or folder that one of its arguments names.
func (t *Tables) Reads(tool string) (arguments []string, reads bool) {
	return t.Agents.Shows.Arguments, slices.Contains(t.Agents.Shows.Tools, tool)
}

// FirstLine are the arguments of such a tool with the number of the first line.
func (t *Tables) FirstLine() []string { return t.Agents.Shows.Lines }

// Enough is of how many lines a file, of which so many have a letter, counts as shown.
func (t *Tables) Enough(has int) int { return min(t.Agents.Shows.Enough, has) }

// Part are the arguments of such a tool with the number of lines that are read.
func (t *Tables) Part() []string { return t.Agents.Shows.Parts }

// Output names what an answer to a command line holds its output in, and what says that it comes later.
func (t *Tables) Output() (in, later []string) { return t.Agents.Shows.Answers, t.Agents.Shows.Later }

// Telling counts the lines of an output that may show something: those with a letter, but for what the client says of how the command ended.
func (t *Tables) Telling(output string) (lines int) {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		if strings.ContainsFunc(line, unicode.IsLetter) && !slices.ContainsFunc(t.Agents.Shows.Exits, func(begins string) bool { return strings.HasPrefix(line, begins) }) {
			lines++
		}
	}
	return lines
}

// Holds reports a prompt that holds more than names: changes, or code.
func (t *Tables) Holds(prompt string) bool {
	return slices.ContainsFunc(t.Agents.Shows.Prompt, func(mark string) bool { return strings.Contains(prompt, mark) })
}

// Tells reports a prompt that may hold what is in a file.
func (t *Tables) Tells(prompt, path string) bool {
	return t.Holds(prompt) && strings.Contains(prompt, filepath.Base(path))
}

// planNeed is what a plan needs; it is the one kind that counts outside of the project, too: clients keep plans at home.
const planNeed = "plan"

// Kind is what kind of file one is, nil where it is none that anybody has to look at: what is of no kind, and what programs
// generate. rel is relative to the project where it lies in it.
func (t *Tables) Kind(f *File, rel string) *rule.FileKind {
	if f.Untold { // code may be among them
		return t.codeKind()
	}
	var head []byte
	if f.Sum != "" && f.Of == "" {
		head, _, _ = disk.ReadHead(f.Path, headBytes)
	}
	return t.kind(f, rel, head)
}

// KindOf is what kind of file one is that a commit has; hand says that no program made it.
func (t *Tables) KindOf(one *Put, rel string, hand bool) *rule.FileKind {
	return t.kind(&File{Path: one.Path, Sum: one.Sum, Command: true, Hand: hand}, rel, one.Text)
}

// kind is Kind for a file that begins so.
func (t *Tables) kind(f *File, rel string, head []byte) *rule.FileKind {
	for i := range t.Agents.Kinds {
		if k := &t.Agents.Kinds[i]; f.Of != "" {
			if k.Name == f.Of {
				return k
			}
			continue
		}
		if k := &t.Agents.Kinds[i]; slices.Contains(k.Tools, f.Tool) || fits(k.Paths, strings.TrimPrefix(rel, "/")) {
			return k
		}
	}
	known, hand := t.Languages(), f.Hand || !f.Command // what is written by hand is no program's, whatever it says of itself
	g := known.Classify(rel, head, false)
	switch g.Kind {
	case lang.Generated:
		if !hand {
			return nil
		}
	case lang.Vendored, lang.Ignored:
		if f.Command && !t.ours(rel) { // programs write what nobody is to look at, such as dependencies
			return nil
		}
	}
	if head != nil && !hand && known.Written(rel, head) {
		return nil
	}
	if hand && g.ID == "" { // x.min.js: its last part says what it would be
		g.ID = known.Classify("x"+filepath.Ext(rel), head, false).ID
	}
	language := ""
	if l, ok := known.Find(g.ID); ok {
		language = l.Kind
	}
	plain := language == "" && g.Kind != lang.Documentation
	script := language == "" && bytes.HasPrefix(head, []byte("#!"))
	runs := plain && len(head) > 0 && !bytes.ContainsRune(head, 0) && executable(f.Path)
	for i := range t.Agents.Kinds {
		k := &t.Agents.Kinds[i]
		if slices.Contains(k.Languages, language) || k.Scripts && script || k.Executables && runs || plain && fits(k.Hooks, strings.TrimPrefix(rel, "/")) || k.Documentation && g.Kind == lang.Documentation {
			return k
		}
	}
	return nil
}

// executable reports a file that its owner may run, by its mode. Windows has none.
func executable(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode()&0o100 != 0
}

// ours reports a path that a name in it alone makes one of others' code, and which people write all the same.
func (t *Tables) ours(rel string) bool {
	parts := strings.Split(rel, "/")
	for i, name := range parts {
		if slices.Contains(t.Agents.Ours, strings.ToLower(name)) {
			parts[i] = "x"
		}
	}
	g := t.Languages().Classify(strings.Join(parts, "/"), nil, false)
	return g.Kind != lang.Vendored && g.Kind != lang.Ignored
}

// codeKind is the kind of what has to be looked at for being code.
func (t *Tables) codeKind() *rule.FileKind {
	for i := range t.Agents.Kinds {
		if k := &t.Agents.Kinds[i]; k.Needs != "" && k.Scripts {
			return k
		}
	}
	return nil
}
