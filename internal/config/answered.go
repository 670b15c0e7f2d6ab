package config

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/modu-ai/moai/internal/disk"
	"github.com/modu-ai/moai/internal/state"
	"github.com/modu-ai/moai/internal/term"
)

// A program that an agent has started can write the user's files as the user can. So what loosens counts from them only where
// somebody has answered for it: it was set with `moai config set`, confirmed with `moai config confirm`, or stood there when a
// session began and no other one went on. What tightens counts at once; a tighter value that is gone counts until somebody has
// said that it may go. Where nothing was kept yet, everything counts: what an older moai obeyed is the user's.

// TrustedFile is the file of approvals beside the user's settings: paths of rule files and their hashes.
const TrustedFile = "trusted.json"

// Answered is what of the user's own files somebody has answered for.
type Answered struct {
	Known   map[string]map[string]string `json:"known"`             // by file: what it may say
	Waiting []string                     `json:"waiting,omitempty"` // what came while an agent was at work: it waits for a person
}

// answeredPath is not beside the settings: who writes one file has not written the other.
func answeredPath(stateDir string) string { return filepath.Join(stateDir, "settings-known.json") }

// ReadAnswered is what was kept, nil where nothing was. In a file that cannot be read nothing is answered for.
func ReadAnswered(stateDir string) *Answered {
	if stateDir == "" {
		return nil
	}
	var a Answered
	if state.Read(answeredPath(stateDir), 0, &a) {
		return &a
	}
	if _, err := disk.At(answeredPath(stateDir)); err != nil {
		return nil
	}
	return &a
}

// ChangeAnswered runs change on what is kept, under its lock. Where nothing is kept yet, all that was in the user's folder before
// since is the user's; the zero time: all that is there.
func ChangeAnswered(stateDir, userDir string, since time.Time, change func(a *Answered)) error {
	if stateDir == "" || userDir == "" {
		return nil
	}
	old := ReadAnswered(stateDir)
	err := state.UpdateWithin(answeredPath(stateDir), 0, state.Soon, func(a *Answered) bool {
		if old == nil && a.Known == nil {
			a.Known = present(userDir, since)
		}
		before, waiting := cloned(a.Known), slices.Clone(a.Waiting)
		if change != nil {
			change(a)
		}
		return old == nil || !maps.EqualFunc(before, a.Known, maps.Equal) || !slices.Equal(waiting, a.Waiting)
	})
	if err != nil {
		return fmt.Errorf("keep which settings are yours: %w", err)
	}
	return nil
}

func cloned(m map[string]map[string]string) map[string]map[string]string {
	c := map[string]map[string]string{}
	for name, one := range m {
		c[name] = maps.Clone(one)
	}
	return c
}

// present is what the user's files say that have not changed since then.
func present(userDir string, since time.Time) map[string]map[string]string {
	all := map[string]map[string]string{}
	files := []string{filepath.Join(userDir, FileName)}
	own, _ := os.ReadDir(filepath.Join(userDir, ownFolder))
	for _, one := range own {
		files = append(files, filepath.Join(userDir, ownFolder, one.Name()))
	}
	for _, file := range files {
		if changedSince(file, since) {
			continue
		}
		if data, err := read(file, maxFile); err == nil {
			if flat, err := decode(data); err == nil {
				all[file] = guarding(flat)
			}
		}
	}
	trusted := filepath.Join(userDir, TrustedFile)
	if data, err := os.ReadFile(trusted); err == nil && !changedSince(trusted, since) {
		var list map[string]string
		if json.Unmarshal(data, &list) == nil {
			all[trusted] = list
		}
	}
	return all
}

// changedSince reports a file that was changed, or taken from its folder, since then. Its own time is one that no program
// can set back, where the system has such a time.
func changedSince(file string, since time.Time) bool {
	if since.IsZero() {
		return false
	}
	st, err := disk.At(file)
	if errors.Is(err, fs.ErrNotExist) {
		st, err = disk.At(filepath.Dir(file))
	}
	return err != nil || max(st.ChangedNano(), st.ModifiedNano()) >= since.UnixNano()
}

// guarding are the settings among values that protect something.
func guarding(flat map[string]string) map[string]string {
	list := map[string]string{}
	for name, v := range flat {
		if i := Find(name); i >= 0 && !Keys[i].plain {
			list[name] = v
		}
	}
	return list
}

// Answer notes a value of the user's own file, or that it is gone from there, as somebody's word.
func (a *Answered) Answer(file, key, value string, set bool) {
	switch {
	case set && a.Known[file] == nil:
		a.Known = cloned(a.Known)
		a.Known[file] = map[string]string{key: value}
	case set:
		a.Known[file][key] = value
	default:
		delete(a.Known[file], key)
	}
}

