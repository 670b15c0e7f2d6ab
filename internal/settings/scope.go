package settings

import (
	"bytes"
	"path/filepath"
	"slices"

	"github.com/tailscale/hujson"
)

// Scope says for whom a settings file speaks.
type Scope int

// The zero Scope is the one that is trusted least.
const (
	Shared Scope = iota // everybody who has the project
	Local               // one person in one folder
	User                // all projects of one person
)

// Scopes lists all scopes in the order in which the client applies them: where two files set one thing, the later counts.
// Hooks of all of them run.
var Scopes = [...]Scope{User, Shared, Local}

func (s Scope) String() string { return [...]string{"shared", "local", "user"}[s] }

// Flag is the option of moai init that means the scope.
func (s Scope) Flag() string { return "--" + s.String() }

// Path is the settings file of a scope, in the client's own folder (~/.claude, or what CLAUDE_CONFIG_DIR names) or in
// that of a project.
func (s Scope) Path(clientDir, project string) string {
	switch s {
	case User:
		return filepath.Join(clientDir, "settings.json")
	case Shared:
		return filepath.Join(project, ".claude", "settings.json")
	}
	return filepath.Join(project, ".claude", "settings.local.json")
}

// Skipped is what makes the client skip a whole file, hooks and all, and nil for a file that it reads.
func Skipped(data []byte) *Problem {
	for _, p := range Check(data, nil) {
		if p.Fatal {
			return &p
		}
	}
	return nil
}

// Calls reports whether the client calls moai because of the file at path.
func Calls(path string) bool {
	f, err := Open(path, "")
	return err == nil && calls(f.Data)
}

func calls(data []byte) bool {
	if !bytes.Contains(data, []byte("moai")) || Skipped(data) != nil {
		return false
	}
	entries, err := Entries(data)
	return err == nil && len(entries) > 0
}

// Called reports whether the client calls moai on anything at all, if it reads these files, the least specific first.
func Called(files []Scoped) bool {
	all := make([][]byte, len(files))
	for i := range files {
		all[i] = files[i].Data
	}
	if _, _, off := Off(all...); off {
		return false
	}
	return slices.ContainsFunc(all, calls)
}

// Off finds the settings that switch all hooks off. Files are given in the client's order, nil for one that is not there.
// The last that says anything counts, whether it switches hooks off or on (seen on Claude Code 2.1.329); what the client skips
// says nothing.
func Off(files ...[]byte) (file, line int, off bool) {
	for i, data := range slices.Backward(files) {
		if isBlank(data) || Skipped(data) != nil {
			continue
		}
		d, err := parse(data)
		if err != nil {
			continue
		}
		if v := member(d.object, HooksOff); v != nil {
			if on, known := boolean(v); known {
				return i, d.line(v.StartOffset), on
			}
		}
	}
	return 0, 0, false
}

// HooksOff is the setting of the client that stops every hook, of whatever file.
const HooksOff = "disableAllHooks"

func boolean(v *hujson.Value) (on, known bool) {
	kind := v.Value.Kind()
	return kind == 't', kind == 't' || kind == 'f'
}
