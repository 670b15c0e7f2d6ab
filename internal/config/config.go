// Package config answers what the user wants: defaults, then the user's file,
// the project's file, the environment and flags, each over the one before.
//
// It holds no state and knows nothing of what a setting means. Its invariant:
// what strangers can write – a project's own file, a folder that could have come
// with it, the variables of what an agent starts – never loosens what protects the
// user; and a bad value is reported and skipped, never fatal.
//
// Names of other programs for a setting are rows `[[alias]]` of rules/events/_environment.toml, settled as moai's own.
// PIPELINE_SKIP counts where `env.trust` names it, or where it stands among the variables with which the client's
// process began and no agent is above that: those were there before any settings were read, and nothing changes them
// later. Where the system does not tell (Windows), the key is needed.
package config

import (
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/when"
)

// Command reports a key that is a command of one project's.
func (k *Key) Command() bool { return strings.HasPrefix(k.Name, "quality.") && k.kind == place }

// Sources says where values come from. Empty folders are skipped.
type Sources struct {
	UserDir string // holds config.toml (state.Folders)
	// Doubted says that UserDir may only tighten, as Beside may: state.Folders has it.
	Doubted bool
	Beside  []string
	// Own is the user's file for this project alone, over UserDir; "" for none.
	Own     string
	Project string              // project root; its .moai/config.toml is read
	Getenv  func(string) string // MOAI_A_B_C for a.b_c
	// Agent says that an agent runs moai. A variable may only tighten then: whoever wrote the
	// repository can have set it.
	Agent bool
	Flags map[string]string // key → value
	// Aliases are variables of other programs that mean a key. Began is the value that one had when the client began, before
	// it read any settings; nil: nobody tells.
	Aliases []rule.Alias
	Began   func(variable string) (value string, known bool)
	// Answered is what of the user's own files somebody has answered for; nil: all of them.
	Answered *Answered
}

// Config is a snapshot of all settings.
type Config struct {
	values []string
	origin []string
	where  []string // file, variable or flag that set the value; "" for the default
	// Problems lists what was skipped and why, a line each.
	Problems []string
	// Ignored are the variables that do not count because they would loosen.
	Ignored []Ignored
	// Held are the settings of the user's own files that wait until a person confirms them.
	Held []Held
	own  map[string]map[string]string // what protects, as the user's own files say it
}

// Load reads all sources. It never fails: see Config.Problems.
func Load(s Sources) *Config {
	c := &Config{values: make([]string, len(Keys)), origin: make([]string, len(Keys)), where: make([]string, len(Keys)), own: map[string]map[string]string{}}
	for i, k := range Keys {
		c.values[i], c.origin[i] = k.Default, "default"
	}
	if s.UserDir != "" {
		by := owner
		if s.Doubted {
			by = doubted
		}
		c.file(filepath.Join(s.UserDir, FileName), "user", by, s.Answered)
		if s.Own != "" {
			c.file(s.Own, "user", by, s.Answered)
		}
	}
	for _, dir := range s.Beside {
		c.file(filepath.Join(dir, FileName), "user", doubted, nil)
	}
	if s.Project != "" {
		c.pal(s.Project)
		c.file(filepath.Join(s.Project, ".moai", FileName), "project", stranger, nil)
	}
	if s.Getenv != nil {
		c.aliases(&s)
		c.environment(s.Getenv, s.Agent)
	}
	for _, name := range sortedKeys(s.Flags) {
		if i := Find(name); i >= 0 {
			c.set(i, s.Flags[name], "flag", name)
		}
	}
	return c
}

// String returns the value of key.
func (c *Config) String(key string) string { return c.values[must(key)] }

// must finds a key that the program itself names; an unknown one is a mistake in it.
func must(key string) int {
	i := Find(key)
	if i < 0 {
		panic("config: no key " + key)
	}
	return i
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
	d, _ := when.Length(c.String(key)) // checked when it was set
	return d
}

// Names returns the patterns of a list of names, braces spelled out.
func (c *Config) Names(key string) (list []string) {
	for name := range strings.FieldsSeq(c.String(key)) {
		list = append(list, rule.Braces(name)...)
	}
	return list
}

// Origin names the source of key's value: default, user, project, environment, flag.
func (c *Config) Origin(key string) string { return c.origin[must(key)] }

// Where names what set key's value: a file, a variable or a flag; "" for the default.
func (c *Config) Where(key string) string { return c.where[must(key)] }

func (c *Config) set(i int, value, origin, where string) {
	v, err := Check(Keys[i].Name, value)
	if err != nil {
		c.Problems = append(c.Problems, where+": "+err.Error())
		return
	}
	if origin == "user" && v == c.values[i] && c.where[i] != "" {
		return // a second folder that says the same is not where it comes from
	}
	c.values[i], c.origin[i], c.where[i] = v, origin, where
}
