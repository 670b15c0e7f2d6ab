package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/google/renameio/v2/maybe"
)

// Set writes key = value into the configuration file at path, keeping every
// other line. The value must have passed Check. A link at path is replaced by a
// file: in a project it is a stranger's, and could lead anywhere.
func Set(path, key, value string) error {
	return rewrite(path, key, func(doc string, keys map[string]string) string {
		keys[key] = value
		return edit(doc, key, value)
	})
}

// Unset takes key out of the configuration file at path, keeping every other line.
func Unset(path, key string) error {
	return rewrite(path, key, func(doc string, keys map[string]string) string {
		delete(keys, key)
		return drop(doc, key)
	})
}

// Sets says whether the configuration file at path sets key. A file that is not there sets nothing.
func Sets(path, key string) (bool, error) {
	_, keys, err := keysOf(path)
	_, ok := keys[key]
	return ok, err
}

// rewrite changes one key of the file at path. change is given the text and what it says, and makes of both what they are to be.
func rewrite(path, key string, change func(doc string, keys map[string]string) string) error {
	data, want, err := keysOf(path)
	if err != nil {
		return err
	}
	text := change(data, want)
	// The edit knows lines and not TOML: a quoted name, or a text of several lines that looks
	// like a section, leads it astray. What it made counts only if this one setting changed.
	after, err := decode([]byte(text))
	if err != nil || !maps.Equal(after, want) {
		return fmt.Errorf("%s cannot be edited safely, so it is left as it is: change %s there by hand", path, key)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make configuration folder: %w", err)
	}
	if err := maybe.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	return nil
}

// keysOf reads the file at path; one that is not there is empty.
func keysOf(path string) (doc string, keys map[string]string, err error) {
	data, err := read(path, maxFile)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", nil, err
	}
	keys, err = decode(data)
	if err != nil {
		return "", nil, fmt.Errorf("%s is not valid TOML, so it is left as it is: %w", path, err)
	}
	return string(data), keys, nil
}

// edit replaces or adds one assignment in TOML text. It works on lines, so that
// comments, order and spacing of a file written by a person stay as they were.
// A section that is written as dotted keys stays so: TOML forbids to open it
// again as a table.
func edit(doc, key, value string) string {
	section, name, _ := strings.Cut(key, ".")
	doc, marked := strings.CutPrefix(doc, bom)
	if marked {
		return bom + edit(doc, key, value)
	}
	lines := strings.SplitAfter(doc, "\n")
	end := lineEnd(doc)
	current, lastInSection, lastDotted := "", -1, -1
	for i, l := range lines {
		t := strings.TrimSpace(l)
		current = opened(current, t)
		k, old, assigns := assignment(t)
		if assigns && (current == section && k == name || current == "" && k == key) {
			indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
			lines[i] = indent + k + " = " + quote(key, value) + comment(old) + end
			return strings.Join(lines, "")
		}
		if current == section && t != "" {
			lastInSection = i
		}
		if current == "" && assigns && strings.HasPrefix(k, section+".") {
			lastDotted = i
		}
	}
	switch {
	case lastDotted >= 0:
		return insert(lines, lastDotted, key+" = "+quote(key, value), end)
	case lastInSection >= 0:
		return insert(lines, lastInSection, name+" = "+quote(key, value), end)
	}
	if doc != "" {
		doc = strings.TrimRight(doc, "\r\n") + end + end
	}
	return doc + "[" + section + "]" + end + name + " = " + quote(key, value) + end
}

// drop takes the line of one assignment out of TOML text. What was empty but for it is empty afterwards.
func drop(doc, key string) string {
	section, name, _ := strings.Cut(key, ".")
	current := ""
	lines := strings.SplitAfter(doc, "\n")
	for i, l := range lines {
		t := strings.TrimSpace(strings.TrimPrefix(l, bom))
		current = opened(current, t)
		k, _, assigns := assignment(t)
		if !assigns || (current != section || k != name) && (current != "" || k != key) {
			continue
		}
		if rest := strings.Join(slices.Delete(lines, i, i+1), ""); strings.TrimSpace(rest) != "["+section+"]" {
			return rest
		}
		return ""
	}
	return doc
}

// opened is the section in which a line stands: the one that it opens, else the one before.
func opened(before, line string) string {
	if head, ok := strings.CutPrefix(line, "["); ok {
		return strings.TrimSpace(strings.SplitN(head, "]", 2)[0])
	}
	return before
}

// assignment takes a line of TOML apart: what is set, and the text of its value with the remark behind it.
func assignment(line string) (name, value string, ok bool) {
	name, value, ok = strings.Cut(line, "=")
	return strings.ReplaceAll(strings.TrimSpace(name), " ", ""), value, ok
}

// lineEnd is the one that a text has already: Windows editors write CRLF.
func lineEnd(doc string) string {
	if line, _, ok := strings.Cut(doc, "\n"); ok && strings.HasSuffix(line, "\r") {
		return "\r\n"
	}
	return "\n"
}

// insert adds a line after lines[at].
func insert(lines []string, at int, line, end string) string {
	if !strings.HasSuffix(lines[at], "\n") {
		lines[at] += end
	}
	lines[at] += line + end
	return strings.Join(lines, "")
}

// comment is the remark behind a value on one line, with the blanks before it. A # in
// quotes is part of the value; in double quotes a backslash hides the next quote.
func comment(value string) string {
	quote := byte(0)
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case quote == '"' && c == '\\':
			i++
		case quote != 0 && c == quote:
			quote = 0
		case quote == 0 && (c == '"' || c == '\''):
			quote = c
		case quote == 0 && c == '#':
			return value[len(strings.TrimRight(value[:i], " \t")):]
		}
	}
	return ""
}

// quote writes a value as TOML does. Escapes of Go that TOML lacks are found by Set, which
// reads back what it is about to write.
func quote(key, value string) string {
	switch Keys[Find(key)].kind {
	case boolean, number:
		return value
	case names, words:
		var list []string
		for name := range strings.FieldsSeq(value) {
			list = append(list, strconv.Quote(name))
		}
		return "[" + strings.Join(list, ", ") + "]"
	}
	return strconv.Quote(value)
}
