package config

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/term"
	"github.com/modu-ai/moai/internal/toml"
)

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

// maxProblems bounds what is said about one file.
const maxProblems = 5

const (
	owner    author = iota // the user: everything counts
	doubted                // perhaps the user: what tightens counts, and the rest is passed over without a word
	stranger               // a project: what tightens counts, and it is said what does not
)

// author is whose word a file is.
type author int

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

// read refuses anything but a regular file of sensible size: a FIFO in a hostile
// repository would hang the hook.
func read(path string, limit int64) ([]byte, error) {
	data, st, err := disk.ReadFile(path, limit)
	if err == nil && st.Size > 0 { // what has no size may all the same have text
		return data, nil
	}
	if _, err := os.Stat(path); err != nil {
		return nil, fs.ErrNotExist // unreadable is as good as absent: nothing can be set by it
	}
	data, _, err = disk.ReadRegular(os.OpenFile, path, 0, limit)
	switch {
	case errors.Is(err, disk.ErrNotRegular) || errors.Is(err, disk.ErrTooLarge):
		return nil, fmt.Errorf("%s: not a regular file of at most %d bytes", path, limit)
	case err != nil:
		return nil, fmt.Errorf("read configuration: %w", err)
	}
	return data, nil
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
