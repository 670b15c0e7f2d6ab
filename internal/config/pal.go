package config

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/modu-ai/moai/internal/term"
)

// PalFile is where pal-kit has a project's settings, relative to its root.
const PalFile = ".pal/config.yaml"

// palNames are the ways in which pal-kit writes a setting of ours.
var palNames = [...]struct{ key, name string }{
	{"tracking.mode", "tracking.mode"},
	{"tracking.mode", "settings.tracking.mode"},
	{"tracking.mode", "settings.tracking_mode"},
	{"tracking.auto_create", "tracking.auto_create"},
	{"tracking.auto_create", "settings.tracking.auto_create"},
	{"tracking.auto_create", "settings.tracking_auto_create"},
}

// pal applies the settings of a project's pal-kit file that are ours too. It is a stranger's, and what else is in it is none of our business.
func (c *Config) pal(root string) {
	path := filepath.Join(root, filepath.FromSlash(PalFile))
	data, err := read(path, maxProjectFile)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		c.Problems = append(c.Problems, err.Error())
		return
	}
	flat, err := outline(data)
	if err != nil {
		c.Problems = append(c.Problems, path+":"+err.Error())
		return
	}
	for _, n := range palNames {
		value, ok := flat[n.name]
		if !ok || value == "" {
			continue
		}
		if i := must(n.key); c.mayTighten(i, value) {
			c.set(i, value, "project", path)
		} else {
			c.Problems = append(c.Problems, fmt.Sprintf("%s: a project may not set %s to %q", path, n.name, term.Clip(value, mostQuoted)))
		}
	}
}

// outline reads the mappings of a YAML file by their indentation into dotted names, and the scalars in them. Lists and texts of several
// lines name nothing. The error begins with the line.
func outline(data []byte) (map[string]string, error) {
	flat := map[string]string{}
	type level struct {
		indent int
		name   string
	}
	var above []level
	n := 0
	skip := -1 // the indentation of a key whose value is a text of several lines
	for line := range bytes.Lines(bytes.TrimPrefix(data, []byte(bom))) {
		n++
		text := strings.TrimRight(string(line), " \t\r\n")
		t := strings.TrimLeft(text, " ")
		indent := len(text) - len(t)
		switch {
		case t == "" || t[0] == '#' || t == "---" || t == "...":
			continue
		case skip >= 0 && indent > skip:
			continue
		case t[0] == '\t':
			return nil, fmt.Errorf("%d: a tab cannot indent", n)
		case t == "-" || strings.HasPrefix(t, "- "):
			skip = indent // what belongs to the entry is deeper
			continue
		}
		skip = -1
		for len(above) > 0 && above[len(above)-1].indent >= indent {
			above = above[:len(above)-1]
		}
		key, value, ok := strings.Cut(t, ":")
		if !ok || value != "" && value[0] != ' ' && value[0] != '\t' {
			return nil, fmt.Errorf("%d: expected `key: value`, and here is %q", n, term.Clip(t, mostQuoted))
		}
		name := strings.Trim(strings.TrimSpace(key), `"'`)
		if len(above) > 0 {
			name = above[len(above)-1].name + "." + name
		}
		value = bare(value)
		if value == "" {
			above = append(above, level{indent, name})
			continue
		}
		if value[0] == '|' || value[0] == '>' {
			skip = indent
			continue
		}
		flat[name] = value
	}
	return flat, nil
}

// bare is a scalar without its quotes and comment.
func bare(value string) string {
	value = strings.TrimSpace(value)
	if value == "" || value[0] == '#' {
		return ""
	}
	if q := value[0]; q == '"' || q == '\'' {
		text, _, _ := strings.Cut(value[1:], string(q))
		return text
	}
	if i := strings.Index(value, " #"); i >= 0 {
		value = value[:i]
	}
	return strings.TrimSpace(value)
}
