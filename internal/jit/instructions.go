package jit

import (
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/disk"
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
	// In the order of the rules: the file made for this client first, then those of others.
	for i := range table {
		r := &table[i]
		if r.Kind != rule.ContextInstructions {
			continue
		}
		for _, glob := range r.Files {
			for _, name := range g.glob(glob, touched) {
				g.instruct(name, r.ID, touched)
			}
		}
	}
	return g.docs
}

// anyFolder starts the globs of files that are for the folder they lie in.
const anyFolder = "**/"

// glob lists the files that a glob of a rule names, in order. Those of folders are looked for only where a path was touched: a
// tree is never searched for them.
func (g *giver) glob(pattern string, touched []string) []string {
	if !g.open() {
		return nil
	}
	if base, ok := strings.CutPrefix(pattern, anyFolder); ok {
		return folders(base, touched)
	}
	if !strings.ContainsAny(pattern, "*?[") {
		return []string{pattern}
	}
	// Through the root, so that a link in .cursor cannot lead out of it.
	names, err := doublestar.Glob(g.dir.FS(), strings.ReplaceAll(pattern, "**", "*"))
	if err != nil {
		return nil
	}
	slices.Sort(names) // so that it is the same hundred each time
	return names[:min(len(names), maxMatches)]
}

// folders names a file in each folder that holds a touched path, the outer ones first, the root aside.
func folders(base string, touched []string) []string {
	var names []string
	for _, p := range touched {
		if !filepath.IsLocal(filepath.FromSlash(p)) {
			continue
		}
		for i := 0; i < len(p) && len(names) < maxMatches; i++ {
			if p[i] != '/' {
				continue
			}
			if name := p[:i+1] + base; !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// instruct adds one file of rules.
func (g *giver) instruct(name, id string, touched []string) {
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
	folder, base := "", name
	if dir, file := path.Split(name); dir != "" && file == "AGENTS.md" {
		folder, base = dir, file // the client loads the CLAUDE.md of a folder when it reads there
		touched = below(dir, touched)
	}
	if loaded := g.clientLoads(folder); strings.Contains(loaded, "@"+base) || strings.Contains(loaded, "@./"+base) || g.isClientFile(st, folder) {
		return
	}
	data, _, err := disk.ReadRegular(g.dir.OpenFile, local, 0, maxDoc)
	if err != nil || !utf8.Valid(data) {
		return
	}
	text, globs, always := headed(string(data), strings.HasPrefix(name, ".cursor/rules/"))
	if !always && !anyMatch(globs, touched) || strings.TrimSpace(text) == "" {
		return
	}
	// A long one is named, for the model to read where it needs it.
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

// maxClient bounds what is searched of one of them for imports, in bytes; they stand in the first lines mostly.
const maxClient = 256 << 10

// clientFiles are what the client loads by itself.
var clientFiles = [...]string{"CLAUDE.md", ".claude/CLAUDE.md", "CLAUDE.local.md"}

// below is the touched paths in a folder, relative to it: globs in its file mean those.
func below(dir string, touched []string) []string {
	var names []string
	for _, p := range touched {
		if rest, ok := strings.CutPrefix(p, dir); ok {
			names = append(names, rest)
		}
	}
	return names
}

// clientLoads is the text of those files of a folder ("" or "a/"), in which "@AGENTS.md" imports another one. It is read when the
// first file of rules turns up, and most projects have none; that of the last folder is kept, for several lie in the root.
func (g *giver) clientLoads(folder string) string {
	if g.loaded != nil && g.loadedIn == folder {
		return *g.loaded
	}
	var b strings.Builder
	for _, name := range clientFiles {
		f, _, err := disk.OpenRegular(g.dir.OpenFile, filepath.FromSlash(folder+name), 0)
		if err != nil {
			continue
		}
		data, _ := io.ReadAll(io.LimitReader(f, maxClient)) // what could be read of a failing file is still true
		f.Close()
		text := string(data)
		if strings.Contains(name, "/") { // imports are relative to their file, which lies a folder below
			text = strings.ReplaceAll(text, "@../", "@")
		}
		b.WriteString(text)
	}
	text := b.String()
	g.loaded, g.loadedIn = &text, folder
	return text
}

// isClientFile reports whether a file is one of those under another name (AGENTS.md is often a link).
func (g *giver) isClientFile(st fs.FileInfo, folder string) bool {
	for _, name := range clientFiles {
		if c, err := g.dir.Stat(filepath.FromSlash(folder + name)); err == nil && os.SameFile(c, st) {
			return true
		}
	}
	return false
}

// headed takes the head off a file of rules and says for which files it is. A file without a head is for all, and so is one
// outside .cursor/rules whose head names no globs. The head looks like YAML and is none (globs: *.ts).
func headed(text string, folder bool) (body string, globs []string, always bool) {
	text = strings.TrimPrefix(text, "\ufeff")
	rest, ok := strings.CutPrefix(strings.ReplaceAll(text, "\r\n", "\n"), "---\n")
	if !ok {
		return text, nil, true
	}
	end := 0
	for line := range strings.Lines(rest) {
		if strings.TrimRight(line, " \t\n") == "---" {
			body = rest[end+len(line):]
			break
		}
		end += len(line)
	}
	if end == len(rest) { // never closed: it is no head
		return text, nil, true
	}
	head, list := rest[:end], false
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
			globs = append(globs, splitGlobs(value)...)
		}
	}
	if !folder && len(globs) == 0 {
		return text, nil, true
	}
	return body, globs, always
}

// splitGlobs takes a line of globs apart, in brackets or not. A comma within braces is a part of its glob: **/*.{ts,tsx}.
func splitGlobs(line string) []string {
	if strings.HasPrefix(line, "[") && strings.HasSuffix(line, "]") { // at both ends: *.[ch] ends so, too
		line = line[1 : len(line)-1]
	}
	depth := 0
	parts := strings.FieldsFunc(line, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		}
		return r == ',' && depth <= 0
	})
	for i, p := range parts {
		parts[i] = strings.Trim(p, " \"'")
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}

// anyMatch reports whether a touched path fits one of the globs; one without a slash is for any folder.
func anyMatch(globs, touched []string) bool {
	for _, glob := range globs {
		// As in .gitignore and in Cursor.
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
	ok, err := doublestar.Match(glob, strings.TrimPrefix(name, "./"))
	return err == nil && ok && !isClaude(name)
}
