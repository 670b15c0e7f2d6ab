package lang

import (
	"bytes"
	"strings"
)

// maxReferences is how many names lead to a value at most: a property names a
// property. More is a circle, or nobody could follow it either.
const maxReferences = 3

// xmlField is the text of the first element of that name, in the element that
// holds the text within if that is given. A reference, ${name} as Maven or $(name)
// as MSBuild writes it, is what an element of that name holds.
func xmlField(data []byte, within, tag string) string {
	all := plainXML(data)
	part := all
	if within != "" {
		if part = around(all, within); part == nil {
			return ""
		}
	}
	v := strings.ReplaceAll(xmlText(part, tag), "$("+tag+");", "") // what it was before, and more
	for range maxReferences {
		name, ok := reference(v)
		if !ok {
			break
		}
		v = xmlText(all, name)
	}
	if strings.ContainsAny(v, "$@") {
		return ""
	}
	return v
}

// plainXML leaves out what says nothing of the project as a whole: comments, and
// what Maven does under conditions only (profiles) or in single steps (executions),
// such as compiling one test with a newer compiler.
func plainXML(data []byte) []byte {
	for _, aside := range [...][2]string{{"<!--", "-->"}, {"<profiles>", "</profiles>"}, {"<executions>", "</executions>"}} {
		data = without(data, aside[0], aside[1])
	}
	return data
}

// without cuts out all that lies from open to end. The data itself stays as it is.
func without(data []byte, open, end string) []byte {
	at := bytes.Index(data, []byte(open))
	if at < 0 {
		return data
	}
	out := make([]byte, 0, len(data))
	for at >= 0 {
		out = append(out, data[:at]...)
		rest := bytes.Index(data[at:], []byte(end))
		if rest < 0 {
			return out // it never ends
		}
		data = data[at+rest+len(end):]
		at = bytes.Index(data, []byte(open))
	}
	return append(out, data...)
}

// around is what follows a text in the element that holds it; nil without it.
func around(data []byte, text string) []byte {
	at := bytes.Index(data, []byte(text))
	if at < 0 {
		return nil
	}
	data = data[at+len(text):]
	depth := 0
	for i := 0; i+1 < len(data); i++ {
		switch {
		case data[i] == '/' && data[i+1] == '>':
			depth--
		case data[i] != '<':
			continue
		case data[i+1] != '/':
			depth++
			continue
		default:
			depth--
		}
		if depth < 0 {
			return data[:i]
		}
	}
	return data
}

// xmlText is what stands in the first element of that name that holds text; one that holds under a condition alone, as on Windows, comes after the others.
func xmlText(data []byte, tag string) (text string) {
	open := []byte("<" + tag)
	for {
		i := bytes.Index(data, open)
		if i < 0 {
			return text
		}
		data = data[i+len(open):]
		if len(data) == 0 || data[0] != '>' && data[0] != ' ' {
			continue // a longer name
		}
		start := bytes.IndexByte(data, '>') + 1
		end := bytes.IndexByte(data[start:], '<')
		if start == 0 || end < 0 {
			return text
		}
		switch v := strings.TrimSpace(string(data[start : start+end])); {
		case v == "":
		case !bytes.Contains(data[:start], []byte(" Condition=")):
			return v
		case text == "":
			text = v
		}
	}
}

// reference takes the name out of a text that is nothing but a reference.
func reference(v string) (name string, ok bool) {
	if len(v) < 4 || v[0] != '$' || v[len(v)-1] != '}' && v[len(v)-1] != ')' || v[1] != '{' && v[1] != '(' {
		return "", false
	}
	name = v[2 : len(v)-1]
	return name, !strings.ContainsAny(name, "<>(){}$ ")
}
