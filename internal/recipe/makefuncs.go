package recipe

import (
	"path"
	"slices"
	"strings"
)

// The functions of make that say where files are, and those that change lists of them (GNU make manual, "Functions for File Names").

// function is what a function of make's returns. What it has the shell run is a step.
func (m *maker) function(name, s string, auto func(name string) ([]Part, bool)) []Part {
	args := m.expand(s, auto)
	known, ok := joined(args)
	m.open = m.open || m.env.Words.Opens.Has(name)
	if m.env.Words.Shells.Has(name) {
		return m.shell(args)
	}
	if m.env.Words.Silent.Has(name) {
		return nil
	}
	if ok {
		if value, ok := m.returned(name, known); ok {
			m.spent += len(value)
			return text(value)
		}
	}
	return m.unknown("$(" + name + " " + s + ")")
}

// shell has the shell run a line. What that prints is known for few of them.
func (m *maker) shell(line []Part) []Part {
	if len(m.steps) < maxSteps {
		m.steps = append(m.steps, Step{Parts: line, File: m.file, Line: m.at})
	}
	written, ok := joined(line)
	if ok && m.env.Shell != nil {
		if value, ok := m.env.Shell(written); ok && len(value) <= maxText {
			return text(strings.ReplaceAll(value, "\n", " "))
		}
	}
	return m.unknown("$(shell " + written + ")")
}

// returned is what a function makes of arguments that are known.
func (m *maker) returned(name, args string) (value string, ok bool) {
	first, rest, _ := strings.Cut(args, ",")
	list := strings.Fields(args)
	switch words := m.env.Words; {
	case words.Same.Has(name):
		return strings.Join(list, " "), true // the shell that runs the recipe knows patterns, too
	case words.First.Has(name):
		return strings.Join(list[:min(len(list), 1)], " "), true
	case words.Last.Has(name):
		return strings.Join(list[max(len(list)-1, 0):], " "), true
	case words.Before.Has(name):
		return each(rest, func(w string) (string, bool) { return first + w, true })
	case words.After.Has(name):
		return each(rest, func(w string) (string, bool) { return w + first, true })
	case words.Folder.Has(name):
		return each(args, func(w string) (string, bool) {
			if i := strings.LastIndexByte(w, '/'); i >= 0 {
				return w[:i+1], true
			}
			return "./", true
		})
	case words.Base.Has(name):
		return each(args, func(w string) (string, bool) { return path.Base(w), true })
	case words.Absolute.Has(name):
		return each(args, func(w string) (string, bool) {
			if m.env.Absolute == nil {
				return "", false
			}
			return m.env.Absolute(w)
		})
	case words.Among.Has(name), words.Without.Has(name):
		fits := strings.Fields(first)
		if strings.ContainsAny(first, "%*?[") || strings.ContainsAny(rest, "*?[") {
			return "", false
		}
		return strings.Join(slices.DeleteFunc(strings.Fields(rest), func(w string) bool { return slices.Contains(fits, w) != words.Among.Has(name) }), " "), true
	case words.Replaced.Has(name):
		to, list, _ := strings.Cut(rest, ",")
		return strings.ReplaceAll(list, first, to), true
	case words.Patterned.Has(name):
		to, list, _ := strings.Cut(rest, ",")
		return each(list, func(w string) (string, bool) {
			return patterned(w, strings.TrimSpace(first), strings.TrimSpace(to)), true
		})
	}
	return "", false
}

// each does the same to every word of a list.
func each(list string, do func(word string) (string, bool)) (string, bool) {
	words := strings.Fields(list)
	for i, w := range words {
		one, ok := do(w)
		if !ok {
			return "", false
		}
		words[i] = one
	}
	value := strings.Join(words, " ")
	return value, len(value) <= maxText
}

// patterned is a word that fits a pattern, with another one in its place.
func patterned(word, from, to string) string {
	before, after, ok := strings.Cut(from, "%")
	if !ok || len(word) < len(before)+len(after) || !strings.HasPrefix(word, before) || !strings.HasSuffix(word, after) {
		if word == from {
			return to
		}
		return word
	}
	return strings.Replace(to, "%", word[len(before):len(word)-len(after)], 1)
}
