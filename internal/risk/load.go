package risk

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"

	"github.com/modu-ai/moai/internal/rule"
)

// Rules that are added without building: a project's can only tighten, since a
// cloned repository must not be able to switch its guard off; exceptions count
// from the user's own folder, or from a file that the user approved by its hash.

// maxRuleFile and maxRuleFiles bound what a hostile repository makes a hook read.
const (
	maxRuleFile  = 256 << 10
	maxRuleFiles = 64
)

// Places are where rules are looked for. An empty one is skipped.
type Places struct {
	Config string // the user's configuration folder; rules are in its "rules"
	Root   string // the project; rules are in .moai/rules
	State  string // where spent exceptions are kept
}

// UserRules and ProjectRules are the two folders.
func (p Places) UserRules() string    { return join(p.Config, "rules") }
func (p Places) ProjectRules() string { return join(p.Root, ".moai", "rules") }
func (p Places) trusted() string      { return join(p.Config, "trusted.json") }
func (p Places) spent() string        { return join(p.State, "exceptions-spent.json") }

func join(base string, parts ...string) string {
	if base == "" {
		return ""
	}
	return filepath.Join(append([]string{base}, parts...)...)
}

// Load puts the user's and the project's rules in front of base. Without such
// files it returns base itself and costs two failed directory reads. What is
// wrong in a file is in the error; everything readable is in the set.
func Load(base *Set, p Places) (*Set, error) {
	user, problems := readDir(p.UserRules(), rule.ByUser, nil)
	var trusted map[string]string
	if names := ruleFiles(p.ProjectRules()); len(names) > 0 {
		trusted = p.Trusted()
	}
	project, more := readDir(p.ProjectRules(), rule.ByProject, trusted)
	problems = append(problems, more...)
	if user == nil && project == nil {
		return base, errors.Join(problems...)
	}
	set := *base
	last := &set
	for _, r := range []*rule.Risks{user, project} {
		if r == nil {
			continue
		}
		last.More = NewSet(r)
		last = last.More
	}
	return &set, errors.Join(problems...)
}

// Trusted maps the paths of approved files to their hashes.
func (p Places) Trusted() map[string]string {
	data, err := os.ReadFile(p.trusted())
	if err != nil {
		return nil
	}
	var list map[string]string
	if json.Unmarshal(data, &list) != nil {
		return nil
	}
	return list
}

// Trust approves a rule file as it is now. A changed file has to be approved again.
func (p Places) Trust(file string) (hash string, err error) {
	data, err := readBounded(file)
	if err != nil {
		return "", err
	}
	list := p.Trusted()
	if list == nil {
		list = map[string]string{}
	}
	hash = hashOf(data)
	list[file] = hash
	return hash, writeJSON(p.trusted(), list)
}

func hashOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

func writeJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fmt.Errorf("make folder: %w", err)
	}
	tmp := path + ".new"
	if err := os.WriteFile(tmp, append(data, '\n'), 0o600); err != nil {
		return fmt.Errorf("write: %w", err)
	}
	return os.Rename(tmp, path)
}

// ruleFiles lists the rule files of a folder in name order.
func ruleFiles(dir string) []string {
	if dir == "" {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	var names []string
	for _, e := range entries {
		// A link could lead anywhere; a rule file is a plain file.
		if e.Type().IsRegular() && strings.HasSuffix(e.Name(), ".toml") && len(names) < maxRuleFiles {
			names = append(names, filepath.Join(dir, e.Name()))
		}
	}
	sort.Strings(names)
	return names
}

func readBounded(file string) ([]byte, error) {
	info, err := os.Lstat(file)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() || info.Size() > maxRuleFile {
		return nil, &fs.PathError{Op: "read rules", Path: file, Err: errors.New("not a plain file of at most 256 KiB")}
	}
	return os.ReadFile(file)
}

// readDir reads the rule files of one folder; nil when there are none.
func readDir(dir string, from rule.Source, trusted map[string]string) (*rule.Risks, []error) {
	var all *rule.Risks
	var problems []error
	for _, file := range ruleFiles(dir) {
		data, err := readBounded(file)
		if err != nil {
			problems = append(problems, err)
			continue
		}
		source := from
		if from == rule.ByProject && trusted[file] == hashOf(data) {
			source = rule.ByUser
		}
		one, err := rule.DecodeRisks(file, data, source)
		if err != nil {
			problems = append(problems, err)
		}
		if one == nil {
			continue
		}
		if all == nil {
			all = &rule.Risks{}
		}
		all.Add(one)
	}
	if all != nil {
		all.Sort()
	}
	return all, problems
}

// key names an exception in the list of spent ones.
func key(e *rule.Allowed) string {
	return strings.Join([]string{e.File, e.Rule, e.Path, e.Argument, e.Session, e.Project, e.Reason, e.Given}, "\x00")
}

// Spent answers Input.Used from the list of exceptions that were used up.
func (p Places) Spent() func(*rule.Allowed) bool {
	var list map[string]bool
	return func(e *rule.Allowed) bool {
		if list == nil {
			list = map[string]bool{}
			if data, err := os.ReadFile(p.spent()); err == nil {
				_ = json.Unmarshal(data, &list) // unreadable: nothing is spent yet
			}
		}
		return list[hashOf([]byte(key(e)))]
	}
}

// Spend notes the "once" exceptions that let something through. The caller does
// so when it lets the call run.
func (p Places) Spend(v *Verdict) error {
	var list map[string]bool
	for i := range v.Hits {
		e := v.Hits[i].Allowed
		if e == nil || !e.Once {
			continue
		}
		if list == nil {
			list = map[string]bool{}
			if data, err := os.ReadFile(p.spent()); err == nil {
				_ = json.Unmarshal(data, &list)
			}
		}
		list[hashOf([]byte(key(e)))] = true
	}
	if list == nil {
		return nil
	}
	return writeJSON(p.spent(), list)
}

// AppendAllowed adds an exception to the user's own file and returns its path.
func (p Places) AppendAllowed(e rule.Allowed) (string, error) {
	var b strings.Builder
	b.WriteString("\n[[allow]]\n")
	for _, f := range [...]struct{ name, value string }{
		{"rule", e.Rule}, {"path", e.Path}, {"argument", e.Argument}, {"until", e.Until}, {"session", e.Session}, {"project", e.Project}, {"reason", e.Reason}, {"given", e.Given},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, "%s = %s\n", f.name, tomlString(f.value))
		}
	}
	if e.Once {
		b.WriteString("once = true\n")
	}
	file := filepath.Join(p.UserRules(), "allowed.toml")
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return file, fmt.Errorf("make folder: %w", err)
	}
	f, err := os.OpenFile(file, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return file, fmt.Errorf("open: %w", err)
	}
	_, err = f.WriteString(b.String())
	return file, errors.Join(err, f.Close())
}

// tomlString quotes for TOML, whose basic strings escape as JSON's do.
func tomlString(s string) string {
	data, _ := json.Marshal(s)
	return string(data)
}
