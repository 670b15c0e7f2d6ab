package repo

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// Config is the configuration of one repository: system, global, local and
// work-tree files with their includes, then GIT_CONFIG_COUNT variables. Section and
// variable names are lower case in keys, subsections keep theirs:
// "core.filemode", "branch.Main.remote". The last value of a key wins.
type Config struct {
	entries []configEntry
}

type configEntry struct {
	key, value string
	bare       bool // "key" without "=": true as a boolean, no string
}

// Config loads the configuration at first use.
func (r *Repo) Config() *Config {
	r.cfgOnce.Do(func() {
		c := protectedConfig(r)
		c.entries = append(c.entries, r.local.entries...)
		if c.Bool("extensions.worktreeconfig", false) {
			c.load(filepath.Join(r.GitDir, worktreeConfig), &loadState{gitDir: r.GitDir, repo: r})
		}
		c.environment()
		r.cfg = c
	})
	return r.cfg
}

// SettingsName names what the repository's own settings hold: two names are equal where Git is told the same, however often it wrote the file anew.
func (r *Repo) SettingsName() Hash {
	var b bytes.Buffer
	if r.local == nil {
		return Hash{}
	}
	for _, e := range r.local.entries {
		fmt.Fprintf(&b, "%s\x00%s\x00%t\x00", e.key, e.value, e.bare)
	}
	return HashObject(sha1Size, KindBlob, b.Bytes())
}

// protectedConfig reads the files that a repository cannot write: system and
// global. r may be nil before a repository is trusted.
func protectedConfig(r *Repo) *Config {
	c := &Config{}
	st := &loadState{repo: r}
	if r != nil {
		st.gitDir = r.GitDir
	}
	if system, _ := ParseBool(os.Getenv("GIT_CONFIG_NOSYSTEM")); !system {
		for _, p := range systemFiles() {
			c.load(p, st)
		}
	}
	for _, p := range userFiles() {
		c.load(p, st)
	}
	return c
}

// userFiles are the files of the user's own configuration.
func userFiles() (files []string) {
	// Even when it is empty: Git reads no global file then.
	if g, ok := os.LookupEnv("GIT_CONFIG_GLOBAL"); ok {
		return []string{g}
	}
	if x := xdgFile("config"); x != "" {
		files = append(files, x)
	}
	if home := homeDir(); home != "" {
		files = append(files, filepath.Join(home, ".gitconfig"))
	}
	return files
}

// UserConfig is the configuration that holds outside of repositories: of the system and of the user.
func UserConfig() *Config {
	c := protectedConfig(nil)
	c.environment()
	return c
}

// Len is the number of variables.
func (c *Config) Len() int { return len(c.entries) }

func systemFiles() []string {
	if p, ok := os.LookupEnv("GIT_CONFIG_SYSTEM"); ok {
		return []string{p}
	}
	return systemConfigs()
}

// xdgFile is a file of git's own folder below $XDG_CONFIG_HOME.
func xdgFile(name string) string {
	x := os.Getenv("XDG_CONFIG_HOME")
	if x == "" {
		home := homeDir()
		if home == "" {
			return ""
		}
		x = filepath.Join(home, ".config")
	}
	return filepath.Join(x, "git", name)
}

func homeDir() string {
	home, _ := os.UserHomeDir()
	return home
}

// environment adds GIT_CONFIG_COUNT, GIT_CONFIG_KEY_<n>, GIT_CONFIG_VALUE_<n>.
func (c *Config) environment() {
	n, _ := strconv.Atoi(os.Getenv("GIT_CONFIG_COUNT"))
	// The number is the environment's word. Git has no bound; nobody sets a thousand.
	for i := range min(n, 1000) {
		k := os.Getenv("GIT_CONFIG_KEY_" + strconv.Itoa(i))
		if k != "" {
			c.add(foldKey(k), os.Getenv("GIT_CONFIG_VALUE_"+strconv.Itoa(i)), false)
		}
	}
}

// foldKey lowers the section and the variable of a dotted key, not the subsection.
func foldKey(k string) string {
	first, last := strings.IndexByte(k, '.'), strings.LastIndexByte(k, '.')
	if first < 0 || first == last {
		return strings.ToLower(k)
	}
	return strings.ToLower(k[:first]) + k[first:last] + strings.ToLower(k[last:])
}

