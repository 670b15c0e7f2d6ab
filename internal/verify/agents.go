package verify

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/modu-ai/moai/internal/disk"
)

// Agent is a verifier whose definition exists.
type Agent struct {
	Name  string   `json:"name"` // as the client calls it
	Needs []string `json:"verifies"`
	File  string   `json:"file"`
}

// Bounds of what is looked at: a repository may hold any number of files.
const (
	maxDefinitions = 200
	maxFront       = 16 << 10
	maxPlugins     = 50
	maxSettings    = 1 << 20
)

// Installed finds the verifiers that exist: in the agents' folders of a project and of the user, and in the plugins that are
// switched on. Folders are the clients' own (.claude), the project's first: of two with one name, its counts.
func (t *Tables) Installed(project, user string, more []string) (list []Agent) {
	left := maxDefinitions
	take := func(dir, plugin string) {
		for _, path := range definitions(dir, &left, 3) {
			name, whole := nameOf(path)
			if plugin != "" {
				name = inPlugin(plugin, dir, path, name)
			} else if !whole {
				continue
			}
			needs := t.Needs(name, more)
			if len(needs) > 0 && !slices.ContainsFunc(list, func(a Agent) bool { return a.Name == name }) {
				list = append(list, Agent{name, needs, path})
			}
		}
	}
	take(filepath.Join(project, "agents"), "")
	if user != project {
		take(filepath.Join(user, "agents"), "")
	}
	for _, p := range plugins(project, user) {
		take(filepath.Join(p.dir, "agents"), p.name)
	}
	return list
}

// definitions lists the Markdown files below a folder.
func definitions(dir string, left *int, levels int) (list []string) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := filepath.Join(dir, e.Name())
		switch {
		case *left <= 0:
			return list
		case e.IsDir() && levels > 1:
			list = append(list, definitions(path, left, levels-1)...)
		case strings.EqualFold(filepath.Ext(path), ".md"):
			*left--
			list = append(list, path)
		}
	}
	return list
}

// nameOf is the name that a definition gives its agent, else that of the file; whole says that it has a name and a description. The client takes no
// other one, but from plugins.
func nameOf(path string) (name string, whole bool) {
	head, _, _ := disk.ReadHead(path, maxFront)
	described := false
	if front, ok := strings.CutPrefix(strings.TrimPrefix(string(head), "\ufeff"), "---"); ok {
		front, _, _ = strings.Cut(front, "\n---")
		for line := range strings.Lines(front) {
			if value, ok := strings.CutPrefix(line, "name:"); ok {
				value, _, _ = strings.Cut(value, " #")
				name = strings.Trim(strings.TrimSpace(value), `"'`)
			}
			described = described || strings.HasPrefix(line, "description:")
		}
	}
	if name == "" {
		return strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), false
	}
	return name, described
}

// inPlugin is what the client calls an agent of a plugin: by the plugin and the folders below that of its agents.
func inPlugin(plugin, dir, path, name string) string {
	parts := []string{plugin}
	if below, err := filepath.Rel(dir, filepath.Dir(path)); err == nil && below != "." {
		parts = append(parts, strings.Split(filepath.ToSlash(below), "/")...)
	}
	return strings.Join(append(parts, name), ":")
}

type plugin struct{ name, dir string }

// plugins are those that the user has installed and some settings switch on.
func plugins(project, user string) (list []plugin) {
	var known struct {
		Plugins map[string]json.RawMessage `json:"plugins"`
	}
	if !readJSON(filepath.Join(user, "plugins", "installed_plugins.json"), &known) {
		return nil
	}
	on := map[string]bool{}
	for _, path := range []string{filepath.Join(user, "settings.json"), filepath.Join(project, "settings.json"), filepath.Join(project, "settings.local.json")} {
		var s struct {
			Enabled map[string]bool `json:"enabledPlugins"`
		}
		readJSON(path, &s)
		for name, is := range s.Enabled {
			on[name] = is
		}
	}
	type place struct {
		Path string `json:"installPath"`
	}
	for id, raw := range known.Plugins {
		if !on[id] || len(list) == maxPlugins {
			continue
		}
		places := make([]place, 1) // older clients have one, newer ones a list
		if json.Unmarshal(raw, &places[0]) != nil && json.Unmarshal(raw, &places) != nil {
			continue
		}
		name, _, _ := strings.Cut(id, "@")
		for _, p := range places {
			if filepath.IsAbs(p.Path) {
				list = append(list, plugin{name, p.Path})
			}
		}
	}
	slices.SortFunc(list, func(a, b plugin) int { return strings.Compare(a.name+a.dir, b.name+b.dir) })
	return list
}

func readJSON(path string, v any) bool {
	data, _, err := disk.ReadFile(path, maxSettings)
	return err == nil && json.Unmarshal(data, v) == nil
}
