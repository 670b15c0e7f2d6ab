package secret

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/modu-ai/moai/internal/rule"
)

// maxForms bounds how often something is taken off a name.
const maxForms = 6

// Named reports whether a file is secret by its name, whatever it holds.
func (t *Table) Named(path string) bool { return t.named(path, 1, nil) }

// Copied reports whether a file is secret by its name, or a copy of one that is: prod.env.bak. Each form of the path is asked
// about by also, too, unless that is nil.
func (t *Table) Copied(path string, also func(path string) bool) bool {
	return t.named(path, maxForms, also)
}

func (t *Table) named(path string, forms int, also func(path string) bool) bool {
	if t == nil {
		return true
	}
	files := &t.Secrets.Files
	folder, name := "", path
	if i := strings.LastIndexByte(path, '/'); i >= 0 {
		folder, name = path[:i+1], path[i+1:]
	}
	if !slices.Contains(files.Sources, ending(strings.ToLower(name))) && secretFolder(files, folder) {
		return true
	}
	for n := 1; ; n++ {
		if also != nil && also(folder+name) || secretName(files, name) {
			return true
		}
		if n == forms {
			return false
		}
		rest := original(files, name)
		if rest == name || rest == "" {
			return false
		}
		name = rest
	}
}

// Kept reports whether a file lies in a folder for secrets, and has a name of neither what programs are written in nor what is made to be public.
func (t *Table) Kept(path string) bool {
	if t == nil {
		return false
	}
	files := &t.Secrets.Files
	i := strings.LastIndexByte(path, '/')
	low := strings.ToLower(path[i+1:])
	var room [maxNameWords]string
	return i > 0 && secretFolder(files, path[:i+1]) && !slices.Contains(files.Sources, ending(low)) && !strings.HasPrefix(low, ".git") &&
		!slices.ContainsFunc(wordsOf(path[i+1:], low, room[:0]), func(w string) bool { return slices.Contains(files.Public, w) || w == "readme" })
}

// secretFolder reports that one of the folders above a file is one for secrets.
func secretFolder(files *rule.SecretFiles, folder string) bool {
	for folder != "" {
		var part string
		part, folder, _ = strings.Cut(folder, "/")
		if slices.Contains(files.Folders, strings.ToLower(part)) {
			return true
		}
	}
	return false
}

// secretName judges a base name by its last part, its beginning and its words.
func secretName(files *rule.SecretFiles, name string) bool {
	low := strings.ToLower(name)
	last := ending(low)
	if slices.Contains(files.Sources, last) {
		return false
	}
	var room [maxNameWords]string
	words := wordsOf(name, low, room[:0])
	if slices.ContainsFunc(words, func(w string) bool { return slices.Contains(files.Public, w) }) {
		return false
	}
	return slices.Contains(files.Ends, last) ||
		slices.ContainsFunc(files.Begins, func(b string) bool { return strings.HasPrefix(low, b) }) ||
		slices.ContainsFunc(files.Parts, func(p string) bool { return strings.Contains(low, p) }) ||
		slices.ContainsFunc(words, func(w string) bool { return slices.Contains(files.Words, w) })
}

// maxNameWords bounds how many words of a name are looked at.
const maxNameWords = 24

// wordsOf gives the words of a name in lower case: what stands between signs, before a capital or before a number.
func wordsOf(name, low string, list []string) []string {
	if len(low) != len(name) {
		name = low // letters whose small ones have another length
	}
	from, before := 0, ' '
	for i, c := range name {
		letter, digit := unicode.IsLetter(c), unicode.IsDigit(c)
		if !letter && !digit || unicode.IsUpper(c) && unicode.IsLower(before) || digit && unicode.IsLetter(before) {
			if i > from && len(list) < maxNameWords {
				list = append(list, low[from:i])
			}
			from = i
			if !letter && !digit {
				_, n := utf8.DecodeRuneInString(name[i:])
				from += n
			}
		}
		before = c
	}
	if from < len(low) && len(list) < maxNameWords {
		list = append(list, low[from:])
	}
	return list
}

// ending is what stands behind the last dot of a name; a dot at its beginning does not count.
func ending(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[i+1:]
	}
	return ""
}

// original takes off what a copy has more: a mark before or behind its name, a number, or a last part that says nothing.
func original(files *rule.SecretFiles, name string) string {
	if rest, ok := unmarked(files, name); ok {
		return rest
	}
	i := strings.LastIndexByte(name, '.')
	if i <= 0 {
		return name
	}
	if rest, ok := unmarked(files, name[:i]); ok {
		return rest + name[i:]
	}
	if last := strings.ToLower(name[i+1:]); slices.Contains(files.Sources, last) || slices.Contains(files.Public, last) {
		return name
	}
	return name[:i]
}

// unmarked takes one mark of a copy off.
func unmarked(files *rule.SecretFiles, name string) (string, bool) {
	low := strings.ToLower(name)
	if len(low) != len(name) {
		return name, false // letters whose small ones have another length: nothing to cut by
	}
	for _, mark := range files.Copies {
		if len(name) <= len(mark) {
			continue
		}
		if strings.HasSuffix(low, mark) {
			return name[:len(name)-len(mark)], true
		}
		if strings.HasPrefix(low, mark) {
			return name[len(mark):], true
		}
	}
	// NAME (1)
	if open := strings.LastIndexByte(name, '('); open > 0 && strings.HasSuffix(name, ")") && strings.Trim(name[open+1:len(name)-1], "0123456789") == "" {
		return strings.TrimRight(name[:open], " "), true
	}
	return name, false
}

// Source reports text of a program, or about one, by its name.
func (t *Table) Source(path string) bool {
	return slices.Contains(t.Secrets.Files.Sources, ending(strings.ToLower(path[strings.LastIndexByte(path, '/')+1:])))
}
