package format

import (
	"bytes"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// item is an entry of a list of what runs before a commit.
type item struct {
	text   []byte
	files  *regexp.Regexp   // of paths; nil is all
	except []*regexp.Regexp // of paths that are none of its
	never  bool             // it is run by hand alone
}

// items parts a YAML file into the entries of its lists. A path that no entry is about is none of theirs.
func items(text []byte) (list []item) {
	all := text
	var above *regexp.Regexp // what stands before the first entry is about all
	add := func(part []byte) {
		if value(part, "id") == "" {
			return
		}
		it := item{text: part, files: pattern(value(part, "files"))}
		for _, re := range [...]*regexp.Regexp{pattern(value(part, "exclude")), above} {
			if re != nil {
				it.except = append(it.except, re)
			}
		}
		if when := value(part, "stages"); when != "" && !strings.Contains(when, "commit") {
			it.never = true
		}
		list = append(list, it)
	}
	start := -1
	for at := 0; at < len(all); {
		end := at + bytes.IndexByte(all[at:], '\n') + 1
		if end == at {
			end = len(all)
		}
		if begins(all[at:end]) {
			if start >= 0 {
				add(all[start:at])
			} else {
				above = pattern(value(all[:at], "exclude"))
			}
			start = at
		}
		at = end
	}
	if start >= 0 {
		add(all[start:])
	}
	return list
}

// begins reports a line "- key:".
func begins(line []byte) bool {
	rest, dash := bytes.CutPrefix(bytes.TrimLeft(line, " "), []byte("-"))
	key, _, colon := bytes.Cut(bytes.TrimLeft(rest, " "), []byte(":"))
	return dash && colon && len(rest) > 0 && rest[0] == ' ' && len(key) > 0 && !bytes.ContainsAny(key, " \t'\"[{")
}

// value is what a key of an entry has, on its line or on deeper ones below.
func value(part []byte, key string) string {
	lines := strings.Split(string(part), "\n")
	for i, line := range lines {
		indent := len(line) - len(strings.TrimLeft(line, " -"))
		rest, ok := strings.CutPrefix(line[indent:], key+":")
		if !ok {
			continue
		}
		if rest = strings.TrimSpace(rest); rest != "" && rest[0] != '|' && rest[0] != '>' {
			if q := rest[0]; q == '\'' || q == '"' {
				rest, _, _ = strings.Cut(rest[1:], string(q))
				return rest
			}
			rest, _, _ = strings.Cut(rest, " #")
			return strings.TrimSpace(rest)
		}
		var below []string
		for _, next := range lines[i+1:] {
			if in := len(next) - len(strings.TrimLeft(next, " ")); strings.TrimSpace(next) != "" && in <= indent {
				break
			}
			below = append(below, strings.TrimSpace(next))
		}
		return strings.Join(below, "\n")
	}
	return ""
}

// pattern is a regular expression as such files have them; nil for none, and for one that is no expression here.
func pattern(text string) *regexp.Regexp {
	if verbose, ok := strings.CutPrefix(strings.TrimSpace(text), "(?x)"); ok {
		var b strings.Builder
		for line := range strings.Lines(verbose) {
			line, _, _ = strings.Cut(line, " #")
			b.WriteString(strings.Map(func(r rune) rune {
				if unicode.IsSpace(r) {
					return -1
				}
				return r
			}, line))
		}
		text = b.String()
	}
	if text == "" {
		return nil
	}
	re, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	return re
}

// about reports that an entry is about a path; "" is any.
func (it *item) about(rel string) bool {
	if it.never || rel == "" {
		return !it.never
	}
	return (it.files == nil || it.files.MatchString(rel)) && !slices.ContainsFunc(it.except, func(re *regexp.Regexp) bool { return re.MatchString(rel) })
}

// uncommented is a text without the lines that only explain.
func uncommented(text []byte) []byte {
	var out []byte
	for line := range bytes.Lines(text) {
		if t := bytes.TrimLeft(line, " \t"); len(t) == 0 || t[0] != '#' && !bytes.HasPrefix(t, []byte("//")) {
			out = append(out, line...)
		}
	}
	return out
}
