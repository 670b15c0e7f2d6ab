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

	"github.com/modu-ai/moai/internal/rule"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/toml"
	"github.com/modu-ai/moai/internal/when"
)

// mostQuoted is how many bytes a message quotes of what a file says.
const mostQuoted = 60

// FileName is the name of a configuration file in its folder.
const FileName = "config.toml"

// Bounds of a configuration file in bytes. A project's comes from strangers, and
// reading it stands before everything that has a deadline.
const (
	maxFile        = 256 << 10
	maxProjectFile = 16 << 10
)

// ownFolder is the folder beside the user's file that holds those for one project each.
const ownFolder = "projects"

// OwnFile is the user's file for one project, by the key of that; "" where there are none. It costs one look at a folder, mostly.
func OwnFile(userDir string, key func() string) string {
	if info, err := os.Stat(filepath.Join(userDir, ownFolder)); userDir == "" || err != nil || !info.IsDir() {
		return ""
	}
	return OwnPath(userDir, key())
}

// OwnPath is where it is, or would be.
func OwnPath(userDir, key string) string { return filepath.Join(userDir, ownFolder, key+".toml") }

// Command reports a key that is a command of one project's.
func (k *Key) Command() bool { return strings.HasPrefix(k.Name, "quality.") && k.kind == place }

// maxProblems bounds what is said about one file.
const maxProblems = 5

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

// Ignored is a variable of a setting that does not count.
type Ignored struct {
	Key      string
	Variable string
	Value    string
	Agent    bool // it would count where no agent runs moai
	Alias    bool // it would count if the user's own settings trusted it
}

// Why says in a few words why it does not count.
func (i Ignored) Why() string {
	switch {
	case i.Alias:
		return "not trusted"
	case i.Agent:
		return "loosens, run by an agent"
	}
	return "no variable sets it"
}

func (i Ignored) String() string {
	if i.Alias {
		return Distrusted(i.Variable)
	}
	if !i.Agent {
		return fmt.Sprintf("%s does not count: no variable sets %s", i.Variable, i.Key)
	}
	return fmt.Sprintf("%s=%s does not count: where an agent runs moai a variable may only tighten, and your own setting is made with: moai config set %s VALUE", i.Variable, term.Clip(i.Value, mostQuoted), i.Key)
}

