package lang

import (
	"bytes"
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
			if rest, dev := strings.CutPrefix(tag, "1-"); dev && strings.Contains(word, "devcontainers/") {
				tag = rest
			}
			out = append(out, tag[:numbers(tag)])
		}
	}
	return out
}

// setupVersions are the values of NAME-version in the steps of a service, where these run with changes of the code: what tells of a
// release sets up what its own script wants.
func (t *Table) setupVersions(data []byte, name string) (out []string) {
	runs := func(trigger string) bool { return bytes.Contains(data, []byte(trigger)) }
	if !slices.ContainsFunc(t.Projects.Triggers, runs) {
		return nil
	}
	key := name + "-version:"
	for line := range bytes.Lines(data) {
		text := strings.TrimPrefix(strings.TrimSpace(string(line)), "- ")
		value, ok := strings.CutPrefix(text, key)
		if !ok {
			continue
		}
		value, _, _ = strings.Cut(value, " #")
		value = unquoted(value)
		if n := numbers(value); n == 0 || value[n:] != "" && value[n:] != ".x" {
			value = ""
		} else {
			value = value[:n]
		}
		out = append(out, value)
	}
	return out
}

// numbers is how far numbers and dots go at the start of a text.
func numbers(s string) int {
	n := 0
	for n < len(s) && (digit(s[n]) || s[n] == '.' && n > 0 && n+1 < len(s) && digit(s[n+1])) {
		n++
	}
	return n
}
