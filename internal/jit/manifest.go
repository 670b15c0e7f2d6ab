package jit

import (
	"encoding/json"
	"strings"
)

// Manifests pin a version only where their authors wrote an exact one; ranges are left out by the caller.

// requirements reads "name[extra]==1.2.3 ; marker".
func requirements(data string, yield yield) {
	for line := range strings.Lines(data) {
		line, _, _ = strings.Cut(line, "#")
		name, v, ok := strings.Cut(line, "==")
		if !ok {
			continue
		}
		name, _, _ = strings.Cut(name, "[")
		// "===" is PEP 440's comparison letter by letter; it pins just as well.
		v = strings.TrimLeft(v, "= ")
		if i := strings.IndexAny(v, " ;\\,\t\r\n"); i >= 0 {
			v = v[:i]
		}
		if !yield(strings.TrimSpace(name), v) {
			return
		}
	}
}

// packageJSON reads the dependencies; the caller keeps those with one exact version.
func packageJSON(data string, yield yield) {
	var doc struct{ Dependencies, DevDependencies, OptionalDependencies map[string]string }
	if json.Unmarshal([]byte(data), &doc) != nil {
		return
	}
	for _, group := range []map[string]string{doc.Dependencies, doc.DevDependencies, doc.OptionalDependencies} {
		for name, v := range group {
			if !yield(name, v) {
				return
			}
		}
	}
}

// pom reads <dependency> elements, with properties of the same file put in.
func pom(data string, yield yield) {
	element := func(s, name string) string {
		_, s, ok := strings.Cut(s, "<"+name+">")
		s, _, end := strings.Cut(s, "</"+name+">")
		if !ok || !end {
			return ""
		}
		return strings.TrimSpace(s)
	}
	// Versions are mostly kept in properties; those of a parent elsewhere stay unknown.
	properties := pomProperties(element(data, "properties"))
	for rest := data; ; {
		var dep string
		_, tail, ok := strings.Cut(rest, "<dependency>")
		if !ok {
			return
		}
		dep, rest, _ = strings.Cut(tail, "</dependency>")
		v := element(dep, "version")
		if name, ok := strings.CutPrefix(v, "${"); ok {
			v = properties[strings.TrimSuffix(name, "}")]
		}
		// Under both names, as coordinate does.
		artifact := element(dep, "artifactId")
		if !yield(element(dep, "groupId")+":"+artifact, v) || !yield(artifact, v) {
			return
		}
	}
}

// pomProperties reads <name>value</name>. Each property is looked up once for each dependency that names it, so they are gone through
// once: searching the text each time takes minutes for a file made to be slow.
func pomProperties(text string) map[string]string {
	list := map[string]string{}
	_, text, _ = strings.Cut(text, "<")
	for {
		name, rest, ok := strings.Cut(text, ">")
		if !ok {
			return list
		}
		value, rest, _ := strings.Cut(rest, "<")
		if _, known := list[name]; !known && strings.HasPrefix(rest, "/"+name+">") {
			list[name] = strings.TrimSpace(value)
		}
		text = rest // the next element, or the end of this one, which gives itself away by its slash
	}
}

// gradleCatalog reads [versions] and the libraries that name them.
func gradleCatalog(data string, yield yield) {
	versions := map[string]string{}
	section := ""
	for line := range strings.Lines(data) {
		t := strings.TrimSpace(line)
		if strings.HasPrefix(t, "[") {
			section = t
			continue
		}
		key, v, ok := strings.Cut(t, "=")
		if !ok || strings.HasPrefix(t, "#") {
			continue
		}
		key = strings.TrimSpace(key)
		switch section {
		case "[versions]":
			versions[key], _ = inQuotes(v)
		case "[libraries]":
			after := func(mark string) string {
				_, s, ok := strings.Cut(v, mark)
				if !ok {
					return ""
				}
				s, _ = inQuotes(s)
				return s
			}
			version := after("version =")
			if ref := after("version.ref"); ref != "" {
				version = versions[ref]
			}
			module := after("module")
			if module == "" {
				if short, _ := inQuotes(v); strings.Count(short, ":") == 2 {
					if !coordinate(short, yield) {
						return
					}
					continue
				}
				module = after("group") + ":" + after("name")
			}
			if !coordinate(module+":"+version, yield) {
				return
			}
		}
	}
}

// sbt reads `"group" %% "artifact" % "1.2.3"`.
func sbt(data string, yield yield) {
	// The blanks between the three vary, the order does not.
	for line := range strings.Lines(data) {
		line, _, _ = strings.Cut(line, "//")
		if !strings.Contains(line, "%") {
			continue
		}
		group, rest := inQuotes(line)
		artifact, rest := inQuotes(rest)
		if v, _ := inQuotes(rest); v != "" && !coordinate(group+":"+artifact+":"+v, yield) {
			return
		}
	}
}

// depsEDN reads `group/artifact {:mvn/version "1.2.3"}`.
func depsEDN(data string, yield yield) {
	for rest := data; ; {
		before, after, ok := strings.Cut(rest, "{:mvn/version")
		if !ok {
			return
		}
		f := strings.Fields(before)
		v, tail := inQuotes(after)
		if len(f) > 0 && !clojure(strings.TrimLeft(f[len(f)-1], "{"), v, yield) {
			return
		}
		rest = tail
	}
}

// longestName bounds the name of a library, in bytes; no registry has longer ones. A search for its end so does not go through all
// that follows.
const longestName = 256

// leiningen reads `[group/artifact "1.2.3"]`.
func leiningen(data string, yield yield) {
	for rest := data; ; {
		_, after, ok := strings.Cut(rest, "[")
		if !ok {
			return
		}
		rest = after
		i := strings.IndexByte(after[:min(len(after), longestName)], ' ')
		if i < 0 || strings.ContainsAny(after[:i], "[]\n\"") || !strings.HasPrefix(strings.TrimLeft(after[i:], " "), `"`) {
			continue
		}
		if v, _ := inQuotes(after[i:]); !clojure(after[:i], v, yield) {
			return
		}
	}
}

// clojure yields a library under both of its names, as coordinate does.
func clojure(name, v string, yield yield) bool {
	if i := strings.IndexByte(name, '/'); i > 0 && !yield(name[i+1:], v) {
		return false
	}
	return yield(name, v)
}

// csproj reads `<PackageReference Include="Name" Version="1.2.3" />`, and the same of a PackageVersion.
func csproj(data string, yield yield) {
	for rest := data; ; {
		_, after, ok := strings.Cut(rest, "<Package")
		if !ok {
			return
		}
		tag, tail, _ := strings.Cut(after, ">")
		rest = tail
		if !strings.HasPrefix(tag, "Reference") && !strings.HasPrefix(tag, "Version") {
			continue
		}
		attr := func(name string) string {
			_, s, ok := strings.Cut(tag, " "+name+"=")
			if !ok {
				return ""
			}
			s, _ = inQuotes(s)
			return s
		}
		v := attr("Version")
		if v == "" && !strings.HasSuffix(tag, "/") { // an element within, before the next reference
			within, _, _ := strings.Cut(tail, "<Package")
			_, v, _ = strings.Cut(within, "<Version>")
			v, _, _ = strings.Cut(v, "</Version>")
		}
		if !yield(attr("Include"), v) {
			return
		}
	}
}
