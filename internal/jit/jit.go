// Package jit hands over the right documents at the right moment: those that a prompt, a mentioned agent
// or a program that is run calls for, the files of rules for agents, and the text of a keyword mode. It
// also keeps the short memory between the phases of a workflow and the versions of libraries.
//
// It decides nothing about the session: what was given already comes in and goes out as a plain map. Its
// invariants: only documents that exist below the root are named, relative to it and in the order of the
// rules; nothing is given twice in a session until it changes or a compaction drops it; and CLAUDE.md is
// never given, since the client loads it.
package jit

import (
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/argv"
	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/rule"
)

// A Doc is a document to hand over.
type Doc struct {
	Path   string // relative to the root, slash-separated; a directory ends in "/"
	Rule   string // id of the rule that asked for it
	Tokens int    // estimate of its whole length; 0 for a directory
	Text   string // its content, when it was asked for and fits
}

// maxDoc bounds what is read of a document; a larger one is only named.
const maxDoc = 1 << 20

// Documents lists the documents that a prompt calls for. seen is the session's memory, document → stamp:
// what is in it unchanged is left out, what is given is added; nil remembers nothing.
func (p *Prompt) Documents(root string, seen map[string]string, inline int) []Doc {
	g := giver{root: root, seen: seen, left: inline}
	defer g.close()
	for i := range p.table {
		r := &p.table[i]
		if r.Kind != rule.ContextDocuments {
			continue
		}
		for _, agent := range p.called(i) {
			for _, d := range r.Documents {
				g.give(strings.ReplaceAll(d, "{agent}", agent), r.ID)
			}
		}
	}
	return g.docs
}

// ForProgram lists the documents that go with a program being run; words are one simple command as the shell
// engine found it, wrappers taken off.
func ForProgram(table []rule.Context, words []string, root string, seen map[string]string, inline int) []Doc {
	g := giver{root: root, seen: seen, left: inline}
	defer g.close()
	for i := range table {
		r := &table[i]
		if r.Kind != rule.ContextDocuments || !argv.Runs(r.Programs, words) {
			continue
		}
		for _, d := range r.Documents {
			g.give(d, r.ID)
		}
	}
	return g.docs
}

// giver looks documents up below one root.
type giver struct {
	root string
	dir  *os.Root
	bad  bool // the root cannot be opened
	seen map[string]string
	left int // tokens that may still be inlined
	docs []Doc

	loaded   *string // what the client loads by itself, once it was asked
	loadedIn string  // in this folder
}

// close lets go of the root if a document made it open.
func (g *giver) close() {
	if g.dir != nil {
		g.dir.Close()
	}
}

// open opens the root at the first document: most prompts ask for none.
func (g *giver) open() bool {
	if g.dir == nil && !g.bad {
		d, err := os.OpenRoot(g.root)
		if err != nil {
			g.bad = true
			return false
		}
		g.dir = d
	}
	return !g.bad
}

// give adds one document if it exists, is not given yet and stays below the root; links that lead out of
// it do not count.
func (g *giver) give(name, id string) {
	local := filepath.FromSlash(strings.TrimSuffix(name, "/"))
	if !filepath.IsLocal(local) || isClaude(name) {
		return
	}
	for i := range g.docs {
		if g.docs[i].Path == name {
			return
		}
	}
	if !g.open() {
		return
	}
	st, err := g.dir.Stat(local)
	if err != nil {
		return
	}
	// A rule that says tests/ means the folder; a file of that name is something else.
	wantDir := strings.HasSuffix(name, "/")
	if st.IsDir() != wantDir || !wantDir && !st.Mode().IsRegular() {
		return
	}
	stamp := stampOf(st)
	// Once a session until it changes: a model that has read a document has it in its context.
	if old, given := g.seen[name]; given && old == stamp {
		return
	}
	d := Doc{Path: name, Rule: id}
	if !wantDir {
		d.Tokens, d.Text = g.content(local, st)
	}
	if g.seen != nil {
		g.seen[name] = stamp
	}
	g.docs = append(g.docs, d)
}

// content estimates a document's tokens and reads it if it may be inlined.
func (g *giver) content(local string, st fs.FileInfo) (tokens int, text string) {
	tokens = int(min(st.Size()/4, 1<<30)) // without reading: as if it were English
	if g.left <= 0 || st.Size() > maxDoc {
		return tokens, ""
	}
	data, _, err := disk.ReadRegular(g.dir.OpenFile, local, 0, maxDoc)
	// What is no text is named only: the client can show a picture or a PDF, a hook cannot.
	if err != nil || !utf8.Valid(data) {
		return tokens, ""
	}
	text = string(data)
	if tokens = Tokens(text); tokens > g.left {
		return tokens, ""
	}
	g.left -= tokens
	return tokens, text
}

// stampOf changes when a document does. A directory's never does: that it exists is all that was said.
func stampOf(st fs.FileInfo) string {
	if st.IsDir() {
		return "dir"
	}
	return strconv.FormatInt(st.Size(), 36) + "." + strconv.FormatInt(st.ModTime().UnixNano(), 36)
}

// isClaude reports the files that the client loads by itself, in any folder and case (macOS and Windows do not tell cases apart).
func isClaude(name string) bool {
	base := name[strings.LastIndexByte(name, '/')+1:]
	return strings.EqualFold(base, "CLAUDE.md") || strings.EqualFold(base, "CLAUDE.local.md")
}

// Tokens estimates how many tokens a text is: four letters of Latin or one of Hangul, kana or Han each.
func Tokens(s string) int {
	narrow, wide := 0, 0
	for _, r := range s {
		// Hangul, kana and Han all lie above; what else does is rare enough for an estimate.
		if r >= 0x1100 {
			wide++
		} else {
			narrow++
		}
	}
	return wide + (narrow+3)/4
}