// Distrusted says that a variable does not count, and whose word would.
func Distrusted(variable string) string {
	return variable + " does not count: settings of this project may have set it. Your own word is: moai config set env.trust " + variable
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

// aliases applies the variables of other programs. What an agent started believes one only by the user's word, or where the
// client itself began with it.
func (c *Config) aliases(s *Sources) {
	for n := range s.Aliases {
		a := &s.Aliases[n]
		v := s.Getenv(a.Variable)
		i := Find(a.Key)
		if v == "" || i < 0 {
			continue
		}
		if a.When != "" {
			if v != a.When {
				continue
			}
			v = a.Sets
		}
		if on := &Keys[i]; v != "true" && v != "false" && (on.kind == boolean || on.Old == truths) {
			c.Problems = append(c.Problems, fmt.Sprintf("%s is %q, want true or false", a.Variable, term.Clip(v, mostQuoted)))
			continue
		}
		switch {
		case v == c.values[i]:
		case s.Agent && !c.Trusts(a.Variable, s.Getenv(a.Variable), s.Began):
			c.Ignored = append(c.Ignored, Ignored{Key: a.Key, Variable: a.Variable, Value: v, Alias: true})
		default:
			c.set(i, v, "environment", a.Variable)
		}
	}
}

// Trusts reports that a variable of a process that an agent started is the user's word: the user's own settings name it, or the
// client began with it, before it read any settings.
func (c *Config) Trusts(variable, value string, began func(string) (string, bool)) bool {
	if slices.Contains(c.Names("env.trust"), variable) {
		return true
	}
	if began == nil {
		return false
	}
	was, known := began(variable)
	return known && was == value
}

// environment applies the variables that count.
func (c *Config) environment(getenv func(string) string, agent bool) {
	for i := range Keys {
		k := &Keys[i]
		name := EnvName(k.Name)
		v := getenv(name)
		if agent {
			v = c.joined(i, v)
		}
		switch {
		case v == "", v == c.values[i]:
		case !k.Variable(), agent && !c.mayTighten(i, v):
			c.Ignored = append(c.Ignored, Ignored{Key: k.Name, Variable: name, Value: v, Agent: k.Variable()})
		default:
			c.set(i, v, "environment", name)
		}
	}
}

// EnvName is the environment variable of a key: a.b_c → MOAI_A_B_C.
func EnvName(key string) string {
	name := make([]byte, 0, 64) // each hook call asks for the names of all keys
	name = append(name, "MOAI_"...)
	for _, c := range []byte(key) {
		switch {
		case c == '.':
			c = '_'
		case 'a' <= c && c <= 'z':
			c -= 'a' - 'A'
		}
		name = append(name, c)
	}
	return string(name)
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

// Loosened lists what protects less than it does by default, with its source, a few words each.
func (c *Config) Loosened() []string {
	var list []string
	for _, key := range c.Loose() {
		list = append(list, fmt.Sprintf("%s is %s (%s)", key, c.String(key), c.Where(key)))
	}
	return list
}

// Loose are the keys of what protects less than it does by default.
func (c *Config) Loose() []string {
	var list []string
	for i := range Keys {
		k := &Keys[i]
		less := k.short && c.Duration(k.Name) < duration0(k.Default)
		if order := k.order(); k.trust == tighten && len(order) > 0 {
			less = slices.Index(order, c.values[i]) < slices.Index(order, k.Default)
		}
		if less {
			list = append(list, k.Name)
		}
	}
	return list
}

func duration0(text string) time.Duration {
	d, _ := when.Length(text)
	return d
}

// truth reads what people write for true and false.
func truth(s string) (on, ok bool) {
	switch s {
	case "true", "1", "yes", "on":
		return true, true
	case "false", "0", "no", "off":
		return false, true
	}
	return false, false
}

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
		if on, ok := truth(v); ok && !slices.Contains(k.Values, v) && k.Old[0] != "" {
			v = k.Old[1]
			if on {
				v = k.Old[0]
			}
		}
		if !slices.Contains(k.Values, v) {
			return "", fmt.Errorf("%s is %q, want one of %s", key, term.Clip(value, mostQuoted), strings.Join(k.Values, ", "))
		}
		return v, nil
	case k.kind == boolean:
		if on, ok := truth(strings.ToLower(value)); ok {
			return strconv.FormatBool(on), nil
		}
		return "", fmt.Errorf("%s is %q, want true or false", key, term.Clip(value, mostQuoted))
	case k.kind == number:
		if n, err := strconv.Atoi(value); err != nil || n < 0 {
			return "", fmt.Errorf("%s is %q, want a whole number", key, term.Clip(value, mostQuoted))
		}
	case k.kind == place:
		return checkText(key, value)
	case k.kind == names:
		return checkNames(key, value)
	case k.kind == words:
		return checkWords(&k, value)
	case k.kind == paths:
		return checkPaths(key, value)
	case k.kind == duration:
		if d, err := when.Length(value); err != nil || d <= 0 {
			return "", fmt.Errorf("%s is %q, want a time such as 500ms, 2s or 1 minute", key, term.Clip(value, mostQuoted))
		}
	}
	return value, nil
}

// mostText is how long free text may be.
const mostText = 4000

// checkText refuses what is no text for a person or a model.
func checkText(key, value string) (string, error) {
	if len(value) > mostText || strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\n' && r != '\t' }) {
		return "", fmt.Errorf("%s is no text of at most %d bytes", key, mostText)
	}
	return value, nil
}

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

// author is whose word a file is.
type author int

const (
	owner    author = iota // the user: everything counts
	doubted                // perhaps the user: what tightens counts, and the rest is passed over without a word
	stranger               // a project: what tightens counts, and it is said what does not
)

// file applies one TOML file. From others than the user only what they are trusted with counts, from the user what somebody has answered for.
func (c *Config) file(path, origin string, by author, answered *Answered) {
	doc := c.parsed(path, by)
	flat := map[string]string{}
	if doc != nil {
		flat = flatten(doc.Tree())
	}
	if by == owner {
		c.own[path] = guarding(flat)
	}
	if by == owner && answered != nil {
		c.owned(path, flat, answered, func(key string) string { return where(path, doc, key) })
	}
	said := 0
	for _, name := range sortedKeys(flat) {
		i := Find(name)
		if by != owner && i >= 0 {
			flat[name] = c.joined(i, flat[name])
		}
		problem := ""
		_, bad := Check(name, flat[name])
		switch {
		case i < 0:
			problem = fmt.Sprintf("no setting is named %q", term.Clip(name, mostQuoted))
		case by == doubted && !c.mayTighten(i, flat[name]):
		case by == stranger && !c.mayTighten(i, flat[name]):
			problem = fmt.Sprintf("a project may not set %s to %q", name, term.Clip(flat[name], mostQuoted))
		case bad != nil:
			problem = bad.Error()
		default:
			c.set(i, flat[name], origin, path)
		}
		if problem != "" {
			if said++; said <= maxProblems {
				c.Problems = append(c.Problems, where(path, doc, name)+": "+problem)
			}
		}
	}
}

