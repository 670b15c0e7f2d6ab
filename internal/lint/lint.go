// Package lint reads what linters and type checks print, and tells what of it is new.
//
// It runs nothing, and knows no tool: whatever it prints, a finding is a line that names a file of the project with a line of it. Its invariant: what it
// calls new was not there before, as far as that is known; what nobody can tell is not new.
package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// Finding is what a tool says of a line.
type Finding struct {
	Path string `json:"path"` // relative to the root, with slashes
	Line int    `json:"line"`
	Text string `json:"text"`
}

// Bounds of what is read.
const (
	maxFound = 2000
	maxLine  = 2000
	maxText  = 300
)

// Read finds them in what a tool printed that ran in dir. Names are those of files below root, and what else looks like one is none.
func Read(out, root, dir string) (list []Finding) {
	r := reader{root: root, dir: dir, known: map[string]string{}}
	for line := range strings.Lines(out) {
		if len(list) == maxFound {
			break
		}
		line = strings.TrimRight(term.Plain(line), " \r\n")
		if len(line) > maxLine || strings.TrimSpace(line) == "" {
			continue
		}
		if f, ok := r.read(line); ok && !slices.Contains(list, f) {
			list = append(list, f)
		}
		r.last = strings.TrimSpace(line)
	}
	return list
}

// reader knows what came before a line.
type reader struct {
	root, dir string
	known     map[string]string // what words are as files, "" for none
	last      string            // the line before
	under     string            // the file whose findings are listed below its name
}

func (r *reader) read(line string) (f Finding, ok bool) {
	if rel := r.file(strings.TrimSpace(line)); rel != "" {
		r.under = rel
		return f, false
	}
	if r.under != "" && (line[0] == ' ' || line[0] == '\t') { // "  3:5  error  'x' is not defined"
		if n, rest := number(strings.TrimLeft(line, " \t")); n > 0 && rest != "" && rest[0] != '\t' {
			if _, behind := number(strings.TrimPrefix(rest, ":")); behind != "" {
				rest = behind
			}
			return r.found(r.under, n, rest, "")
		}
	}
	for at := 0; at < len(line); {
		end := strings.IndexAny(line[at:], ":(")
		if end < 0 {
			break
		}
		end += at
		n, rest := number(strings.TrimPrefix(line[end+1:], "["))
		if n == 0 {
			at = end + 1
			continue
		}
		if rel, before := r.named(line[:end]); rel != "" {
			if c, behind := number(strings.TrimLeft(rest, ":,")); c > 0 {
				rest = behind
			}
			return r.found(rel, n, strings.TrimLeft(rest, ")]: -–"), before)
		}
		at = end + 1
	}
	return f, false
}

// found makes a finding. Where nothing is said behind the place it is said before it, or on the line above.
func (r *reader) found(rel string, n int, text, before string) (Finding, bool) {
	text = strings.Join(strings.Fields(text), " ")
	if text == "" {
		text = strings.Trim(strings.Join(strings.Fields(before), " "), "-> ")
	}
	if text == "" {
		text = strings.Join(strings.Fields(r.last), " ")
	}
	if text == "" || strings.HasPrefix(text, "note:") {
		return Finding{}, false
	}
	return Finding{rel, n, term.Clip(text, maxText)}, true
}

// named is the file whose name ends a text, with what stands before it. Names may have blanks in them.
func (r *reader) named(text string) (rel, before string) {
	text = strings.TrimRight(text, " ")
	for at := 0; at < len(text); {
		if rel := r.file(text[at:]); rel != "" {
			return rel, text[:at]
		}
		next := strings.IndexAny(text[at:], " \t(\"'")
		if next < 0 {
			break
		}
		at += next + 1
	}
	return "", ""
}

// file is a name as a path below the root, "" where there is no such file.
func (r *reader) file(name string) string {
	if rel, asked := r.known[name]; asked {
		return rel
	}
	rel := ""
	if name != "" && len(name) < 1024 && len(r.known) < 4*maxFound && !strings.ContainsAny(name, "\x00\n") {
		path := filepath.FromSlash(name)
		if !filepath.IsAbs(path) {
			path = filepath.Join(r.dir, path)
		}
		if in, err := filepath.Rel(r.root, path); err == nil && filepath.IsLocal(in) {
			if info, err := os.Lstat(path); err == nil && info.Mode().IsRegular() {
				rel = filepath.ToSlash(in)
			}
		}
	}
	r.known[name] = rel
	return rel
}

// number reads the digits with which a text begins.
func number(s string) (n int, rest string) {
	end := 0
	for end < len(s) && end < 7 && s[end] >= '0' && s[end] <= '9' {
		end++
	}
	n, _ = strconv.Atoi(s[:end])
	return n, s[end:]
}

// New are the findings that were not there before. Lines move, and what stands on them is counted: of three that say the same of a file, and two before,
// the last is new.
func New(now, before []Finding) (list []Finding) {
	had := map[string]int{}
	for i := range before {
		had[before[i].key()]++
	}
	for i := range now {
		if k := now[i].key(); had[k] > 0 {
			had[k]--
		} else {
			list = append(list, now[i])
		}
	}
	return list
}

// key is what a finding says, whatever the line is. Numbers in it are mostly those of other lines.
func (f *Finding) key() string {
	return f.Path + "\x00" + strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return -1
		}
		return r
	}, f.Text)
}

// On are the findings on lines that a text has and an earlier one had not: changed says which, by the path of a file.
func On(now []Finding, changed func(path string) (lines func(line int) bool)) (list []Finding) {
	asked := map[string]func(int) bool{}
	for i := range now {
		f := &now[i]
		is, known := asked[f.Path]
		if !known {
			is = changed(f.Path)
			asked[f.Path] = is
		}
		if is != nil && is(f.Line) {
			list = append(list, *f)
		}
	}
	return list
}
