package lang

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// hinted is the version with which a project is built or tested by others – the image of a container, a step that sets the language up –
// where no file states the project's own. All places must say the same.
func (f *folder) hinted(l *rule.Language) version {
	p := &f.t.Projects
	for _, ask := range []struct {
		files []string
		read  func(data []byte, tool string) []string
	}{{p.Images, imageTags}, {p.Setups, f.t.setupVersions}} {
		for _, pattern := range ask.files {
			for _, file := range f.find(pattern) {
				data := f.data(file)
				for i, tool := range l.Tools {
					// Further names are of other tools (Node: Bun, Deno), unless they are longer ones (Go: golang).
					if i > 0 && !strings.Contains(tool, l.Tools[0]) {
						continue
					}
					found := ask.read(data, tool)
					v := agreed(found)
					if v == "" || !f.t.plausible(v) {
						continue
					}
					for i := range l.Versions {
						if show := l.Versions[i].Show; show != "" && l.Versions[i].Kind == "pin" {
							v = strings.Replace(show, "{}", v, 1)
							break
						}
					}
					return version{shown: v, kind: "hint", source: file + ": " + tool}
				}
			}
		}
	}
	return version{}
}

// agreed is what all of a list say; "" where they differ or one cannot be read.
func agreed(list []string) string {
	for _, v := range list {
		if v != list[0] {
			return ""
		}
	}
	return strings.Join(list[:min(1, len(list))], "")
}

// imageTags are the versions in the tags of images of a name: FROM registry/python:3.12-slim AS build.
func imageTags(data []byte, name string) (out []string) {
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if !strings.HasPrefix(strings.ToUpper(text), "FROM ") && !strings.Contains(text, `"image"`) {
			continue
		}
		for _, word := range strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(" \t\"',", r) }) {
			image, tag, ok := strings.Cut(word[strings.LastIndexByte(word, '/')+1:], ":")
			if !ok || image != name {
				continue
			}
			// Those of dev containers have the version of the image itself in front: "0-3.12", "1-${VARIANT}".
			if major, rest, own := strings.Cut(tag, "-"); own && numbers(major) == len(major) && strings.Contains(word, "devcontainers/") && (numbers(rest) > 0 || strings.HasPrefix(rest, "$")) {
				tag = rest
			}
			out = append(out, tag[:numbers(tag)])
		}
	}
	return out
}

// setupVersions are the values of NAME-version in the steps of a service, and of version in those of setup-NAME, where these run with changes
// of the code: what tells of a release sets up what its own script wants. Of several versions the lowest one counts.
func (t *Table) setupVersions(data []byte, name string) (out []string) {
	runs := func(trigger string) bool { return bytes.Contains(data, []byte(trigger)) }
	if !slices.ContainsFunc(t.Projects.Triggers, runs) {
		return nil
	}
	lists := false
	add := func(value string, list bool) {
		lists = lists || list
		if n := numbers(value); n == 0 || value[n:] != "" && value[n:] != ".x" {
			value = ""
		} else {
			value = value[:n]
		}
		out = append(out, value)
	}
	ours := false // the step sets up the tool
	for line := range bytes.Lines(data) {
		text, entry := strings.CutPrefix(strings.TrimSpace(string(line)), "- ")
		if entry {
			ours = false
		}
		if step, ok := strings.CutPrefix(text, "uses: "); ok {
			ours = strings.Contains(step, "/setup-"+name+"@")
		}
		value, ok := strings.CutPrefix(text, name+"-version: ")
		if !ok && ours {
			value, ok = strings.CutPrefix(text, "version: ")
		}
		if !ok {
			continue
		}
		value, _, _ = strings.Cut(value, " #")
		key, matrix := strings.CutPrefix(strings.ReplaceAll(value, " ", ""), "${{matrix.")
		switch {
		case matrix:
			for _, v := range entriesOf(data, strings.TrimSuffix(key, "}}")) {
				add(v, true)
			}
		case !strings.HasPrefix(value, "["): // the list itself is met where a step names it
			add(unquoted(value), false)
		}
	}
	if lists && !slices.Contains(out, "") {
		return out[:copy(out, []string{slices.MinFunc(out, compareNumbers)})]
	}
	return out
}

// entriesOf are those of a list of YAML: behind its key, or each in a line below.
func entriesOf(data []byte, key string) (out []string) {
	_, rest, ok := strings.Cut(string(data), " "+key+":")
	if !ok {
		return nil
	}
	line, below, _ := strings.Cut(rest, "\n")
	if list, ok := strings.CutPrefix(strings.TrimSpace(line), "["); ok {
		if !strings.Contains(list, "]") {
			list += below
		}
		list, _, _ = strings.Cut(list, "]")
		for v := range strings.SplitSeq(list, ",") {
			if v = strings.TrimSpace(v); v != "" {
				out = append(out, unquoted(v))
			}
		}
		return out
	}
	for line := range strings.Lines(below) {
		v, ok := strings.CutPrefix(strings.TrimSpace(line), "- ")
		if !ok {
			break
		}
		out = append(out, unquoted(v))
	}
	return out
}

// compareNumbers compares versions by their numbers.
func compareNumbers(a, b string) int {
	for {
		x, restA, moreA := strings.Cut(a, ".")
		y, restB, moreB := strings.Cut(b, ".")
		if c := cmp.Or(cmp.Compare(len(x), len(y)), strings.Compare(x, y)); c != 0 || !moreA && !moreB {
			return c
		}
		a, b = restA, restB
	}
}

// numbers is how far numbers and dots go at the start of a text.
func numbers(s string) int {
	n := 0
	for n < len(s) && (digit(s[n]) || s[n] == '.' && n > 0 && n+1 < len(s) && digit(s[n+1])) {
		n++
	}
	return n
}