// Adopt notes all that c read of the user's files, but for what held says to wait.
func (a *Answered) Adopt(c *Config, held func(h *Held) bool) {
	a.Known = cloned(a.Known)
	for file, values := range c.own {
		now := maps.Clone(values)
		for i := range c.Held {
			h := &c.Held[i]
			if h.file != file || !held(h) {
				continue
			}
			if old, ok := a.Known[file][h.Key]; ok {
				now[h.Key] = old
			} else {
				delete(now, h.Key)
			}
		}
		if a.Known[file] = now; len(now) == 0 {
			delete(a.Known, file)
		}
	}
	a.Waiting = slices.DeleteFunc(a.Waiting, func(id string) bool {
		return !slices.ContainsFunc(c.Held, func(h Held) bool { return h.id() == id && held(&h) })
	})
	if len(a.Waiting) == 0 {
		a.Waiting = nil
	}
}

// Files are the user's own that were read, or looked for.
func (c *Config) Files() []string { return slices.Sorted(maps.Keys(c.own)) }

// Said is what one of them says of a setting that protects something.
func (c *Config) Said(file, key string) (value string, set bool) {
	value, set = c.own[file][key]
	return value, set
}

// Waits reports that h came while an agent was at work.
func (a *Answered) Waits(h *Held) bool { return slices.Contains(a.Waiting, h.id()) }

// mostWaiting bounds what is kept of what came; what falls out is seen again.
const mostWaiting = 100

// Await notes those of a list that wait for a person.
func (a *Answered) Await(list []Held, waits func(h *Held) bool) {
	for i := range list {
		if h := &list[i]; waits(h) && !a.Waits(h) {
			a.Waiting = append(a.Waiting, h.id())
		}
	}
	a.Waiting = a.Waiting[max(0, len(a.Waiting)-mostWaiting):]
}

// Held is a setting in a file of the user's that was changed or removed, and that no person has confirmed yet.
type Held struct {
	Key   string
	Value string // what is there
	Gone  bool   // it is not there any more, and Value was
	Where string // file and line
	file  string
}

func (h *Held) id() string {
	return fmt.Sprintf("%s %s=%s %t", h.file, h.Key, h.Value, h.Gone)
}

// ChangedSince reports that the file which says it was changed since then; never since the zero time.
func (h *Held) ChangedSince(t time.Time) bool { return changedSince(h.file, t) }

// Said says what waits, and what counts until then.
func (h *Held) Said() string {
	if h.Gone {
		return fmt.Sprintf("%s: %s = %q is gone and counts all the same", h.Where, h.Key, term.Clip(h.Value, mostQuoted))
	}
	return fmt.Sprintf("%s: %s = %q does not count", h.Where, h.Key, term.Clip(h.Value, mostQuoted))
}

func (h *Held) String() string {
	return h.Said() + ", since something else than moai changed it while an agent was at work; if you want it: moai config confirm"
}

// counts returns the part of an unconfirmed value that holds already, since it only tightens; ok says that it is the whole value.
func (c *Config) counts(i int, value string) (counts string, ok bool) {
	k := &Keys[i]
	v, err := Check(k.Name, value)
	switch joined := c.joined(i, value); {
	case err != nil, k.plain, v == c.values[i], k.trust == userOnly && v == k.Default, c.mayTighten(i, value):
		return value, true // what is no value is refused later, which says what would be one
	case joined != value && c.mayTighten(i, joined):
		return joined, false
	}
	return "", false
}

// owned leaves of what a file of the user's says that which counts.
func (c *Config) owned(path string, flat map[string]string, answered *Answered, where func(key string) string) {
	known := answered.Known[path]
	for _, name := range sortedKeys(known) {
		i, was, before := Find(name), known[name], ""
		if i < 0 || flat[name] == was || Keys[i].trust != tighten || !c.mayTighten(i, was) {
			continue
		}
		before = c.values[i]
		c.set(i, was, "user", path)
		if _, there := flat[name]; !there && c.values[i] != before {
			c.Held = append(c.Held, Held{Key: name, Value: was, Gone: true, Where: path, file: path})
		}
	}
	for _, name := range sortedKeys(flat) {
		was, answered := known[name]
		if i := Find(name); i >= 0 && (!answered || was != flat[name]) {
			value, ok := c.counts(i, flat[name])
			if !ok {
				c.Held = append(c.Held, Held{Key: name, Value: flat[name], Where: where(name), file: path})
			}
			if flat[name] = value; value == "" && !ok {
				delete(flat, name)
			}
		}
	}
}
