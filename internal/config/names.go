package config

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/bmatcuk/doublestar/v4"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
)

// maxNames bounds a list of names: each is compared with every call of a tool.
const maxNames = 100

// checkNames normalises a list of names, parted by blanks or, outside of braces, by commas. What can be no name of a tool is refused:
// a list that never fits looks like protection and is none.
func checkNames(key, value string) (string, error) {
	depth := 0
	list := strings.FieldsFunc(value, func(r rune) bool {
		switch r {
		case '{':
			depth++
		case '}':
			depth--
		case ' ', '\t', '\n':
			return true
		}
		return r == ',' && depth == 0
	})
	for i, name := range list {
		odd := strings.IndexFunc(name, func(r rune) bool {
			return r < '0' && !strings.ContainsRune("*-.,/", r) || strings.ContainsRune(";<=>@[\\]^`|~", r)
		})
		switch {
		case odd >= 0, len(name) > mostNamed, strings.Trim(name, "{},./-") == "":
			return "", fmt.Errorf("%s: %q is no name of a tool: want such as WebSearch or mcp__server__*", key, term.Clip(name, mostQuoted))
		case strings.Contains(name, ".*"):
			return "", fmt.Errorf("%s: %q is a regular expression: a * alone stands for any text", key, term.Clip(name, mostQuoted))
		case i == maxNames, rule.Braces(name) == nil:
			return "", fmt.Errorf("%s stands for more names than anybody writes", key)
		}
	}
	var each []string
	for _, name := range list {
		if !slices.Contains(each, name) {
			each = append(each, name)
		}
	}
	return strings.Join(each, " "), nil
}

// checkWords normalises a list of words that the key knows. One that is there twice counts once.
func checkWords(k *Key, value string) (string, error) {
	var each []string
	for word := range strings.FieldsFuncSeq(strings.ToLower(value), func(r rune) bool { return strings.ContainsRune(" \t\n,", r) }) {
		if !slices.Contains(k.Words(), word) {
			return "", fmt.Errorf("%s has no %q, want some of %s", k.Name, term.Clip(word, mostQuoted), strings.Join(k.Words(), ", "))
		}
		if !slices.Contains(each, word) {
			each = append(each, word)
		}
	}
	return strings.Join(each, " "), nil
}

// checkPaths normalises a list of patterns of files.
func checkPaths(key, value string) (string, error) {
	list := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune(" \t\n,", r) })
	if len(list) > maxNames {
		return "", fmt.Errorf("%s has more patterns than anybody writes", key)
	}
	for _, one := range list {
		if !doublestar.ValidatePattern(one) || len(one) > mostNamed {
			return "", fmt.Errorf("%s: %q is no pattern of files: want such as docs/** or *.md", key, term.Clip(one, mostQuoted))
		}
	}
	return strings.Join(list, " "), nil
}

// mostNamed is how long a name of a tool may be.
const mostNamed = 200

// listed is a list of a file as a value; an entry that is no single name stays together, to be refused as what it is.
func listed(list []any) string {
	var b strings.Builder
	for _, v := range list {
		name := fmt.Sprint(v)
		if _, is := v.(string); !is || name == "" || strings.ContainsAny(name, " \t\n") {
			name = strconv.Quote(strings.Join(strings.Fields(name), "_"))
		}
		b.WriteString(" " + name)
	}
	return strings.TrimPrefix(b.String(), " ")
}

// joined is a value as it counts from somebody who may loosen nothing: names that never run are added to those that are there.
func (c *Config) joined(i int, value string) string {
	if k := &Keys[i]; k.kind == names && !k.only && value != "" && c.values[i] != "" {
		return c.values[i] + " " + value
	}
	return value
}

// tighterNames reports whether a list of names in the place of the one that is there loosens nothing.
func (c *Config) tighterNames(i int, value string) bool {
	old, list := strings.Fields(c.values[i]), strings.Fields(value)
	if !Keys[i].only {
		return within(old, list)
	}
	return len(old) == 0 || len(list) > 0 && within(list, old)
}

func within(some, all []string) bool {
	return !slices.ContainsFunc(some, func(name string) bool { return !slices.Contains(all, name) })
}