func (c *Config) add(key, value string, bare bool) {
	c.entries = append(c.entries, configEntry{key, value, bare})
}

func (c *Config) last(key string) *configEntry {
	for i := len(c.entries) - 1; i >= 0; i-- {
		if c.entries[i].key == key {
			return &c.entries[i]
		}
	}
	return nil
}

// Has says whether key is set at all.
func (c *Config) Has(key string) bool { return c.last(key) != nil }

// Lookup returns the last value of key.
func (c *Config) Lookup(key string) (string, bool) {
	if e := c.last(key); e != nil {
		return e.value, true
	}
	return "", false
}

// String returns the last value of key, or "".
func (c *Config) String(key string) string {
	v, _ := c.Lookup(key)
	return v
}

// Strings returns all values of key in order.
func (c *Config) Strings(key string) []string {
	var out []string
	for _, e := range c.entries {
		if e.key == key {
			out = append(out, e.value)
		}
	}
	return out
}

// Bool reads a boolean; what is not one counts as def.
func (c *Config) Bool(key string, def bool) bool {
	e := c.last(key)
	if e == nil {
		return def
	}
	if e.bare {
		return true
	}
	if v, ok := ParseBool(e.value); ok {
		return v
	}
	return def
}

// Int reads a number with an optional k, m or g; what is not one counts as def.
func (c *Config) Int(key string, def int) int {
	v, ok := c.Lookup(key)
	if !ok || v == "" {
		return def
	}
	unit := 1
	switch v[len(v)-1] {
	case 'k', 'K':
		unit = 1 << 10
	case 'm', 'M':
		unit = 1 << 20
	case 'g', 'G':
		unit = 1 << 30
	}
	if unit > 1 {
		v = v[:len(v)-1]
	}
	n, err := strconv.Atoi(v)
	if most := math.MaxInt / unit; err != nil || n > most || n < -most {
		return def
	}
	return n * unit
}

// Path reads a file name: "~/" is the home directory. Another user's home and git's
// %(prefix) are not resolved and count as unset.
func (c *Config) Path(key string) string {
	return expandPath(c.String(key))
}

// ParseBool reads what Git takes for true and false. Any number is a boolean, too.
func ParseBool(s string) (v, ok bool) {
	switch strings.ToLower(s) {
	case "true", "yes", "on":
		return true, true
	case "", "false", "no", "off":
		return false, true
	}
	if n, err := strconv.Atoi(s); err == nil {
		return n != 0, true
	}
	return false, false
}

// expandPath reads ~/ as Git does in values that are paths.
func expandPath(p string) string {
	if p == "~" || strings.HasPrefix(p, "~/") {
		home := homeDir()
		if home == "" {
			return ""
		}
		return filepath.Join(home, filepath.FromSlash(p[1:]))
	}
	if strings.HasPrefix(p, "~") || strings.HasPrefix(p, "%(prefix)") {
		return ""
	}
	return filepath.FromSlash(p)
}

// safeDirectory says whether the user trusts dir although it belongs to somebody
// else. Only protected configuration counts: a repository cannot vouch for itself.
func safeDirectory(dir string) bool {
	c := protectedConfig(nil)
	c.environment()
	safe := false
	dir = filepath.ToSlash(dir)
	for _, v := range c.Strings("safe.directory") {
		switch {
		case v == "":
			safe = false // an empty value forgets the ones before it
		// The user trusts everything, as containers often have it.
		case v == "*":
			safe = true
		case strings.HasSuffix(v, "/*"):
			prefix := filepath.ToSlash(expandPath(strings.TrimSuffix(v, "*")))
			safe = safe || strings.HasPrefix(dir+"/", strings.TrimSuffix(prefix, "/")+"/")
		default:
			p := filepath.ToSlash(filepath.Clean(expandPath(v)))
			if p == dir {
				safe = true
			} else if real, err := filepath.EvalSymlinks(filepath.FromSlash(p)); err == nil && filepath.ToSlash(real) == dir {
				safe = true
			}
		}
	}
	return safe
}

// All are the settings in the order in which Git reads them: the last of a variable counts.
func (c *Config) All() iter.Seq2[string, string] {
	return func(yield func(key, value string) bool) {
		for i := range c.entries {
			if !yield(c.entries[i].key, c.entries[i].value) {
				return
			}
		}
	}
}
