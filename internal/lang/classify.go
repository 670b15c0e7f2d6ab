package lang

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// Guess is what one file is, and why.
type Guess struct {
	ID      string   `json:"id"` // language; "" when it is none that is known
	Name    string   `json:"name"`
	Because string   `json:"because"`
	Kind    PathKind `json:"-"`
	Marked  string   `json:"-"` // why it has its kind, where its path is not the reason
}

// byName looks a file name up: the whole name, then its longest known extension.
func (t *Table) byName(name string) (ref Ref, ext string) {
	if ref = t.Filename(name); ref.Lang != 0 || ref.Claims != 0 {
		return ref, ""
	}
	i := strings.LastIndexByte(name, '.')
	if i < 0 || i == len(name)-1 {
		return Ref{}, ""
	}
	return t.byExtension(name, i)
}

// byExtension looks up the extension that begins at dot, and longer ones where
// there are any. A leading dot begins an extension too: ".bashrc" is a name that
// byName has tried, ".profile.sh" is a script.
func (t *Table) byExtension(name string, dot int) (ref Ref, ext string) {
	ext = lowered(name[dot:])
	ref = t.Extension(ext)
	if ref.Flags&Compound == 0 {
		return ref, ext
	}
	best, at := ref, ext
	for i := strings.LastIndexByte(name[:dot], '.'); i >= 0; i = strings.LastIndexByte(name[:i], '.') {
		if long := lowered(name[i:]); t.Extension(long).Lang != 0 {
			best, at = t.Extension(long), long
		}
	}
	best.Flags |= ref.Flags &^ Compound
	return best, at
}

// lowered is strings.ToLower for the few bytes of an extension, without the
// allocation when nothing changes.
func lowered(s string) string {
	for i := 0; i < len(s); i++ {
		if 'A' <= s[i] && s[i] <= 'Z' {
			return strings.ToLower(s)
		}
	}
	return s
}

// Classify says which language a file is: path with slashes, head the first
// kilobytes of its content (nil when it cannot be read).
func (t *Table) Classify(path string, head []byte, executable bool) Guess {
	kind := t.PathKind(path)
	name := path[strings.LastIndexByte(path, '/')+1:]
	ref, ext := t.byName(name)
	because := "named " + name
	if ext != "" {
		because = "its name ends in " + ext
	}
	lang := ref.Lang
	switch {
	case ref.Claims != 0:
		claims := t.claims(ref)
		if l, why := t.byContent(newDecider(claims), claims, path, head); l != 0 {
			lang, because = l, fmt.Sprintf("%s, and it holds %q", because, why)
		} else if lang != 0 {
			because += " (which others use too; nothing in the file speaks for them)"
		}
	case lang == 0 && t.runnable(name, executable), lang == 0 && ext == "" && bytes.HasPrefix(head, []byte("#!")):
		if l, interpreter := t.shebang(head); l != 0 {
			lang, because = l, "it is run by "+interpreter
		}
	}
	if lang == 0 {
		return Guess{Because: "no language has this name, and nothing in it says more", Kind: kind}
	}
	l := t.Language(lang)
	return Guess{ID: l.ID, Name: l.Name, Because: because, Kind: kind}
}

// notText says that a file is no text. UTF-16 has NUL bytes too, but a mark before them.
func notText(head []byte) bool {
	return bytes.IndexByte(head, 0) >= 0 && !bytes.HasPrefix(head, []byte("\xff\xfe")) && !bytes.HasPrefix(head, []byte("\xfe\xff"))
}

// maxLine is the average length of lines from which on a script is minified.
const maxLine = 110

// written says whether a program wrote the file, by what it holds near its start.
func (t *Table) written(name string, head []byte) bool {
	ext := lowered(extension(name))
	for i := range t.Heads {
		if h := &t.Heads[i]; slices.Contains(h.On, ext) && containsAny(head[:min(len(head), signSize)], h.Text) {
			return true
		}
	}
	return slices.Contains(t.Minified, ext) && len(head)/(1+bytes.Count(head, []byte("\n"))) > maxLine
}

// byContent decides between claims.
func (t *Table) byContent(d *decider, claims []Claim, path string, head []byte) (lang int16, because string) {
	head = bytes.TrimPrefix(head, []byte("\xef\xbb\xbf"))
	if i, why := d.decide(path, head); i >= 0 {
		return claims[i].Lang, why
	}
	return 0, ""
}

// runnable says whether a file that no table knows is worth a look at its first
// line: programs, whatever their extension ("server.init"), and the completion
// functions of zsh, which begin with "_". Pictures are executable where a tree
// comes from a file system without modes.
func (t *Table) runnable(name string, executable bool) bool {
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return executable || name[0] == '_'
	}
	return executable && !slices.Contains(t.Projects.Opaque, lowered(name[dot:]))
}

// shebang reads "#!/usr/bin/env -S python3.12 -u": the interpreter's name, then
// the name without its version.
func (t *Table) shebang(head []byte) (lang int16, interpreter string) {
	rest, ok := bytes.CutPrefix(head, []byte("#!"))
	if !ok {
		// Completion functions of zsh say so on their first line.
		if bytes.HasPrefix(head, []byte("#compdef")) || bytes.HasPrefix(head, []byte("#autoload")) {
			return t.Interpreter("zsh").Lang, "zsh"
		}
		return 0, ""
	}
	line, _, _ := bytes.Cut(rest[:min(len(rest), 256)], []byte("\n"))
	words := strings.Fields(string(line))
	for len(words) > 0 {
		w := words[0][strings.LastIndexByte(words[0], '/')+1:]
		words = words[1:]
		if w == "env" || strings.HasPrefix(w, "-") || strings.Contains(w, "=") {
			continue
		}
		if ref := t.Interpreter(w); ref.Lang != 0 {
			return ref.Lang, w
		}
		ref := t.Interpreter(strings.TrimRight(w, "0123456789.-"))
		return ref.Lang, w
	}
	return 0, ""
}

// Written says whether a program wrote the file at a path, by what stands near its start.
func (t *Table) Written(path string, head []byte) bool {
	return t.written(path[strings.LastIndexByte(path, '/')+1:], head)
}
