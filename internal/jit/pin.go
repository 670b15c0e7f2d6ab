package jit

import (
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// CheckLibraries runs the examples of a table and says which of them fail, by the place of their row.
func CheckLibraries(table []rule.LibraryFile) (problems []*rule.Problem) {
	for i := range table {
		f := &table[i]
		check := func(name, text, want string) {
			got := ""
			pins(f, text, nil, func(lib, v string) bool {
				if libraryKey(lib) == libraryKey(name) && exact(v) {
					got = strings.TrimPrefix(v, "=")
				}
				return got == ""
			})
			if got != want {
				problems = append(problems, &rule.Problem{File: f.File, Line: f.Line, ID: f.Names[0], Text: fmt.Sprintf("%s has the version %q in %q, want %q", name, got, text, want)})
			}
		}
		for _, hit := range f.Hits {
			check(hit[0], hit[2], hit[1])
		}
		for _, miss := range f.Misses {
			check(miss[0], miss[1], "")
		}
	}
	return problems
}

// pins calls yield with every library that a text of a row's form names, and what stands there as its version, until that
// returns false. Entries for what is asked come first.
func pins(f *rule.LibraryFile, text string, asked map[string]bool, yield func(name, version string) bool) {
	text = strings.TrimPrefix(text, "\ufeff") // editors on Windows write one
	both := func(name, version string) bool {
		i := strings.LastIndex(name, f.Both)
		return yield(name, version) && (f.Both == "" || i < 0 || yield(name[i+len(f.Both):], version))
	}
	if len(f.JSON) > 0 {
		jsonPins(f, text, both)
		return
	}
	if f.Comment != "" {
		text = regexp.MustCompile(regexp.QuoteMeta(f.Comment)+`.*`).ReplaceAllString(text, "")
	}
	values := map[string]string{}
	if f.Values != "" {
		for _, m := range regexp.MustCompile(f.Values).FindAllStringSubmatch(text, -1) {
			if _, known := values[m[1]]; !known {
				values[m[1]] = m[2]
			}
		}
	}
	match, group, ref := regexp.MustCompile(f.Match), first(f.Group), first(f.Ref)
	name, version := first(f.Name), first(f.Version)
	for part := range askedFirst(f, text, asked) {
		if f.Match == "" {
			lib, v := name(part), version(part)
			if in := group(part); in != "" && lib != "" {
				lib = in + ":" + lib
			}
			if key := ref(part); v == "" && key != "" {
				v = values[key]
			}
			if !both(lib, v) {
				return
			}
			continue
		}
		in, lib, v := match.SubexpIndex("group"), match.SubexpIndex("name"), match.SubexpIndex("version")
		for _, m := range match.FindAllStringSubmatch(part, -1) {
			if in > 0 {
				m[lib] = m[in] + ":" + m[lib]
			}
			if !both(m[lib], m[v]) {
				return
			}
		}
	}
}

// askedFirst are the parts, those first whose first line has one of the keys that are asked for.
func askedFirst(f *rule.LibraryFile, text string, asked map[string]bool) iter.Seq[string] {
	if len(asked) == 0 {
		return parts(f, text)
	}
	return func(yield func(string) bool) {
		for _, now := range [...]bool{true, false} {
			for part := range parts(f, text) {
				head, _, _ := strings.Cut(part, "\n")
				is := slices.ContainsFunc(strings.Split(head, ", "), func(key string) bool { return asked[strings.Trim(key, "\": \r")] })
				if is == now && !yield(part) {
					return
				}
			}
		}
	}
}

// keys are what entries of a lock file are called that a manifest asks for.
func keys(f *rule.LibraryFile, manifest string) map[string]bool {
	all := map[string]bool{}
	jsonPins(&rule.LibraryFile{JSON: f.Asked[1:]}, manifest, func(name, wanted string) bool {
		for _, key := range f.Key {
			all[strings.NewReplacer("{name}", name, "{range}", wanted).Replace(key)] = true
		}
		return true
	})
	return all
}

// parts are those that Begin and End mark; all of the text without them.
func parts(f *rule.LibraryFile, text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		if f.Begin == "" {
			yield(text)
			return
		}
		begins, ends := regexp.MustCompile(f.Begin).FindAllStringIndex(text, -1), regexp.MustCompile(f.End)
		for i, at := range begins {
			last := len(text)
			if i+1 < len(begins) {
				last = begins[i+1][0]
			}
			if end := ends.FindStringIndex(text[at[1]:last]); end != nil && f.End != "" {
				last = at[1] + end[0]
			}
			if !yield(text[at[0]:last]) {
				return
			}
		}
	}
}

// first makes a function that returns what a pattern's group holds where it is found first, "" for no pattern.
func first(pattern string) func(text string) string {
	re := regexp.MustCompile(pattern)
	return func(text string) string {
		if m := re.FindStringSubmatch(text); len(m) > 1 {
			return m[1]
		}
		return ""
	}
}

// jsonPins is pins for JSON. What is none pins nothing: half-written files are nobody's truth.
func jsonPins(f *rule.LibraryFile, text string, yield func(name, version string) bool) {
	var doc any
	if json.Unmarshal([]byte(text), &doc) != nil {
		return
	}
	taken := func(pattern string) func(text string) string {
		if pattern == "" {
			return func(text string) string { return text }
		}
		return first(pattern)
	}
	names, versions := taken(f.Name), taken(f.Version)
	for _, row := range f.JSON {
		path := strings.Fields(row)
		if !members(doc, strings.Split(path[0], "."), "", func(key string, v any) bool {
			name := key
			if path[1] != "*" {
				name = field(v, path[1])
			}
			return yield(names(name), versions(field(v, path[2])))
		}) {
			return
		}
	}
}

// members calls each with what a path leads to and the last key that "*" stood for, the last one by name first.
func members(v any, path []string, key string, each func(key string, v any) bool) bool {
	if len(path) == 0 {
		return each(key, v)
	}
	object, _ := v.(map[string]any)
	if path[0] != "*" {
		return object[path[0]] == nil || members(object[path[0]], path[1:], key, each)
	}
	for _, k := range slices.Backward(slices.Sorted(maps.Keys(object))) {
		if !members(object[k], path[1:], k, each) {
			return false
		}
	}
	list, _ := v.([]any)
	return !slices.ContainsFunc(list, func(item any) bool { return !members(item, path[1:], key, each) })
}

// field is the text at a path below a value, "" for none; "." is the value itself.
func field(v any, path string) string {
	text := ""
	members(v, strings.FieldsFunc(path, func(r rune) bool { return r == '.' }), "", func(_ string, v any) bool {
		text, _ = v.(string)
		return true
	})
	return text
}
