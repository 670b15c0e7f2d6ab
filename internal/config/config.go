// Package config answers what the user wants: defaults, then the user's file,
// the project's file, the environment and flags, each over the one before.
//
// It holds no state and knows nothing of what a setting means. Its invariant:
// a project's own file never loosens what protects its user, and a bad value
// is reported and skipped, never fatal.
package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
	"time"

	"github.com/pelletier/go-toml/v2"
)

// FileName is the name of a configuration file in its folder.
const FileName = "config.toml"

// maxFile bounds a configuration file; a project's comes from strangers.
const maxFile = 256 << 10

// Sources says where values come from. Empty folders are skipped.
type Sources struct {
	UserDir string              // holds config.toml (state.ConfigDir)
	Project string              // project root; its .moai/config.toml is read
	Getenv  func(string) string // MOAI_A_B_C for a.b_c
	Flags   map[string]string   // key → value
}

// Config is a snapshot of all settings.
type Config struct {
	values []string
	origin []string
	// Problems lists what was skipped and why, a line each.
	Problems []string
}

// Load reads all sources. It never fails: see Config.Problems.
func Load(s Sources) *Config {
	c := &Config{values: make([]string, len(Keys)), origin: make([]string, len(Keys))}
	for i, k := range Keys {
		c.values[i], c.origin[i] = k.Default, "default"
	}
	if s.UserDir != "" {
		c.file(filepath.Join(s.UserDir, FileName), "user", false)
	}
	if s.Project != "" {
		c.file(filepath.Join(s.Project, ".moai", FileName), "project", true)
	}
	if s.Getenv != nil {
		for i, k := range Keys {
			if v := s.Getenv(EnvName(k.Name)); v != "" {
				c.set(i, v, "environment", EnvName(k.Name))
			}
		}
	}
	for _, name := range sortedKeys(s.Flags) {
		if i := Find(name); i >= 0 {
			c.set(i, s.Flags[name], "flag", name)
		}
	}
	return c
}

// EnvName is the environment variable of a key: a.b_c → MOAI_A_B_C.
func EnvName(key string) string {
	return "MOAI_" + strings.ToUpper(strings.ReplaceAll(key, ".", "_"))
}

// String returns the value of key; an unknown key is a mistake in the program.
func (c *Config) String(key string) string {
	i := Find(key)
	if i < 0 {
		panic("config: no key " + key)
	}
	return c.values[i]
}

// Bool returns a boolean setting.
func (c *Config) Bool(key string) bool { return c.String(key) == "true" }

// Int returns a number >= 0.
func (c *Config) Int(key string) int {
	n, _ := strconv.Atoi(c.String(key)) // checked when it was set
	return n
}

// Duration returns a time span > 0.
func (c *Config) Duration(key string) time.Duration {
	d, _ := time.ParseDuration(c.String(key)) // checked when it was set
	return d
}

// Origin names the source of key's value: default, user, project, environment, flag.
func (c *Config) Origin(key string) string { return c.origin[Find(key)] }

// Check normalises a value of key, or says in one line what is wrong with it.
func Check(key, value string) (string, error) {
	i := Find(key)
	if i < 0 {
		return "", fmt.Errorf("no setting is named %q", key)
	}
	k := Keys[i]
	switch {
	case len(k.Values) > 0:
		v := strings.ToLower(value)
		if !slices.Contains(k.Values, v) {
			return "", fmt.Errorf("%s is %q, want one of %s", key, value, strings.Join(k.Values, ", "))
		}
		return v, nil
	case k.kind == boolean:
		switch strings.ToLower(value) {
		case "true", "1", "yes", "on":
			return "true", nil
		case "false", "0", "no", "off":
			return "false", nil
		}
		return "", fmt.Errorf("%s is %q, want true or false", key, value)
	case k.kind == number:
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return "", fmt.Errorf("%s is %q, want a whole number", key, value)
		}
	case k.kind == duration:
		if d, err := time.ParseDuration(value); err != nil || d <= 0 {
			return "", fmt.Errorf("%s is %q, want a time such as 500ms or 2s", key, value)
		}
	}
	return value, nil
}

func (c *Config) set(i int, value, origin, where string) {
	v, err := Check(Keys[i].Name, value)
	if err != nil {
		c.Problems = append(c.Problems, where+": "+err.Error())
		return
	}
	c.values[i], c.origin[i] = v, origin
}

// file applies one TOML file. From a project only what it is trusted with counts.
func (c *Config) file(path, origin string, project bool) {
	data, err := read(path)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		c.Problems = append(c.Problems, err.Error())
		return
	}
	var tree map[string]any
	if err := toml.Unmarshal(data, &tree); err != nil {
		var at *toml.DecodeError
		line := 0
		if errors.As(err, &at) {
			line, _ = at.Position()
		}
		c.Problems = append(c.Problems, fmt.Sprintf("%s:%d: %s", path, line, strings.TrimPrefix(err.Error(), "toml: ")))
		return
	}
	flat := map[string]string{}
	flatten("", tree, flat)
	for _, name := range sortedKeys(flat) {
		i := Find(name)
		switch {
		case i < 0:
			c.Problems = append(c.Problems, fmt.Sprintf("%s: no setting is named %q", path, name))
		case project && !c.projectMay(i, flat[name]):
			c.Problems = append(c.Problems, fmt.Sprintf("%s: a project may not set %s to %q", path, name, flat[name]))
		default:
			c.set(i, flat[name], origin, path)
		}
	}
}

// projectMay reports whether a project's file may set key i to value.
func (c *Config) projectMay(i int, value string) bool {
	switch k := Keys[i]; k.trust {
	case anyone:
		return true
	case tighten:
		return slices.Index(k.Values, strings.ToLower(value)) >= slices.Index(k.Values, c.values[i])
	}
	return false
}

// read refuses anything but a regular file of sensible size: a FIFO in a hostile
// repository would hang the hook.
func read(path string) ([]byte, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, fs.ErrNotExist // unreadable is as good as absent: nothing can be set by it
	}
	if !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, fmt.Errorf("%s: not a regular file of at most %d bytes", path, maxFile)
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return data, nil
}

func flatten(prefix string, tree map[string]any, out map[string]string) {
	for k, v := range tree {
		name := prefix + k
		if sub, ok := v.(map[string]any); ok {
			flatten(name+".", sub, out)
			continue
		}
		out[name] = fmt.Sprint(v)
	}
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