// parsed reads a TOML file; nil where there is none, or none that can be read, which is a problem.
func (c *Config) parsed(path string, by author) *toml.Document {
	limit := int64(maxFile)
	if by != owner {
		limit = maxProjectFile
	}
	data, err := read(path, limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		c.Problems = append(c.Problems, err.Error())
		return nil
	}
	doc, err := toml.Parse(data)
	if err != nil {
		var at *toml.Fault
		if errors.As(err, &at) && at.Line > 0 {
			path, err = fmt.Sprintf("%s:%d", path, at.Line), errors.New(at.Text)
		}
		c.Problems = append(c.Problems, path+": "+err.Error())
		return nil
	}
	return doc
}

// where is the place of a key by the name that flatten gives it, as editors jump to it.
func where(path string, doc *toml.Document, name string) string {
	for section, v := range doc.Tree() {
		if section == name {
			return fmt.Sprintf("%s:%d", path, doc.Line(section))
		}
		sub, _ := v.(map[string]any)
		for key := range sub {
			if full := section + "." + key; full == name || full+deeper == name {
				return fmt.Sprintf("%s:%d", path, doc.Line(section, key))
			}
		}
	}
	return path
}

// mayTighten reports whether somebody who may loosen nothing may set key i to value.
func (c *Config) mayTighten(i int, value string) bool {
	k := &Keys[i]
	if k.kind == place {
		return false
	}
	switch k.trust {
	case anyone:
		v, err := Check(k.Name, value)
		return k.mine == "" || err != nil || v != k.mine || v == c.values[i]
	case tighten:
		v, err := Check(k.Name, value)
		if k.kind == names && err == nil {
			return c.tighterNames(i, v)
		}
		if k.kind == paths && err == nil {
			return within(strings.Fields(v), strings.Fields(c.values[i]))
		}
		// What is no value at all is for set to refuse, which says what would be one.
		return err != nil || slices.Index(k.order(), v) >= slices.Index(k.order(), c.values[i])
	}
	return false
}

// Guards reports a key that protects something, which not everybody may loosen.
func Guards(key string) bool { return Keys[must(key)].trust != anyone }

// Tightens reports whether a value in the place of key's own loosens nothing.
func (c *Config) Tightens(key, value string) bool { return c.mayTighten(must(key), value) }

// ProjectMay says in one line why a project's file cannot set key to value, or
// returns nil. base is the configuration without that file.
func (c *Config) ProjectMay(key, value string) error {
	if i := must(key); c.mayTighten(i, c.joined(i, value)) {
		return nil
	}
	return fmt.Errorf("a project may not set %s to %q: a project can only tighten, and that could loosen what protects its users", key, value)
}

// bom is the mark that Notepad puts before UTF-8. A user's guard.mode must not be lost for a mark that no editor shows.
const bom = toml.Mark

// decode reads TOML into values by the names of keys.
func decode(data []byte) (map[string]string, error) {
	doc, err := toml.Parse(data)
	if err != nil {
		return nil, err
	}
	return flatten(doc.Tree()), nil
}

// deeper ends the name of what is no setting, but holds more.
const deeper = ".…"

// flatten names values as keys are named. Keys have two parts; what lies deeper
// is named by its first two, which no setting is.
func flatten(tree map[string]any) map[string]string {
	flat := map[string]string{}
	for section, v := range tree {
		sub, ok := v.(map[string]any)
		if !ok {
			flat[section] = fmt.Sprint(v)
			continue
		}
		for name, v := range sub {
			switch v := v.(type) {
			case []any:
				if i := Find(section + "." + name); i >= 0 && Keys[i].listed() {
					flat[section+"."+name] = listed(v)
					continue
				}
			case map[string]any, []map[string]any:
				flat[section+"."+name+deeper] = ""
				continue
			}
			flat[section+"."+name] = fmt.Sprint(v)
		}
	}
	return flat
}

func sortedKeys(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	return keys
}
