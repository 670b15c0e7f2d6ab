package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/google/renameio/v2/maybe"
	"github.com/pelletier/go-toml/v2"
)

// Set writes key = value into the configuration file at path, keeping every
// other line. The value must have passed Check.
func Set(path, key, value string) error {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read configuration: %w", err)
	}
	text := edit(string(data), key, value)
	var check map[string]any
	if err := toml.Unmarshal([]byte(text), &check); err != nil {
		return fmt.Errorf("%s is not valid TOML, so it is left as it is: %w", path, err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make configuration folder: %w", err)
	}
	if err := maybe.WriteFile(path, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	return nil
}

// edit replaces or adds one assignment in TOML text. It works on lines, so that
// comments, order and spacing of a file written by a person stay as they were.
// A section that is written as dotted keys stays so: TOML forbids to open it
// again as a table.
func edit(doc, key, value string) string {
	section, name, _ := strings.Cut(key, ".")
	lines := strings.SplitAfter(doc, "\n")
	current, lastInSection, lastDotted := "", -1, -1
	for i, l := range lines {
		t := strings.TrimSpace(l)
		if head, ok := strings.CutPrefix(t, "["); ok {
			current = strings.TrimSpace(strings.SplitN(head, "]", 2)[0])
		}
		k, old, assigns := strings.Cut(t, "=")
		k = strings.ReplaceAll(strings.TrimSpace(k), " ", "")
		if assigns && (current == section && k == name || current == "" && k == key) {
			lines[i] = k + " = " + quote(key, value) + comment(old) + "\n"
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
		return insert(lines, lastDotted, key+" = "+quote(key, value))
	case lastInSection >= 0:
		return insert(lines, lastInSection, name+" = "+quote(key, value))
	}
	if doc != "" {
		doc = strings.TrimRight(doc, "\n") + "\n\n"
	}
	return doc + "[" + section + "]\n" + name + " = " + quote(key, value) + "\n"
}

// insert adds a line after lines[at].
func insert(lines []string, at int, line string) string {
	if !strings.HasSuffix(lines[at], "\n") {
		lines[at] += "\n"
	}
	lines[at] += line + "\n"
	return strings.Join(lines, "")
}

// comment is the remark behind a value that holds no # itself.
func comment(value string) string {
	if i := strings.LastIndex(value, " #"); i >= 0 && !strings.ContainsAny(value[i:], "\"'") {
		return value[i:]
	}
	return ""
}

func quote(key, value string) string {
	switch Keys[Find(key)].kind {
	case boolean, number:
		return value
	}
	return strconv.Quote(value)
}
