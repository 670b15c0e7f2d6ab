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
)

// Set writes key = value into the configuration file at path, keeping every
// other line. The value must have passed Check.
func Set(path, key, value string) error {
	data, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("read configuration: %w", err)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make configuration folder: %w", err)
	}
	if err := maybe.WriteFile(path, []byte(edit(string(data), key, value)), 0o600); err != nil {
		return fmt.Errorf("write configuration: %w", err)
	}
	return nil
}

// edit replaces or adds one assignment in TOML text. It works on lines, so that
// comments, order and spacing of a file written by a person stay as they were.
func edit(doc, key, value string) string {
	section, name, _ := strings.Cut(key, ".")
	line := name + " = " + quote(key, value)
	lines := strings.SplitAfter(doc, "\n")
	current, last := "", -1
	for i, l := range lines {
		t := strings.TrimSpace(l)
		if head, ok := strings.CutPrefix(t, "["); ok {
			current = strings.TrimSpace(strings.TrimSuffix(strings.SplitN(head, "]", 2)[0], "]"))
		}
		k, _, isAssign := strings.Cut(t, "=")
		k = strings.TrimSpace(k)
		if isAssign && (current == section && k == name || current == "" && k == key) {
			prefix := line
			if current == "" {
				prefix = key + " = " + quote(key, value)
			}
			lines[i] = prefix + "\n"
			return strings.Join(lines, "")
		}
		if current == section && t != "" {
			last = i
		}
	}
	if last >= 0 {
		if !strings.HasSuffix(lines[last], "\n") {
			lines[last] += "\n"
		}
		lines[last] += line + "\n"
		return strings.Join(lines, "")
	}
	if doc != "" && !strings.HasSuffix(doc, "\n") {
		doc += "\n"
	}
	if doc != "" {
		doc += "\n"
	}
	return doc + "[" + section + "]\n" + line + "\n"
}

func quote(key, value string) string {
	switch Keys[Find(key)].kind {
	case boolean, number:
		return value
	}
	return strconv.Quote(value)
}
