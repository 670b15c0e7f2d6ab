package recipe

import (
	"slices"
	"strconv"
	"strings"
)

// Functions that only change words, as the manual of GNU make has them ("Functions for String Substitution and Analysis").

// worded is what such a function returns.
func worded(name string, a []string) string {
	last := a[len(a)-1]
	words := strings.Fields(last)
	switch name {
	case "replaced":
		if a[0] == "" {
			return a[2] + a[1]
		}
		return strings.ReplaceAll(a[2], a[0], a[1])
	case "by-pattern":
		return each(words, func(w string) string { return substituted(a[0], a[1], w) })
	case "within":
		if strings.Contains(a[1], a[0]) {
			return a[0]
		}
		return ""
	case "fitting-words", "other-words":
		patterns := strings.Fields(a[0])
		words = slices.DeleteFunc(words, func(w string) bool {
			fits := slices.ContainsFunc(patterns, func(p string) bool { return p == w || fitsStem(p, w) })
			return fits == (name == "other-words")
		})
	case "ordered":
		slices.Sort(words)
		words = slices.Compact(words)
	case "count":
		return strconv.Itoa(len(words))
	case "first":
		words = words[:min(1, len(words))]
	case "last":
		words = words[max(0, len(words)-1):]
	case "nth":
		words = between(words, number(a[0]), number(a[0]))
	case "from-to":
		words = between(words, number(a[0]), number(a[1]))
	case "prefixed":
		return each(words, func(w string) string { return a[0] + w })
	case "suffixed":
		return each(words, func(w string) string { return w + a[0] })
	case "paired":
		words = paired(strings.Fields(a[0]), words)
	default:
		return each(words, func(w string) string { return named(name, w) })
	}
	return strings.Join(words, " ")
}

// named is a part of the name of a file.
func named(function, w string) string {
	slash := strings.LastIndexByte(w, '/') + 1
	dot := strings.LastIndexByte(w, '.')
	if dot < slash {
		dot = len(w)
	}
	switch {
	case function == "folder" && slash == 0:
		return "./"
	case function == "folder":
		return w[:slash]
	case function == "base":
		return w[slash:]
	case function == "stem":
		return w[:dot]
	}
	return w[dot:]
}

// each changes every word.
func each(words []string, does func(string) string) string {
	list := make([]string, 0, len(words))
	for _, w := range words {
		if w = does(w); w != "" {
			list = append(list, w)
		}
	}
	return strings.Join(list, " ")
}

// substituted is a word in which what % stands for has other text around it.
func substituted(from, to, w string) string {
	if from == w && !strings.Contains(from, "%") {
		return to
	}
	if !fitsStem(from, w) {
		return w
	}
	before, after, _ := strings.Cut(from, "%")
	return strings.Replace(to, "%", w[len(before):len(w)-len(after)], 1)
}

// fitsStem reports a word for which a pattern with % stands.
func fitsStem(pattern, w string) bool {
	before, after, ok := strings.Cut(pattern, "%")
	return ok && len(w) >= len(before)+len(after) && strings.HasPrefix(w, before) && strings.HasSuffix(w, after)
}

func number(s string) int {
	n, _ := strconv.Atoi(strings.TrimSpace(s))
	return n
}

// between are the words from one place to another, counted from 1.
func between(words []string, from, to int) []string {
	from, to = max(from, 1), min(to, len(words))
	if from > to {
		return nil
	}
	return words[from-1 : to]
}

// paired puts the words of two lists together, one by one.
func paired(first, words []string) []string {
	for i, w := range words {
		if i < len(first) {
			first[i] += w
		} else {
			first = append(first, w)
		}
	}
	return first
}
