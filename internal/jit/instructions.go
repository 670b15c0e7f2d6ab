package jit

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/rule"
)

// InstructionTokens is how much of the rule files is handed over with their content; what goes beyond is
// only named.
const InstructionTokens = 4000

// maxMatches bounds how many files of one glob are looked at.
const maxMatches = 100

// Instructions lists the files of rules for agents that are due, with their content: those for the whole
// project, and those whose globs match one of the touched paths (relative to the root, slash-separated).
// seen is the session's memory as in [Documents].
func Instructions(table []rule.Context, root string, touched []string, seen map[string]string) []Doc {
	g := giver{root: root, seen: seen, left: InstructionTokens}
	defer g.close()
	var loaded string
	for i := range table {
		r := &table[i]
		if r.Kind != rule.ContextInstructions {
			continue
		}
		for _, glob := range r.Files {
			for _, name := range g.glob(glob) {
				if loaded == "" {
					loaded = g.clientLoads()
				}
				g.instruct(name, r.ID, loaded, touched)
			}
		}
	}
	return g.docs
}

// glob lists the files that a glob of a rule names, in order.
func (g *giver) glob(pattern string) []string {
	if !g.open() {
		return nil
	}
	if !strings.ContainsAny(pattern, "*?[") {
		return []string{pattern}
	}
	names, err := fs.Glob(g.dir.FS(), pattern)
	if err != nil {
		return nil
	}
	return names[:min(len(names), maxMatches)]
}

// instruct adds one file of rules.
func (g *giver) instruct(name, id, loaded string, touched []string) {
	local := filepath.FromSlash(name)
	if !filepath.IsLocal(local) || isClaude(name) {
		return
	}
	st, err := g.dir.Stat(local)
	if err != nil || !st.Mode().IsRegular() || st.Size() == 0 || st.Size() > maxDoc {
		return
	}
	stamp := stampOf(st)
	if old, given := g.seen[name]; given && old == stamp {
		return
	}
	if strings.Contains(loaded, "@"+name) || strings.Contains(loaded, "@./"+name) || g.isClientFile(st) {
		return
	}
	f, err := g.dir.Open(local)
	if err != nil {
		return
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxDoc))
	if err != nil || !utf8.Valid(data) {
		return
	}
	text, globs, always := cursorRule(string(data), strings.HasPrefix(name, ".cursor/rules/"))
	if !always && !anyMatch(globs, touched) || strings.TrimSpace(text) == "" {
		return
	}
	d := Doc{Path: name, Rule: id, Tokens: Tokens(text)}
	if d.Tokens <= g.left {
		g.left -= d.Tokens
		d.Text = text
	}
	if g.seen != nil {
		g.seen[name] = stamp
	}
	g.docs = append(g.docs, d)
}

// clientFiles are what the client loads by itself.
var clientFiles = [...]string{"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"}

// clientLoads is the text of those files, in which "@AGENTS.md" imports another one. It is never empty.
func (g *giver) clientLoads() string {
	var b strings.Builder
	b.WriteByte('\n')
	for _, name := range clientFiles {
		f, err := g.dir.Open(filepath.FromSlash(name))
		if err != nil {
			continue
		}
		_, _ = io.Copy(&b, io.LimitReader(f, 256<<10))
		f.Close()
	}
	return b.String()
}

// isClientFile reports whether a file is one of those under another name (AGENTS.md is often a link).
func (g *giver) isClientFile(st fs.FileInfo) bool {
	for _, name := range clientFiles {
		if c, err := g.dir.Stat(filepath.FromSlash(name)); err == nil && os.SameFile(c, st) {
			return true
		}
	}
	return false
}

// cursorRule takes the head off a rule of .cursor/rules and says for which files it is. A file without a
// head, and one outside that folder, is for all. The head looks like YAML and is none (globs: *.ts).
func cursorRule(text string, folder bool) (body string, globs []string, always bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !folder || !ok {
		return text, nil, true
	}
	head, body, ok := strings.Cut(rest, "\n---")
	if !ok {
		return text, nil, true
	}
	_, body, _ = strings.Cut(body, "\n")
	list := false
	for line := range strings.SplitSeq(head, "\n") {
		if item, ok := strings.CutPrefix(strings.TrimSpace(line), "- "); ok && list {
			globs = append(globs, strings.Trim(item, " \"'"))
			continue
		}
		key, value, _ := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		list = false
		switch strings.TrimSpace(key) {
		case "alwaysApply":
			always = value == "true"
		case "globs":
			list = value == ""
			for part := range strings.SplitSeq(strings.Trim(value, "[]"), ",") {
				if part = strings.Trim(part, " \"'"); part != "" {
					globs = append(globs, part)
				}
			}
		}
	}
	return body, globs, always
}

// anyMatch reports whether a touched path fits one of the globs; one without a slash is for any folder.
func anyMatch(globs, touched []string) bool {
	for _, glob := range globs {
		if !strings.Contains(glob, "/") {
			glob = "**/" + glob
		}
		for _, name := range touched {
			if ok, err := doublestar.Match(glob, name); err == nil && ok {
				return true
			}
		}
	}
	return false
}

// fileMatch reports whether a path below the root fits a glob of an instructions rule.
func fileMatch(glob, name string) bool {
	ok, err := path.Match(glob, strings.TrimPrefix(name, "./"))
	return err == nil && ok && !isClaude(name)
}
